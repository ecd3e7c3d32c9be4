//! Small readers of JSON values, and parsing that forgives what writers of recordings get wrong.

use serde_json::Value;

/// A string field.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// A string field by a path of keys.
pub(crate) fn text_at<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    at(value, keys)?.as_str()
}

/// A field by a path of keys.
pub(crate) fn at<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// A list field; empty where there is none.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A whole number from 0, also where a model wrote it as a string.
pub(crate) fn number(value: &Value, key: &str) -> Option<u32> {
    as_number(value.get(key)?)
}

/// [`number`] of the value itself.
pub(crate) fn as_number(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => u32::try_from(number.as_u64()?).ok(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A flag; false where there is none.
pub(crate) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The value of a field, taken out of its object; null where there is none.
pub(crate) fn take(value: &mut Value, key: &str) -> Value {
    value.get_mut(key).map(Value::take).unwrap_or(Value::Null)
}

/// Arguments as a model wrote them: a string as it is, anything else as compact JSON.
pub(crate) fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

/// Arguments read back as JSON; null where they are not.
pub(crate) fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap_or(Value::Null)
}

/// What a model is shown of a message's content: a string, or the text of its parts.
pub(crate) fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(part_text)
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Null => String::new(),
        other => part_text(other).unwrap_or_else(|| other.to_string()),
    }
}

fn part_text(part: &Value) -> Option<String> {
    if let Value::String(text) = part {
        return Some(text.clone());
    }
    if let Some(text) = text(part, "text") {
        return Some(text.to_owned());
    }
    match text(part, "type") {
        Some(kind) => Some(format!("[{kind}]")),
        None => Some(part.to_string()),
    }
}

/// Parses the first value of `text`; the rest of it follows the returned offset.
pub(crate) fn first_value(text: &str) -> Result<(Value, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok((value, values.byte_offset())),
        Some(Err(error)) => Err(error),
        None => Ok((Value::Null, text.len())),
    }
}

/// `text` with the escapes that JSON forbids made plain: a lone surrogate becomes U+FFFD, a
/// backslash before any other character stays a backslash, a control character is escaped. None
/// where nothing was to be done.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let mut repair = Repair {
        out: String::with_capacity(text.len() + 16),
        changed: false,
    };
    let mut in_string = false;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let next = rest.get(character.len_utf8()..).unwrap_or_default();
        rest = match character {
            '"' => {
                in_string = !in_string;
                repair.keep(character, next)
            }
            '\\' if in_string => repair.escape(next),
            control if in_string && control < ' ' => repair.control(control, next),
            other => repair.keep(other, next),
        };
    }
    repair.changed.then_some(repair.out)
}

struct Repair {
    out: String,
    changed: bool,
}

impl Repair {
    fn keep<'a>(&mut self, character: char, next: &'a str) -> &'a str {
        self.out.push(character);
        next
    }

    fn control<'a>(&mut self, control: char, next: &'a str) -> &'a str {
        self.changed = true;
        self.out.push_str(&format!("\\u{:04x}", u32::from(control)));
        next
    }

    /// `next` follows a backslash.
    fn escape<'a>(&mut self, next: &'a str) -> &'a str {
        if let Some(unit) = code_unit(next) {
            return self.unicode(unit, next);
        }
        match next.chars().next() {
            Some(known) if "\"\\/bfnrt".contains(known) => {
                self.out.push('\\');
                self.keep(known, next.get(1..).unwrap_or_default())
            }
            _ => {
                self.changed = true;
                self.out.push_str("\\\\");
                next
            }
        }
    }

    /// `next` begins with `uXXXX`.
    fn unicode<'a>(&mut self, unit: u16, next: &'a str) -> &'a str {
        let after = next.get(5..).unwrap_or_default();
        let low = after.strip_prefix('\\').and_then(code_unit);
        let pair = (0xD800..0xDC00).contains(&unit)
            && low.is_some_and(|low| (0xDC00..0xE000).contains(&low));
        let taken = if pair { 11 } else { 5 };
        if !pair && (0xD800..0xE000).contains(&unit) {
            self.changed = true;
            self.out.push_str("\\ufffd");
        } else {
            self.out.push('\\');
            self.out.push_str(next.get(..taken).unwrap_or_default());
        }
        next.get(taken..).unwrap_or_default()
    }
}

/// The code unit of `uXXXX`.
fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_only_what_json_forbids() {
        for (broken, fixed) in [
            (r#""a\ud83dz""#, "a\u{fffd}z"),
            (r#""\udc00\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\\n\person""#, "\\n\\person"),
            (r#""\u12g4""#, "\\u12g4"),
            ("\"a\u{1}\tb\"", "a\u{1}\tb"),
        ] {
            let repaired = repaired(broken).unwrap();
            assert_eq!(
                serde_json::from_str::<String>(&repaired).unwrap(),
                fixed,
                "{broken}"
            );
        }
        for sound in [r#"{"a":"\n\\\"é\u0000\ud83d\ude00"}"#, "[1,\t2]", ""] {
            assert_eq!(repaired(sound), None);
        }
    }

    #[test]
    fn numbers_may_be_strings() {
        let value = serde_json::json!({"a": 7, "b": " 8 ", "c": -1, "d": 1.5, "e": null});
        let read = |key| number(&value, key);
        assert_eq!((read("a"), read("b")), (Some(7), Some(8)));
        assert_eq!(
            (read("c"), read("d"), read("e"), read("f")),
            (None, None, None, None)
        );
    }
}
