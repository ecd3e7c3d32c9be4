//! What of a reply is sent, beside its visible text and its calls: what its tokens are counted from.

use serde_json::Value;

use super::anthropic::is_reasoning as is_reasoning_block;
use super::chat::{ChatReply, Content};
use super::responses::is_reasoning as is_reasoning_item;
use super::{Form, Reply, kind};
use crate::rules::Reasoning;

/// What is sent of a reply.
#[derive(Debug, Default)]
pub struct Sent<'a> {
    /// Whether anything is.
    pub something: bool,
    /// Blocks and items that are neither text, nor reasoning, nor a call.
    pub others: Vec<&'a Value>,
    /// The texts of its reasoning.
    pub reasoning: Vec<&'a str>,
}

impl Reply {
    /// What is sent of it with its reasoning, or without.
    pub fn sent(&self, carries: bool, rules: &Reasoning) -> Sent<'_> {
        match &self.form {
            Form::Chat(chat) => of_chat(chat, carries, rules),
            Form::Anthropic(blocks) => of_blocks(blocks, carries, rules),
            Form::Responses(items) => of_items(items, carries || !self.reasons),
        }
    }
}

fn of_chat<'a>(chat: &'a ChatReply, carries: bool, rules: &Reasoning) -> Sent<'a> {
    let (said, blocks) = match &chat.content {
        Content::None => (false, [].as_slice()),
        Content::Text(text) => (!text.is_empty(), [].as_slice()),
        Content::Blocks(blocks) => (!blocks.is_empty(), blocks.as_slice()),
    };
    let as_given = chat.others.get("reasoning_content").and_then(Value::as_str);
    let carried = chat.reasoning.as_deref().filter(|_| carries);
    let reasoning: Vec<&str> = carried.or(as_given).into_iter().collect();
    let details = carries && !chat.details.is_empty();
    let bare = chat.tool_calls.is_empty() && chat.others.is_empty();
    let other = |block: &&Value| kind(block) != "text" && !is_reasoning_block(block, rules);
    Sent {
        something: said || !reasoning.is_empty() || details || !bare,
        others: blocks.iter().filter(other).collect(),
        reasoning,
    }
}

fn of_blocks<'a>(blocks: &'a [Value], carries: bool, rules: &Reasoning) -> Sent<'a> {
    let mut sent = Sent::default();
    for block in blocks {
        if is_reasoning_block(block, rules) {
            if carries {
                sent.something = true;
                let text = block.get("thinking").or_else(|| block.get("text"));
                sent.reasoning.extend(text.and_then(Value::as_str));
            }
            continue;
        }
        sent.something = true;
        if !matches!(kind(block), "text" | "tool_use") {
            sent.others.push(block);
        }
    }
    sent
}

fn of_items(items: &[Value], whole: bool) -> Sent<'_> {
    let mut sent = Sent::default();
    for item in items {
        let said = matches!(kind(item), "message" | "function_call" | "custom_tool_call");
        sent.something |= said || whole;
        if is_reasoning_item(item) && whole {
            let parts = ["summary", "content"].map(|key| item.get(key).and_then(Value::as_array));
            let parts = parts.into_iter().flatten().flatten();
            sent.reasoning
                .extend(parts.filter_map(|part| part.get("text")?.as_str()));
        } else if !said && whole {
            sent.others.push(item);
        }
    }
    sent
}
