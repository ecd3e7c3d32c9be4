//! Of what a reply's body is made: its words, its reasoning, its calls' arguments (docs/assembly.md,
//! "What fills the window").

use serde_json::Value;

use super::anthropic::is_reasoning as is_reasoning_block;
use super::chat::{ChatReply, Content};
use super::responses::is_reasoning as is_reasoning_item;
use super::{Call, Form, Reply, kind};
use crate::rules::Reasoning;

/// A piece as it stands in a body.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// Within quotes.
    Text(&'a str),
    /// A block, an item or another value.
    Json(&'a Value),
}

/// What is sent of a reply, by what it is. Keys, ids and names are not told.
#[derive(Debug, Default)]
pub struct Shares<'a> {
    /// Texts, and blocks and items that are nothing else.
    pub words: Vec<Piece<'a>>,
    /// Blocks, items and fields of reasoning.
    pub reasoning: Vec<Piece<'a>>,
    /// Of each call, in their order.
    pub arguments: Vec<Piece<'a>>,
}

impl Reply {
    /// What is sent of it with its reasoning, or without.
    pub fn shares(&self, carries: bool, rules: &Reasoning) -> Shares<'_> {
        match &self.form {
            Form::Chat(chat) => of_chat(chat, &self.calls, carries, rules),
            Form::Anthropic(blocks) => of_blocks(blocks, carries, rules),
            Form::Responses(items) => of_items(items, carries || !self.reasons),
        }
    }
}

/// A text stands in quotes, another value as it is.
fn value(value: &Value) -> Piece<'_> {
    value.as_str().map_or(Piece::Json(value), Piece::Text)
}

/// A content block's text, or the block.
fn block(block: &Value) -> Piece<'_> {
    let text = block.get("text").and_then(Value::as_str);
    let text = text.filter(|_| kind(block) == "text");
    text.map_or(Piece::Json(block), Piece::Text)
}

fn of_chat<'a>(
    chat: &'a ChatReply,
    calls: &'a [Call],
    carries: bool,
    rules: &Reasoning,
) -> Shares<'a> {
    let mut shares = Shares::default();
    match &chat.content {
        Content::None => {}
        Content::Text(text) => shares.words.push(Piece::Text(text)),
        Content::Blocks(blocks) => {
            let (reasoning, words): (Vec<&Value>, Vec<&Value>) = blocks
                .iter()
                .partition(|block| is_reasoning_block(block, rules));
            shares.words.extend(words.into_iter().map(block));
            shares
                .reasoning
                .extend(reasoning.into_iter().map(Piece::Json));
        }
    }
    if carries {
        shares
            .reasoning
            .extend(chat.reasoning.as_deref().map(Piece::Text));
        shares.reasoning.extend(chat.details.values().map(value));
    }
    // What was left as it came.
    let named = |name: &str| {
        let mut fields = rules.fields.iter().chain(&rules.details);
        name == "reasoning_content" || fields.any(|field| field == name)
    };
    let others = chat.others.iter().filter(|(name, _)| named(name));
    shares
        .reasoning
        .extend(others.map(|(_, other)| value(other)));
    let arguments = calls.iter().map(|call| Piece::Text(&call.arguments));
    shares.arguments.extend(arguments);
    shares
}

fn of_blocks<'a>(blocks: &'a [Value], carries: bool, rules: &Reasoning) -> Shares<'a> {
    let mut shares = Shares::default();
    for one in blocks {
        if is_reasoning_block(one, rules) {
            shares.reasoning.extend(carries.then_some(Piece::Json(one)));
        } else if kind(one) == "tool_use" {
            shares.arguments.extend(one.get("input").map(Piece::Json));
        } else {
            shares.words.push(block(one));
        }
    }
    shares
}

fn of_items(items: &[Value], whole: bool) -> Shares<'_> {
    let mut shares = Shares::default();
    for item in items {
        match kind(item) {
            "message" => shares.words.extend(said(item)),
            "function_call" => shares.arguments.extend(item.get("arguments").map(value)),
            "custom_tool_call" => shares.arguments.extend(item.get("input").map(value)),
            _ if !whole => {}
            _ if is_reasoning_item(item) => shares.reasoning.push(Piece::Json(item)),
            _ => shares.words.push(Piece::Json(item)),
        }
    }
    shares
}

/// The texts of a message.
fn said(message: &Value) -> Vec<Piece<'_>> {
    let Some(content) = message.get("content") else {
        return Vec::new();
    };
    if let Some(text) = content.as_str() {
        return vec![Piece::Text(text)];
    }
    let blocks = content.as_array().into_iter().flatten();
    let texts = blocks.filter(|block| kind(block) == "output_text");
    texts
        .filter_map(|block| Some(Piece::Text(block.get("text")?.as_str()?)))
        .collect()
}
