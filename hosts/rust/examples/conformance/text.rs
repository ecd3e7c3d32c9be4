//! Texts and contents of a case, which may be given in pieces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

/// A text: a string, or a list of pieces that are joined.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Value")]
pub struct Text(pub String);

/// A file's content: a text, or bytes in base64.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub struct Content(pub Vec<u8>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    repeat: String,
    times: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    count: String,
    from: u64,
    to: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bytes {
    base64: String,
}

impl TryFrom<Value> for Text {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self(text)),
            Value::Array(pieces) => pieces
                .into_iter()
                .map(piece)
                .collect::<Result<_, _>>()
                .map(Self),
            other => Err(format!(
                "`{other}` is no text: a string or a list of pieces"
            )),
        }
    }
}

impl TryFrom<Value> for Content {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        if !value.is_object() {
            return Text::try_from(value).map(|text| Self(text.0.into_bytes()));
        }
        let Bytes { base64 } = fields(value)?;
        STANDARD
            .decode(&base64)
            .map(Self)
            .map_err(|error| format!("`{base64}` in base64: {error}"))
    }
}

fn piece(piece: Value) -> Result<String, String> {
    match piece {
        Value::String(text) => Ok(text),
        Value::Object(ref given) if given.contains_key("repeat") => {
            fields(piece).map(|Repeat { repeat, times }| repeat.repeat(times))
        }
        Value::Object(_) => fields(piece).map(|Count { count, from, to }| {
            (from..=to)
                .map(|number| count.replace("{n}", &number.to_string()))
                .collect()
        }),
        other => Err(format!(
            "`{other}` is no piece of a text: a string, `repeat` or `count`"
        )),
    }
}

/// The fields of an object, with an error that names one that is unknown or missing.
pub fn fields<T: for<'de> Deserialize<'de>>(object: Value) -> Result<T, String> {
    serde_json::from_value(object).map_err(|error| error.to_string())
}

/// A string as it is, anything else as compact JSON in the order written.
pub fn verbatim(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
