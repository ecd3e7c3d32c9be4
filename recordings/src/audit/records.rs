//! The request bodies in a recording, whatever recorded them.

use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

use super::body::parse;
use super::dialect::detect;

/// Lists that records are found in.
const LISTS: [&str; 8] = [
    "requests", "log", "entries", "records", "calls", "items", "data", "events",
];

/// Fields that lead to a body, the first that holds one is taken.
const LEADS: [&str; 14] = [
    "request",
    "body",
    "request_body",
    "requestBody",
    "raw_request",
    "postData",
    "text",
    "content",
    "payload",
    "params",
    "kwargs",
    "json",
    "input",
    "data",
];

/// How deep a body may lie in its record.
const DEEPEST: usize = 5;

/// A body, or why a record has none.
pub(crate) type Record<'a> = Result<Cow<'a, str>, String>;

/// The records of a JSON list, of an object that holds one, or of JSON lines.
pub(crate) fn records(content: &str) -> Result<Vec<Record<'_>>, String> {
    let content = content.trim_start_matches('\u{feff}');
    if content.trim().is_empty() {
        return Err("the list of requests is empty".to_owned());
    }
    match serde_json::from_str::<&RawValue>(content) {
        Ok(whole) => Ok(listed(whole.get()).into_iter().map(record).collect()),
        Err(_) if content.trim_end().contains('\n') && !content.trim_start().starts_with('[') => {
            Ok(lines(content))
        }
        Err(error) => Err(format!(
            "the list of requests is neither JSON nor JSON lines: {error}"
        )),
    }
}

fn lines(content: &str) -> Vec<Record<'_>> {
    let numbered = content
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let read = numbered.map(|(line, number): (&str, u32)| {
        let problem = |problem: &dyn std::fmt::Display| format!("line {number}: {problem}");
        match serde_json::from_str::<&RawValue>(line.trim()) {
            Ok(value) => record(value.get()).map_err(|error| problem(&error)),
            Err(error) => Err(problem(&format!("not JSON: {error}"))),
        }
    });
    read.collect()
}

/// A list's items; a value that holds no list is a list of itself.
fn listed(json: &str) -> Vec<&str> {
    if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json) {
        return items.into_iter().map(RawValue::get).collect();
    }
    if is_body(json) {
        return vec![json];
    }
    let inner = LISTS.iter().find_map(|key| {
        let found = field(json, key)?;
        let list = found.starts_with('[') || (found.starts_with('{') && *key == "log");
        list.then(|| listed(found))
    });
    inner.unwrap_or_else(|| vec![json])
}

fn record(json: &str) -> Record<'_> {
    match body(json, DEEPEST) {
        Some(body) => Ok(body),
        None => Err(complaint(json)),
    }
}

/// Why there is no body: what the detection says of the nearest thing to one.
fn complaint(json: &str) -> String {
    let nearest = ["request", "body"]
        .iter()
        .find_map(|key| field(json, key))
        .unwrap_or(json);
    let value = parse(nearest).unwrap_or(Value::Null);
    match detect(&value) {
        Err(problem) => problem,
        Ok(_) => "no request body is in it".to_owned(),
    }
}

fn body(json: &str, depth: usize) -> Option<Cow<'_, str>> {
    if json.starts_with('"') {
        let text: String = serde_json::from_str(json).ok()?;
        return body(text.trim(), depth.checked_sub(1)?).map(|body| Cow::Owned(body.into_owned()));
    }
    if !json.starts_with('{') {
        return None;
    }
    if is_body(json) {
        return Some(Cow::Borrowed(json));
    }
    let depth = depth.checked_sub(1)?;
    LEADS.iter().find_map(|key| body(field(json, key)?, depth))
}

fn is_body(json: &str) -> bool {
    parse(json).is_ok_and(|value| detect(&value).is_ok())
}

/// The text of an object's field.
fn field<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let fields: std::collections::BTreeMap<Cow<'a, str>, &'a RawValue> =
        serde_json::from_str(json).ok()?;
    fields.get(key).map(|value| value.get())
}
