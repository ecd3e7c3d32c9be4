//! The token budget and compactions, as the contract says them and as the rules take them.

use super::bindings::exports::waybread::context::context as exported;
use crate as rules;

impl From<rules::TokenEstimate> for exported::TokenEstimate {
    fn from(estimate: rules::TokenEstimate) -> Self {
        Self {
            tokens: estimate.tokens,
            raw: estimate.raw,
            strategy: match estimate.strategy {
                rules::Strategy::Weights => exported::TokenStrategy::Weights,
                rules::Strategy::ProviderUsage => exported::TokenStrategy::ProviderUsage,
            },
            confidence: match estimate.confidence {
                rules::Confidence::Low => exported::Confidence::Low,
                rules::Confidence::Medium => exported::Confidence::Medium,
                rules::Confidence::High => exported::Confidence::High,
            },
        }
    }
}

impl From<rules::Health> for exported::Health {
    fn from(health: rules::Health) -> Self {
        Self {
            severity: match health.severity {
                rules::Severity::Info => exported::Severity::Info,
                rules::Severity::Warning => exported::Severity::Warning,
                rules::Severity::Critical => exported::Severity::Critical,
            },
            state: match health.state {
                rules::HealthState::Compacting => exported::HealthState::Compacting,
                rules::HealthState::Stable => exported::HealthState::Stable,
                rules::HealthState::Fragile => exported::HealthState::Fragile,
                rules::HealthState::LikelyLossy => exported::HealthState::LikelyLossy,
            },
            guidance: health.guidance,
        }
    }
}

impl From<rules::Pressure> for exported::Pressure {
    fn from(pressure: rules::Pressure) -> Self {
        Self {
            estimate: pressure.estimate.into(),
            window: pressure.window,
            soft_limit: pressure.soft_limit,
            hard_limit: pressure.hard_limit,
            reserve: pressure.reserve,
            margin: pressure.margin,
            used: pressure.used,
            fits: pressure.fits,
            action: match pressure.action {
                rules::PressureAction::None => exported::PressureAction::None,
                rules::PressureAction::Compact => exported::PressureAction::Compact,
                rules::PressureAction::Emergency => exported::PressureAction::Emergency,
                rules::PressureAction::Shorten => exported::PressureAction::Shorten,
                rules::PressureAction::Stop => exported::PressureAction::Stop,
            },
            reason: pressure.reason,
            health: pressure.health.map(Into::into),
        }
    }
}

impl From<exported::Stage> for rules::Stage {
    fn from(stage: exported::Stage) -> Self {
        match stage {
            exported::Stage::Normal => Self::Normal,
            exported::Stage::Emergency => Self::Emergency,
            exported::Stage::Shorten => Self::Shorten,
        }
    }
}

impl From<rules::Stage> for exported::Stage {
    fn from(stage: rules::Stage) -> Self {
        match stage {
            rules::Stage::Normal => Self::Normal,
            rules::Stage::Emergency => Self::Emergency,
            rules::Stage::Shorten => Self::Shorten,
        }
    }
}

impl From<exported::ModelRef> for rules::ModelRef {
    fn from(model: exported::ModelRef) -> Self {
        Self {
            provider: model.provider,
            model: model.model,
        }
    }
}

impl From<exported::MainRequest> for rules::MainRequest {
    fn from(request: exported::MainRequest) -> Self {
        Self {
            provider: request.model.provider,
            model: request.model.model,
            cache_key: request.cache_key,
            at: request.at,
        }
    }
}

impl From<rules::MainRequest> for exported::MainRequest {
    fn from(request: rules::MainRequest) -> Self {
        Self {
            model: exported::ModelRef {
                provider: request.provider,
                model: request.model,
            },
            cache_key: request.cache_key,
            at: request.at,
        }
    }
}

impl From<rules::Due> for exported::FallbackDecision {
    fn from(due: rules::Due) -> Self {
        match due {
            rules::Due::Disabled => Self::Disabled,
            rules::Due::Warm => Self::Warm,
            rules::Due::Cold(reason) => Self::Cold(reason),
        }
    }
}

impl From<exported::Compaction> for rules::CompactionRequest {
    fn from(compaction: exported::Compaction) -> Self {
        Self {
            stage: compaction.stage.into(),
            main: compaction.main.map(Into::into),
            parameters: compaction.parameters,
            target: match compaction.target {
                exported::SummaryTarget::Main => rules::SummaryTarget::Main,
                exported::SummaryTarget::Unresolved(error) => {
                    rules::SummaryTarget::Unresolved(error)
                }
                exported::SummaryTarget::Fallback(fallback) => {
                    rules::SummaryTarget::Fallback(rules::FallbackModel {
                        model: fallback.model.into(),
                        parameters: fallback.parameters,
                        window: fallback.window,
                        max_output: fallback.max_output,
                        reason: fallback.reason,
                    })
                }
            },
            steering: compaction.steering,
        }
    }
}

