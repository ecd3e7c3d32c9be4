//! What is no reply of a session's dialect, by its name: another dialect's, an event stream, an error.

use serde_json::Value;

use super::{Fault, kind};
use crate::lines::first_characters;
use crate::record::Dialect;

/// How much of a provider's words a refusal repeats.
const QUOTED: usize = 300;

/// What JSON is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Of(Dialect),
    /// One event of a stream, or several.
    Event,
    Gemini,
    Bedrock,
    Ollama,
    /// A list of messages.
    Messages,
}

/// Refuses what is plainly something else than the dialect's reply. What cannot be told is left to its reader.
///
/// # Errors
///
/// What it is, and what would be right.
pub fn check(dialect: Dialect, given: &Value) -> Result<(), Fault> {
    if let Some(words) = error(given) {
        let quoted = first_characters(words, QUOTED);
        let words = match words.len() - quoted.len() {
            0 if words.trim().is_empty() => "which says no more".to_owned(),
            0 => format!("`{words}`"),
            _ => format!("`{quoted}…`"),
        };
        return Err(refusal(
            dialect,
            &format!("an error of the provider: {words}"),
        ));
    }
    match form(dialect, given) {
        None => Ok(()),
        Some(Form::Of(own)) if own == dialect => Ok(()),
        Some(other) => Err(refusal(dialect, name(other))),
    }
}

/// A text that is no JSON but a stream of server-sent events.
pub fn event_stream(dialect: Dialect, text: &str) -> Option<Fault> {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\n', '\r']);
    let first = text.lines().next()?;
    let fields = ["data:", "event:", "id:", "retry:", ":"];
    fields
        .iter()
        .any(|field| first.starts_with(field))
        .then(|| refusal(dialect, "an event stream"))
}

fn refusal(dialect: Dialect, what: &str) -> Fault {
    let right = match dialect {
        Dialect::OpenaiChat => "a response with `choices`, or its message",
        Dialect::AnthropicMessages => "a message with `content`, or its list of blocks",
        Dialect::OpenaiResponses => "a response with `output`, or its list of items",
    };
    let own = name(Form::Of(dialect));
    let own = own.trim_start_matches("a reply of ");
    let problem = format!("is {what}; this session speaks {own} and takes {right}, whole");
    Fault::new("", problem)
}

fn name(form: Form) -> &'static str {
    match form {
        Form::Of(Dialect::OpenaiChat) => "a reply of OpenAI chat completions",
        Form::Of(Dialect::AnthropicMessages) => "a reply of Anthropic messages",
        Form::Of(Dialect::OpenaiResponses) => "a reply of OpenAI responses",
        Form::Event => "a piece of a stream",
        Form::Gemini => "a reply of Gemini",
        Form::Bedrock => "a reply of Bedrock Converse",
        Form::Ollama => "a reply of Ollama's own API",
        Form::Messages => "a list of messages",
    }
}

/// A provider's words, if that is all there is.
fn error(given: &Value) -> Option<&str> {
    let given = match given {
        Value::Array(all) => all.first()?,
        given => given,
    };
    let said = |key: &str| match given.get(key) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::String(text)) => !text.is_empty(),
        _ => false,
    };
    if ["choices", "content", "output", "tool_calls"]
        .iter()
        .any(|key| said(key))
    {
        return None;
    }
    match given.get("error") {
        Some(Value::String(words)) if !words.trim().is_empty() => return Some(words),
        Some(error @ Value::Object(_)) => return Some(message(error)),
        _ => {}
    }
    // vLLM and others.
    let plain = given.get("object").is_some_and(|object| object == "error");
    plain.then(|| message(given))
}

fn message(error: &Value) -> &str {
    let message = error.get("message").and_then(Value::as_str);
    message.unwrap_or_default()
}

fn form(dialect: Dialect, given: &Value) -> Option<Form> {
    match given {
        Value::Object(_) => of_object(given),
        Value::Array(items) => of_list(dialect, items),
        _ => None,
    }
}

fn of_object(given: &Value) -> Option<Form> {
    let list = |key: &str| given.get(key).is_some_and(Value::is_array);
    let some = |key: &str| given.get(key).is_some_and(|value| !value.is_null());
    let object = given.get("object").and_then(Value::as_str);
    if is_event(given) {
        Some(Form::Event)
    } else if list("choices") {
        Some(Form::Of(Dialect::OpenaiChat))
    } else if list("candidates") || given.get("role").is_some_and(|role| role == "model") {
        Some(Form::Gemini)
    } else if given.pointer("/output/message").is_some() {
        Some(Form::Bedrock)
    } else if list("output") || object == Some("response") {
        Some(Form::Of(Dialect::OpenaiResponses))
    } else if some("tool_calls") || some("function_call") {
        Some(Form::Of(Dialect::OpenaiChat))
    } else if given.get("message").is_some_and(Value::is_object) && given.get("done").is_some() {
        Some(Form::Ollama)
    } else if given.get("stop_reason").is_some() {
        Some(Form::Of(Dialect::AnthropicMessages))
    } else {
        let content = given.get("content").and_then(Value::as_array);
        let told = content.into_iter().flatten().find_map(of_block);
        let message = kind(given) == "message";
        told.or(message.then_some(Form::Of(Dialect::AnthropicMessages)))
    }
}

/// One of the pieces in which a provider streams.
fn is_event(given: &Value) -> bool {
    let object = given.get("object").and_then(Value::as_str);
    let chunk = object == Some("chat.completion.chunk")
        || (given.pointer("/choices/0/delta").is_some()
            && given.pointer("/choices/0/message").is_none());
    let name = kind(given);
    let named = ["message_start", "message_delta", "message_stop"].contains(&name)
        || name.starts_with("content_block_")
        || name.starts_with("response.");
    chunk || named
}

/// A content block that one dialect alone has.
fn of_block(block: &Value) -> Option<Form> {
    match kind(block) {
        "tool_use" | "server_tool_use" => Some(Form::Of(Dialect::AnthropicMessages)),
        "output_text" | "function_call" | "custom_tool_call" => {
            Some(Form::Of(Dialect::OpenaiResponses))
        }
        _ => None,
    }
}

fn of_list(dialect: Dialect, items: &[Value]) -> Option<Form> {
    let first = items.first()?;
    if kind(first).is_empty() {
        let messages = first.get("role").is_some() && first.get("parts").is_none();
        return if messages {
            Some(Form::Messages)
        } else {
            of_object(first).map(|form| match form {
                // A list of them is a stream.
                Form::Of(_) => Form::Messages,
                form => form,
            })
        };
    }
    if is_event(first) {
        return Some(Form::Event);
    }
    items.iter().find_map(|item| match (dialect, kind(item)) {
        // A message's list of blocks, and a list of items with the same names.
        (Dialect::OpenaiResponses, "text" | "thinking" | "redacted_thinking")
        | (Dialect::OpenaiChat, "text" | "thinking") => Some(Form::Of(Dialect::AnthropicMessages)),
        (Dialect::OpenaiChat | Dialect::AnthropicMessages, "message") => {
            Some(Form::Of(Dialect::OpenaiResponses))
        }
        _ => of_block(item),
    })
}
