//! One step's answer against what a case expects of it (conformance/README.md).

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::text::{brief, difference, expand};

/// An answer's line of a transcript: `case`, `step` and the answer under the name of its kind.
type Answer = Map<String, Value>;

/// What a compaction's step answers. Which of them it is, an expectation says by the key around it.
const COMPACTION: &[&str] = &["summary-request", "compacted", "not-applied"];

/// Every kind of answer but an error.
const KINDS: &[&str] = &[
    "inserted",
    "added",
    "request",
    "value",
    "summary-request",
    "compacted",
    "not-applied",
];

/// What is wrong with an answer, field by field.
pub fn problems(expected: &Value, answer: &Answer) -> Result<Vec<String>> {
    if let Some(wanted) = expected.get("error") {
        return Ok(error(wanted, answer));
    }
    if let Some(problem) = unexpected_error(answer) {
        return Ok(vec![problem]);
    }
    let (kind, found) = KINDS
        .iter()
        .find_map(|kind| Some((*kind, answer.get(*kind)?)))
        .with_context(|| format!("is no answer: {}", show(answer)))?;
    if let Some(wanted) = expected.get("value") {
        let same = kind == "value" && found == wanted;
        return Ok(unequal(same, "value", wanted, found));
    }
    if COMPACTION.contains(&kind) {
        return compaction(kind, expected, answer);
    }
    match (kind, expected.is_object()) {
        ("inserted" | "added" | "request", true) => fields("", expected, found),
        ("inserted", false) => field("text", expected, found),
        ("request", false) => field("body", expected, found),
        ("value", false) => text("value", &expand(expected)?, found),
        _ => bail!("the answer is no text: {}", show(answer)),
    }
}

/// A compaction's answer: that it is the one that is expected, and the fields that are named of it.
fn compaction(kind: &str, expected: &Value, answer: &Answer) -> Result<Vec<String>> {
    let wanted = COMPACTION
        .iter()
        .find_map(|wanted| Some((*wanted, expected.get(wanted)?)));
    let (wanted, named) = wanted.with_context(|| format!("no answer is {expected}"))?;
    if wanted != kind {
        return Ok(vec![format!("expected {wanted}, found {}", show(answer))]);
    }
    fields("", named, answer.get(kind).unwrap_or(&Value::Null))
}

/// The problem that an error is where none is expected.
pub fn unexpected_error(answer: &Answer) -> Option<String> {
    let error = answer.get("error")?;
    Some(format!("an error that was not expected: {error}"))
}

/// The named fields of a record; `place` is where it stands.
fn fields(place: &str, expected: &Value, found: &Value) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for (name, wanted) in expected.as_object().into_iter().flatten() {
        let inner = field(name, wanted, found)?;
        problems.extend(inner.into_iter().map(|problem| format!("{place}{problem}")));
    }
    Ok(problems)
}

fn field(name: &str, wanted: &Value, record: &Value) -> Result<Vec<String>> {
    let found = record.get(name).unwrap_or(&Value::Null);
    match (name, wanted) {
        ("has", _) => parts(wanted, record),
        ("body", Value::Object(_)) => text(name, &wanted.to_string(), found),
        ("text" | "note" | "body" | "summary", Value::String(_) | Value::Array(_)) => {
            text(name, &expand(wanted)?, found)
        }
        (_, Value::Array(wanted)) => items(name, wanted, found),
        (_, Value::Object(_)) if found.is_object() => fields(&format!("{name}."), wanted, found),
        _ => Ok(unequal(found == wanted, name, wanted, found)),
    }
}

/// A list: as many items as expected, each with the fields that are named of it.
fn items(name: &str, wanted: &[Value], found: &Value) -> Result<Vec<String>> {
    let shown = || brief(&found.to_string());
    let Some(items) = found.as_array() else {
        return Ok(vec![format!("{name}: expected a list, found {}", shown())]);
    };
    if wanted.len() != items.len() {
        let counts = format!("expected {} items, found {}", wanted.len(), items.len());
        return Ok(vec![format!("{name}: {counts}: {}", shown())]);
    }
    let mut problems = Vec::new();
    for (position, (wanted, found)) in wanted.iter().zip(items).enumerate() {
        let place = format!("{name}[{position}]");
        problems.extend(match wanted.is_object() {
            true => fields(&format!("{place}."), wanted, found)?,
            false => unequal(wanted == found, &place, wanted, found),
        });
    }
    Ok(problems)
}

/// The keys of a request's body that `has` names, each as compact JSON.
fn parts(wanted: &Value, request: &Value) -> Result<Vec<String>> {
    let body = request
        .get("body")
        .and_then(Value::as_str)
        .context("`has` is of requests")?;
    let body: Value = match serde_json::from_str(body) {
        Ok(body) => body,
        Err(error) => {
            return Ok(vec![format!(
                "the body is no JSON: {error}: {}",
                brief(body)
            )]);
        }
    };
    let mut problems = Vec::new();
    for (key, wanted) in wanted.as_object().into_iter().flatten() {
        let name = format!("body, {key}");
        match body.get(key) {
            Some(found) => problems.extend(same(&name, &wanted.to_string(), &found.to_string())),
            None => problems.push(format!(
                "{name}: is not there: {}",
                brief(&body.to_string())
            )),
        }
    }
    Ok(problems)
}

fn text(name: &str, wanted: &str, found: &Value) -> Result<Vec<String>> {
    Ok(match found.as_str() {
        Some(found) => same(name, wanted, found),
        None => vec![format!(
            "{name}: expected the text {}, found {}",
            brief(&format!("{wanted:?}")),
            brief(&found.to_string())
        )],
    })
}

fn same(name: &str, wanted: &str, found: &str) -> Vec<String> {
    let differ = wanted != found;
    let problem = || format!("{name} differs\n{}", difference(wanted, found));
    differ.then(problem).into_iter().collect()
}

fn unequal(same: bool, name: &str, wanted: &Value, found: &Value) -> Vec<String> {
    let problem = || {
        format!(
            "{name}: expected {wanted}, found {}",
            brief(&found.to_string())
        )
    };
    (!same).then(problem).into_iter().collect()
}

fn error(wanted: &Value, answer: &Answer) -> Vec<String> {
    let Some(error) = answer.get("error") else {
        return vec![format!(
            "expected the error {wanted}, found {}",
            show(answer)
        )];
    };
    let payload = error.get("payload").unwrap_or(&Value::Null);
    let mut problems = Vec::new();
    for (field, wanted) in wanted.as_object().into_iter().flatten() {
        let found = match field.as_str() {
            "cause" | "message" => error.get(field),
            "value" => Some(payload),
            field => payload.get(field),
        };
        if found != Some(wanted) {
            problems.push(format!("error, {field}: expected {wanted}, found {error}"));
        }
    }
    problems
}

fn show(answer: &Answer) -> String {
    brief(&Value::from(answer.clone()).to_string())
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
