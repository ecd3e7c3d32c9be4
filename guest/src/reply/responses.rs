//! OpenAI responses: output items.

use serde_json::Value;

use super::text::VisibleText;
use super::{Call, Fault, Form, Reply, kind, objects, required, text_or_json};
use crate::rules::Reasoning;

/// Reads a response or its output.
pub fn read(given: Value, incomplete: bool, rules: &Reasoning) -> Result<Reply, Fault> {
    let (output, path) = output(given)?;
    let mut items = objects(output, path)?;
    let mut text = VisibleText::default();
    let mut calls = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match kind(item) {
            "" => {
                let problem = "is missing; every output item has one";
                return Err(Fault::new(format!("{path}[{at}].type"), problem));
            }
            "message" => add_message(&mut text, item),
            "function_call" | "custom_tool_call" if incomplete => {}
            "function_call" => calls.push(call(item, "arguments", &format!("{path}[{at}]"))?),
            "custom_tool_call" => calls.push(call(item, "input", &format!("{path}[{at}]"))?),
            _ => text.part(),
        }
    }
    let reasoning = items.iter().filter(|item| is_reasoning(item)).count();
    items.retain(|item| is_sent(item, incomplete));
    if items.iter().filter(|item| is_reasoning(item)).count() < reasoning {
        items = items.iter().map(without_id).collect();
    }
    Ok(Reply {
        text: text.done(),
        calls,
        reasons: !rules.as_given && items.iter().any(is_reasoning),
        form: Form::Responses(items),
    })
}

fn output(given: Value) -> Result<(Value, &'static str), Fault> {
    match given {
        Value::Array(_) => Ok((given, "")),
        Value::Object(mut response) => match response.shift_remove("output") {
            Some(output) => Ok((output, ".output")),
            None => Err(Fault::new(".output", "is missing")),
        },
        _ => Err(Fault::new("", "is neither a response nor a list of items")),
    }
}

/// Items stand apart, what one message holds is joined.
fn add_message(text: &mut VisibleText, item: &Value) {
    text.part();
    let content = item.get("content").and_then(Value::as_array);
    for block in content.into_iter().flatten() {
        match block.get("text").and_then(Value::as_str) {
            Some(more) if kind(block) == "output_text" => text.add(more),
            _ => text.part(),
        }
    }
}

fn call(item: &Value, input: &str, path: &str) -> Result<Call, Fault> {
    Ok(Call {
        id: required(item, "call_id", path)?.to_owned(),
        name: required(item, "name", path)?.to_owned(),
        arguments: text_or_json(item.get(input), ""),
        custom: input == "input",
    })
}

/// A stream that broke off has calls that are not whole, and reasoning without its content.
fn is_sent(item: &Value, incomplete: bool) -> bool {
    match kind(item) {
        "function_call" | "custom_tool_call" => !incomplete,
        "reasoning" => !incomplete || item.get("encrypted_content").is_some_and(Value::is_string),
        _ => true,
    }
}

/// An item without its id, which the provider would look for the reasoning of.
pub fn without_id(item: &Value) -> Value {
    let reasoning = is_reasoning(item);
    let mut item = item.clone();
    if let Some(fields) = item.as_object_mut().filter(|_| !reasoning) {
        fields.shift_remove("id");
    }
    item
}

/// Whether an item is sent in its turn only.
pub fn is_reasoning(item: &Value) -> bool {
    kind(item) == "reasoning"
}
