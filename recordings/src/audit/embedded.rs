//! JSON that a model reads as it is spelled, and what changed of its spelling.

use serde_json::Value;

use super::Cause;

/// Why two texts of JSON lists or objects differ, if they say the same.
pub(crate) fn cause(a: &str, b: &str) -> Option<Cause> {
    let container = |text: &str| text.trim_start().starts_with(['{', '[']);
    if !container(a) || !container(b) {
        return None;
    }
    let parse = |text: &str| serde_json::from_str::<Value>(text).ok();
    let (a, b) = (parse(a)?, parse(b)?);
    Some(respelled(&a, &b).unwrap_or(Cause::JsonFormat)).filter(|_| equal(&a, &b, Order::Any))
}

/// How two JSON values that say the same are spelled unlike; none if they say unlike things, or are
/// spelled alike.
pub(crate) fn respelled(a: &Value, b: &Value) -> Option<Cause> {
    if !equal(a, b, Order::Any) {
        None
    } else if !equal(a, b, Order::Kept) {
        Some(Cause::KeyOrder)
    } else {
        (!numbers_alike(a, b)).then_some(Cause::NumberSpelling)
    }
}

/// Whether keys may stand in another order.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    Any,
    Kept,
}

/// Whether two values say the same, however their numbers are spelled.
pub(crate) fn equal(a: &Value, b: &Value, order: Order) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(&a.to_string(), &b.to_string()),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b, order))
        }
        (Value::Object(a), Value::Object(b)) => {
            let in_order = order == Order::Any || a.keys().eq(b.keys());
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| equal(a, b, order));
            a.len() == b.len() && in_order && a.iter().all(same)
        }
        _ => a == b,
    }
}

/// Equal as what most programs read a number into.
fn same_number(a: &str, b: &str) -> bool {
    let read = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    a == b || read(a).zip(read(b)).is_some_and(|(a, b)| a == b)
}

/// Of values that say the same in the same order: whether numbers are spelled alike.
fn numbers_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b).all(|(a, b)| numbers_alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.values().zip(b.values()).all(|(a, b)| numbers_alike(a, b))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_spellings_apart() {
        for (a, b, expected) in [
            (
                r#"{"a":1,"b":2}"#,
                r#"{"b":2,"a":1}"#,
                Some(Cause::KeyOrder),
            ),
            (r#"{"a":1.0}"#, r#"{"a":1}"#, Some(Cause::NumberSpelling)),
            (r#"[1e3]"#, r#"[ 1000 ]"#, Some(Cause::NumberSpelling)),
            (
                "[9007199254740993]",
                "[9007199254740992]",
                Some(Cause::NumberSpelling),
            ),
            (
                r#"{"a":"é"}"#,
                r#"{"a": "\u00e9"}"#,
                Some(Cause::JsonFormat),
            ),
            (r#"{"a":1}"#, r#"{"a":2}"#, None),
            (r#"{"a":1}"#, r#"{"a":"1"}"#, None),
            ("[1e999]", "[1e998]", None),
            ("1.0", "1", None),
            ("{", "{ ", None),
        ] {
            assert_eq!(cause(a, b), expected, "{a} {b}");
        }
    }
}
