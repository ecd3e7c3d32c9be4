//! Recognises a format by what is in the file; its name tells nothing.

use serde_json::Value;

use crate::json::{flag, list, text, text_at};

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    ClaudeCode,
    StreamJson,
    Codex,
    Copilot,
    Opencode,
    Pi,
    Gemini,
    SweAgent,
    MiniSweAgent,
    OpenHands,
    Atif,
    Anthropic,
    OpenAi,
    InspectAi,
}

const NAMES: &[(Format, &str)] = &[
    (Format::ClaudeCode, "claude-code"),
    (Format::StreamJson, "claude-code-stream-json"),
    (Format::Codex, "codex"),
    (Format::Copilot, "copilot-cli"),
    (Format::Opencode, "opencode"),
    (Format::Pi, "pi"),
    (Format::Gemini, "gemini"),
    (Format::SweAgent, "swe-agent"),
    (Format::MiniSweAgent, "mini-swe-agent"),
    (Format::OpenHands, "openhands"),
    (Format::Atif, "atif"),
    (Format::Anthropic, "anthropic-messages"),
    (Format::OpenAi, "openai-chat"),
    (Format::InspectAi, "inspect-ai"),
];

impl Format {
    /// The format's name in a plan.
    pub(crate) fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(format, _)| *format == self)
            .map_or("", |(_, name)| name)
    }
}

/// The names of all formats that are read.
pub(crate) fn names() -> String {
    NAMES
        .iter()
        .map(|(_, name)| *name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// What to say of a file whose format is known but not read.
pub(crate) fn unsupported(content: &str) -> Option<String> {
    let start = content.trim_start();
    let what = if start.starts_with("# aider chat started at") {
        "an aider chat history: files are added to the chat there, not read by a tool, so there is nothing to replay"
    } else if start.starts_with("PK\u{3}\u{4}") {
        "a zip archive (an inspect_ai `.eval` log is one): export it as JSON first"
    } else if is_terminal_recording(start) {
        "a terminal recording (asciinema): it holds a screen, not tool calls"
    } else {
        return None;
    };
    Some(format!(
        "this is {what}; the formats that are read are: {}",
        names()
    ))
}

fn is_terminal_recording(start: &str) -> bool {
    let header = start.lines().next().unwrap_or_default();
    let header: Value = serde_json::from_str(header).unwrap_or_default();
    header.get("version").is_some()
        && header.get("width").is_some()
        && header.get("height").is_some()
}

/// The format of a file that is one JSON value.
pub(crate) fn document(value: &Value) -> Option<Format> {
    match value {
        Value::Array(items) => array(items),
        Value::Object(_) => object(value),
        _ => None,
    }
}

fn object(value: &Value) -> Option<Format> {
    let has = |key| value.get(key).is_some();
    let starts = |key, start| text(value, key).is_some_and(|text| text.starts_with(start));
    if starts("schema_version", "ATIF-v") {
        Some(Format::Atif)
    } else if starts("trajectory_format", "mini-swe-agent") {
        Some(Format::MiniSweAgent)
    } else if has("trajectory") && (has("history") || has("environment")) {
        Some(Format::SweAgent)
    } else if has("samples") && has("eval") {
        Some(Format::InspectAi)
    } else if has("sessionId") && has("projectHash") {
        Some(Format::Gemini)
    } else if has("contents") {
        array(list(value, "contents"))
    } else if has("traj") {
        Some(Format::OpenAi)
    } else if is_events(list(value, "history")) {
        Some(Format::OpenHands)
    } else if list(value, "messages")
        .iter()
        .any(|message| message.get("parts").is_some())
    {
        value.get("info").map(|_| Format::Opencode)
    } else {
        messages(list(value, "messages"))
    }
}

fn array(items: &[Value]) -> Option<Format> {
    if items
        .iter()
        .any(|item| item.get("parts").is_some() && item.get("role").is_some())
    {
        Some(Format::Gemini)
    } else if items.iter().any(|item| item.get("traj").is_some()) {
        Some(Format::OpenAi)
    } else if is_events(items) {
        Some(Format::OpenHands)
    } else {
        messages(items)
    }
}

fn is_events(items: &[Value]) -> bool {
    let event = |item: &Value| item.get("observation").is_some() || item.get("action").is_some();
    items
        .iter()
        .any(|item| event(item) || item.as_array().is_some_and(|pair| pair.iter().any(event)))
}

/// Lists of messages with a role: told apart by how they hold calls and results.
fn messages(items: &[Value]) -> Option<Format> {
    if items.iter().any(openai_message) {
        Some(Format::OpenAi)
    } else if items.iter().any(mini_message) {
        Some(Format::MiniSweAgent)
    } else if items
        .iter()
        .any(|item| item.get("role").is_some() && item.get("content").is_some())
    {
        Some(Format::Anthropic)
    } else {
        None
    }
}

fn openai_message(message: &Value) -> bool {
    matches!(text(message, "role"), Some("tool" | "function"))
        || !list(message, "tool_calls").is_empty()
        || message.get("function_call").is_some_and(Value::is_object)
}

/// mini-swe-agent v1: the observation is the user's message.
fn mini_message(message: &Value) -> bool {
    text(message, "role") == Some("user")
        && text(message, "content").is_some_and(|content| content.starts_with("<returncode>"))
}

/// The format of JSON lines, by one of them. None where the line could stand in several.
pub(crate) fn line(value: &Value) -> Option<Format> {
    let has = |key| value.get(key).is_some();
    let kind = text(value, "type").unwrap_or_default();
    if kind == "session_meta" || has("payload") && has("timestamp") {
        Some(Format::Codex)
    } else if kind.contains('.') && has("data") {
        Some(Format::Copilot)
    } else if kind == "session" && has("cwd") {
        Some(Format::Pi)
    } else if flag(value, "__header__") && has("schema_version") {
        Some(Format::Atif)
    } else if is_events(list(value, "history")) {
        Some(Format::OpenHands)
    } else if has("parentUuid") && has("uuid") {
        Some(Format::ClaudeCode)
    } else if is_stream_json(value, kind) {
        Some(Format::StreamJson)
    } else if has("messages") || has("traj") {
        object(value).filter(|format| [Format::OpenAi, Format::Anthropic].contains(format))
    } else {
        None
    }
}

fn is_stream_json(value: &Value, kind: &str) -> bool {
    let init = text(value, "subtype").or_else(|| text_at(value, &["message", "subtype"]));
    match kind {
        "system" => init == Some("init"),
        "user" | "assistant" => text_at(value, &["message", "role"]).is_some(),
        _ => false,
    }
}
