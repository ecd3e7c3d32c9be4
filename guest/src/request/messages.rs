//! Writes the messages from one on, in any dialect.

use std::borrow::Cow;

use super::writer::Writer;
use super::{ResultTexts, View, anthropic, chat, responses};
use crate::conversation::{Item, ReplyItem};
use crate::error::Error;
use crate::record::Dialect;
use crate::reply::Call;

/// How a dialect spells messages.
pub trait Spelling {
    /// A message to the model.
    fn user(&self, writer: &mut Writer<'_>, at: usize, item: &Item);
    /// A reply, with its reasoning or without.
    fn reply(&self, writer: &mut Writer<'_>, reply: &ReplyItem, carries: bool);
    /// An earlier reply of a chat: its text.
    fn text_reply(&self, writer: &mut Writer<'_>, text: &str);
    /// A result, whose text is JSON already.
    fn result(&self, writer: &mut Writer<'_>, result: &ShownResult<'_>);
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
    /// Whether it ends with a breakpoint of the prompt cache.
    pub marked: bool,
}

/// The dialect's spelling. `marks` are the messages that end with a breakpoint.
pub fn spelling<'a>(view: &'a View<'_>, marks: &'a [usize]) -> Box<dyn Spelling + 'a> {
    match view.dialect {
        Dialect::OpenaiChat => Box::new(chat::Chat { rules: view.rules }),
        Dialect::AnthropicMessages => Box::new(anthropic::Anthropic {
            rules: view.rules,
            marks,
        }),
        Dialect::OpenaiResponses => Box::new(responses::Responses { rules: view.rules }),
    }
}

/// Writes the messages at `from` to the end. `begins` is told where each begins.
///
/// `written` gives a result's text, as JSON, from a body that holds it already.
pub fn write(
    view: &View<'_>,
    writer: &mut Writer<'_>,
    from: usize,
    marks: &[usize],
    written: &dyn Fn(u32) -> Option<Vec<u8>>,
    texts: &mut dyn ResultTexts,
    begins: &mut dyn FnMut(&Writer<'_>, u32),
) -> Result<(), Error> {
    let spelling = spelling(view, marks);
    for at in from..view.items.len() {
        let Some(item) = view.items.get(at) else {
            break;
        };
        match item {
            Item::Reply(_) if view.is_text_only(at) => {
                let run = Run::to(view, at);
                begins(writer, run.number);
                if let Some(text) = run.text(view) {
                    spelling.text_reply(writer, &text);
                }
                continue;
            }
            item => begins(writer, item.number()),
        }
        match item {
            Item::User(_) => spelling.user(writer, at, item),
            Item::Reply(reply) => {
                spelling.reply(writer, reply, view.carries(at, reply));
                let marked = marks.contains(&at);
                let mut results = Results {
                    view,
                    written,
                    texts,
                };
                results.write(&*spelling, writer, reply, marked)?;
            }
        }
    }
    Ok(())
}

/// Earlier replies of a chat that follow one another: they are one, which stands where the last does.
struct Run<'a> {
    replies: Vec<&'a ReplyItem>,
    /// The first reply's number.
    number: u32,
    /// Whether none follows.
    ends: bool,
}

impl<'a> Run<'a> {
    /// The replies up to the one at `at`.
    fn to(view: &View<'a>, at: usize) -> Self {
        let reply = |at: usize| {
            let item = view.items.get(at).filter(|_| view.is_text_only(at));
            item.and_then(Item::as_reply)
        };
        let mut replies: Vec<&ReplyItem> = (0..=at).rev().map_while(reply).collect();
        replies.reverse();
        Self {
            number: replies.first().map_or(0, |first| first.number),
            ends: reply(at + 1).is_none(),
            replies,
        }
    }

    /// What is sent of them, at the last of them.
    fn text(&self, view: &View<'_>) -> Option<String> {
        let mut texts = Vec::new();
        for reply in self.replies.iter().filter(|_| self.ends) {
            texts.push(reply.reply.text.as_str());
            if reply.incomplete {
                texts.push(&view.rules.replies.interrupted);
            }
        }
        texts.retain(|text| !text.trim().is_empty());
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }
}

struct Results<'a, 'v> {
    view: &'a View<'v>,
    written: &'a dyn Fn(u32) -> Option<Vec<u8>>,
    texts: &'a mut dyn ResultTexts,
}

impl Results<'_, '_> {
    /// Writes the results of a reply, in the order of its calls.
    fn write(
        &mut self,
        spelling: &dyn Spelling,
        writer: &mut Writer<'_>,
        reply: &ReplyItem,
        marked: bool,
    ) -> Result<(), Error> {
        let mut closing = self.view.closing;
        let last = reply.results.len().saturating_sub(1);
        let calls = reply.reply.calls.iter().zip(&reply.results);
        for (at, (call, number)) in calls.enumerate() {
            let number = number.unwrap_or_else(|| {
                closing += 1;
                closing - 1
            });
            let json = self.json(writer, number)?;
            let result = ShownResult {
                call,
                number,
                json: &json,
                failed: self.texts.failed(number),
                marked: marked && at == last,
            };
            spelling.result(writer, &result);
        }
        Ok(())
    }

    fn json(&mut self, writer: &Writer<'_>, number: u32) -> Result<Cow<'static, [u8]>, Error> {
        if let Some(json) = (self.written)(number) {
            return Ok(json.into());
        }
        let text = self.texts.text(number)?;
        Ok(writer.style.text(&text).into_bytes().into())
    }
}
