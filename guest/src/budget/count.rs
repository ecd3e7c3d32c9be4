//! The tokens of what a request is made of (docs/compaction.md, "Tokens of a request").

use serde_json::Value;

use super::data;
use crate::assembly::{Made, front};
use crate::conversation::ReplyItem;
use crate::json::JsonStyle;
use crate::lines;
use crate::message::Part;
use crate::record::{Dialect, UserRecord};
use crate::reply::{Reply, Sent};
use crate::rules::Rules;
use crate::tokens::{Estimate, estimate};

/// Counts by a session's settings.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    /// Texts and numbers.
    pub rules: &'a Rules,
    /// How JSON is written.
    pub style: &'a JsonStyle,
}

/// The tokens of a reply, by how it is sent, without its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplyTokens {
    /// Without its reasoning.
    pub plain: Estimate,
    /// With it.
    pub carrying: Estimate,
    /// As a chat's earlier turn: its text.
    pub text_only: Estimate,
}

impl Counter<'_> {
    /// A text as it is shown.
    pub fn text(self, text: &str) -> Estimate {
        estimate(&lines::shown(text, &self.rules.nul))
    }

    /// JSON as it is sent.
    pub fn json(self, value: &Value) -> Estimate {
        estimate(&self.style.text(value))
    }

    /// A block as it is sent, its data counted as what they are.
    pub fn block(self, value: &Value) -> Estimate {
        let rules = &self.rules.tokens;
        if !data::is_in(value, rules) {
            return self.json(value);
        }
        let mut words = value.clone();
        let tokens = data::take(&mut words, rules);
        self.json(&words) + Estimate::whole(tokens)
    }

    fn message(self, role: &str) -> Estimate {
        whole(self.rules.tokens.message) + estimate(role)
    }

    /// What a request has besides tools, system prompt and messages.
    pub fn request(self) -> Estimate {
        whole(self.rules.tokens.request)
    }

    /// The prompt: each of its messages. A dialect with one system prompt has all of its zone in that.
    pub fn prompt(self, made: &Made, dialect: Dialect) -> Estimate {
        let messages = front::messages(made, dialect);
        let messages = messages.iter();
        messages
            .map(|message| self.message(message.role) + self.text(message.text))
            .sum()
    }

    /// A tool: as it is sent, and whether it is a definition of the dialect's own.
    pub fn tool(self, name: &str, description: &str, sent: &Value, own: bool) -> Estimate {
        let tool = whole(self.rules.tokens.tool);
        if own {
            return tool + self.json(sent);
        }
        let parameters = sent
            .pointer("/function/parameters")
            .or_else(|| sent.get("input_schema"))
            .or_else(|| sent.get("parameters"));
        let texts = estimate("function") + self.text(name) + self.text(description);
        tool + texts + parameters.map(|json| self.json(json)).unwrap_or_default()
    }

    /// A message to the model.
    pub fn user(self, message: &UserRecord) -> Estimate {
        let parts = message.parts.iter().map(|part| self.part(part));
        let note = message.note.as_ref().map(|note| self.text(&note.text));
        self.message("user")
            + self.text(&message.text)
            + parts.sum::<Estimate>()
            + note.unwrap_or_default()
    }

    /// A part of a message.
    pub fn part(self, part: &Part) -> Estimate {
        let omitted = self.rules.requests.image_omitted.as_deref();
        match part {
            part if omitted.is_some() && part.is_image() => self.text(omitted.unwrap_or_default()),
            Part::Text(text) => self.text(text),
            Part::Block(block) => self.block(&Part::carried(block)),
            Part::ImageUrl(url) => {
                let rules = &self.rules.tokens;
                let held = data::in_url(url, rules);
                held.map_or_else(|| whole(rules.image), Estimate::whole)
            }
            Part::Image(image) => Estimate::whole(data::image(&image.base64, &self.rules.tokens)),
        }
    }

    /// A reply, without its results.
    pub fn reply(self, reply: &Reply, incomplete: bool) -> ReplyTokens {
        let interrupted = &self.rules.replies.interrupted;
        let cut = incomplete.then(|| self.text(interrupted));
        let said = self.message("assistant") + self.text(&reply.text) + cut.unwrap_or_default();
        let calls: Estimate = reply
            .calls
            .iter()
            .map(|call| {
                let texts = self.text(&call.id) + self.text(&call.name);
                whole(self.rules.tokens.call) + texts + self.text(&call.arguments)
            })
            .sum();
        let of = |sent: Sent<'_>| {
            if !sent.something && !incomplete {
                return Estimate::default();
            }
            let others = sent.others.into_iter().map(|other| self.block(other));
            let reasoning = sent.reasoning.iter().map(|text| self.text(text));
            said + calls + others.sum::<Estimate>() + reasoning.sum::<Estimate>()
        };
        let blank = reply.text.trim().is_empty() && !incomplete;
        ReplyTokens {
            plain: of(reply.sent(false, &self.rules.reasoning)),
            carrying: of(reply.sent(true, &self.rules.reasoning)),
            text_only: if blank { Estimate::default() } else { said },
        }
    }

    /// The results that follow a reply. Those of open calls are about to get the numbers from `closing`
    /// on; `text` gives the tokens of one by its number.
    pub fn results(
        self,
        reply: &ReplyItem,
        closing: u32,
        text: &dyn Fn(u32) -> Estimate,
    ) -> Estimate {
        let mut closing = closing..;
        let calls = reply.reply.calls.iter().zip(&reply.results);
        let results = calls.map(|(call, number)| {
            let number = number.or_else(|| closing.next()).unwrap_or_default();
            self.message("tool") + self.text(&call.id) + text(number)
        });
        results.sum()
    }
}

/// A setting in whole tokens.
fn whole(tokens: u32) -> Estimate {
    Estimate::whole(u64::from(tokens))
}
