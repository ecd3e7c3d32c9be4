//! What no server takes back of a reply is put right before it is read: arguments that are no JSON
//! object, ids that are missing or twice, nulls that a client library adds (docs/requests.md, "Replies
//! that can be sent back").

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::object::{self, Flaw};
use super::{Around, kind};
use crate::json;
use crate::lines;
use crate::record::Dialect;
use crate::rules::{ArgumentTexts, Rules};

/// What came of it.
pub struct Mended {
    /// Whether the reply broke off.
    pub incomplete: bool,
    /// Of each call, in their order, why its arguments are no JSON object.
    pub problems: Vec<Option<String>>,
}

impl Mended {
    /// Nothing was put right.
    pub fn untouched(incomplete: bool) -> Self {
        Self {
            incomplete,
            problems: Vec::new(),
        }
    }
}

/// Puts a reply right. What is of no use at all is left to its reader to refuse.
pub fn mend(dialect: Dialect, given: &mut Value, around: Around<'_>) -> Mended {
    let limited = ends_at_limit(dialect, given);
    let Some(parts) = parts(dialect, given) else {
        return Mended::untouched(around.incomplete);
    };
    for part in parts.iter_mut().filter_map(Value::as_object_mut) {
        drop_nulls(dialect, part);
    }
    if dialect == Dialect::OpenaiResponses {
        drop_ids(parts);
    }
    let last = parts.len();
    let calls = parts.iter_mut().enumerate();
    let mut calls: Vec<(bool, &mut Map<String, Value>)> = calls
        .filter(|(_, part)| is_call(dialect, part))
        .filter_map(|(at, part)| Some((at + 1 == last, part.as_object_mut()?)))
        .collect();
    let written: Vec<Written> = calls
        .iter()
        .map(|(_, call)| Written::of(dialect, call))
        .collect();
    let cut = |((last, _), written): (&(bool, _), &Written)| written.is_cut(dialect, *last);
    if around.incomplete || (limited && calls.iter().zip(&written).any(cut)) {
        return Mended::untouched(true);
    }
    name_calls(dialect, &mut calls, around);
    let calls = calls.into_iter().zip(written);
    Mended {
        incomplete: false,
        problems: calls
            .map(|((_, call), written)| written.put(dialect, call, around.rules))
            .collect(),
    }
}

/// Where the calls stand: a message's `tool_calls`, or all blocks or items.
fn parts(dialect: Dialect, given: &mut Value) -> Option<&mut Vec<Value>> {
    match dialect {
        Dialect::OpenaiChat => {
            let whole = given.pointer("/choices/0/message").is_some();
            let message = if whole {
                given.pointer_mut("/choices/0/message")
            } else {
                Some(given)
            };
            let message = message?.as_object_mut()?;
            message.shift_remove("parsed");
            let content = message.get_mut("content").and_then(Value::as_array_mut);
            for block in content.into_iter().flatten() {
                if CHAT_BLOCKS.contains(&kind(block)) {
                    retain_some(block, &[]);
                }
            }
            message.get_mut("tool_calls")?.as_array_mut()
        }
        Dialect::AnthropicMessages => within(given, "content"),
        Dialect::OpenaiResponses => within(given, "output"),
    }
}

fn within<'a>(given: &'a mut Value, key: &str) -> Option<&'a mut Vec<Value>> {
    match given {
        Value::Array(parts) => Some(parts),
        given => given.get_mut(key)?.as_array_mut(),
    }
}

/// Content blocks of chat completions whose fields are known.
const CHAT_BLOCKS: [&str; 7] = [
    "text",
    "refusal",
    "image_url",
    "input_audio",
    "file",
    "thinking",
    "redacted_thinking",
];

fn is_call(dialect: Dialect, part: &Value) -> bool {
    match dialect {
        Dialect::OpenaiChat => part.is_object(),
        Dialect::AnthropicMessages => kind(part) == "tool_use",
        Dialect::OpenaiResponses => matches!(kind(part), "function_call" | "custom_tool_call"),
    }
}

