//! How many tokens a request has, and how full that makes the model's window.

use std::fmt;

/// How many tokens a request has (`docs/compaction.md`, "Tokens of a request").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenEstimate {
    /// What everything is compared by: corrected where usage was reported.
    pub tokens: u32,
    /// As estimated, without correction.
    pub raw: u32,
    /// What `tokens` was counted by.
    pub strategy: TokenStrategy,
    /// How far it can be relied on.
    pub confidence: Confidence,
}

/// What a number of tokens was counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenStrategy {
    /// The estimate alone (`docs/tokens.md`).
    Weights,
    /// The estimate, corrected by what the provider reported of this model's requests.
    ProviderUsage,
}

impl TokenStrategy {
    /// The name that the contract gives it: `provider-usage`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::ProviderUsage => "provider-usage",
        }
    }
}

/// How far a number of tokens can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Confidence {
    /// No entry of `tokens.models` names the model.
    Low,
    /// An entry does, or the provider reported a few times.
    Medium,
    /// The provider reported `tokens.confident_samples` times or more.
    High,
}

impl Confidence {
    /// The name that the contract gives it: `medium`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// How full the model's window is with the next request (`docs/compaction.md`, "Limits" and
/// "Pressure"). Numbers are tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pressure {
    /// What the request has.
    pub estimate: TokenEstimate,
    /// The model's context window; 0: not known, and nothing is to be done.
    pub window: u32,
    /// From how many tokens on a compaction is due; 0 without a window.
    pub soft_limit: u32,
    /// `window` without the safety margin.
    pub hard_limit: u32,
    /// Kept free for the reply.
    pub reserve: u32,
    /// Kept free for what the estimate misses.
    pub margin: u32,
    /// What was compared with the soft limit: `estimate.tokens`, or of a stateful provider the usage
    /// that it reported last.
    pub used: u32,
    /// Whether prompt, reserve and margin fit the window.
    pub fits: bool,
    /// What to do before the request is sent.
    pub action: PressureAction,
    /// With [`PressureAction::Stop`] the error to show. With [`PressureAction::None`], where a
    /// compaction is due and is not started, why.
    pub reason: Option<String>,
    /// Told with [`PressureAction::Stop`].
    pub health: Option<Health>,
}

/// What to do before a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PressureAction {
    /// Send it.
    None,
    /// Compact in the stage [`Normal`](crate::Stage::Normal) first.
    Compact,
    /// Compact in the stage [`Emergency`](crate::Stage::Emergency) first: the other cannot help, did
    /// not, or not enough.
    Emergency,
    /// Send it. No summary can make room, so [`Session::build_request`](crate::Session::build_request) shows
    /// results shorter until it fits.
    Shorten,
    /// It cannot be sent, and neither a compaction nor shorter results help.
    Stop,
}

impl PressureAction {
    /// The name that the contract gives it: `compact`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Compact => "compact",
            Self::Emergency => "emergency",
            Self::Shorten => "shorten",
            Self::Stop => "stop",
        }
    }
}

impl fmt::Display for PressureAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a harness tells the person of the session's context (`docs/compaction.md`, "Escalation").
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// How urgent it is.
    pub severity: Severity,
    /// How the session is.
    pub state: HealthState,
    /// A sentence: carry on, restart soon, restart now (`escalation.guidance`).
    pub guidance: String,
}

/// How urgent what is told of a session's health is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The session can go on.
    Info,
    /// A new session soon is advisable.
    Warning,
    /// A new session is needed now.
    Critical,
}

impl Severity {
    /// The name that the contract gives it: `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// How a session's context is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HealthState {
    /// A compaction begins.
    Compacting,
    /// Nothing is to be feared.
    Stable,
    /// What is left is still far over the limit, or this turn was compacted before.
    Fragile,
    /// Much of what the model knew is probably gone.
    LikelyLossy,
}

impl HealthState {
    /// The name that the contract gives it: `likely-lossy`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compacting => "compacting",
            Self::Stable => "stable",
            Self::Fragile => "fragile",
            Self::LikelyLossy => "likely-lossy",
        }
    }
}