impl From<rules::FallbackUse> for exported::FallbackUse {
    fn from(fallback: rules::FallbackUse) -> Self {
        Self {
            status: if fallback.used {
                exported::FallbackStatus::Used
            } else {
                exported::FallbackStatus::Skipped
            },
            model: fallback.model,
            reason: fallback.reason,
        }
    }
}

impl From<rules::NotApplied> for exported::NotApplied {
    fn from(not: rules::NotApplied) -> Self {
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

fn reason(reason: rules::Reason) -> exported::NotAppliedReason {
    use exported::NotAppliedReason as Exported;
    match reason {
        rules::Reason::NothingToSummarise => Exported::NothingToSummarise,
        rules::Reason::FreesTooLittle => Exported::FreesTooLittle,
        rules::Reason::NoTurnSince => Exported::NoTurnSince,
        rules::Reason::RequestDoesNotFit => Exported::RequestDoesNotFit,
        rules::Reason::RetainedDoesNotFit => Exported::RetainedDoesNotFit,
        rules::Reason::Failed => Exported::Failed,
        rules::Reason::Cancelled => Exported::Cancelled,
        rules::Reason::Empty => Exported::Empty,
        rules::Reason::OnlyCalls => Exported::OnlyCalls,
        rules::Reason::Refused => Exported::Refused,
        rules::Reason::CutOff => Exported::CutOff,
        rules::Reason::TooLong => Exported::TooLong,
        rules::Reason::Unreadable => Exported::Unreadable,
    }
}

impl From<rules::CompactionStart> for exported::CompactionStart {
    fn from(start: rules::CompactionStart) -> Self {
        match start {
            rules::CompactionStart::NotApplied(not) => Self::NotApplied(not.into()),
            rules::CompactionStart::Request(request) => Self::Request((*request).into()),
        }
    }
}

impl From<rules::SummaryRequest> for exported::SummaryRequest {
    fn from(request: rules::SummaryRequest) -> Self {
        Self {
            stage: request.stage.into(),
            keep: request.keep,
            tail: request.tail,
            length: request.length,
            sha256: request.sha256,
            estimate: request.estimate.into(),
            max_tokens: request.max_tokens,
            covers: request.covers,
            retains: request.retains,
            on_fallback: request.on_fallback,
            fallback: request.fallback.map(Into::into),
            health: request.health.into(),
        }
    }
}

impl From<exported::SummaryResult> for rules::SummaryResult {
    fn from(result: exported::SummaryResult) -> Self {
        let pending = |subagent: exported::PendingSubagent| rules::PendingSubagent {
            id: subagent.id,
            kind: subagent.kind,
            state: subagent.state,
        };
        Self {
            outcome: match result.outcome {
                exported::SummaryOutcome::Reply(json) => rules::SummaryOutcome::Reply(json),
                exported::SummaryOutcome::Failed(error) => rules::SummaryOutcome::Failed(error),
                exported::SummaryOutcome::Cancelled => rules::SummaryOutcome::Cancelled,
            },
            state_retired: result.state_retired,
            pending_subagents: result.pending_subagents.into_iter().map(pending).collect(),
        }
    }
}

impl From<rules::CompactionEnd> for exported::CompactionEnd {
    fn from(end: rules::CompactionEnd) -> Self {
        match end {
            rules::CompactionEnd::NotApplied(not) => Self::NotApplied(not.into()),
            rules::CompactionEnd::Applied(compacted) => Self::Applied((*compacted).into()),
        }
    }
}

impl From<rules::Compacted> for exported::Compacted {
    fn from(compacted: rules::Compacted) -> Self {
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

impl From<rules::Generation> for exported::Generation {
    fn from(generation: rules::Generation) -> Self {
        Self {
            number: generation.number,
            messages: generation.messages,
            stage: generation.stage.map(Into::into),
            summary: generation.summary,
            fallback: generation.fallback,
        }
    }
}

impl From<rules::ContextState> for exported::ContextState {
    fn from(state: rules::ContextState) -> Self {
        Self {
            recent_calls: state.recent_calls,
            turns: state.turns,
        }
    }
}
