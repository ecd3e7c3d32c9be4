//! What came of a compaction.

use std::fmt;

use crate::compaction::Stage;
use crate::fallback::FallbackUse;
use crate::pressure::{Health, Pressure};

/// What [`Session::compact_finish`](crate::Session::compact_finish) answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactionEnd {
    /// It came about.
    Applied(Compacted),
    /// It did not. The conversation is as it was.
    NotApplied(NotApplied),
}

/// A compaction that came about (`docs/compaction.md`, "What a compaction leaves").
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// Its stage.
    pub stage: Stage,
    /// The generation of the conversation that began with it. The session began with 1.
    pub generation: u32,
    /// The number of the message that holds the summary.
    pub message: u32,
    /// The summary as the model wrote it.
    pub summary: String,
    /// What the next request holds of it: frame, archive note and table of reads.
    pub text: String,
    /// Messages that it covers.
    pub covered: u32,
    /// Messages that stay.
    pub retained: u32,
    /// The next request's tokens, as they were.
    pub tokens_before: u32,
    /// The next request's tokens, as they are.
    pub tokens_after: u32,
    /// What is to be done now: `emergency` if it was not enough.
    pub pressure: Pressure,
    /// What to tell the person.
    pub health: Health,
    /// What became of the fallback; none if there is none.
    pub fallback: Option<FallbackUse>,
    /// Whether the provider's own state of the conversation is gone, so that the next request must not
    /// name it.
    pub state_cleared: bool,
    /// What went wrong beside it: the history archive.
    pub warnings: Vec<String>,
}

/// A compaction that did not come about. The conversation is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotApplied {
    /// Its stage.
    pub stage: Stage,
    /// Why, for a program.
    pub reason: NotAppliedReason,
    /// Why, in one sentence for people.
    pub message: String,
    /// Whether the same is to be begun again with [`SummaryTarget::Main`](crate::SummaryTarget::Main):
    /// the fallback failed.
    pub rerun_on_main: bool,
    /// What became of the fallback; none if there is none.
    pub fallback: Option<FallbackUse>,
    /// Whether the provider's own state of the conversation is gone, so that the next request must not
    /// name it.
    pub state_cleared: bool,
}

/// Why a compaction did not come about (`docs/compaction.md`, "What a stage covers" and "The reply").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotAppliedReason {
    /// Everything would be retained.
    NothingToSummarise,
    /// It would free less than `compaction.least_freed_percent`.
    FreesTooLittle,
    /// No reply was added since the compaction before.
    NoTurnSince,
    /// The request for the summary does not fit the window.
    RequestDoesNotFit,
    /// What would be retained does not fit the window by itself.
    RetainedDoesNotFit,
    /// The provider failed.
    Failed,
    /// It was broken off.
    Cancelled,
    /// The reply says nothing.
    Empty,
    /// The reply begins with a call: there is no text before it.
    OnlyCalls,
    /// The model refused.
    Refused,
    /// The reply ended at its limit.
    CutOff,
    /// The summary is longer than its limit.
    TooLong,
    /// The reply could not be read.
    Unreadable,
}

impl NotAppliedReason {
    /// The name that the contract gives it: `frees-too-little`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NothingToSummarise => "nothing-to-summarise",
            Self::FreesTooLittle => "frees-too-little",
            Self::NoTurnSince => "no-turn-since",
            Self::RequestDoesNotFit => "request-does-not-fit",
            Self::RetainedDoesNotFit => "retained-does-not-fit",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Empty => "empty",
            Self::OnlyCalls => "only-calls",
            Self::Refused => "refused",
            Self::CutOff => "cut-off",
            Self::TooLong => "too-long",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for NotAppliedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a whole compaction did: [`Session::compact`](crate::Session::compact).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// What came of each attempt, oldest first: at most two stages, and of each the fallback's and the
    /// main model's. At least one.
    pub attempts: Vec<CompactionEnd>,
    /// How full the window is now. With [`PressureAction::Stop`](crate::PressureAction::Stop) no
    /// request can be sent.
    pub pressure: Pressure,
}

impl CompactionReport {
    /// The last compaction that came about; none if none did, and the conversation is as it was.
    #[must_use]
    pub fn applied(&self) -> Option<&Compacted> {
        self.attempts.iter().rev().find_map(|end| match end {
            CompactionEnd::Applied(compacted) => Some(compacted),
            CompactionEnd::NotApplied(_) => None,
        })
    }

    /// Whether the provider's own state of the conversation is gone, so that the next request must not
    /// name it.
    #[must_use]
    pub fn state_cleared(&self) -> bool {
        self.attempts.iter().any(|end| match end {
            CompactionEnd::Applied(compacted) => compacted.state_cleared,
            CompactionEnd::NotApplied(not) => not.state_cleared,
        })
    }
}
