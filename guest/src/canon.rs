//! Equal arguments (§6): JSON with sorted keys at every depth and no white space.
//!
//! Only for comparing. What is sent keeps its order and its spelling.

use serde_json::Value;

/// Arguments in the form in which equal ones are the same text. Arguments that are not JSON stay as
/// they are. Numbers keep their spelling, so integers compare exactly and `1` differs from `1.0`.
pub fn canonical(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) => {
            value.sort_all_objects();
            value.to_string()
        }
        Err(_) => arguments.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_keys_at_every_depth_and_keeps_numbers() {
        let one = canonical(r#"{ "b": [ {"y": 1, "x": 2} ], "a": 100000000000000000001 }"#);
        assert_eq!(one, r#"{"a":100000000000000000001,"b":[{"x":2,"y":1}]}"#);
        assert_ne!(canonical("1"), canonical("1.0"));
        assert_eq!(canonical(r#""\u0041""#), canonical(r#""A""#));
        assert_eq!(canonical("{not json"), "{not json");
    }

    #[test]
    fn deep_nesting_compares_as_text() {
        let deep = "[".repeat(100_000);
        assert_eq!(canonical(&deep), deep);
    }
}
