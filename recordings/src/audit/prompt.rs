//! A request body as its model reads it: tools, then the system prompt, then messages.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::dialect::Dialect;
use super::piece::{Kind, Piece, message_pieces, pieces};
use crate::json::{list, text, text_at};

/// A tool, a part of the system prompt, or a message.
pub(crate) struct Unit<'a> {
    /// Its path in the body: `messages[3]`.
    pub path: String,
    /// Its place in the body's list, from 0.
    pub index: Option<usize>,
    pub value: &'a Value,
    pub pieces: Vec<Piece<'a>>,
    hash: u64,
}

impl<'a> Unit<'a> {
    fn new(path: String, index: Option<usize>, value: &'a Value, pieces: Vec<Piece<'a>>) -> Self {
        // Always the same keys: the hash is the same in every run.
        let mut hasher = DefaultHasher::new();
        for piece in &pieces {
            (&piece.path, piece.kind, &piece.text).hash(&mut hasher);
        }
        let hash = hasher.finish();
        Self {
            path,
            index,
            value,
            pieces,
            hash,
        }
    }

    /// Whether a model reads the same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.pieces.len() == other.pieces.len()
            && self
                .pieces
                .iter()
                .zip(&other.pieces)
                .all(|(a, b)| a.same(b))
    }

    /// Equal for units that are [`Self::same`].
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// A message's role; a type where an item has none; else nothing.
    pub(crate) fn role(&self) -> &str {
        let role = text(self.value, "role").or_else(|| text(self.value, "type"));
        role.unwrap_or_default()
    }

    /// A tool's name, or what stands in for one.
    pub(crate) fn tool_name(&self) -> &str {
        let name = text_at(self.value, &["function", "name"]).or_else(|| text(self.value, "name"));
        let name = name.or_else(|| text(self.value, "server_label"));
        name.or_else(|| text(self.value, "type")).unwrap_or("?")
    }

    pub(crate) fn chars(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.chars).sum()
    }
}

/// A prompt in reading order.
pub(crate) struct Prompt<'a> {
    pub model: &'a Value,
    pub tools: Vec<Unit<'a>>,
    pub system: Vec<Unit<'a>>,
    pub messages: Vec<Unit<'a>>,
}

impl<'a> Prompt<'a> {
    pub(crate) fn of(body: &'a Value, dialect: Dialect) -> Self {
        let messages_key = dialect.messages_key();
        let mut system = Vec::new();
        for key in ["system", "instructions"] {
            if dialect.prompt_keys().contains(&key) {
                system.extend(whole(body, key, Kind::Text));
            }
        }
        let mut messages = match body.get(messages_key) {
            Some(Value::Array(_)) => each(body, messages_key, Kind::Text),
            Some(text) => vec![Unit::new(
                messages_key.to_owned(),
                Some(0),
                text,
                message_pieces(text),
            )],
            None => Vec::new(),
        };
        if dialect != Dialect::AnthropicMessages {
            let first = messages.iter().position(|message| !is_system(message));
            system.extend(messages.drain(..first.unwrap_or(messages.len())));
        }
        let mut tools = each(body, "tools", Kind::Other);
        if dialect == Dialect::OpenAiChat {
            tools.extend(each(body, "functions", Kind::Other));
        }
        Self {
            model: body.get("model").unwrap_or(&Value::Null),
            tools,
            system,
            messages,
        }
    }

    /// Every piece, in reading order.
    pub(crate) fn pieces(&self) -> Vec<&Piece<'a>> {
        let units = self.tools.iter().chain(&self.system).chain(&self.messages);
        units.flat_map(|unit| &unit.pieces).collect()
    }
}

/// Leading messages of these roles are the system prompt of a body that has no field for it.
fn is_system(message: &Unit<'_>) -> bool {
    matches!(text(message.value, "role"), Some("system" | "developer"))
}

/// A field that is one part.
fn whole<'a>(body: &'a Value, key: &str, kind: Kind) -> Option<Unit<'a>> {
    let value = body.get(key)?;
    let unit = Unit::new(key.to_owned(), None, value, pieces(value, kind));
    (!unit.pieces.is_empty()).then_some(unit)
}

/// A list of parts.
fn each<'a>(body: &'a Value, key: &str, kind: Kind) -> Vec<Unit<'a>> {
    let items = list(body, key).iter().enumerate();
    items
        .map(|(at, value)| Unit::new(format!("{key}[{at}]"), Some(at), value, pieces(value, kind)))
        .collect()
}