/// Fields that client libraries write as null, or beside what the model wrote.
fn drop_nulls(dialect: Dialect, part: &mut Map<String, Value>) {
    match dialect {
        Dialect::OpenaiChat => {
            part.retain(|_, value| !value.is_null());
            for inner in ["function", "custom"] {
                if let Some(called) = part.get_mut(inner) {
                    retain_some(called, &["arguments", "input"]);
                }
            }
        }
        Dialect::AnthropicMessages => {
            let name = part.get("type").and_then(Value::as_str).unwrap_or_default();
            let known = matches!(name, "text" | "thinking" | "redacted_thinking")
                || name.ends_with("tool_use")
                || name.ends_with("tool_result");
            part.retain(|name, value| !known || !value.is_null() || name == "input");
        }
        Dialect::OpenaiResponses => match part.get("type").and_then(Value::as_str) {
            Some("function_call") => drop(part.shift_remove("parsed_arguments")),
            Some("message") => {
                let content = part.get_mut("content").and_then(Value::as_array_mut);
                for inner in content.into_iter().flatten() {
                    retain_some(inner, &[]);
                }
            }
            _ => {}
        },
    }
}

/// Keeps what is not null, and what a library parsed of it out.
fn retain_some(value: &mut Value, kept: &[&str]) {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, value| {
            let parsed = name == "parsed" || name == "parsed_arguments";
            !parsed && (!value.is_null() || kept.contains(&name.as_str()))
        });
    }
}

/// Ids of messages and calls that are empty, or another item's of the reply. They do without.
fn drop_ids(items: &mut [Value]) {
    let mut ids = BTreeSet::new();
    for item in items {
        let does_without = matches!(kind(item), "message" | "function_call" | "custom_tool_call");
        let Some(id) = item.get("id").and_then(Value::as_str) else {
            continue;
        };
        let own = !id.is_empty() && ids.insert(id.to_owned());
        if does_without
            && !own
            && let Some(fields) = item.as_object_mut()
        {
            fields.shift_remove("id");
        }
    }
}

/// Whether the provider says that the reply ended at its limit.
fn ends_at_limit(dialect: Dialect, given: &Value) -> bool {
    let says = |pointer: &str, words: &[&str]| {
        let said = given.pointer(pointer).and_then(Value::as_str);
        said.is_some_and(|said| words.contains(&said))
    };
    match dialect {
        Dialect::OpenaiChat => says("/choices/0/finish_reason", &["length"]),
        Dialect::AnthropicMessages => says(
            "/stop_reason",
            &["max_tokens", "model_context_window_exceeded"],
        ),
        Dialect::OpenaiResponses => says("/status", &["incomplete"]),
    }
}

/// A call's arguments as the model wrote them.
enum Written {
    /// A JSON object, as it is; with some halves of surrogate pairs spelled otherwise.
    Object(Option<Value>),
    /// A custom tool's, plain text.
    Plain,
    /// None.
    Blank,
    /// Something else.
    Flawed(String, Flaw),
}

/// Where a call's arguments stand: in which of its fields, and under which name. None of a custom tool,
/// whose are plain text.
fn place(
    dialect: Dialect,
    call: &Map<String, Value>,
) -> Option<(Option<&'static str>, &'static str)> {
    let name = call.get("type").and_then(Value::as_str).unwrap_or_default();
    match dialect {
        Dialect::OpenaiChat => (name != "custom").then_some((Some("function"), "arguments")),
        Dialect::AnthropicMessages => Some((None, "input")),
        Dialect::OpenaiResponses => (name == "function_call").then_some((None, "arguments")),
    }
}

impl Written {
    fn of(dialect: Dialect, call: &Map<String, Value>) -> Self {
        let Some((inner, name)) = place(dialect, call) else {
            return Self::Plain;
        };
        let called = match inner {
            None => Some(call),
            Some(inner) => call.get(inner).and_then(Value::as_object),
        };
        // What has no place for arguments is left to the reader to refuse.
        let Some(called) = called else {
            return Self::Plain;
        };
        match called.get(name) {
            None | Some(Value::Null) => Self::Blank,
            Some(Value::Object(_)) => Self::Object(None),
            Some(Value::String(text)) => Self::of_text(dialect, text),
            Some(other) => Self::Flawed(other.to_string(), Flaw::Other),
        }
    }

