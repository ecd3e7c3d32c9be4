//! JSON as requests hold it: without white space, with NUL shown (docs/requests.md, "The body").

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

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

/// A JSON value as it is spelled, or what is wrong with the text.
///
/// The library would spell `1E3` as `1e+3` and take an object with a key of its own for a number, so
/// both are taken past it as strings with a mark. Half a surrogate pair reads as U+FFFD.
pub fn value(text: &str) -> Result<Value, String> {
    let text = &*without_halves(text);
    let odd = odd_places(text);
    if odd.is_empty() {
        return parse(text);
    }
    let plain = parse(&replaced(text, &odd, |spelled| {
        match spelled.strip_prefix('"') {
            Some(key) => format!("\"_{key}"),
            None => spelled.to_owned(),
        }
    }))?;
    let mark = format!("{MARK}{}", ".".repeat(dots(&plain) + 1));
    let mut value = parse(&replaced(text, &odd, |spelled| {
        match spelled.strip_prefix('"') {
            Some(key) => format!("\"{mark}{key}"),
            None => format!("\"{mark}{spelled}\""),
        }
    }))?;
    restore(&mut value, &mark);
    Ok(value)
}

/// A text with something else in some of its places.
fn replaced(text: &str, places: &[Range<usize>], by: impl Fn(&str) -> String) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut copied = 0;
    for place in places {
        replaced.push_str(text.get(copied..place.start).unwrap_or_default());
        replaced.push_str(&by(text.get(place.clone()).unwrap_or_default()));
        copied = place.end;
    }
    replaced.push_str(text.get(copied..).unwrap_or_default());
    replaced
}

/// What no text of the value begins with is made of this and dots.
const MARK: &str = "number ";

/// Keys that the library gives a meaning of its own.
const PRIVATE: [&str; 2] = [
    "\"$serde_json::private::Number\"",
    "\"$serde_json::private::RawValue\"",
];

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|problem| format!("is no JSON: {problem}"))
}

/// The most dots that follow the mark at the beginning of a text or a key.
fn dots(value: &Value) -> usize {
    let of = |text: &str| {
        let rest = text.strip_prefix(MARK).unwrap_or_default();
        rest.bytes().take_while(|byte| *byte == b'.').count()
    };
    match value {
        Value::String(text) => of(text),
        Value::Array(items) => items.iter().map(dots).max().unwrap_or_default(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| of(key).max(dots(value)))
            .max()
            .unwrap_or_default(),
        _ => 0,
    }
}

/// Where numbers with an exponent stand in valid JSON, and keys that the library gives a meaning.
fn odd_places(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let (length, odd) = match byte {
            b'"' => {
                let length = string_length(rest);
                let spelled = text.get(at..at + length).unwrap_or_default();
                (length, PRIVATE.contains(&spelled))
            }
            b'-' | b'0'..=b'9' => {
                let number = |byte: &&u8| b"-+.eE0123456789".contains(*byte);
                let length = rest.iter().take_while(number).count();
                let spelled = rest.get(..length).unwrap_or_default();
                let exponent = |byte: &u8| byte.eq_ignore_ascii_case(&b'e');
                (length, spelled.iter().any(exponent))
            }
            _ => (1, false),
        };
        if odd {
            found.push(at..at + length);
        }
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

/// Takes the marks away: a number after one is a number again, a text or a key itself.
fn restore(value: &mut Value, mark: &str) {
    match value {
        Value::String(text) => {
            let Some(spelled) = text.strip_prefix(mark) else {
                return;
            };
            let digit = |first: char| first == '-' || first.is_ascii_digit();
            *value = if spelled.starts_with(digit) {
                Value::Number(Number::from_string_unchecked(spelled.to_owned()))
            } else {
                Value::from(spelled)
            };
        }
        Value::Array(items) => items.iter_mut().for_each(|item| restore(item, mark)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| restore(field, mark));
            if fields.keys().any(|key| key.starts_with(mark)) {
                let marked = std::mem::take(fields).into_iter();
                *fields = marked
                    .map(|(key, value)| match key.strip_prefix(mark) {
                        Some(spelled) => (spelled.to_owned(), value),
                        None => (key, value),
                    })
                    .collect();
            }
        }
        _ => {}
    }
}

/// JSON with every escape of half a surrogate pair replaced by that of U+FFFD.
pub fn without_halves(text: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        let unit = |at: usize| {
            let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
            u16::from_str_radix(digits, 16).ok()
        };
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str(text.get(copied..at).unwrap_or_default());
                whole.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            _ => 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(text: &str) -> String {
        JsonStyle::new("␀").text(&value(text).unwrap())
    }

    #[test]
    fn numbers_keep_their_spelling() {
        for text in [
            "1e3",
            r#"{"a":[1E3,-2.50e-07,1e+3,0.10],"1e3":"1e3","b\\\"1e5":1.0}"#,
            r#"["number 1e3",1e3,"number .1e3"]"#,
            r#"{"number ..":1e3,"$serde_json::private::Number":"1e5"}"#,
            r#"{"$serde_json::private::RawValue":["$serde_json::private::Number"]}"#,
        ] {
            assert_eq!(carried(text), text);
        }
        assert!(value("1e").is_err());
        assert!(value("[1e3").is_err());
    }

    #[test]
    fn a_text_that_looks_like_a_mark_stays_a_text() {
        let text = r#"{"x":"\u006eumber 1,\"evil\":true","y":1e3}"#;
        assert_eq!(carried(text), r#"{"x":"number 1,\"evil\":true","y":1e3}"#);
    }

    #[test]
    fn half_a_surrogate_pair_reads_as_the_replacement() {
        for (given, expected) in [
            (r#""\ud83d\ude42""#, "\"🙂\""),
            (r#""a\ud83d""#, "\"a\u{fffd}\""),
            (r#""\ude42\ud83d\ud83d\ude42b""#, "\"\u{fffd}\u{fffd}🙂b\""),
            (r#""\\ud83d""#, r#""\\ud83d""#),
        ] {
            assert_eq!(carried(given), expected);
        }
    }
}
