//! OpenAI chat completions.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::marks::Mark;
use super::messages::{ShownResult, Spelling};
use super::writer::Writer;
use crate::conversation::{ReplyItem, UserItem};
use crate::message::{Image, Part};
use crate::record::UserRecord;
use crate::reply::{ChatReply, Content, Form};
use crate::rules::Rules;

/// The spelling.
#[derive(Debug)]
pub struct Chat<'a> {
    /// Texts and settings.
    pub rules: &'a Rules,
    /// Whether a reply with calls has the key of reasoning also where that is empty.
    pub empty: bool,
}

impl Spelling for Chat<'_> {
    fn user(&self, writer: &mut Writer<'_>, user: &UserItem, _mark: Option<Mark>) {
        let message = &user.message;
        writer.item();
        writer.raw(br#"{"role":"#);
        writer.json(role(user, self.rules));
        writer.raw(br#","content":"#);
        if message.parts.is_empty() {
            match &message.note {
                None => writer.json(&message.text),
                Some(note) => writer.json(&format!("{}\n\n{}", message.text, note.text)),
            }
        } else {
            writer.json(&blocks(message, "text", part, self.rules));
        }
        writer.raw(b"}");
    }

    fn reply(&self, writer: &mut Writer<'_>, reply: &ReplyItem, carries: bool) {
        let Form::Chat(chat) = &reply.reply.form else {
            return;
        };
        let note = reply
            .incomplete
            .then_some(self.rules.replies.interrupted.as_str());
        let content = content(&chat.content, note);
        let none = (self.empty && !chat.tool_calls.is_empty()).then_some("");
        let reasoning = chat.reasoning.as_deref().or(none).filter(|_| carries);
        let details = carries && !chat.details.is_empty();
        let said = content.as_ref().is_some_and(|content| match content {
            Value::Array(blocks) => !blocks.is_empty(),
            content => content != "",
        });
        if !said && reasoning.is_none() && !details && is_bare(chat) {
            return;
        }
        writer.item();
        writer.raw(br#"{"role":"assistant","content":"#);
        match content {
            Some(content) => writer.json(&content),
            None if chat.tool_calls.is_empty() => writer.raw(br#""""#),
            None => writer.raw(b"null"),
        }
        if let Some(reasoning) = reasoning {
            field(writer, "reasoning_content", reasoning);
        }
        if details {
            fields(writer, &chat.details);
        }
        if !chat.tool_calls.is_empty() {
            field(writer, "tool_calls", &chat.tool_calls);
        }
        fields(writer, &chat.others);
        writer.raw(b"}");
    }

    fn text_reply(&self, writer: &mut Writer<'_>, text: &str) {
        writer.item();
        writer.raw(br#"{"role":"assistant","content":"#);
        writer.json(text);
        writer.raw(b"}");
    }

    fn result(&self, writer: &mut Writer<'_>, result: &ShownResult<'_>, _mark: Option<Mark>) {
        writer.item();
        writer.raw(br#"{"role":"tool","tool_call_id":"#);
        writer.json(&result.call.id);
        writer.raw(br#","content":"#);
        writer.result(result.number, result.json);
        writer.raw(b"}");
    }
}

fn field(writer: &mut Writer<'_>, name: &str, value: &(impl Serialize + ?Sized)) {
    writer.raw(b",");
    writer.json(name);
    writer.raw(b":");
    writer.json(value);
}

fn fields(writer: &mut Writer<'_>, fields: &Map<String, Value>) {
    for (name, value) in fields {
        field(writer, name, value);
    }
}

/// Who speaks: a summary may speak in the system's role.
pub fn role<'a>(user: &UserItem, rules: &'a Rules) -> &'a str {
    if user.place.is_system() {
        &rules.requests.system_role
    } else {
        "user"
    }
}

/// Whether there is nothing to send beside content and reasoning.
fn is_bare(chat: &ChatReply) -> bool {
    chat.tool_calls.is_empty() && chat.others.is_empty()
}

/// The content, with the note of a reply that broke off at its end. None if there is nothing in it.
fn content(content: &Content, note: Option<&str>) -> Option<Value> {
    match (content, note) {
        (Content::None, note) => note.map(Value::from),
        (Content::Text(text), None) => Some(Value::from(text.as_str())),
        (Content::Text(text), Some(note)) if text.is_empty() => Some(Value::from(note)),
        (Content::Text(text), Some(note)) => Some(Value::from(format!("{text}\n\n{note}"))),
        (Content::Blocks(blocks), note) => {
            let note = note.map(|note| json!({"type": "text", "text": note}));
            Some(blocks.iter().cloned().chain(note).collect())
        }
    }
}

/// A message's text, parts and note as a list; `text` is the type of a text block.
pub fn blocks(
    message: &UserRecord,
    text: &str,
    part: fn(&Part) -> Value,
    rules: &Rules,
) -> Vec<Value> {
    let omitted = rules.requests.image_omitted.as_deref();
    let block = |content: &str| json!({"type": text, "text": content});
    let part = |given: &Part| match omitted.filter(|_| given.is_image()) {
        None => part(given),
        Some(omitted) => marked_as(block(omitted), given),
    };
    let said = Some(&message.text).filter(|text| !text.trim().is_empty());
    let mut blocks: Vec<Value> = said.into_iter().map(|text| block(text)).collect();
    // Providers refuse a blank text.
    let blank = |part: &&Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    blocks.extend(message.parts.iter().filter(|part| !blank(part)).map(part));
    blocks.extend(message.note.as_ref().map(|note| block(&note.text)));
    blocks
}

/// What stands for an image keeps the breakpoint of the prompt cache that its block had.
fn marked_as(mut text: Value, image: &Part) -> Value {
    if let Part::Block(block) = image
        && let Some(breakpoint) = Part::carried(block).get("cache_control")
        && let Some(text) = text.as_object_mut()
    {
        text.insert("cache_control".into(), breakpoint.clone());
    }
    text
}

pub fn part(part: &Part) -> Value {
    let url = |url: String| json!({"type": "image_url", "image_url": {"url": url}});
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(image) => url(data_url(image)),
        Part::ImageUrl(address) => url(address.clone()),
        Part::Block(block) => Part::carried(block),
    }
}

/// An image as a URL that holds it.
pub fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.media_type, image.base64)
}
