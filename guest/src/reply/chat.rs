//! OpenAI chat completions: a message with `content`, `tool_calls` and reasoning in many spellings.

use serde_json::{Map, Value};

use super::tags;
use super::text::VisibleText;
use super::{Call, Calls, Fault, Form, Reply, arguments, kind, objects, required};
use crate::rules::{Carry, Reasoning, Rules};

/// What is sent of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatReply {
    /// Without its inline reasoning.
    pub content: Content,
    /// Sent as `reasoning_content`; not empty.
    pub reasoning: Option<String>,
    /// Reasoning that is carried under its own name.
    pub details: Map<String, Value>,
    /// As they came.
    pub tool_calls: Vec<Value>,
    /// What else is sent, under its own name.
    pub others: Map<String, Value>,
}

/// A message's content.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// None, or null.
    None,
    /// A text.
    Text(String),
    /// A list of blocks.
    Blocks(Vec<Value>),
}

/// Reads a response or its message.
pub fn read(given: Value, incomplete: bool, rules: &Rules) -> Result<Reply, Fault> {
    let (mut message, path) = message(given)?;
    if message.get("role").is_some_and(|role| role != "assistant") {
        let problem = "is not `assistant`; a reply is an assistant's message";
        return Err(Fault::new(format!("{path}.role"), problem));
    }
    if message
        .get("function_call")
        .is_some_and(|call| !call.is_null())
    {
        let problem = "is the old form of a call, which has no id; `tool_calls` is needed";
        return Err(Fault::new(format!("{path}.function_call"), problem));
    }
    let tool_calls = match message.shift_remove("tool_calls") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => objects(list, &format!("{path}.tool_calls"))?,
    };
    let calls = if incomplete {
        Vec::new()
    } else {
        calls(&tool_calls, &path)?
    };
    let content = content(message.shift_remove("content"), &path)?;
    message.retain(|name, value| {
        !value.is_null() && name != "role" && !rules.requests.not_resent.contains(name)
    });
    let mut chat = ChatReply {
        content,
        reasoning: None,
        details: Map::new(),
        tool_calls: if incomplete {
            Vec::new()
        } else {
            resent(tool_calls, &rules.requests.not_resent)
        },
        others: message,
    };
    let templated = !rules
        .reasoning
        .fields
        .iter()
        .any(|name| is_said(&chat.others, name));
    let text = visible(&chat.content, &rules.reasoning, templated);
    take_reasoning(&mut chat, &rules.reasoning, templated);
    Ok(Reply {
        text,
        calls,
        incomplete,
        reasons: chat.reasoning.is_some() || !chat.details.is_empty(),
        form: Form::Chat(Box::new(chat)),
    })
}

/// The message, and the path to it.
fn message(given: Value) -> Result<(Map<String, Value>, String), Fault> {
    let Value::Object(mut given) = given else {
        return Err(Fault::new("", "is no object"));
    };
    match given.shift_remove("choices") {
        None if ["role", "content", "tool_calls"]
            .iter()
            .any(|key| given.contains_key(*key)) =>
        {
            Ok((given, String::new()))
        }
        None => {
            let problem = "is neither a response with `choices` nor a message with `role`, `content` \
                           or `tool_calls`";
            Err(Fault::new("", problem))
        }
        Some(mut choices) => match choices.pointer_mut("/0/message").map(Value::take) {
            Some(Value::Object(message)) => Ok((message, ".choices[0].message".to_owned())),
            _ => Err(Fault::new(".choices[0].message", "is missing or no object")),
        },
    }
}

fn calls(tool_calls: &[Value], path: &str) -> Result<Vec<Call>, Fault> {
    let mut calls = Calls::default();
    for (at, call) in tool_calls.iter().enumerate() {
        let path = format!("{path}.tool_calls[{at}]");
        let (inner, input, custom) = match kind(call) {
            "" | "function" => ("function", "arguments", false),
            "custom" => ("custom", "input", true),
            other => {
                let problem = format!("is `{other}`, must be `function` or `custom`");
                return Err(Fault::new(format!("{path}.type"), problem));
            }
        };
        let id = required(call, "id", &path)?.to_owned();
        let called = call.get(inner).unwrap_or(&Value::Null);
        let call = Call {
            id,
            name: required(called, "name", &format!("{path}.{inner}"))?.to_owned(),
            arguments: arguments(called.get(input), custom),
            custom,
            problem: None,
        };
        calls.add(call, format!("{path}.id"))?;
    }
    Ok(calls.calls)
}

fn content(given: Option<Value>, path: &str) -> Result<Content, Fault> {
    match given {
        None | Some(Value::Null) => Ok(Content::None),
        Some(Value::String(text)) => Ok(Content::Text(text)),
        Some(list @ Value::Array(_)) => {
            let blocks = objects(list, &format!("{path}.content"))?;
            Ok(match blocks.is_empty() {
                true => Content::None,
                false => Content::Blocks(blocks),
            })
        }
        Some(_) => {
            let problem = "must be a text, a list of blocks or null";
            Err(Fault::new(format!("{path}.content"), problem))
        }
    }
}

