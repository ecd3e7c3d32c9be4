//! Models, and when the main one was last asked.

use std::time::Duration;

use crate::bindings::exports::waybread::context::context as wit;
use crate::fallback::{
    FallbackDecision, FallbackModel, FallbackStatus, FallbackUse, MainRequest, ModelRef,
};

pub(crate) fn model(model: &ModelRef) -> wit::ModelRefParam<'_> {
    wit::ModelRefParam {
        provider: &model.provider,
        model: &model.model,
    }
}

pub(crate) fn main_request(request: &MainRequest) -> wit::MainRequestParam<'_> {
    wit::MainRequestParam {
        model: model(&request.model),
        cache_key: &request.cache_key,
        at: moment(request.at),
    }
}

/// Whole milliseconds that have passed.
pub(crate) fn moment(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds, rounded up: what is above nothing is not 0, which would switch it off.
pub(crate) fn span(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

pub(super) fn fallback(fallback: &FallbackModel) -> wit::FallbackModel<'_> {
    wit::FallbackModel {
        model: model(&fallback.model),
        parameters: &fallback.parameters,
        window: fallback.window,
        max_output: fallback.max_output,
        reason: &fallback.reason,
    }
}

impl From<wit::MainRequestResult> for MainRequest {
    fn from(request: wit::MainRequestResult) -> Self {
        let wit::ModelRefResult { provider, model } = request.model;
        Self {
            model: ModelRef { provider, model },
            cache_key: request.cache_key,
            at: Duration::from_millis(request.at),
        }
    }
}

impl From<wit::FallbackDecision> for FallbackDecision {
    fn from(decision: wit::FallbackDecision) -> Self {
        match decision {
            wit::FallbackDecision::Disabled => Self::Disabled,
            wit::FallbackDecision::Warm => Self::Warm,
            wit::FallbackDecision::Cold(reason) => Self::Cold(reason),
        }
    }
}

impl From<wit::FallbackUse> for FallbackUse {
    fn from(fallback: wit::FallbackUse) -> Self {
        Self {
            status: match fallback.status {
                wit::FallbackStatus::Used => FallbackStatus::Used,
                wit::FallbackStatus::Skipped => FallbackStatus::Skipped,
            },
            model: fallback.model,
            reason: fallback.reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_below_a_millisecond_is_no_nothing() {
        let short = Duration::from_micros(1);
        assert_eq!((moment(short), span(short)), (0, 1));
        assert_eq!(
            (span(Duration::ZERO), span(Duration::from_secs(300))),
            (0, 300_000)
        );
        assert_eq!(
            (moment(Duration::MAX), span(Duration::MAX)),
            (u64::MAX, u64::MAX)
        );
    }
}
