//! Where a request first differs from the previous one, and why.

use serde::{Deserialize, Serialize};

/// A part of a request, in the order in which a model reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestPart {
    /// The model's name.
    Model,
    /// The tool list.
    Tools,
    /// The system prompt.
    System,
    /// The messages.
    Messages,
}

/// Why something differs. `wit/context.wit` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub enum DifferenceCause {
    Model,
    Tools,
    System,
    TurnBoundaryReasoning,
    EarlierResults,
    Rewind,
    Compaction,
    Shortened,
    CacheBreakpoint,
}

/// The first difference before the end of the previous request's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The part.
    pub part: RequestPart,
    /// In the messages: the number of the one that differs.
    pub message: Option<u32>,
    /// Why.
    pub cause: DifferenceCause,
}
