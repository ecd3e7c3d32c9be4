//! OpenAI responses: output items.

use serde_json::Value;

use super::text::VisibleText;
use super::{Call, Calls, Fault, Form, Reply, arguments, kind, objects, required};
use crate::rules::{Carry, Reasoning};

/// Reads a response or its output. `unstored`: the provider finds none of its ids again.
pub fn read(
    given: Value,
    incomplete: bool,
    unstored: bool,
    rules: &Reasoning,
) -> Result<Reply, Fault> {
    let (output, path) = output(given)?;
    let mut items = objects(output, path)?;
    let mut text = VisibleText::default();
    let mut calls = Calls::default();
    for (at, item) in items.iter().enumerate() {
        match kind(item) {
            "" => {
                let problem = "is missing; every output item has one";
                return Err(Fault::new(format!("{path}[{at}].type"), problem));
            }
            "message" => add_message(&mut text, item),
            "function_call" | "custom_tool_call" if incomplete => {}
            name @ ("function_call" | "custom_tool_call") => {
                let custom = name == "custom_tool_call";
                let path = format!("{path}[{at}]");
                let call = call(item, custom, &path)?;
                calls.add(call, format!("{path}.call_id"))?;
            }
            _ => text.part(),
        }
    }
    items.iter_mut().for_each(drop_nulls);
    items.iter_mut().for_each(spell_arguments);
    let reasoning = |items: &[Value]| items.iter().filter(|item| is_reasoning(item)).count();
    let before = reasoning(&items);
    items.retain(|item| is_sent(item, incomplete));
    items.retain(|item| !unstored || !is_reasoning(item) || is_encrypted(item));
    if rules.carry == Carry::Never {
        items.retain(|item| !is_reasoning(item));
    }
    if reasoning(&items) < before {
        items = items.into_iter().filter_map(unpaired).collect();
    }
    if items.iter().all(is_reasoning) {
        // The provider refuses reasoning that nothing follows.
        items.clear();
    }
    Ok(Reply {
        text: text.done(),
        calls: calls.calls,
        incomplete,
        reasons: rules.carry == Carry::Turn && items.iter().any(is_reasoning),
        form: Form::Responses(items),
    })
}

/// The visible text of some items.
pub fn text_of(items: &[Value]) -> String {
    let mut text = VisibleText::default();
    for item in items {
        match kind(item) {
            "message" => add_message(&mut text, item),
            _ => text.part(),
        }
    }
    text.done()
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
    if let Some(content) = item.get("content").and_then(Value::as_str) {
        return text.add(content);
    }
    let content = item.get("content").and_then(Value::as_array);
    for block in content.into_iter().flatten() {
        match block.get("text").and_then(Value::as_str) {
            Some(more) if kind(block) == "output_text" => text.add(more),
            _ => text.part(),
        }
    }
}

fn call(item: &Value, custom: bool, path: &str) -> Result<Call, Fault> {
    let input = if custom { "input" } else { "arguments" };
    Ok(Call {
        id: required(item, "call_id", path)?.to_owned(),
        name: required(item, "name", path)?.to_owned(),
        arguments: arguments(item.get(input), custom),
        custom,
        problem: None,
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

/// Whether reasoning is told whole.
fn is_encrypted(item: &Value) -> bool {
    let content = item.get("encrypted_content").and_then(Value::as_str);
    content.is_some_and(|content| !content.is_empty())
}

/// The provider takes arguments as a text.
fn spell_arguments(item: &mut Value) {
    let input = match kind(item) {
        "function_call" => "arguments",
        "custom_tool_call" => "input",
        _ => return,
    };
    if let Some(fields) = item.as_object_mut() {
        let given = arguments(fields.get(input), input == "input");
        fields.insert(input.to_owned(), Value::from(given));
    }
}

/// Client libraries write absent fields as null, which the provider refuses.
fn drop_nulls(item: &mut Value) {
    let Some(fields) = item.as_object_mut() else {
        return;
    };
    fields.retain(|_, value| !value.is_null());
    let content = fields.get_mut("content").and_then(Value::as_array_mut);
    for part in content
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        part.retain(|_, value| !value.is_null());
    }
}

/// An item as it is sent without its reply's reasoning. The provider looks for the reasoning that goes
/// with an id; messages and calls do without one, other items cannot.
pub fn without_reasoning(item: &Value) -> Option<Value> {
    if !matches!(kind(item), "message" | "function_call" | "custom_tool_call") {
        return None;
    }
    let mut item = item.clone();
    item.as_object_mut()?.shift_remove("id");
    Some(item)
}

/// An item of a reply some of whose reasoning is left out.
fn unpaired(item: Value) -> Option<Value> {
    if is_reasoning(&item) {
        return Some(item);
    }
    without_reasoning(&item)
}

/// Whether an item is sent in its turn only.
pub fn is_reasoning(item: &Value) -> bool {
    kind(item) == "reasoning"
}
