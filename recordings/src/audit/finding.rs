//! Where two prompts first differ, and why.

use serde::{Deserialize, Serialize};

use super::Cause;
use super::piece::{Kind, Piece};
use super::prompt::Unit;
use super::text::{beginning, excerpts};

/// A part of a prompt, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The model's name, or the API.
    Model,
    /// The list of tools.
    Tools,
    /// The system prompt: Anthropic's `system`, responses' `instructions`, and leading messages of
    /// role `system` or `developer`.
    System,
    /// A message, or an item of responses' `input`.
    Message,
}

/// The first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub cause: Cause,
    pub part: Option<Part>,
    /// The place of the message in the body's list.
    pub message: Option<u32>,
    pub path: Option<String>,
    pub what: String,
    pub previous: Option<String>,
    pub next: Option<String>,
}

impl Finding {
    pub(crate) fn new(cause: Cause, what: impl Into<String>) -> Self {
        Self {
            cause,
            part: None,
            message: None,
            path: None,
            what: what.into(),
            previous: None,
            next: None,
        }
    }

    /// The same in a part, at a unit and a path below it.
    pub(crate) fn at(mut self, part: Part, unit: &Unit<'_>, below: &str) -> Self {
        // Nothing is below a text, which may stand for a message with fields.
        let below = if unit.value.is_string() { "" } else { below };
        self.part = Some(part);
        self.path = Some(format!("{}{below}", unit.path));
        if part == Part::Message {
            self.message = unit.index.and_then(|index| u32::try_from(index).ok());
        }
        self
    }

    /// The same with what stands around the first difference of two texts.
    pub(crate) fn with_texts(mut self, previous: &str, next: &str) -> Self {
        let (previous, next) = excerpts(previous, next);
        self.previous = Some(previous);
        self.next = Some(next);
        self
    }

    /// The same with what is there on either side.
    pub(crate) fn with(mut self, previous: Option<String>, next: Option<String>) -> Self {
        self.previous = previous;
        self.next = next;
        self
    }
}

/// A message as people are shown it: its role and how its text begins.
pub(crate) fn shown_message(unit: &Unit<'_>) -> String {
    let read = |piece: &&Piece<'_>| piece.chars > 0 && piece.kind != Kind::Role;
    let mut pieces = unit.pieces.iter().filter(read);
    let text = pieces
        .clone()
        .find(|piece| piece.kind != Kind::Id)
        .or_else(|| pieces.next());
    let role = unit.role();
    match text.map(|piece| beginning(&piece.text)) {
        Some(text) if role.is_empty() => text,
        Some(text) => format!("{role}: {text}"),
        None => role.to_owned(),
    }
}

/// What people are shown of the pieces from a difference on: the first text that a model reads.
pub(crate) fn shown(pieces: &[Piece<'_>]) -> Option<String> {
    let first = pieces.first()?;
    let read = pieces
        .iter()
        .find(|piece| piece.chars > 0 || piece.kind == Kind::Media);
    Some(beginning(&read.unwrap_or(first).text))
}

/// `1 message`, `3 messages`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}