/// Calls as the provider takes them: some servers answer without `type`, or with arguments that are
/// no text.
fn resent(mut tool_calls: Vec<Value>, not_resent: &[String]) -> Vec<Value> {
    for call in tool_calls.iter_mut().filter_map(Value::as_object_mut) {
        call.retain(|name, _| !not_resent.contains(name));
        if call.get("type").is_none_or(Value::is_null) {
            let id = call.keys().position(|name| name == "id");
            let after_id = id.map_or(0, |at| at + 1);
            call.shift_remove("type");
            call.shift_insert(after_id, "type".to_owned(), Value::from("function"));
        }
        for (inner, input) in [("function", "arguments"), ("custom", "input")] {
            if let Some(called) = call.get_mut(inner).and_then(Value::as_object_mut) {
                let given = arguments(called.get(input), inner == "custom");
                called.insert(input.to_owned(), Value::from(given));
            }
        }
    }
    tool_calls
}

/// Takes the reasoning out of the message. In 3.1.0's form it stays as it came.
fn take_reasoning(chat: &mut ChatReply, rules: &Reasoning, templated: bool) {
    if rules.carry == Carry::AsGiven {
        return;
    }
    let (inline, content) = without_inline(&chat.content, rules, templated);
    chat.content = match content {
        // Beside calls an empty content is none.
        Content::Text(text) if text.is_empty() && !chat.tool_calls.is_empty() => Content::None,
        content => content,
    };
    let mut reasoning = None;
    for name in &rules.fields {
        // All are taken out, the first with text is sent.
        if let Some(Value::String(text)) = chat.others.shift_remove(name)
            && !text.is_empty()
        {
            reasoning.get_or_insert(text);
        }
    }
    for name in &rules.details {
        if let Some(detail) = chat.others.shift_remove(name).filter(is_some) {
            chat.details.insert(name.clone(), detail);
        }
    }
    chat.others.shift_remove("reasoning_content");
    chat.reasoning = joined(reasoning, inline.filter(|text| !text.is_empty()));
    if rules.carry == Carry::Never {
        chat.reasoning = None;
        chat.details.clear();
    }
}

fn is_said(fields: &Map<String, Value>, name: &str) -> bool {
    let said = fields.get(name).and_then(Value::as_str);
    said.is_some_and(|text| !text.is_empty())
}

/// A field's reasoning and what stood inline, unless that is the same.
fn joined(field: Option<String>, inline: Option<String>) -> Option<String> {
    match (field, inline) {
        (Some(field), Some(inline)) if !field.contains(&inline) => {
            Some(format!("{field}\n\n{inline}"))
        }
        (field, inline) => field.or(inline),
    }
}

/// No empty field is ever sent.
fn is_some(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn without_inline(
    content: &Content,
    rules: &Reasoning,
    templated: bool,
) -> (Option<String>, Content) {
    match content {
        Content::None => (None, Content::None),
        Content::Text(text) => {
            let apart = tags::take_apart(text, &rules.tags, templated);
            (apart.reasoning, Content::Text(apart.text))
        }
        Content::Blocks(blocks) => {
            let mut thought = Vec::new();
            let mut said = Vec::new();
            for block in blocks {
                if rules.blocks.iter().any(|name| name == kind(block)) {
                    thought.extend(block_text(block));
                } else if let Some(text) = said_text(block) {
                    let apart = tags::take_apart(text, &rules.tags, templated);
                    let changed = apart.reasoning.is_some();
                    thought.extend(apart.reasoning.filter(|text| !text.is_empty()));
                    match changed {
                        false => said.push(block.clone()),
                        true if apart.text.is_empty() => {}
                        true => said.push(with_text(block, apart.text)),
                    }
                } else {
                    said.push(block.clone());
                }
            }
            let content = if said.is_empty() {
                Content::None
            } else {
                Content::Blocks(said)
            };
            (Some(thought.join("\n\n")), content)
        }
    }
}

/// The text of a text block.
fn said_text(block: &Value) -> Option<&str> {
    let text = block.get("text").and_then(Value::as_str);
    text.filter(|_| kind(block) == "text")
}

fn with_text(block: &Value, text: String) -> Value {
    let mut block = block.clone();
    if let Some(place) = block.get_mut("text") {
        *place = Value::from(text);
    }
    block
}

/// The text of a reasoning block.
fn block_text(block: &Value) -> Option<String> {
    let text = match block.get("thinking").or_else(|| block.get("text"))? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// What is said beside the reasoning.
fn visible(content: &Content, rules: &Reasoning, templated: bool) -> String {
    let said = |text: &str| tags::take_apart(text, &rules.tags, templated).text;
    let mut text = VisibleText::default();
    match content {
        Content::None => {}
        Content::Text(content) => text.add(&said(content)),
        Content::Blocks(blocks) => {
            for block in blocks {
                match said_text(block) {
                    Some(more) => text.add(&said(more)),
                    None => text.part(),
                }
            }
        }
    }
    text.done()
}
