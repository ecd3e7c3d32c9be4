//! Compaction: a summary in the place of what came before it (§7, docs/compaction.md).

mod archive;
mod envelopes;
mod plan;
mod prompt;
mod reads;
mod summary;

pub use archive::render as render_history;
pub use envelopes::Envelopes;
pub use plan::{Asked, Plan, Planner};
pub use prompt::{parameters, prompt, thinking};
pub use reads::table as table_of_reads;
pub use summary::{Fault, read as read_summary};

use crate::record::Stage;

/// Why a compaction did not come about. `wit/context.wit` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub enum Reason {
    NothingToSummarise,
    FreesTooLittle,
    NoTurnSince,
    RequestDoesNotFit,
    RetainedDoesNotFit,
    Failed,
    Cancelled,
    Empty,
    OnlyCalls,
    Refused,
    CutOff,
    TooLong,
    Unreadable,
}

/// A stage that is not begun, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotStarted {
    /// For a program.
    pub reason: Reason,
    /// For people.
    pub message: String,
}

impl NotStarted {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }
}

/// A stage's name in a sentence.
pub fn name_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Normal => "normal",
        Stage::Emergency => "emergency",
        Stage::Shorten => "shorten",
    }
}
