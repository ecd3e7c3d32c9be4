//! What is answered of pressure and compaction, for the transcript. The keys' order is part of the
//! format.

use serde_json::{Value, json};
use waybread::{
    Compacted, CompactionEnd, CompactionStart, ContextState, FallbackDecision, FallbackUse,
    Generation, Health, MainRequest, NotApplied, Pressure, Stage, SummaryRequest, TokenEstimate,
};

use crate::transcript::{Answer, list};

impl From<Pressure> for Answer {
    fn from(answer: Pressure) -> Self {
        Self::value(pressure(&answer))
    }
}

impl From<CompactionStart> for Answer {
    fn from(start: CompactionStart) -> Self {
        match start {
            CompactionStart::Request(request) => {
                Self::new("summary-request", summary_request(&request))
            }
            CompactionStart::NotApplied(not) => Self::new("not-applied", not_applied(&not)),
            other => Self::new("unknown", format!("{other:?}").into()),
        }
    }
}

impl From<CompactionEnd> for Answer {
    fn from(end: CompactionEnd) -> Self {
        match end {
            CompactionEnd::Applied(applied) => Self::new("compacted", compacted(&applied)),
            CompactionEnd::NotApplied(not) => Self::new("not-applied", not_applied(&not)),
            other => Self::new("unknown", format!("{other:?}").into()),
        }
    }
}

impl From<Option<MainRequest>> for Answer {
    fn from(last: Option<MainRequest>) -> Self {
        let last = last.map(|last| {
            json!({
                "model": {"provider": last.model.provider, "model": last.model.model},
                "cache-key": last.cache_key,
                "at": u64::try_from(last.at.as_millis()).unwrap_or(u64::MAX),
            })
        });
        Self::value(last.into())
    }
}

impl From<FallbackDecision> for Answer {
    fn from(decision: FallbackDecision) -> Self {
        Self::value(match decision {
            FallbackDecision::Disabled => "disabled".into(),
            FallbackDecision::Warm => "warm".into(),
            FallbackDecision::Cold(reason) => json!({"cold": reason}),
            other => format!("{other:?}").into(),
        })
    }
}

impl From<Vec<Generation>> for Answer {
    fn from(generations: Vec<Generation>) -> Self {
        let generation = |generation: &Generation| {
            json!({
                "number": generation.number,
                "messages": generation.messages,
                "stage": generation.stage.map(Stage::name),
                "summary": generation.summary,
                "fallback": generation.fallback,
            })
        };
        Self::value(list(&generations, generation))
    }
}

impl From<ContextState> for Answer {
    fn from(state: ContextState) -> Self {
        Self::value(json!({"recent-calls": state.recent_calls, "turns": state.turns}))
    }
}

/// How full the window is.
pub fn pressure(pressure: &Pressure) -> Value {
    json!({
        "estimate": estimate(&pressure.estimate),
        "window": pressure.window,
        "soft-limit": pressure.soft_limit,
        "hard-limit": pressure.hard_limit,
        "reserve": pressure.reserve,
        "margin": pressure.margin,
        "used": pressure.used,
        "fits": pressure.fits,
        "action": pressure.action.name(),
        "reason": pressure.reason,
        "health": pressure.health.as_ref().map(health),
    })
}

fn estimate(estimate: &TokenEstimate) -> Value {
    json!({
        "tokens": estimate.tokens,
        "raw": estimate.raw,
        "strategy": estimate.strategy.name(),
        "confidence": estimate.confidence.name(),
    })
}

fn health(health: &Health) -> Value {
    json!({
        "severity": health.severity.name(),
        "state": health.state.name(),
        "guidance": health.guidance,
    })
}

fn summary_request(request: &SummaryRequest) -> Value {
    json!({
        "stage": request.stage.name(),
        "keep": request.keep,
        "length": request.body.len(),
        "sha256": request.sha256,
        "estimate": estimate(&request.estimate),
        "max-tokens": request.max_tokens,
        "covers": request.covers,
        "retains": request.retains,
        "on-fallback": request.on_fallback,
        "fallback": request.fallback.as_ref().map(fallback),
        "health": health(&request.health),
        "body": request.body.as_str(),
    })
}

fn compacted(compacted: &Compacted) -> Value {
    json!({
        "stage": compacted.stage.name(),
        "generation": compacted.generation,
        "message": compacted.message,
        "summary": compacted.summary,
        "text": compacted.text,
        "covered": compacted.covered,
        "retained": compacted.retained,
        "tokens-before": compacted.tokens_before,
        "tokens-after": compacted.tokens_after,
        "pressure": pressure(&compacted.pressure),
        "health": health(&compacted.health),
        "fallback": compacted.fallback.as_ref().map(fallback),
        "state-cleared": compacted.state_cleared,
        "warnings": compacted.warnings,
    })
}

fn not_applied(not: &NotApplied) -> Value {
    json!({
        "stage": not.stage.name(),
        "reason": not.reason.name(),
        "message": not.message,
        "rerun-on-main": not.rerun_on_main,
        "fallback": not.fallback.as_ref().map(fallback),
        "state-cleared": not.state_cleared,
    })
}

fn fallback(fallback: &FallbackUse) -> Value {
    json!({
        "status": fallback.status.name(),
        "model": fallback.model,
        "reason": fallback.reason,
    })
}
