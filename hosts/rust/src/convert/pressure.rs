//! Tokens, and how full the window is.

use crate::bindings::exports::waybread::context::context as wit;
use crate::pressure::{
    Confidence, Health, HealthState, Pressure, PressureAction, Severity, TokenEstimate,
    TokenStrategy,
};

impl From<wit::TokenEstimate> for TokenEstimate {
    fn from(estimate: wit::TokenEstimate) -> Self {
        Self {
            tokens: estimate.tokens,
            raw: estimate.raw,
            strategy: match estimate.strategy {
                wit::TokenStrategy::Weights => TokenStrategy::Weights,
                wit::TokenStrategy::ProviderUsage => TokenStrategy::ProviderUsage,
            },
            confidence: match estimate.confidence {
                wit::Confidence::Low => Confidence::Low,
                wit::Confidence::Medium => Confidence::Medium,
                wit::Confidence::High => Confidence::High,
            },
        }
    }
}

impl From<wit::Pressure> for Pressure {
    fn from(pressure: wit::Pressure) -> Self {
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
                wit::PressureAction::None => PressureAction::None,
                wit::PressureAction::Compact => PressureAction::Compact,
                wit::PressureAction::Emergency => PressureAction::Emergency,
                wit::PressureAction::Shorten => PressureAction::Shorten,
                wit::PressureAction::Stop => PressureAction::Stop,
            },
            reason: pressure.reason,
            health: pressure.health.map(Into::into),
        }
    }
}

impl From<wit::Health> for Health {
    fn from(health: wit::Health) -> Self {
        Self {
            severity: match health.severity {
                wit::Severity::Info => Severity::Info,
                wit::Severity::Warning => Severity::Warning,
                wit::Severity::Critical => Severity::Critical,
            },
            state: match health.state {
                wit::HealthState::Compacting => HealthState::Compacting,
                wit::HealthState::Stable => HealthState::Stable,
                wit::HealthState::Fragile => HealthState::Fragile,
                wit::HealthState::LikelyLossy => HealthState::LikelyLossy,
            },
            guidance: health.guidance,
        }
    }
}
