//! JSON as requests hold it: without white space, with NUL shown (docs/requests.md, "The body").

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use serde_json::{Map, Value};

/// Writes JSON; NUL, which some providers refuse, as `nul`.
#[derive(Clone, Debug)]
pub struct JsonStyle {
    /// As it stands inside a JSON string.
    nul: String,
}

impl JsonStyle {
    /// A style that shows NUL as `nul`.
    pub fn new(nul: &str) -> Self {
        let quoted = Value::from(nul).to_string();
        let inner = quoted.get(1..quoted.len().saturating_sub(1));
        Self {
            nul: inner.unwrap_or_default().to_owned(),
        }
    }

    /// Writes a value at the end of `out`.
    pub fn write(&self, out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
        let formatter = Shown { nul: &self.nul };
        let mut serializer = Serializer::with_formatter(out, formatter);
        // Texts and JSON values can always be written, and a Vec takes everything.
        drop(value.serialize(&mut serializer));
    }

    /// A value as text.
    pub fn text(&self, value: &(impl Serialize + ?Sized)) -> String {
        let mut out = Vec::new();
        self.write(&mut out, value);
        String::from_utf8(out).unwrap_or_default()
    }
}

struct Shown<'a> {
    nul: &'a str,
}

impl Formatter for Shown<'_> {
    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        match escape {
            CharEscape::AsciiControl(0) => writer.write_all(self.nul.as_bytes()),
            other => CompactFormatter.write_char_escape(writer, other),
        }
    }
}

/// A JSON object, or what is wrong with the text.
pub fn object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("is no JSON object".to_owned()),
        Err(problem) => Err(format!("is no JSON: {problem}")),
    }
}
