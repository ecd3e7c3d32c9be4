//! What a step failed with, as JSON.

use serde_json::{Value, json};
use waybread::{Cause, Error, StorageError};

/// A failed step.
pub fn error(error: &Error) -> Value {
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
        Cause::UnknownCall { call, open } => json!({"call": call, "open": open}),
        Cause::UnknownMessage { number }
        | Cause::UnknownRequest { number }
        | Cause::UnknownGeneration { number } => json!(number),
        Cause::OutOfOrder { problem } => json!(problem),
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
        StorageError::Uncertain(words) => json!({"tag": "uncertain", "value": words}),
    }
}
