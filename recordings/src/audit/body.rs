//! A request body as it was sent.

use serde_json::Value;

use super::dialect::{Dialect, detect};
use crate::json::repaired;

/// A request body, read.
pub(crate) struct Body<'a> {
    /// As it was sent.
    pub text: &'a str,
    pub value: Value,
    /// None where it would be the same prompt in two dialects.
    pub shown: Option<Dialect>,
}

impl<'a> Body<'a> {
    /// Reads a body. Escapes that JSON forbids, such as a lone surrogate's, are read as plain
    /// characters.
    pub(crate) fn read(text: &'a str) -> Result<Self, String> {
        let json = text.trim_start_matches('\u{feff}');
        let value = parse(json)?;
        let shown = detect(&value)?;
        Ok(Self { text, value, shown })
    }

    /// The dialect, given that of a body beside it.
    pub(crate) fn dialect(&self, beside: &Self) -> Dialect {
        let beside = beside
            .shown
            .filter(|other| *other != Dialect::OpenAiResponses);
        self.shown.or(beside).unwrap_or(Dialect::OpenAiChat)
    }
}

/// Reads JSON, forgiving escapes that JSON forbids.
pub(crate) fn parse(json: &str) -> Result<Value, String> {
    let error = match serde_json::from_str(json) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if let Some(value) = repaired(json).and_then(|sound| serde_json::from_str(&sound).ok()) {
        return Ok(value);
    }
    if json.trim().is_empty() {
        return Err("the body is empty".to_owned());
    }
    Err(format!("the body is not JSON: {error}"))
}
