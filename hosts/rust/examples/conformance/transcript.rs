//! What a step answered, as a line of the transcript.

use serde_json::{Value, json};
use waybread::{Cause, Error, Inserted, LastRead, StorageError};

/// What a step answered.
pub enum Answer {
    Inserted(Inserted),
    Value(Value),
}

impl From<Inserted> for Answer {
    fn from(inserted: Inserted) -> Self {
        Self::Inserted(inserted)
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::Value(text.into())
    }
}

impl From<Option<LastRead>> for Answer {
    fn from(last: Option<LastRead>) -> Self {
        Self::Value(last.map_or(Value::Null, |last| {
            json!({
                "id": last.id,
                "path": last.path,
                "first-line": last.first_line,
                "last-line": last.last_line,
                "total-lines": last.total_lines,
                "sha256": last.sha256,
            })
        }))
    }
}

/// A line of the transcript. The keys' order is part of the format.
pub fn line(case: &str, step: usize, answer: &Result<Answer, Error>) -> String {
    let line = match answer {
        Ok(Answer::Inserted(answer)) => {
            json!({"case": case, "step": step, "inserted": inserted(answer)})
        }
        Ok(Answer::Value(value)) => json!({"case": case, "step": step, "value": value}),
        Err(failed) => json!({"case": case, "step": step, "error": error(failed)}),
    };
    line.to_string()
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

fn error(error: &Error) -> Value {
    json!({
        "cause": error.cause().name(),
        "message": error.message(),
        "payload": payload(error.cause()),
    })
}

fn payload(cause: &Cause) -> Value {
    match cause {
        Cause::InvalidArgument { argument, problem } => {
            json!({"argument": argument, "problem": problem})
        }
        Cause::InvalidSetting { key, problem } => json!({"key": key, "problem": problem}),
        Cause::SettingsDiffer { name, kept, given } => {
            json!({"name": name, "kept": kept, "given": given})
        }
        Cause::CallAnswered { call, id } => json!({"call": call, "id": id}),
        Cause::UnknownId { id } => json!(id),
        Cause::NewerRecord { position, problem } | Cause::DamagedRecord { position, problem } => {
            json!({"position": position, "problem": problem})
        }
        Cause::Conflict { length } => json!(length),
        Cause::Storage { operation, error } => {
            json!({"operation": operation, "error": storage_error(error)})
        }
        Cause::FileSystem { path, problem } => json!({"path": path, "problem": problem}),
        // The component stopped, and the contract has no cause for that.
        Cause::Trapped { problem } => json!({"problem": problem}),
        other => json!({"unknown": other.name()}),
    }
}

fn storage_error(error: &StorageError) -> Value {
    match error {
        StorageError::Conflict(length) => json!({"tag": "conflict", "value": length}),
        StorageError::NotFound => json!({"tag": "not-found"}),
        StorageError::Denied => json!({"tag": "denied"}),
        StorageError::Full => json!({"tag": "full"}),
        StorageError::Other(words) => json!({"tag": "other", "value": words}),
    }
}
