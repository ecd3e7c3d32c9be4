//! The parts of a conversation as it is sent.

use std::collections::BTreeMap;

use super::ContextKind;
use super::parts::{Parts, Weigher, Weight};
use crate::conversation::{Item, Place, ReplyItem, UserItem};
use crate::message::{Part, Sender};
use crate::record::{Dialect, UserRecord};
use crate::reply::Piece;
use crate::request::{View, part_block};
use crate::skills;
use crate::tokens::Estimate;

/// Takes the messages of a request apart.
pub struct Messages<'a> {
    /// As they are sent.
    pub view: &'a View<'a>,
    /// How much they are.
    pub weigher: Weigher<'a>,
    /// The lengths of results' texts as JSON, by their numbers.
    pub results: &'a BTreeMap<u32, usize>,
    /// The tokens of results' texts by their numbers.
    pub tokens: &'a dyn Fn(u32) -> Estimate,
}

/// A result in a request.
#[derive(Clone, Debug)]
pub struct FoundResult {
    /// Its number.
    pub number: u32,
    /// The tool that was called.
    pub tool: String,
    /// How much its text is.
    pub weight: Weight,
}

impl Messages<'_> {
    /// Adds the parts of all messages, and tells the results.
    pub fn add_to(&self, parts: &mut Parts) -> Vec<FoundResult> {
        let mut results = Vec::new();
        for at in 0..self.view.items.len() {
            match self.view.items.get(at) {
                None => {}
                Some(Item::User(user)) => self.user(parts, user),
                Some(Item::Reply(reply)) if self.view.is_text_only(at) => {
                    self.text_reply(parts, reply);
                }
                Some(Item::Reply(reply)) => {
                    self.reply(parts, reply, self.view.carries(at, reply));
                    results.extend(self.results(reply));
                }
            }
        }
        for result in &results {
            parts.add(ContextKind::Results, &result.tool, result.weight);
        }
        results
    }

    fn user(&self, parts: &mut Parts, user: &UserItem) {
        let message = &user.message;
        let kind = kind_of(user);
        let mut said = Weight::default();
        if kind == ContextKind::Summary {
            said = self.weigher.text(&message.text);
        } else if self.is_sent(message) {
            let (text, ahead) = user.told();
            let split = skills::split(text, ahead, &self.view.rules.skills);
            for envelope in &split.envelopes {
                let weight = self.weigher.text(envelope.whole);
                parts.add(ContextKind::Skills, &envelope.name, weight);
            }
            said = self.weigher.text(&split.stripped());
        }
        said += message.parts.iter().map(|part| self.part(part)).sum();
        parts.add_some(kind, "", said);
        if let Some(note) = &message.note {
            parts.add(ContextKind::Notes, "", self.weigher.text(&note.text));
        }
    }

    /// Whether a message's text is: of a list of blocks no blank one is.
    fn is_sent(&self, message: &UserRecord) -> bool {
        let list = self.view.dialect != Dialect::OpenaiChat || !message.parts.is_empty();
        !list || !message.text.trim().is_empty()
    }

    /// A text without its block; another part with it.
    fn part(&self, part: &Part) -> Weight {
        let omitted = self.view.rules.requests.image_omitted.as_deref();
        match part {
            part if omitted.is_some() && part.is_image() => {
                self.weigher.text(omitted.unwrap_or_default())
            }
            Part::Text(text) if text.trim().is_empty() => Weight::default(),
            Part::Text(text) => self.weigher.text(text),
            part => Weight {
                bytes: self.weigher.json(&part_block(self.view.dialect, part)),
                tokens: self.weigher.counter.part(part),
            },
        }
    }

    /// A reply of an earlier turn in a chat.
    fn text_reply(&self, parts: &mut Parts, reply: &ReplyItem) {
        let interrupted = &*self.view.rules.replies.interrupted;
        let interrupted = reply.incomplete.then_some(interrupted);
        let texts = Some(&*reply.reply.text).into_iter().chain(interrupted);
        let said = texts.filter(|text| !text.trim().is_empty());
        let weight = said.map(|text| self.weigher.text(text)).sum();
        parts.add_some(ContextKind::Replies, "", weight);
    }

    fn reply(&self, parts: &mut Parts, reply: &ReplyItem, carries: bool) {
        let rules = &self.view.rules.reasoning;
        let (shares, sent) = (
            reply.reply.shares(carries, rules),
            reply.reply.sent(carries, rules),
        );
        let counter = self.weigher.counter;
        let interrupted = &self.view.rules.replies.interrupted;
        let cut = reply.incomplete.then(|| self.weigher.text(interrupted));
        let others = sent.others.into_iter().map(|other| counter.block(other));
        let others: Estimate = others.sum();
        // A blank text that is not sent is counted, and is no part.
        let text = |piece: &Piece<'_>| matches!(piece, Piece::Text(text) if !text.is_empty());
        let stands = shares.words.iter().any(text);
        let said = stands.then(|| counter.text(&reply.reply.text));
        let words = Weight {
            bytes: self.weigher.pieces(&shares.words),
            tokens: said.unwrap_or_default() + others,
        };
        parts.add_some(ContextKind::Replies, "", words + cut.unwrap_or_default());
        let thoughts = sent.reasoning.iter().map(|text| counter.text(text));
        let reasoning = Weight {
            bytes: self.weigher.pieces(&shares.reasoning),
            tokens: thoughts.sum(),
        };
        parts.add_some(ContextKind::Reasoning, "", reasoning);
        for (call, arguments) in reply.reply.calls.iter().zip(&shares.arguments) {
            let weight = Weight {
                bytes: self.weigher.pieces(&[*arguments]),
                tokens: counter.text(&call.arguments),
            };
            parts.add(ContextKind::Calls, &call.name, weight);
        }
    }

    /// The results of a reply. Those of open calls are about to be given.
    fn results(&self, reply: &ReplyItem) -> Vec<FoundResult> {
        let mut closing = self.view.closing..;
        let calls = reply.reply.calls.iter().zip(&reply.results);
        let found = calls.map(|(call, number)| {
            let number = number.or_else(|| closing.next()).unwrap_or_default();
            let length = self.results.get(&number).copied().unwrap_or_default();
            FoundResult {
                number,
                tool: call.name.clone(),
                weight: Weight {
                    bytes: length.saturating_sub(2),
                    tokens: (self.tokens)(number),
                },
            }
        });
        found.collect()
    }
}

fn kind_of(user: &UserItem) -> ContextKind {
    match (&user.place, user.message.sender) {
        (Place::Summary { .. }, _) => ContextKind::Summary,
        (_, Sender::Person) => ContextKind::Person,
        (_, Sender::Machine) => ContextKind::Machine,
        (_, Sender::Subagent) => ContextKind::Subagent,
    }
}
