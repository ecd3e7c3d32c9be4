//! The reply that holds a summary (docs/compaction.md, "The reply").

use serde_json::Value;

use super::Reason;
use crate::json;
use crate::record::Dialect;
use crate::reply::{self, Around};
use crate::rules::Rules;

/// Why a reply holds no summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For a program.
    pub reason: Reason,
    /// For people.
    pub message: String,
}

impl Fault {
    /// What is wrong with a reply.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }

    /// The provider failed, in its own words, which may be blank.
    pub fn failed(words: &str) -> Self {
        let unsaid = "the provider failed, and did not say why";
        let message = if words.trim().is_empty() {
            unsaid
        } else {
            words
        };
        Self::new(Reason::Failed, message)
    }
}

/// The summary.
///
/// # Errors
///
/// Why there is none.
pub fn read(dialect: Dialect, given: &str, rules: &Rules) -> Result<String, Fault> {
    // What is no JSON is no reply either.
    let json = json::value(given).unwrap_or_default();
    if let Some(words) = failure(dialect, &json) {
        return Err(Fault::failed(words));
    }
    let around = Around {
        rules,
        incomplete: false,
        number: 0,
        unstored: false,
        known: &|_| false,
    };
    let reply = reply::read(dialect, given, around).map_err(|fault| {
        let message = format!("the summary's reply{} {}", fault.path, fault.problem);
        Fault::new(Reason::Unreadable, message)
    })?;
    if refused(dialect, &json) {
        let message = "the model refused to write the summary";
        return Err(Fault::new(Reason::Refused, message));
    }
    if cut_off(dialect, &json) {
        let message = "the summary was cut off before its end";
        return Err(Fault::new(Reason::CutOff, message));
    }
    let calls = !reply.calls.is_empty();
    let summary = reply.text_before_calls();
    let summary = without_notes(summary.trim(), &rules.archive.marker);
    match (summary.is_empty(), calls) {
        (false, _) => Ok(summary),
        (true, true) => {
            let message = "the reply is a tool call without a text before it, and no summary";
            Err(Fault::new(Reason::OnlyCalls, message))
        }
        (true, false) => Err(Fault::new(Reason::Empty, "the reply says nothing")),
    }
}

/// A summary without the notes of the history archive that it carried over.
fn without_notes(summary: &str, marker: &str) -> String {
    if marker.is_empty() || !summary.contains(marker) {
        return summary.to_owned();
    }
    let lines = summary.split('\n').filter(|line| !line.starts_with(marker));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn text_at<'a>(json: &'a Value, pointer: &str) -> &'a str {
    json.pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The provider's words, if the reply says that it failed.
fn failure(dialect: Dialect, json: &Value) -> Option<&str> {
    let errors = [json.get("error"), json.pointer("/choices/0/error")];
    let error = errors.into_iter().flatten().find(|error| match error {
        Value::String(words) => !words.trim().is_empty(),
        error => error.is_object(),
    });
    if let Some(error) = error {
        return Some(error.as_str().unwrap_or_else(|| text_at(error, "/message")));
    }
    let failed = match dialect {
        Dialect::OpenaiChat => text_at(json, "/choices/0/finish_reason") == "error",
        Dialect::AnthropicMessages => false,
        Dialect::OpenaiResponses => matches!(text_at(json, "/status"), "failed" | "cancelled"),
    };
    failed.then_some("")
}

fn refused(dialect: Dialect, json: &Value) -> bool {
    match dialect {
        Dialect::OpenaiChat => {
            let message = json.pointer("/choices/0/message").unwrap_or(json);
            !text_at(message, "/refusal").is_empty()
                || text_at(json, "/choices/0/finish_reason") == "content_filter"
        }
        Dialect::AnthropicMessages => text_at(json, "/stop_reason") == "refusal",
        Dialect::OpenaiResponses => {
            let parts = items(json).filter_map(|item| item.get("content")?.as_array());
            text_at(json, "/incomplete_details/reason") == "content_filter"
                || parts
                    .flatten()
                    .any(|part| text_at(part, "/type") == "refusal")
        }
    }
}

fn cut_off(dialect: Dialect, json: &Value) -> bool {
    match dialect {
        Dialect::OpenaiChat => text_at(json, "/choices/0/finish_reason") == "length",
        Dialect::AnthropicMessages => matches!(
            text_at(json, "/stop_reason"),
            "max_tokens" | "model_context_window_exceeded" | "pause_turn"
        ),
        Dialect::OpenaiResponses => {
            let unfinished = |value: &Value| {
                matches!(
                    text_at(value, "/status"),
                    "incomplete" | "in_progress" | "queued"
                )
            };
            text_at(json, "/incomplete_details/reason") == "max_output_tokens"
                || unfinished(json)
                || items(json).any(unfinished)
        }
    }
}

/// What a reply of the responses dialect holds.
fn items(json: &Value) -> impl Iterator<Item = &Value> {
    let items = json.get("output").unwrap_or(json).as_array();
    items.into_iter().flatten()
}
