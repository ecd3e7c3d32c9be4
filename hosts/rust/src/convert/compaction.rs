//! Compactions, as they begin and as they end.

use crate::bindings::exports::waybread::context::context as wit;
use crate::compacted::{Compacted, CompactionEnd, NotApplied, NotAppliedReason};
use crate::compaction::{Compaction, Stage, SummaryOutcome, SummaryResult, SummaryTarget};
use crate::convert::fallback::{fallback, model};
use crate::generation::{ContextState, Generation};

pub(crate) fn compaction(compaction: &Compaction) -> wit::Compaction<'_> {
    wit::Compaction {
        stage: match compaction.stage.unwrap_or_default() {
            Stage::Normal => wit::Stage::Normal,
            Stage::Emergency => wit::Stage::Emergency,
            Stage::Shorten => wit::Stage::Shorten,
        },
        main: compaction.main.as_ref().map(model),
        parameters: &compaction.parameters,
        target: match &compaction.target {
            SummaryTarget::Main => wit::SummaryTarget::Main,
            SummaryTarget::Fallback(asked) => wit::SummaryTarget::Fallback(fallback(asked)),
            SummaryTarget::Unresolved(error) => wit::SummaryTarget::Unresolved(error),
        },
        steering: compaction.steering.as_deref(),
    }
}

/// What a compaction is finished with, and the list that it borrows.
pub(crate) fn with_result<T>(
    result: &SummaryResult,
    go: impl FnOnce(wit::SummaryResult<'_>) -> T,
) -> T {
    let pending = result.pending_subagents.iter();
    let pending = pending.map(|pending| wit::PendingSubagent {
        id: &pending.id,
        kind: &pending.kind,
        state: &pending.state,
    });
    let pending: Vec<wit::PendingSubagent<'_>> = pending.collect();
    go(wit::SummaryResult {
        outcome: match &result.outcome {
            SummaryOutcome::Reply(json) => wit::SummaryOutcome::Reply(json),
            SummaryOutcome::Failed(error) => wit::SummaryOutcome::Failed(error),
            SummaryOutcome::Cancelled => wit::SummaryOutcome::Cancelled,
        },
        state_retired: result.state_retired,
        pending_subagents: &pending,
    })
}

impl From<wit::Stage> for Stage {
    fn from(stage: wit::Stage) -> Self {
        match stage {
            wit::Stage::Normal => Self::Normal,
            wit::Stage::Emergency => Self::Emergency,
            wit::Stage::Shorten => Self::Shorten,
        }
    }
}

impl From<wit::CompactionEnd> for CompactionEnd {
    fn from(end: wit::CompactionEnd) -> Self {
        match end {
            wit::CompactionEnd::Applied(compacted) => Self::Applied(compacted.into()),
            wit::CompactionEnd::NotApplied(not) => Self::NotApplied(not.into()),
        }
    }
}

impl From<wit::Compacted> for Compacted {
    fn from(compacted: wit::Compacted) -> Self {
        Self {
            stage: compacted.stage.into(),
            generation: compacted.generation,
            message: compacted.message,
            summary: compacted.summary,
            text: compacted.text,
            covered: compacted.covered,
            retained: compacted.retained,
            tokens_before: compacted.tokens_before,
            tokens_after: compacted.tokens_after,
            pressure: compacted.pressure.into(),
            health: compacted.health.into(),
            fallback: compacted.fallback.map(Into::into),
            state_cleared: compacted.state_cleared,
            warnings: compacted.warnings,
        }
    }
}

impl From<wit::NotApplied> for NotApplied {
    fn from(not: wit::NotApplied) -> Self {
        Self {
            stage: not.stage.into(),
            reason: reason(not.reason),
            message: not.message,
            rerun_on_main: not.rerun_on_main,
            fallback: not.fallback.map(Into::into),
            state_cleared: not.state_cleared,
        }
    }
}

fn reason(reason: wit::NotAppliedReason) -> NotAppliedReason {
    match reason {
        wit::NotAppliedReason::NothingToSummarise => NotAppliedReason::NothingToSummarise,
        wit::NotAppliedReason::FreesTooLittle => NotAppliedReason::FreesTooLittle,
        wit::NotAppliedReason::NoTurnSince => NotAppliedReason::NoTurnSince,
        wit::NotAppliedReason::RequestDoesNotFit => NotAppliedReason::RequestDoesNotFit,
        wit::NotAppliedReason::RetainedDoesNotFit => NotAppliedReason::RetainedDoesNotFit,
        wit::NotAppliedReason::Failed => NotAppliedReason::Failed,
        wit::NotAppliedReason::Cancelled => NotAppliedReason::Cancelled,
        wit::NotAppliedReason::Empty => NotAppliedReason::Empty,
        wit::NotAppliedReason::OnlyCalls => NotAppliedReason::OnlyCalls,
        wit::NotAppliedReason::Refused => NotAppliedReason::Refused,
        wit::NotAppliedReason::CutOff => NotAppliedReason::CutOff,
        wit::NotAppliedReason::TooLong => NotAppliedReason::TooLong,
        wit::NotAppliedReason::Unreadable => NotAppliedReason::Unreadable,
    }
}

impl From<wit::Generation> for Generation {
    fn from(generation: wit::Generation) -> Self {
        Self {
            number: generation.number,
            messages: generation.messages,
            stage: generation.stage.map(Into::into),
            summary: generation.summary,
            fallback: generation.fallback,
        }
    }
}

impl From<wit::ContextState> for ContextState {
    fn from(state: wit::ContextState) -> Self {
        Self {
            recent_calls: state.recent_calls,
            turns: state.turns,
        }
    }
}
