//! What fills the window: where the bytes of a request are, and its tokens (docs/assembly.md).
//!
//! JSON escapes each character by itself, so a text has the same bytes wherever it stands, and the
//! pieces of a text have together those of the whole. What no piece stands for is framing.

mod messages;
mod parts;

use crate::budget::Pressure;

pub use messages::{FoundResult, Messages};
pub use parts::{Part, Parts, Weigher, Weight};

/// What a part of a request is, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub enum ContextKind {
    System,
    Front,
    Tools,
    Skills,
    Summary,
    Person,
    Machine,
    Subagent,
    Notes,
    Replies,
    Reasoning,
    Calls,
    Results,
    Framing,
}

/// A part of a request. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ContextPart {
    pub kind: ContextKind,
    pub name: String,
    pub count: u32,
    pub bytes: u32,
    pub tokens: u32,
}

/// One of the largest results. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct BigResult {
    pub id: String,
    pub tool: String,
    pub bytes: u32,
    pub tokens: u32,
}

/// What fills the window. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ContextReport {
    pub bytes: u32,
    pub pressure: Pressure,
    pub parts: Vec<ContextPart>,
    pub biggest: Vec<BigResult>,
}