    fn of_text(dialect: Dialect, text: &str) -> Self {
        if matches!(text.trim(), "" | "null") {
            return Self::Blank;
        }
        let whole = json::without_halves(text);
        match object::check(&whole) {
            Err(flaw) => Self::Flawed(text.to_owned(), flaw),
            // The provider wants the object itself.
            Ok(()) if dialect == Dialect::AnthropicMessages => match json::value(&whole) {
                Ok(value) => Self::Object(Some(value)),
                Err(_) => Self::Flawed(text.to_owned(), Flaw::Other),
            },
            Ok(()) if whole == text => Self::Object(None),
            Ok(()) => Self::Object(Some(Value::from(whole.into_owned()))),
        }
    }

    /// Whether a call of a reply that ended at its limit was cut. Where its end cannot be seen, it is if
    /// nothing follows it.
    fn is_cut(&self, dialect: Dialect, last: bool) -> bool {
        match self {
            Self::Object(_) => last && dialect == Dialect::AnthropicMessages,
            Self::Plain => last,
            Self::Blank => false,
            Self::Flawed(..) => true,
        }
    }

    /// Puts the arguments where they belong. Answers what is wrong with them.
    fn put(self, dialect: Dialect, call: &mut Map<String, Value>, rules: &Rules) -> Option<String> {
        let (inner, name) = place(dialect, call)?;
        let texts = &rules.replies.arguments;
        let (object, problem) = match self {
            Self::Plain | Self::Object(None) => return None,
            Self::Object(Some(spelled)) => (spelled, None),
            Self::Blank => (of_dialect(dialect, Map::new()), None),
            Self::Flawed(text, flaw) => {
                let fields = [(texts.key.clone(), Value::from(text))];
                let object = of_dialect(dialect, fields.into_iter().collect());
                (object, Some(words(flaw, texts)))
            }
        };
        let called = match inner {
            None => call,
            Some(inner) => call.get_mut(inner)?.as_object_mut()?,
        };
        called.insert(name.to_owned(), object);
        problem
    }
}

/// An object, or the text of one.
fn of_dialect(dialect: Dialect, object: Map<String, Value>) -> Value {
    let object = Value::Object(object);
    match dialect {
        Dialect::AnthropicMessages => object,
        _ => Value::from(object.to_string()),
    }
}

/// What is wrong with arguments, and what would be right.
fn words(flaw: Flaw, texts: &ArgumentTexts) -> String {
    let (text, at) = match flaw {
        Flaw::Ends(at) => (&texts.ends, at),
        Flaw::Unexpected(at) => (&texts.unexpected, at),
        Flaw::More(at) => (&texts.more, at),
        Flaw::Deep(at) => (&texts.deep, at),
        Flaw::Other => (&texts.other, 0),
    };
    let problem = text.fill(&[("at", &at.to_string())]);
    texts
        .refused
        .fill(&[("problem", &problem), ("key", &texts.key)])
}

/// Gives an id to each call whose own is missing, blank, or borne by one before it: the next that no call
/// has, made of the message's number.
fn name_calls(dialect: Dialect, calls: &mut [(bool, &mut Map<String, Value>)], around: Around<'_>) {
    let replies = &around.rules.replies;
    let key = match dialect {
        Dialect::OpenaiResponses => "call_id",
        _ => "id",
    };
    let own = |call: &Map<String, Value>| {
        let id = call.get(key).and_then(Value::as_str);
        let id = id.filter(|id| !id.trim().is_empty())?;
        // As it is sent.
        Some(lines::shown(id, &around.rules.nul).into_owned())
    };
    let given: BTreeSet<String> = calls.iter().filter_map(|(_, call)| own(call)).collect();
    let mut borne = BTreeSet::new();
    let mut made = 0_usize;
    for (_, call) in calls {
        if own(call).is_some_and(|id| borne.insert(id)) {
            continue;
        }
        let id = loop {
            made += 1;
            let id = format!("{}{:03x}{made:02x}", replies.call_id, around.number);
            if !given.contains(&id) && !(around.known)(&id) {
                break id;
            }
        };
        call.insert(key.to_owned(), Value::from(id));
    }
}
