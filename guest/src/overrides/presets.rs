//! The settings of whole documents, one name each (docs/compaction.md, "Presets"), and those of sessions that are
//! older than a setting.

use serde_json::Value;

use crate::error::Error;

/// The key of overrides that names one.
const KEY: &str = "preset";

/// Each preset's name, and what it changes of `loop.json`.
const PRESETS: [(&str, Option<&str>); 3] = [
    ("context-hygiene", None),
    (
        "context-hygiene-3.2.0",
        Some(include_str!(
            "../../../conformance/presets/context-hygiene-3.2.0.json"
        )),
    ),
    (
        "steiner",
        Some(include_str!("../../../conformance/presets/steiner.json")),
    ),
];

/// What the preset that `given` names changes; none if it names none, or the defaults.
///
/// # Errors
///
/// `invalid-setting` for a name that no preset has. A value that is no text is left to the merge.
pub fn named_in(given: &Value) -> Result<Option<Value>, Error> {
    let Some(name) = given.get(KEY).and_then(Value::as_str) else {
        return Ok(None);
    };
    let Some((_, changes)) = PRESETS.iter().find(|(known, _)| *known == name) else {
        let names = PRESETS.map(|(known, _)| known).join("` or `");
        let problem = format!("is `{name}`, must be `{names}`");
        return Err(Error::setting(KEY, problem));
    };
    let parsed = changes.map(serde_json::from_str).transpose();
    parsed.map_err(|problem| Error::setting(KEY, problem.to_string()))
}

/// What a setting is in a session that began before there was one: what it sent stands.
const BEFORE: &str = include_str!("../../../conformance/presets/before.json");

/// What a session that lacks settings has in their place.
///
/// # Errors
///
/// `invalid-setting` where the file is no JSON.
pub fn before() -> Result<Value, Error> {
    serde_json::from_str(BEFORE).map_err(|problem| Error::setting(KEY, problem.to_string()))
}
