//! The hash of a message.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::json;
use crate::json::JsonStyle;
use crate::reply::Call;

/// What a message's hash is made of, in this order.
#[derive(Debug, Default)]
pub struct Hashed<'a> {
    /// `system`, `user`, `assistant`, `tool`.
    pub role: &'a str,
    pub content: Cow<'a, str>,
    pub reasoning: Vec<Cow<'a, str>>,
    pub calls: Vec<HashedCall<'a>>,
    /// Media type and data of each.
    pub images: Vec<[&'a str; 2]>,
}

/// A call as it is hashed.
#[derive(Debug)]
pub struct HashedCall<'a> {
    pub name: &'a str,
    /// The arguments as JSON; empty for what is none.
    pub json: String,
    /// As the model wrote them.
    pub written: Cow<'a, str>,
}

/// How arguments are encoded.
#[derive(Clone, Copy, Debug)]
pub struct Encoding<'a> {
    pub style: &'a JsonStyle,
    /// Whether as the Go library does.
    pub go: bool,
}

impl Hashed<'_> {
    /// 8 lowercase hex digits; empty of an empty message.
    pub fn hash(&self) -> String {
        short(&self.pieces())
    }

    fn pieces(&self) -> Vec<&str> {
        let mut pieces = vec![self.role, &self.content];
        pieces.extend(self.reasoning.iter().map(|text| &**text));
        for call in &self.calls {
            pieces.extend([call.name, &call.json, &call.written]);
        }
        pieces.extend(self.images.as_flattened());
        pieces
    }

    /// Bytes of role and content.
    pub fn bytes(&self) -> usize {
        self.role.len() + self.content.len()
    }
}

/// The first four bytes of SHA-256 over texts, one after the other; empty of nothing.
pub fn short(pieces: &[&str]) -> String {
    if pieces.iter().all(|piece| piece.is_empty()) {
        return String::new();
    }
    let mut hash = Sha256::new();
    pieces.iter().for_each(|piece| hash.update(piece));
    let digest = hash.finalize();
    let digits = digest.iter().take(4).map(|byte| format!("{byte:02x}"));
    digits.collect()
}

impl Encoding<'_> {
    /// A call's arguments as JSON with sorted keys; nothing for what is no JSON.
    pub fn arguments(self, call: &Call) -> String {
        if self.go && call.arguments.trim().is_empty() {
            return "null".to_owned();
        }
        let Ok(mut value) = json::value(&call.arguments) else {
            return String::new();
        };
        value.sort_all_objects();
        let text = self.style.text(&value);
        if !self.go {
            return text;
        }
        let escapes = [
            ('<', "\\u003c"),
            ('>', "\\u003e"),
            ('&', "\\u0026"),
            ('\u{2028}', "\\u2028"),
            ('\u{2029}', "\\u2029"),
        ];
        let escaped = escapes.iter();
        escaped.fold(text, |text, (character, escape)| {
            text.replace(*character, escape)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &str) -> Call {
        Call {
            id: "call-1".to_owned(),
            name: "read".to_owned(),
            arguments: arguments.to_owned(),
            custom: false,
            problem: None,
        }
    }

    fn hashed<'a>(name: &'a str, json: &str, written: &'a str) -> HashedCall<'a> {
        let (json, written) = (json.to_owned(), Cow::Borrowed(written));
        HashedCall {
            name,
            json,
            written,
        }
    }

    #[test]
    fn everything_stands_in_its_order_without_separators() {
        let message = Hashed {
            role: "assistant",
            content: Cow::Borrowed("answer"),
            calls: vec![
                hashed("read", r#"{"path":"one"}"#, r#"{"raw":true}"#),
                hashed("write", r#"{"path":"two"}"#, ""),
            ],
            ..Hashed::default()
        };
        assert_eq!(
            message.pieces().concat(),
            r#"assistantanswerread{"path":"one"}{"raw":true}write{"path":"two"}"#
        );
        // sha256sum of that line.
        assert_eq!(message.hash(), "c8317557");
        let message = Hashed {
            role: "assistant",
            calls: vec![hashed("read", "", "raw")],
            ..Hashed::default()
        };
        assert_eq!(message.pieces().concat(), "assistantreadraw");
    }

    #[test]
    fn images_count_in_their_order() {
        let images = |images: &[[&'static str; 2]]| {
            Hashed {
                role: "user",
                images: images.to_vec(),
                ..Hashed::default()
            }
            .hash()
        };
        let (one, two) = (["image/png", "aGk="], ["image/gif", "eW8="]);
        assert_ne!(images(&[one, two]), images(&[two, one]));
        assert_eq!(images(&[one, two]), images(&[one, two]));
    }

    #[test]
    fn nothing_has_no_hash() {
        assert_eq!(Hashed::default().hash(), "");
        assert_eq!(short(&["", ""]), "");
        assert_eq!(short(&["abc"]), "ba7816bf");
    }

    #[test]
    fn arguments_have_sorted_keys_and_are_escaped_as_go_does_where_it_is_asked_for() {
        let style = JsonStyle::new("␀");
        let encoded = |go, arguments: &str| {
            let style = &style;
            Encoding { style, go }.arguments(&call(arguments))
        };
        let given = r#"{ "b": {"y": 1.0, "x": "<&>"}, "a": [1E3] }"#;
        assert_eq!(
            encoded(false, given),
            r#"{"a":[1E3],"b":{"x":"<&>","y":1.0}}"#
        );
        assert_eq!(
            encoded(true, given),
            r#"{"a":[1E3],"b":{"x":"\u003c\u0026\u003e","y":1.0}}"#
        );
        for (arguments, plain, go) in [("", "", "null"), ("{not", "", ""), ("{}", "{}", "{}")] {
            assert_eq!(encoded(false, arguments), plain);
            assert_eq!(encoded(true, arguments), go);
        }
    }
}
