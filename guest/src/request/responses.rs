//! OpenAI responses.

use serde_json::{Value, json};

use super::chat::{blocks, data_url, role};
use super::marks::Mark;
use super::messages::{ShownResult, Spelling};
use super::writer::Writer;
use crate::conversation::{ReplyItem, UserItem};
use crate::message::Part;
use crate::reply::{Form, without_reasoning};
use crate::rules::Rules;

/// The spelling.
#[derive(Debug)]
pub struct Responses<'a> {
    /// Texts and settings.
    pub rules: &'a Rules,
}

impl Spelling for Responses<'_> {
    fn user(&self, writer: &mut Writer<'_>, user: &UserItem, _mark: Option<Mark>) {
        let content = blocks(&user.message, "input_text", part, self.rules);
        writer.item();
        writer.raw(br#"{"type":"message","role":"#);
        writer.json(role(user, self.rules));
        writer.raw(br#","content":"#);
        writer.json(&content);
        writer.raw(b"}");
    }

    fn reply(&self, writer: &mut Writer<'_>, reply: &ReplyItem, carries: bool) {
        let Form::Responses(items) = &reply.reply.form else {
            return;
        };
        let stripped = !carries && reply.reply.reasons;
        for item in items {
            if stripped {
                if let Some(item) = without_reasoning(item) {
                    writer.item();
                    writer.json(&item);
                }
            } else {
                writer.item();
                writer.json(item);
            }
        }
        if reply.incomplete {
            self.text_reply(writer, &self.rules.replies.interrupted);
        }
    }

    fn text_reply(&self, writer: &mut Writer<'_>, text: &str) {
        let content = json!([{"type": "output_text", "text": text}]);
        writer.item();
        writer.json(&json!({"type": "message", "role": "assistant", "content": content}));
    }

    fn result(&self, writer: &mut Writer<'_>, result: &ShownResult<'_>, _mark: Option<Mark>) {
        writer.item();
        writer.raw(if result.call.custom {
            br#"{"type":"custom_tool_call_output","call_id":"#
        } else {
            br#"{"type":"function_call_output","call_id":"#
        });
        writer.json(&result.call.id);
        writer.raw(br#","output":"#);
        writer.result(result.number, result.json);
        writer.raw(b"}");
    }
}

pub fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "input_text", "text": text}),
        Part::Image(image) => json!({"type": "input_image", "image_url": data_url(image)}),
        Part::ImageUrl(url) => json!({"type": "input_image", "image_url": url}),
        Part::Block(block) => Part::carried(block),
    }
}
