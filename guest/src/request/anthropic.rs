//! Anthropic messages: everything of one role in a row is one message.

use serde_json::{Value, json};

use super::chat::blocks;
use super::marks::Mark;
use super::messages::{ShownResult, Spelling};
use super::writer::{Role, Writer};
use crate::conversation::{ReplyItem, UserItem};
use crate::message::Part;
use crate::reply::{Form, is_reasoning_block};
use crate::rules::Rules;

/// The spelling.
#[derive(Debug)]
pub struct Anthropic<'a> {
    /// Texts and settings.
    pub rules: &'a Rules,
}

impl Anthropic<'_> {
    fn block(&self, writer: &mut Writer<'_>, role: Role, block: &Value) {
        begin(writer, role);
        writer.json(block);
    }

    /// Puts a breakpoint at the end of the block that was just written.
    fn mark(&self, writer: &mut Writer<'_>, mark: Mark) {
        writer.out.pop();
        writer.raw(br#","cache_control":"#);
        writer.json(&mark.value(&self.rules.requests));
        writer.raw(b"}");
    }
}

impl Spelling for Anthropic<'_> {
    fn user(&self, writer: &mut Writer<'_>, user: &UserItem, mark: Option<Mark>) {
        for block in blocks(&user.message, "text", part, self.rules) {
            self.block(writer, Role::User, &block);
        }
        if let Some(mark) = mark {
            self.mark(writer, mark);
        }
    }

    fn reply(&self, writer: &mut Writer<'_>, reply: &ReplyItem, carries: bool) {
        let Form::Anthropic(blocks) = &reply.reply.form else {
            return;
        };
        for block in blocks {
            if carries || !is_reasoning_block(block, &self.rules.reasoning) {
                self.block(writer, Role::Assistant, block);
            }
        }
        if reply.incomplete {
            self.text_reply(writer, &self.rules.replies.interrupted);
        }
    }

    fn text_reply(&self, writer: &mut Writer<'_>, text: &str) {
        let block = json!({"type": "text", "text": text});
        self.block(writer, Role::Assistant, &block);
    }

    fn result(&self, writer: &mut Writer<'_>, result: &ShownResult<'_>, mark: Option<Mark>) {
        begin(writer, Role::User);
        writer.raw(br#"{"type":"tool_result","tool_use_id":"#);
        writer.json(&result.call.id);
        writer.raw(br#","content":"#);
        writer.result(result.number, result.json);
        if result.failed {
            writer.raw(br#","is_error":true"#);
        }
        writer.raw(b"}");
        if let Some(mark) = mark {
            self.mark(writer, mark);
        }
    }

    fn close(&self, writer: &mut Writer<'_>) {
        if writer.open.is_some() {
            writer.raw(b"]}");
        }
    }
}

/// Goes on in the open message if it is of that role, else begins one.
fn begin(writer: &mut Writer<'_>, role: Role) {
    if writer.open != Some(role) {
        if writer.open.is_some() {
            writer.raw(b"]}");
        }
        writer.item();
        writer.raw(match role {
            Role::User => br#"{"role":"user","content":["#,
            Role::Assistant => br#"{"role":"assistant","content":["#,
        });
        writer.open = Some(role);
    }
    writer.item();
}

pub fn part(part: &Part) -> Value {
    let image = |source: Value| json!({"type": "image", "source": source});
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(given) => image(json!({"type": "base64",
            "media_type": given.media_type, "data": given.base64})),
        Part::ImageUrl(url) => image(json!({"type": "url", "url": url})),
        Part::Block(block) => Part::carried(block),
    }
}
