//! A model's reply, as its provider gave it, understood (docs/requests.md, "Messages").
//!
//! The JSON is carried: key order and the spelling of numbers stay.

mod anthropic;
mod chat;
mod foreign;
mod mend;
mod object;
mod responses;
mod sent;
mod shares;
mod tags;
mod text;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::json;
use crate::record::Dialect;
use crate::rules::Rules;

pub use anthropic::is_reasoning as is_reasoning_block;
pub use chat::{ChatReply, Content};
pub use responses::without_reasoning;
pub use sent::Sent;
pub use shares::Piece;

/// A reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The visible text, without reasoning.
    pub text: String,
    /// The calls to run, in order; none of a reply that broke off.
    pub calls: Vec<Call>,
    /// Whether it broke off: its stream did, or its last call was cut at the limit.
    pub incomplete: bool,
    /// Whether it holds reasoning that can be left out of it.
    pub reasons: bool,
    /// What is sent of it.
    pub form: Form,
}

impl Reply {
    /// The visible text before the first call.
    pub fn text_before_calls(&self) -> String {
        match &self.form {
            // A message's content comes before its calls.
            Form::Chat(_) => self.text.clone(),
            Form::Anthropic(blocks) => anthropic::text_of(before_calls(blocks)),
            Form::Responses(items) => responses::text_of(before_calls(items)),
        }
    }
}

fn before_calls(blocks: &[Value]) -> &[Value] {
    let call = |block: &Value| {
        matches!(
            kind(block),
            "tool_use" | "function_call" | "custom_tool_call"
        )
    };
    let end = blocks.iter().position(call).unwrap_or(blocks.len());
    blocks.get(..end).unwrap_or_default()
}

/// What is sent of a reply, in its dialect.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A message.
    Chat(Box<ChatReply>),
    /// Content blocks.
    Anthropic(Vec<Value>),
    /// Output items.
    Responses(Vec<Value>),
}

/// A call that a harness is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The provider's id, or what took its place.
    pub id: String,
    /// The tool.
    pub name: String,
    /// As they are sent; JSON that is no text is compact.
    pub arguments: String,
    /// Whether it is a custom tool's, whose input is plain text.
    pub custom: bool,
    /// Why its arguments are no JSON object, in words for the model.
    pub problem: Option<String>,
}

/// What is wrong with a reply, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path inside the JSON, `.tool_calls[0].id`; empty for the whole.
    pub path: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl Fault {
    fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }
}

/// What a reply is read with, all of it from the log.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Texts and settings.
    pub rules: &'a Rules,
    /// From a stream that broke off.
    pub incomplete: bool,
    /// The message's number.
    pub number: u32,
    /// Whether the request that it answers told the provider to store nothing.
    pub unstored: bool,
    /// Whether an earlier call has an id.
    pub known: &'a dyn Fn(&str) -> bool,
}

/// Reads a reply.
///
/// # Errors
///
/// What is wrong with its JSON, and where.
pub fn read(dialect: Dialect, json: &str, around: Around<'_>) -> Result<Reply, Fault> {
    let rules = around.rules;
    let repair = rules.replies.repair;
    let mut given = json::value(json).map_err(|problem| {
        let stream = foreign::event_stream(dialect, json).filter(|_| repair);
        stream.unwrap_or_else(|| Fault::new("", problem))
    })?;
    let mut mended = mend::Mended::untouched(around.incomplete);
    if repair {
        foreign::check(dialect, &given)?;
        mended = mend::mend(dialect, &mut given, around);
    }
    let incomplete = mended.incomplete;
    let mut reply = match dialect {
        Dialect::OpenaiChat => chat::read(given, incomplete, rules),
        Dialect::AnthropicMessages => anthropic::read(given, incomplete, &rules.reasoning),
        Dialect::OpenaiResponses => {
            let unstored = repair && around.unstored;
            responses::read(given, incomplete, unstored, &rules.reasoning)
        }
    }?;
    for (call, problem) in reply.calls.iter_mut().zip(mended.problems) {
        call.problem = problem;
    }
    Ok(reply)
}

/// A reply's calls, each with an id of its own.
#[derive(Default)]
struct Calls {
    calls: Vec<Call>,
    ids: BTreeSet<String>,
}

impl Calls {
    /// Adds a call to those before it. `path` is where its id stands.
    fn add(&mut self, call: Call, path: String) -> Result<(), Fault> {
        if !self.ids.insert(call.id.clone()) {
            let problem = format!("is `{}` a second time; each call needs its own", call.id);
            return Err(Fault::new(path, problem));
        }
        self.calls.push(call);
        Ok(())
    }
}

/// A text that a call cannot do without.
fn required<'a>(value: &'a Value, key: &str, path: &str) -> Result<&'a str, Fault> {
    match value.get(key).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(Fault::new(
            format!("{path}.{key}"),
            "is missing or empty, must be a text",
        )),
    }
}

/// A call's arguments: a text as it is, any other JSON compact. None are `{}`; a custom tool's input is
/// plain text.
fn arguments(given: Option<&Value>, custom: bool) -> String {
    match given {
        None | Some(Value::Null) if custom => String::new(),
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

/// A list's items, each of which must be an object.
fn objects(list: Value, path: &str) -> Result<Vec<Value>, Fault> {
    let Value::Array(items) = list else {
        return Err(Fault::new(path, "is no list"));
    };
    match items.iter().position(|item| !item.is_object()) {
        Some(at) => Err(Fault::new(format!("{path}[{at}]"), "is no object")),
        None => Ok(items),
    }
}

/// The `type` of a block or an item.
fn kind(value: &Value) -> &str {
    value
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}
