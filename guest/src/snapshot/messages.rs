//! The messages of a request, hashed.

use std::borrow::Cow;

use super::MessageHash;
use super::hash::{Encoding, Hashed, HashedCall};
use crate::conversation::{Item, ReplyItem, UserItem};
use crate::error::Error;
use crate::lines;
use crate::message::Part;
use crate::record::Dialect;
use crate::request::{ResultTexts, View};

/// The messages that were hashed so far.
#[derive(Debug, Default)]
pub struct Taken {
    pub messages: Vec<MessageHash>,
    /// Bytes of their roles and contents.
    pub bytes: usize,
}

impl Taken {
    /// Takes a message in, by its number; none of one that the prompt put in front.
    pub fn add(&mut self, message: Option<u32>, hashed: &Hashed<'_>) {
        self.bytes += hashed.bytes();
        self.messages.push(MessageHash {
            message,
            role: hashed.role.to_owned(),
            hash: hashed.hash(),
        });
    }

    /// A text that the prompt put in front.
    pub fn add_front(&mut self, role: &str, text: &str, nul: &str) {
        let content = lines::shown(text, nul);
        let hashed = Hashed {
            role,
            content,
            ..Hashed::default()
        };
        self.add(None, &hashed);
    }
}

/// Takes in the messages of a conversation as they are sent.
///
/// # Errors
///
/// `storage`, where a result's text has to be read again.
pub fn take(taken: &mut Taken, view: &View<'_>, texts: &mut dyn ResultTexts) -> Result<(), Error> {
    for at in 0..view.items.len() {
        match view.items.get(at) {
            None => {}
            Some(Item::User(user)) => taken.add(Some(user.number), &said(view, user)),
            Some(Item::Reply(reply)) if view.is_text_only(at) => {
                let said = reply.incomplete || !reply.reply.text.trim().is_empty();
                let said = said.then(|| text_only(view, reply));
                said.iter()
                    .for_each(|said| taken.add(Some(reply.number), said));
            }
            Some(Item::Reply(reply)) => {
                let carries = view.carries(at, reply);
                if let Some(answered) = answered(view, reply, carries) {
                    taken.add(Some(reply.number), &answered);
                }
                for number in reply.results.iter().flatten() {
                    let text = texts.text(*number)?;
                    let result = Hashed {
                        role: "tool",
                        content: lines::shown(&text, &view.rules.nul),
                        ..Hashed::default()
                    };
                    taken.add(Some(reply.number), &result);
                }
            }
        }
    }
    Ok(())
}

/// A message to the model: its texts that are not blank, and its images.
fn said<'a>(view: &View<'_>, user: &'a UserItem) -> Hashed<'a> {
    let message = &user.message;
    let mut texts: Vec<Cow<'_, str>> = vec![Cow::Borrowed(&message.text)];
    let mut images = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text(text) => texts.push(Cow::Borrowed(text)),
            Part::Block(block) => texts.push(view.style.text(&Part::carried(block)).into()),
            Part::Image(image) => images.push([&*image.media_type, &*image.base64]),
            Part::ImageUrl(url) => images.push(["", url]),
        }
    }
    texts.extend(message.note.iter().map(|note| Cow::Borrowed(&*note.text)));
    texts.retain(|text| !text.trim().is_empty());
    // Anthropic has no messages of the system's role.
    let has_system = view.dialect != Dialect::AnthropicMessages;
    Hashed {
        role: if has_system && user.place.is_system() {
            "system"
        } else {
            "user"
        },
        content: lines::shown(&texts.join("\n"), &view.rules.nul)
            .into_owned()
            .into(),
        images,
        ..Hashed::default()
    }
}

/// A reply of an earlier turn in a chat.
fn text_only<'a>(view: &View<'a>, reply: &'a ReplyItem) -> Hashed<'a> {
    Hashed {
        role: "assistant",
        content: lines::shown(&reply.reply.text, &view.rules.nul),
        ..Hashed::default()
    }
}

/// A reply with its calls, and its reasoning where it is carried. None if nothing of it is sent.
fn answered<'a>(view: &View<'a>, reply: &'a ReplyItem, carries: bool) -> Option<Hashed<'a>> {
    let nul = &view.rules.nul;
    let sent = reply.reply.sent(carries, &view.rules.reasoning);
    if !sent.something && !reply.incomplete {
        return None;
    }
    let encoding = Encoding {
        style: view.style,
        go: view.rules.snapshots_go,
    };
    let calls = reply.reply.calls.iter().map(|call| HashedCall {
        name: &call.name,
        json: encoding.arguments(call),
        written: lines::shown(&call.arguments, nul),
    });
    let reasoning = sent.reasoning.into_iter();
    Some(Hashed {
        reasoning: reasoning.map(|text| lines::shown(text, nul)).collect(),
        calls: calls.collect(),
        ..text_only(view, reply)
    })
}
