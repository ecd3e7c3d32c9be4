//! The main model's last request, and a model that stands in for it (`docs/compaction.md`, "Fallback").

use std::fmt;
use std::time::Duration;

/// A model at a provider. Shown as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelRef {
    /// The provider's name, as the harness calls it.
    pub provider: String,
    /// The model's name at the provider.
    pub model: String,
}

impl ModelRef {
    /// A model by its provider's name and its own.
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
        }
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.provider, self.model)
    }
}

/// The last request to the main model that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MainRequest {
    /// The main model.
    pub model: ModelRef,
    /// The key under which the provider caches prompts; empty for none.
    pub cache_key: String,
    /// When: the time since any moment that stays the same, such as `UNIX_EPOCH`. Kept in whole
    /// milliseconds.
    pub at: Duration,
}

impl MainRequest {
    /// A request to a model without a cache key, and when it was answered.
    #[must_use]
    pub fn new(model: ModelRef, at: Duration) -> Self {
        Self {
            model,
            cache_key: String::new(),
            at,
        }
    }

    /// The same under a cache key.
    #[must_use]
    pub fn cache_key(mut self, key: impl Into<String>) -> Self {
        self.cache_key = key.into();
        self
    }
}

/// Whether a compaction is better asked of another model than the main one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FallbackDecision {
    /// It is switched off. Nothing needs to be resolved.
    Disabled,
    /// The main model's cache is warm. Nothing needs to be resolved.
    Warm,
    /// The cache is cold, and why: `no recent request`, `idle 12m > 5m`. It is what
    /// [`FallbackModel::reason`] takes.
    Cold(
        /// Why.
        String,
    ),
}

/// A model that stands in for the main one, with its limits.
///
/// ```
/// use waybread::{FallbackModel, ModelRef};
///
/// let small = ModelRef::new("some-provider", "small");
/// let fallback = FallbackModel::new(small, r#"{"model":"small"}"#)
///     .window(128_000)
///     .reason("idle 12m > 5m");
/// # assert_eq!(fallback.model.to_string(), "some-provider/small");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FallbackModel {
    /// Which model.
    pub model: ModelRef,
    /// As [`Session::build_request`](crate::Session::build_request) takes them, for this model.
    pub parameters: String,
    /// Its window in tokens; 0: as `budget.models` and `budget.window` say.
    pub window: u32,
    /// The most tokens that it writes; 0: as `budget.models` and `budget.max_output` say.
    pub max_output: u32,
    /// Why the cache is cold, as [`FallbackDecision::Cold`] said.
    pub reason: String,
}

impl FallbackModel {
    /// A model and the parameters of its requests, with the limits that the settings say.
    pub fn new(model: ModelRef, parameters: impl Into<String>) -> Self {
        Self {
            model,
            parameters: parameters.into(),
            window: 0,
            max_output: 0,
            reason: String::new(),
        }
    }

    /// The same with its window in tokens.
    #[must_use]
    pub fn window(mut self, tokens: u32) -> Self {
        self.window = tokens;
        self
    }

    /// The same with the most tokens that it writes.
    #[must_use]
    pub fn max_output(mut self, tokens: u32) -> Self {
        self.max_output = tokens;
        self
    }

    /// The same with why it is chosen.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }
}

/// What became of a fallback.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FallbackUse {
    /// Whether it was asked.
    pub status: FallbackStatus,
    /// `provider/model`; none where it could not be resolved.
    pub model: Option<String>,
    /// Why.
    pub reason: String,
}

/// Whether a fallback was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FallbackStatus {
    /// It was.
    Used,
    /// It was chosen, and the main model was asked instead.
    Skipped,
}

impl FallbackStatus {
    /// The name that the contract gives it: `used`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Skipped => "skipped",
        }
    }
}
