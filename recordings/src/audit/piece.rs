//! A prompt's pieces: its texts and values one by one, in the order in which a model reads them.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// What a piece is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// What a block or a tool says it is.
    Type,
    Role,
    /// An id that joins a call and its result, or names an item.
    Id,
    Name,
    Description,
    Schema,
    Text,
    /// Text of a tool's result.
    Result,
    Arguments,
    /// Reasoning, its signature, or its ciphertext.
    Reasoning,
    /// An image, a file, a recording.
    Media,
    /// Any other field.
    Other,
}

/// A text or a value of the prompt.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'a> {
    /// Where it stands, after the path of its tool, system part or message.
    pub path: String,
    pub kind: Kind,
    /// A string decoded; anything else as it is spelled.
    pub text: Cow<'a, str>,
    /// No string: a number, a boolean, null, an empty list or object.
    literal: bool,
    /// What it counts.
    pub chars: u64,
    /// The JSON value that goes to the model as it is spelled, if the piece is in one.
    pub root: Option<&'a Value>,
    /// How much of the path is that of the tool's result that the piece is in, if it is in one.
    result: Option<usize>,
}

impl Piece<'_> {
    /// The path of the tool's result that the piece is in.
    pub(crate) fn result(&self) -> Option<&str> {
        self.result.and_then(|length| self.path.get(..length))
    }

    /// Whether a model reads the same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.same_value(other) && self.path == other.path
    }

    /// The same, wherever it stands.
    pub(crate) fn same_value(&self, other: &Self) -> bool {
        self.kind == other.kind && self.literal == other.literal && self.text == other.text
    }
}

/// The pieces of a tool, of a part of the system prompt, or of a message.
pub(crate) fn pieces(value: &Value, kind: Kind) -> Vec<Piece<'_>> {
    let mut walk = Walk::default();
    walk.read(value, kind);
    walk.pieces
}

/// The pieces of a text that stands for a person's message.
pub(crate) fn message_pieces(text: &Value) -> Vec<Piece<'_>> {
    let mut walk = Walk::default();
    walk.within(".role", |walk| {
        walk.push(Cow::Borrowed("user"), Kind::Role, false, None)
    });
    walk.within(".content", |walk| walk.read(text, Kind::Text));
    walk.pieces
}

/// Fields that are for programs: no model reads them.
const UNREAD: [&str; 7] = [
    "cache_control",
    "index",
    "status",
    "annotations",
    "logprobs",
    "finish_reason",
    "created_by",
];

/// What an item or a call is that does not say it.
const DEFAULT_TYPES: [&str; 2] = ["message", "function"];

/// The fields that come first, in this order; all others follow by name.
const READING_ORDER: [&str; 24] = [
    "type",
    "role",
    "id",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "name",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "thinking",
    "signature",
    "summary",
    "encrypted_content",
    "content",
    "text",
    "function",
    "description",
    "input_schema",
    "parameters",
    "arguments",
    "input",
    "output",
    "tool_calls",
];

#[derive(Default)]
struct Walk<'a> {
    pieces: Vec<Piece<'a>>,
    path: String,
    /// The length of the path of the tool's result that is read.
    result: Option<usize>,
}

