//! A session's changes to `loop.json`, checked key by key.

use serde_json::{Map, Value};

use crate::error::Error;
use crate::template::Template;

/// The largest number of hex digits that a SHA-256 has, and that an id can sensibly be padded to.
const MOST_DIGITS: u64 = 64;

/// Numbers that are at least 1: with 0 there would be nothing to show.
const AT_LEAST_ONE: [&str; 8] = [
    "context.ids.digits",
    "context.sha_digits",
    "context.reads.window",
    "context.recall.window",
    "context.cap.max_lines",
    "context.cap.max_chars",
    "context.cap.head_lines",
    "context.cap.head_chars",
];

/// Texts that are one of a few words.
const CHOICES: [(&str, &[&str]); 6] = [
    ("context.edits.answer", &["diff", "summary"]),
    ("prompt.dates", &["refuse", "allow"]),
    ("prompt.paths", &["refuse", "allow"]),
    ("reasoning.carry", &["turn", "as-given", "none"]),
    ("reasoning.earlier_turns", &["none", "tool-calls", "all"]),
    ("requests.cache_ttl", &["", "5m", "1h"]),
];

/// Texts that say something to the model, or to its provider.
const NOT_BLANK: [&str; 7] = [
    "context.note.empty",
    "tools.unavailable",
    "replies.unanswered",
    "replies.interrupted",
    "wrap_up.message",
    "wrap_up.refused",
    "requests.system_role",
];

/// Names that a list may not hold: without them calls and words would be lost.
const KEPT: [(&str, &[&str]); 2] = [
    ("reasoning.blocks", &["text", "tool_use"]),
    (
        "requests.not_resent",
        &["role", "content", "tool_calls", "id", "type", "function"],
    ),
];

/// The largest number of breakpoints that the provider takes.
const MOST_BREAKPOINTS: u64 = 4;

/// The defaults with what `given` names put in their place.
///
/// # Errors
///
/// `invalid-setting`: an unknown key, a value of another type than the default's, a number out of
/// range or at odds with another, a text with an unknown or missing placeholder.
pub fn merge(defaults: &Value, given: &Value) -> Result<Value, Error> {
    let merged = merge_at("", defaults, given)?;
    check_cap(&merged)?;
    Ok(merged)
}

fn merge_at(key: &str, default: &Value, given: &Value) -> Result<Value, Error> {
    match (default, given) {
        (Value::Object(defaults), Value::Object(given)) => merge_objects(key, defaults, given),
        (Value::Number(_), Value::Number(_)) => check_number(key, given),
        (Value::String(default), Value::String(text)) => check_text(key, default, text),
        (Value::Array(_), Value::Array(items)) => check_names(key, items),
        _ => Err(Error::setting(
            key,
            format!("is {}, must be {}", type_name(given), type_name(default)),
        )),
    }
}

fn merge_objects(
    key: &str,
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<Value, Error> {
    let mut merged = defaults.clone();
    for (name, value) in given {
        let inner = if key.is_empty() {
            name.clone()
        } else {
            format!("{key}.{name}")
        };
        let Some(default) = defaults.get(name) else {
            let known: Vec<&str> = defaults.keys().map(String::as_str).collect();
            let problem = format!("is not a setting; known here: {}", known.join(", "));
            return Err(Error::setting(&inner, problem));
        };
        merged.insert(name.clone(), merge_at(&inner, default, value)?);
    }
    Ok(Value::Object(merged))
}

fn check_number(key: &str, given: &Value) -> Result<Value, Error> {
    let whole = given
        .as_u64()
        .filter(|number| *number <= u64::from(u32::MAX));
    let Some(number) = whole else {
        let problem = format!("is {given}, must be a whole number from 0 to {}", u32::MAX);
        return Err(Error::setting(key, problem));
    };
    if number == 0 && AT_LEAST_ONE.contains(&key) {
        return Err(Error::setting(key, "is 0, must be at least 1"));
    }
    let most = match key {
        "requests.cache_breakpoints" => MOST_BREAKPOINTS,
        key if key.ends_with("digits") => MOST_DIGITS,
        _ => u64::MAX,
    };
    if number > most {
        let problem = format!("is {number}, must be at most {most}");
        return Err(Error::setting(key, problem));
    }
    Ok(Value::from(number))
}

fn check_text(key: &str, default: &str, text: &str) -> Result<Value, Error> {
    let choice = CHOICES.iter().find(|(choice, _)| *choice == key);
    if let Some((_, words)) = choice
        && !words.contains(&text)
    {
        let problem = format!("is `{text}`, must be `{}`", words.join("` or `"));
        return Err(Error::setting(key, problem));
    }
    if text.trim().is_empty() && NOT_BLANK.contains(&key) {
        return Err(Error::setting(key, "is blank"));
    }
    let (known, used) = (Template::parse(default), Template::parse(text));
    if let Some(unknown) = used
        .placeholders()
        .find(|name| !known.placeholders().any(|k| k == *name))
    {
        let names: Vec<&str> = known.placeholders().collect();
        let problem = format!(
            "has the placeholder `{unknown}`; known here: {}",
            names.join(", ")
        );
        return Err(Error::setting(key, problem));
    }
    let missing = known
        .placeholders()
        .find(|name| !used.placeholders().any(|k| k == *name));
    if let Some(missing) = missing {
        return Err(Error::setting(
            key,
            format!("lacks the placeholder `{missing}`"),
        ));
    }
    Ok(Value::from(text))
}

fn check_names(key: &str, items: &[Value]) -> Result<Value, Error> {
    let tags = key == "reasoning.tags";
    let kept = KEPT.iter().find(|(list, _)| *list == key);
    let right = |text: &str| {
        let may = kept.is_none_or(|(_, names)| !names.contains(&text));
        may && (!tags || is_pair_of_tags(text))
    };
    let odd = items
        .iter()
        .position(|item| !item.as_str().is_some_and(right));
    let wanted = if kept.is_some() {
        "must be a name that calls and words can do without"
    } else if tags {
        "must be an opening and a closing tag with a blank between, `<think> </think>`"
    } else {
        "must be a text"
    };
    match odd {
        Some(at) => Err(Error::setting(&format!("{key}[{at}]"), wanted)),
        None => Ok(Value::Array(items.to_vec())),
    }
}

fn is_pair_of_tags(text: &str) -> bool {
    let mut words = text.split(' ');
    let both = [words.next(), words.next()];
    both.iter()
        .all(|word| word.is_some_and(|tag| !tag.is_empty()))
        && words.next().is_none()
}

/// Head and tail must leave something out of a result that is over the cap.
fn check_cap(merged: &Value) -> Result<(), Error> {
    let number = |name: &str| {
        let value = merged.pointer(&format!("/context/cap/{name}"));
        value.and_then(Value::as_u64).unwrap_or_default()
    };
    for unit in ["lines", "chars"] {
        let (head, tail) = (
            number(&format!("head_{unit}")),
            number(&format!("tail_{unit}")),
        );
        let most = number(&format!("max_{unit}"));
        if head + tail > most {
            let problem = format!(
                "is {head}, which with tail_{unit} {tail} is over max_{unit} {most}; \
                 head and tail together must not exceed the cap"
            );
            return Err(Error::setting(&format!("context.cap.head_{unit}"), problem));
        }
    }
    Ok(())
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
