//! Settings that become the harness's own words: no absolute path of the machine in them either (§11).

use serde_json::Value;

use super::{Place, check_paths};
use crate::error::Error;

/// Settings, and sections of them, that a model reads as the harness's words.
const OWN_WORDS: [&str; 9] = [
    "context.env",
    "context.note",
    "prompt.instructions",
    "tools.unavailable",
    "wrap_up.message",
    "compaction.prompt",
    "compaction.emergency_prompt",
    "compaction.summary",
    "assembly.skill_frame",
];

/// Refuses merged settings of which one names the root or home.
///
/// # Errors
///
/// `invalid-setting` with the setting's key.
pub fn check(place: Place<'_>, merged: &Value) -> Result<(), Error> {
    OWN_WORDS.iter().try_for_each(|key| {
        let mut names = key.split('.');
        let value = names.try_fold(merged, |value, name| value.get(name));
        value.map_or(Ok(()), |value| check_value(place, key, value))
    })
}

fn check_value(place: Place<'_>, key: &str, value: &Value) -> Result<(), Error> {
    match value {
        Value::String(text) => check_paths(place, key, "", text).map_err(|error| match error {
            Error::InvalidArgument { argument, problem } => Error::setting(&argument, problem),
            error => error,
        }),
        Value::Object(section) => section
            .iter()
            .try_for_each(|(name, value)| check_value(place, &format!("{key}.{name}"), value)),
        _ => Ok(()),
    }
}