impl<'a> Walk<'a> {
    /// A part whose keys have no order for a provider. What is null or empty is as if it were not
    /// there.
    fn read(&mut self, value: &'a Value, kind: Kind) {
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => self.push(Cow::Borrowed(text), kind, false, None),
            Value::Bool(_) | Value::Number(_) => self.literal(value, kind, None),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.within(&format!("[{at}]"), |walk| walk.read(item, kind));
                }
            }
            Value::Object(fields) => self.object(fields, kind),
        }
    }

    fn object(&mut self, fields: &'a Map<String, Value>, kind: Kind) {
        let own = kind_of(fields);
        let kind = own.unwrap_or(kind);
        let outer = self.result;
        if own == Some(Kind::Result) {
            self.result = Some(self.path.len());
        }
        let mut ordered: Vec<(&String, &Value)> = fields.iter().collect();
        ordered.sort_by_key(|(key, _)| (rank(key), key.as_str()));
        for (key, value) in ordered {
            if !UNREAD.contains(&key.as_str()) {
                self.within(&step(key), |walk| walk.field(key, value, kind));
            }
        }
        self.result = outer;
    }

    fn field(&mut self, key: &str, value: &'a Value, kind: Kind) {
        let container = value.is_array() || value.is_object();
        match key {
            _ if kind == Kind::Media => self.read(value, kind),
            "type" if DEFAULT_TYPES.iter().any(|default| value == default) => {}
            "type" if kind == Kind::Reasoning => self.read(value, kind),
            "type" => self.read(value, Kind::Type),
            "role" => self.read(value, Kind::Role),
            "id" | "call_id" | "tool_call_id" | "tool_use_id" => self.read(value, Kind::Id),
            "name" => self.read(value, Kind::Name),
            "description" => self.read(value, Kind::Description),
            "input_schema" | "parameters" => self.as_spelled(value, Kind::Schema, value),
            "input" | "arguments" | "action" if container => {
                self.as_spelled(value, Kind::Arguments, value);
            }
            "input" | "arguments" => self.read(value, Kind::Arguments),
            "reasoning_content" | "reasoning" | "reasoning_details" | "reasoning_text"
            | "thinking" | "thinking_blocks" | "signature" | "encrypted_content" => {
                self.read(value, Kind::Reasoning);
            }
            "content" | "text" | "output" | "refusal" | "summary" | "function" | "custom"
            | "tool_calls" => self.read(value, kind),
            _ if kind == Kind::Reasoning => self.read(value, kind),
            _ if container => self.as_spelled(value, Kind::Other, value),
            _ => self.read(value, Kind::Other),
        }
    }

    /// A part that goes to the model as it is: its keys in their order, its numbers as spelled.
    fn as_spelled(&mut self, value: &'a Value, kind: Kind, root: &'a Value) {
        match value {
            Value::String(text) => self.push(Cow::Borrowed(text), kind, false, Some(root)),
            Value::Array(items) if !items.is_empty() => {
                for (at, item) in items.iter().enumerate() {
                    self.within(&format!("[{at}]"), |walk| walk.as_spelled(item, kind, root));
                }
            }
            Value::Object(fields) if !fields.is_empty() => {
                for (key, value) in fields {
                    self.within(&step(key), |walk| {
                        walk.push(Cow::Borrowed(key), kind, false, Some(root));
                        walk.as_spelled(value, kind, root);
                    });
                }
            }
            _ => self.literal(value, kind, Some(root)),
        }
    }

    fn literal(&mut self, value: &'a Value, kind: Kind, root: Option<&'a Value>) {
        self.push(Cow::Owned(value.to_string()), kind, true, root);
    }

    fn push(&mut self, text: Cow<'a, str>, kind: Kind, literal: bool, root: Option<&'a Value>) {
        let unread = matches!(kind, Kind::Type | Kind::Media) || self.path.ends_with(".type");
        let chars = if unread && root.is_none() {
            0
        } else {
            text.chars().count() as u64
        };
        let path = self.path.clone();
        self.pieces.push(Piece {
            path,
            kind,
            text,
            literal,
            chars,
            root,
            result: self.result,
        });
    }

    fn within(&mut self, step: &str, work: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(step);
        work(self);
        self.path.truncate(length);
    }
}

fn rank(key: &str) -> usize {
    let place = READING_ORDER.iter().position(|known| *known == key);
    place.unwrap_or(READING_ORDER.len())
}

/// What an object's type or role makes of the text in it.
fn kind_of(fields: &Map<String, Value>) -> Option<Kind> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    if matches!(text("role"), Some("tool" | "function")) {
        return Some(Kind::Result);
    }
    match text("type")? {
        "thinking" | "redacted_thinking" | "reasoning" => Some(Kind::Reasoning),
        "image"
        | "image_url"
        | "input_image"
        | "document"
        | "file"
        | "input_file"
        | "input_audio"
        | "audio"
        | "video"
        | "video_url"
        | "computer_screenshot" => Some(Kind::Media),
        "mcp_call" => Some(Kind::Result),
        kind if kind.ends_with("tool_result") || kind.ends_with("_call_output") => {
            Some(Kind::Result)
        }
        _ => None,
    }
}

/// A key as a step of a path: `.text`, `["x-y"]`.
pub(crate) fn step(key: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let digit_first = key.starts_with(|character: char| character.is_ascii_digit());
    if !key.is_empty() && !digit_first && key.chars().all(plain) {
        format!(".{key}")
    } else {
        format!("[{}]", Value::from(key))
    }
}
