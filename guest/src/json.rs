//! JSON as requests hold it: without white space, with NUL shown (docs/requests.md, "The body").

use std::io::{self, Write};

use memchr::memchr2;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use serde_json::{Map, Number, Value};

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
    match value(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("is no JSON object".to_owned()),
        Err(problem) => Err(problem),
    }
}

/// A JSON object of values as they are. The library's macro would spell their numbers anew.
pub fn fields<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter();
    Value::Object(
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

/// A JSON value whose numbers keep their spelling, or what is wrong with the text.
///
/// The library spells `1E3` as `1e+3`, so numbers with an exponent are taken past it as strings.
pub fn value(text: &str) -> Result<Value, String> {
    let parse =
        |text: &str| serde_json::from_str(text).map_err(|problem| format!("is no JSON: {problem}"));
    let mut value: Value = parse(text)?;
    let numbers = exponents(text);
    if numbers.is_empty() {
        return Ok(value);
    }
    let mut mark = String::from("number ");
    while text.contains(&mark) {
        mark.push('.');
    }
    let mut marked = String::new();
    let mut copied = 0;
    for (start, end) in numbers {
        marked.push_str(text.get(copied..start).unwrap_or_default());
        let number = text.get(start..end).unwrap_or_default();
        marked.extend(["\"", mark.as_str(), number, "\""]);
        copied = end;
    }
    marked.push_str(text.get(copied..).unwrap_or_default());
    value = parse(&marked)?;
    restore(&mut value, &mark);
    Ok(value)
}

/// Where numbers with an exponent stand in valid JSON.
fn exponents(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = match byte {
            b'"' => string_length(rest),
            b'-' | b'0'..=b'9' => {
                let number =
                    |byte: &&u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
                let length = rest.iter().take_while(number).count();
                let spelled = rest.get(..length).unwrap_or_default();
                if spelled.iter().any(|byte| byte.eq_ignore_ascii_case(&b'e')) {
                    found.push((at, at + length));
                }
                length
            }
            _ => 1,
        };
        at += length;
    }
    found
}

/// The length of the string with which valid JSON begins, quotes included.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if text.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    text.len()
}

fn restore(value: &mut Value, mark: &str) {
    match value {
        Value::String(text) => {
            if let Some(number) = text.strip_prefix(mark) {
                *value = Value::Number(Number::from_string_unchecked(number.to_owned()));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| restore(item, mark)),
        Value::Object(fields) => fields.values_mut().for_each(|field| restore(field, mark)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_spelling() {
        for text in [
            "1e3",
            r#"{"a":[1E3,-2.50e-07,1e+3,0.10],"1e3":"1e3","b\\\"1e5":1.0}"#,
            r#"["number 1e3",1e3,"number .1e3"]"#,
        ] {
            let style = JsonStyle::new("␀");
            assert_eq!(style.text(&value(text).unwrap()), text);
        }
        assert!(value("1e").is_err());
        assert!(value("[1e3").is_err());
    }
}
