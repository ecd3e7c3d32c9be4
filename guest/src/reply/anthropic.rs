//! Anthropic messages: content blocks.

use std::collections::BTreeSet;

use serde_json::Value;

use super::text::VisibleText;
use super::{Call, Calls, Fault, Form, Reply, kind, objects, required};
use crate::rules::{Carry, Reasoning};

/// Reads a response or its content.
pub fn read(given: Value, incomplete: bool, rules: &Reasoning) -> Result<Reply, Fault> {
    let (content, path) = content(given)?;
    let mut blocks = objects(content, path)?;
    let mut text = VisibleText::default();
    let mut calls = Calls::default();
    for (at, block) in blocks.iter().enumerate() {
        match kind(block) {
            "" => {
                let problem = "is missing; every content block has one";
                return Err(Fault::new(format!("{path}[{at}].type"), problem));
            }
            "text" => text.add(block_text(block)),
            "tool_use" if !incomplete => {
                text.part();
                let path = format!("{path}[{at}]");
                calls.add(call(block, &path)?, format!("{path}.id"))?;
            }
            _ => text.part(),
        }
    }
    if incomplete {
        blocks = whole(&blocks);
    }
    let reasoning = |block: &Value| is_reasoning(block, rules);
    blocks.retain(|block| kind(block) != "text" || !block_text(block).trim().is_empty());
    blocks.retain(|block| rules.carry != Carry::Never || !reasoning(block));
    while blocks.last().is_some_and(reasoning) {
        // The provider refuses a message that ends with thinking.
        blocks.pop();
    }
    blocks.iter_mut().for_each(add_input);
    Ok(Reply {
        text: text.done(),
        calls: calls.calls,
        incomplete,
        reasons: blocks.iter().any(reasoning),
        form: Form::Anthropic(blocks),
    })
}

/// The visible text of some blocks.
pub fn text_of(blocks: &[Value]) -> String {
    let mut text = VisibleText::default();
    for block in blocks {
        match kind(block) {
            "text" => text.add(block_text(block)),
            _ => text.part(),
        }
    }
    text.done()
}

fn content(given: Value) -> Result<(Value, &'static str), Fault> {
    match given {
        Value::Array(_) => Ok((given, "")),
        Value::Object(mut response) => {
            if response.get("role").is_some_and(|role| role != "assistant") {
                let problem = "is not `assistant`; a reply is an assistant's message";
                return Err(Fault::new(".role", problem));
            }
            match response.shift_remove("content") {
                // A content may be one text, as it may in a request.
                Some(Value::String(text)) => {
                    let block = serde_json::json!({"type": "text", "text": text});
                    Ok((Value::Array(vec![block]), ".content"))
                }
                Some(content) => Ok((content, ".content")),
                None => Err(Fault::new(".content", "is missing")),
            }
        }
        _ => Err(Fault::new("", "is neither a message nor a list of blocks")),
    }
}

fn call(block: &Value, path: &str) -> Result<Call, Fault> {
    Ok(Call {
        id: required(block, "id", path)?.to_owned(),
        name: required(block, "name", path)?.to_owned(),
        arguments: input(block).map_or("{}".to_owned(), Value::to_string),
        custom: false,
        problem: None,
    })
}

/// What a call is given; null is nothing.
fn input(block: &Value) -> Option<&Value> {
    block.get("input").filter(|input| !input.is_null())
}

/// The provider wants the input of a call though it is empty.
fn add_input(block: &mut Value) {
    if kind(block) == "tool_use"
        && input(block).is_none()
        && let Some(fields) = block.as_object_mut()
    {
        fields.insert("input".to_owned(), Value::Object(serde_json::Map::new()));
    }
}

fn block_text(block: &Value) -> &str {
    block
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// What a stream that broke off has whole: no calls, no thinking that is not signed, nothing of the
/// provider's own tools that has no result.
fn whole(blocks: &[Value]) -> Vec<Value> {
    let id = |block: &Value, key: &str| block.get(key).map(Value::to_string);
    let answers: BTreeSet<Option<String>> = blocks
        .iter()
        .map(|block| id(block, "tool_use_id"))
        .collect();
    let answered = |block: &Value| answers.contains(&id(block, "id"));
    let is_whole = |block: &&Value| match kind(block) {
        "tool_use" => false,
        "thinking" => block.get("signature").is_some_and(is_some_text),
        name => !name.ends_with("tool_use") || answered(block),
    };
    blocks.iter().filter(is_whole).cloned().collect()
}

fn is_some_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// Whether a block is sent in its turn only.
pub fn is_reasoning(block: &Value, rules: &Reasoning) -> bool {
    rules.blocks.iter().any(|name| name == kind(block))
}
