//! What is kept of a session across its compactions.

use crate::compaction::Stage;

/// A generation of the conversation: what was between two compactions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Generation {
    /// From 1. The last one is active.
    pub number: u32,
    /// Messages that it has, its summary and what was retained included.
    pub messages: u32,
    /// The stage of the compaction that it began with; none of the first.
    pub stage: Option<Stage>,
    /// The summary that it began with, as the model wrote it.
    pub summary: Option<String>,
    /// `provider/model` of a fallback that wrote it.
    pub fallback: Option<String>,
}

/// What is worth keeping of a session beside its conversation (`docs/compaction.md`, "State beside the
/// conversation").
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextState {
    /// The newest three calls of the active generation, oldest first: the tool's name and its
    /// summarised arguments.
    pub recent_calls: Vec<String>,
    /// Turns that began, without those taken back.
    pub turns: u32,
}
