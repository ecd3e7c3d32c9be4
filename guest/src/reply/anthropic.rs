//! Anthropic messages: content blocks.

use serde_json::Value;

use super::text::VisibleText;
use super::{Call, Fault, Form, Reply, kind, objects, required, text_or_json};
use crate::rules::Reasoning;

/// Reads a response or its content.
pub fn read(given: Value, incomplete: bool, rules: &Reasoning) -> Result<Reply, Fault> {
    let (content, path) = content(given)?;
    let mut blocks = objects(content, path)?;
    let mut text = VisibleText::default();
    let mut calls = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        match kind(block) {
            "" => {
                let problem = "is missing; every content block has one";
                return Err(Fault::new(format!("{path}[{at}].type"), problem));
            }
            "text" => text.add(block_text(block)),
            "tool_use" if !incomplete => {
                text.part();
                calls.push(call(block, &format!("{path}[{at}]"))?);
            }
            _ => text.part(),
        }
    }
    blocks.retain(|block| is_sent(block, incomplete));
    Ok(Reply {
        text: text.done(),
        calls,
        reasons: !rules.as_given && blocks.iter().any(|block| is_reasoning(block, rules)),
        form: Form::Anthropic(blocks),
    })
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
        arguments: text_or_json(block.get("input"), "{}"),
        custom: false,
    })
}

fn block_text(block: &Value) -> &str {
    block.get("text").and_then(Value::as_str).unwrap_or_default()
}

/// The provider refuses blank text. A stream that broke off has calls that are not whole, and
/// thinking that is not signed.
fn is_sent(block: &Value, incomplete: bool) -> bool {
    match kind(block) {
        "text" => !block_text(block).trim().is_empty(),
        "tool_use" => !incomplete,
        "thinking" => !incomplete || block.get("signature").is_some_and(is_some_text),
        _ => true,
    }
}

fn is_some_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// Whether a block is sent in its turn only.
pub fn is_reasoning(block: &Value, rules: &Reasoning) -> bool {
    rules.blocks.iter().any(|name| name == kind(block))
}
