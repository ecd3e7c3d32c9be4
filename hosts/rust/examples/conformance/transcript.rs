//! What a step answered, as a line of the transcript. The keys' order is part of the format.

use serde_json::{Value, json};
use waybread::{
    Added, Difference, Error, Inserted, LastRead, Prefix, ReplyCall, Request, RequestReport,
    StoredMessage, Usage,
};

use crate::assembled::skill_change;
use crate::failure;
use crate::pressed::pressure;

/// What a step answered: the key that says of what kind it is, and its value.
pub struct Answer(&'static str, Value);

impl Answer {
    /// One of a kind.
    pub fn new(kind: &'static str, value: Value) -> Self {
        Self(kind, value)
    }

    /// One of no kind of its own.
    pub fn value(value: Value) -> Self {
        Self("value", value)
    }
}

/// A line of the transcript.
pub fn line(case: &str, step: usize, answer: &Result<Answer, Error>) -> String {
    let line = match answer {
        Ok(Answer(key, value)) => json!({"case": case, "step": step, *key: value}),
        Err(failed) => json!({"case": case, "step": step, "error": failure::error(failed)}),
    };
    line.to_string()
}

impl From<()> for Answer {
    fn from((): ()) -> Self {
        Self::value(Value::Null)
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::value(text.into())
    }
}

impl From<Inserted> for Answer {
    fn from(answer: Inserted) -> Self {
        Self::new("inserted", inserted(&answer))
    }
}

impl From<Added> for Answer {
    fn from(added: Added) -> Self {
        let answer = json!({
            "number": added.number,
            "note": added.note,
            "skills": list(&added.skills, skill_change),
            "calls": list(&added.calls, reply_call),
            "closed": list(&added.closed, inserted),
        });
        Self::new("added", answer)
    }
}

impl From<Request> for Answer {
    fn from(request: Request) -> Self {
        let answer = json!({
            "number": request.number,
            "keep": request.keep,
            "length": request.body.len(),
            "sha256": request.sha256,
            "shared": request.shared,
            "difference": request.difference.as_ref().map(difference),
            "closed": list(&request.closed, inserted),
            "pressure": pressure(&request.pressure),
            "body": request.body.as_str(),
        });
        Self::new("request", answer)
    }
}

impl From<Option<LastRead>> for Answer {
    fn from(last: Option<LastRead>) -> Self {
        let last = last.map(|last| {
            json!({
                "id": last.id,
                "path": last.path,
                "first-line": last.first_line,
                "last-line": last.last_line,
                "total-lines": last.total_lines,
                "sha256": last.sha256,
            })
        });
        Self::value(last.into())
    }
}

impl From<Usage> for Answer {
    fn from(reported: Usage) -> Self {
        Self::value(usage(&reported))
    }
}

impl From<Vec<RequestReport>> for Answer {
    fn from(reports: Vec<RequestReport>) -> Self {
        let report = |report: &RequestReport| {
            json!({
                "number": report.number,
                "length": report.length,
                "shared": report.shared,
                "difference": report.difference.as_ref().map(difference),
                "usage": report.usage.as_ref().map(usage),
            })
        };
        Self::value(list(&reports, report))
    }
}

impl From<Vec<StoredMessage>> for Answer {
    fn from(messages: Vec<StoredMessage>) -> Self {
        let message = |message: &StoredMessage| {
            json!({
                "number": message.number,
                "speaker": message.speaker.name(),
                "starts-turn": message.starts_turn,
                "text": message.text,
                "given": message.given,
                "note": message.note,
                "incomplete": message.incomplete,
                "results": list(&message.results, |id| id.as_deref().unwrap_or_default().into()),
            })
        };
        Self::value(list(&messages, message))
    }
}

impl From<Prefix> for Answer {
    fn from(prefix: Prefix) -> Self {
        let prefix = json!({"system": prefix.system, "tools": prefix.tools});
        Self::value(prefix)
    }
}

/// A list of answers.
pub fn list<T>(items: &[T], item: impl Fn(&T) -> Value) -> Value {
    items.iter().map(item).collect()
}

fn inserted(inserted: &Inserted) -> Value {
    json!({
        "id": inserted.id,
        "text": inserted.text,
        "treatment": inserted.treatment.name(),
        "refers-to": inserted.refers_to,
        "chars-in": inserted.chars_in,
        "chars-out": inserted.chars_out,
    })
}

fn reply_call(reply: &ReplyCall) -> Value {
    json!({
        "id": reply.call.id,
        "name": reply.call.name,
        "arguments": reply.call.arguments,
        "refused": reply.refused.as_ref().map(inserted),
    })
}

fn difference(difference: &Difference) -> Value {
    json!({
        "part": difference.part.name(),
        "message": difference.message,
        "cause": difference.cause.name(),
    })
}

fn usage(usage: &Usage) -> Value {
    json!({
        "input": usage.input,
        "cached": usage.cached,
        "written": usage.written,
        "output": usage.output,
    })
}
