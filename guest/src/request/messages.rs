//! Writes the messages from one on, in any dialect.

use serde_json::Value;

use super::marks::{Mark, Marks};
use super::writer::Writer;
use super::{View, anthropic, chat, responses};
use crate::conversation::{Item, ReplyItem, UserItem};
use crate::error::Error;
use crate::message::Part;
use crate::record::Dialect;
use crate::reply::Call;

/// How a dialect spells messages. What has a `mark` ends with a breakpoint of the
/// prompt cache.
pub trait Spelling {
    /// A message to the model.
    fn user(&self, writer: &mut Writer<'_>, user: &UserItem, mark: Option<Mark>);
    /// A reply, with its reasoning or without.
    fn reply(&self, writer: &mut Writer<'_>, reply: &ReplyItem, carries: bool);
    /// Earlier replies of a chat: their text.
    fn text_reply(&self, writer: &mut Writer<'_>, text: &str);
    /// A result.
    fn result(&self, writer: &mut Writer<'_>, result: &ShownResult<'_>, mark: Option<Mark>);
    /// What closes the last message.
    fn close(&self, _writer: &mut Writer<'_>) {}
}

/// A result on its way into a body.
#[derive(Debug)]
pub struct ShownResult<'a> {
    /// The call that it answers.
    pub call: &'a Call,
    /// Its number.
    pub number: u32,
    /// Its text, as JSON.
    pub json: &'a [u8],
    /// Whether it is a failure or a refusal.
    pub failed: bool,
}

/// Where results come from.
pub trait Results {
    /// The text of a result as the model reads it, as JSON.
    ///
    /// # Errors
    ///
    /// `storage`, where it has to be read again.
    fn json(&mut self, number: u32) -> Result<Vec<u8>, Error>;

    /// Whether a result is a failure or a refusal.
    fn failed(&self, number: u32) -> bool;
}

/// The dialect's spelling.
pub fn spelling<'a>(view: &View<'a>) -> Box<dyn Spelling + 'a> {
    let rules = view.rules;
    match view.dialect {
        Dialect::OpenaiChat => Box::new(chat::Chat {
            rules,
            empty: view.carrying.by.empty,
        }),
        Dialect::AnthropicMessages => Box::new(anthropic::Anthropic { rules }),
        Dialect::OpenaiResponses => Box::new(responses::Responses { rules }),
    }
}

/// A part of a message as a block of the dialect.
pub fn block(dialect: Dialect, part: &Part) -> Value {
    match dialect {
        Dialect::OpenaiChat => chat::part(part),
        Dialect::AnthropicMessages => anthropic::part(part),
        Dialect::OpenaiResponses => responses::part(part),
    }
}

/// Writes the messages at `from` to the end. `marks` are those that end with a breakpoint; `begins`
/// is told where each message begins, and its number.
pub fn write(
    view: &View<'_>,
    writer: &mut Writer<'_>,
    from: usize,
    marks: &Marks,
    results: &mut dyn Results,
    begins: &mut dyn FnMut(&Writer<'_>, u32),
) -> Result<(), Error> {
    let spelling = spelling(view);
    let mut at = from;
    while let Some(item) = view.items.get(at) {
        let mark = marks.at(at);
        match item {
            Item::User(user) => {
                begins(writer, user.number);
                spelling.user(writer, user, mark);
            }
            Item::Reply(reply) if view.is_text_only(at) => {
                let run = run(view, at);
                run.iter().for_each(|_| begins(writer, reply.number));
                if let Some(text) = text_of(&run, &view.rules.replies.interrupted) {
                    spelling.text_reply(writer, &text);
                }
                at += run.len();
                continue;
            }
            Item::Reply(reply) => {
                begins(writer, reply.number);
                spelling.reply(writer, reply, view.carries(at, reply));
                write_results(view, &*spelling, writer, reply, results, mark)?;
            }
        }
        at += 1;
    }
    Ok(())
}

/// Earlier replies of a chat that follow one another: they are one. Writing never begins inside them.
fn run<'a>(view: &View<'a>, first: usize) -> Vec<&'a ReplyItem> {
    let reply = |at: usize| {
        let item = view.items.get(at).filter(|_| view.is_text_only(at));
        item.and_then(Item::as_reply)
    };
    (first..).map_while(reply).collect()
}

fn text_of(replies: &[&ReplyItem], interrupted: &str) -> Option<String> {
    let mut texts = Vec::new();
    for reply in replies {
        texts.push(reply.reply.text.as_str());
        if reply.incomplete {
            texts.push(interrupted);
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// The results of a reply, in the order of its calls. Those of open calls are about to be given.
fn write_results(
    view: &View<'_>,
    spelling: &dyn Spelling,
    writer: &mut Writer<'_>,
    reply: &ReplyItem,
    results: &mut dyn Results,
    mark: Option<Mark>,
) -> Result<(), Error> {
    let mut closing = view.closing..;
    let last = reply.results.len().saturating_sub(1);
    let calls = reply.reply.calls.iter().zip(&reply.results);
    for (at, (call, number)) in calls.enumerate() {
        let number = number.or_else(|| closing.next()).unwrap_or_default();
        let json = results.json(number)?;
        let result = ShownResult {
            call,
            number,
            json: &json,
            failed: results.failed(number),
        };
        spelling.result(writer, &result, mark.filter(|_| at == last));
    }
    Ok(())
}
