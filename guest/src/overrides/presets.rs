//! The settings of whole documents, one name each (docs/compaction.md, "Presets").

use serde_json::{Map, Value};

use crate::error::Error;

/// The key of overrides that names one.
const KEY: &str = "preset";

/// Each preset's name, and what it changes of `loop.json`.
const PRESETS: [(&str, &str); 2] = [
    ("context-hygiene", "{}"),
    (
        "steiner",
        include_str!("../../../conformance/presets/steiner.json"),
    ),
];

/// What the preset that `given` names changes; nothing if it names none.
///
/// # Errors
///
/// `invalid-setting` for a name that no preset has. A value that is no text is left to the merge.
pub fn named_in(given: &Value) -> Result<Value, Error> {
    let Some(name) = given.get(KEY).and_then(Value::as_str) else {
        return Ok(Value::Object(Map::new()));
    };
    let Some((_, changes)) = PRESETS.iter().find(|(known, _)| *known == name) else {
        let names = PRESETS.map(|(known, _)| known).join("` or `");
        return Err(Error::setting(
            KEY,
            format!("is `{name}`, must be `{names}`"),
        ));
    };
    serde_json::from_str(changes).map_err(|problem| Error::setting(KEY, problem.to_string()))
}
