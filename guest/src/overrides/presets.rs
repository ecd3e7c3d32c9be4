//! The settings of whole documents, one name each (docs/compaction.md, "Presets").

use serde_json::Value;

use crate::error::Error;

/// The key of overrides that names one.
const KEY: &str = "preset";

/// Each preset's name, and what it changes of `loop.json`.
const PRESETS: [(&str, Option<&str>); 2] = [
    ("context-hygiene", None),
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
