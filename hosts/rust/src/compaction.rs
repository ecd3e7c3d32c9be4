//! A compaction as it begins: what is asked for, of which model, and what came of the request.

use crate::compacted::NotApplied;
use crate::fallback::{FallbackModel, FallbackUse, ModelRef};
use crate::pressure::{Health, TokenEstimate};
use crate::request::Body;

/// A compaction's stage (`docs/compaction.md`, "What a stage covers").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// The one to begin with.
    #[default]
    Normal,
    /// A shorter summary, and fewer turns retained.
    Emergency,
    /// No summary: a request showed results shorter that others held, since nothing else made room. No
    /// compaction is begun with it.
    Shorten,
}

impl Stage {
    /// The name that the contract gives it: `emergency`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Emergency => "emergency",
            Self::Shorten => "shorten",
        }
    }
}

/// A compaction that is to begin.
///
/// ```
/// use waybread::{Compaction, ModelRef, Stage};
///
/// let compaction = Compaction::new(r#"{"model":"some-model"}"#)
///     .main(ModelRef::new("some-provider", "some-model"))
///     .steering("Keep the names of the files.");
/// # assert_eq!(compaction.stage, None);
/// # assert_eq!(compaction.stage(Stage::Emergency).stage, Some(Stage::Emergency));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Which stage; none for the one that the pressure asks for in [`Session::compact`](crate::Session::compact),
    /// `normal` in [`compact_begin`](crate::Session::compact_begin).
    pub stage: Option<Stage>,
    /// The main model, as the harness calls it; none if no fallback is used.
    pub main: Option<ModelRef>,
    /// As [`Session::build_request`](crate::Session::build_request) takes them, for the main model; empty for
    /// those of the newest request, if there is one.
    pub parameters: String,
    /// Which model is asked.
    pub target: SummaryTarget,
    /// What the person wants the summary to attend to.
    pub steering: Option<String>,
}

impl Default for Compaction {
    /// With the parameters of the newest request.
    fn default() -> Self {
        Self::new("")
    }
}

impl Compaction {
    /// One that is asked of the main model, with the parameters of its requests.
    pub fn new(parameters: impl Into<String>) -> Self {
        Self {
            stage: None,
            main: None,
            parameters: parameters.into(),
            target: SummaryTarget::Main,
            steering: None,
        }
    }

    /// The same in this stage, whatever the pressure says.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Self {
        self.stage = Some(stage);
        self
    }

    /// The same with the name of the main model, which a fallback is compared with.
    #[must_use]
    pub fn main(mut self, model: ModelRef) -> Self {
        self.main = Some(model);
        self
    }

    /// The same, asked of another model: a [`FallbackModel`] or any other [`SummaryTarget`].
    #[must_use]
    pub fn target(mut self, target: impl Into<SummaryTarget>) -> Self {
        self.target = target.into();
        self
    }

    /// The same with what the person wants the summary to attend to.
    #[must_use]
    pub fn steering(mut self, text: impl Into<String>) -> Self {
        self.steering = Some(text.into());
        self
    }
}

/// Which model is asked for the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SummaryTarget {
    /// The main one.
    Main,
    /// Another one, since the main one's cache is cold.
    Fallback(FallbackModel),
    /// The fallback could not be resolved or built. The main model is asked.
    Unresolved(
        /// Its error.
        String,
    ),
}

impl From<FallbackModel> for SummaryTarget {
    fn from(model: FallbackModel) -> Self {
        Self::Fallback(model)
    }
}

/// What [`Session::compact_begin`](crate::Session::compact_begin) answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactionStart {
    /// The request to send.
    Request(SummaryRequest),
    /// It is not to be, and why.
    NotApplied(NotApplied),
}

/// The request for a summary (`docs/compaction.md`, "The request for a summary"). It is not stored, and
/// the session's next request goes on from the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryRequest {
    /// Of which stage.
    pub stage: Stage,
    /// The whole body, to be sent as it is. It is a body of its own: the session's last one is not
    /// touched.
    pub body: Body,
    /// How many bytes of the previous request's body stand at the front of this one. 0 if there was none
    /// since the session was opened.
    pub keep: u32,
    /// SHA-256 of the whole body, 64 lowercase hex digits.
    pub sha256: String,
    /// Tokens of the request, as estimated for the model that is asked.
    pub estimate: TokenEstimate,
    /// The most tokens that the summary may have; it is in the body. 0: no limit is known.
    pub max_tokens: u32,
    /// Messages that the summary covers.
    pub covers: u32,
    /// Messages that stay as they are.
    pub retains: u32,
    /// Whether the fallback is asked: the body goes to it and not to the main model.
    pub on_fallback: bool,
    /// What became of the fallback; none if there is none.
    pub fallback: Option<FallbackUse>,
    /// What to tell the person while it runs.
    pub health: Health,
}

/// What came of the request for a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SummaryOutcome {
    /// The reply, as [`Session::add_message`](crate::Session::add_message) takes it; best the whole
    /// response, which tells a refusal and a cut.
    Reply(
        /// JSON as the provider gave it.
        String,
    ),
    /// The provider failed.
    Failed(
        /// Its error.
        String,
    ),
    /// The person, or the harness, broke it off.
    Cancelled,
}

/// What a compaction is finished with.
///
/// ```
/// use waybread::{PendingSubagent, SummaryResult};
///
/// let response = r#"{"role":"assistant","content":"The tests pass."}"#;
/// let result = SummaryResult::reply(response)
///     .pending_subagents([PendingSubagent::new("a1", "search", "running")]);
/// let failed = SummaryResult::failed("503").state_retired(true);
/// # assert_ne!(result, failed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryResult {
    /// What came of the request.
    pub outcome: SummaryOutcome,
    /// Whether a stateful provider dropped its own state of the conversation, be it by the reply, by a
    /// signal or by its error.
    pub state_retired: bool,
    /// Subagents whose results are still to come: the next request tells of them.
    pub pending_subagents: Vec<PendingSubagent>,
}

impl SummaryResult {
    /// The model's reply, as JSON.
    pub fn reply(json: impl Into<String>) -> Self {
        SummaryOutcome::Reply(json.into()).into()
    }

    /// The provider's error.
    pub fn failed(error: impl Into<String>) -> Self {
        SummaryOutcome::Failed(error.into()).into()
    }

    /// It was broken off.
    #[must_use]
    pub fn cancelled() -> Self {
        SummaryOutcome::Cancelled.into()
    }

    /// The same, with whether a stateful provider dropped its own state.
    #[must_use]
    pub fn state_retired(mut self, retired: bool) -> Self {
        self.state_retired = retired;
        self
    }

    /// The same with subagents whose results are still to come.
    #[must_use]
    pub fn pending_subagents(mut self, pending: impl IntoIterator<Item = PendingSubagent>) -> Self {
        self.pending_subagents = pending.into_iter().collect();
        self
    }
}

impl From<SummaryOutcome> for SummaryResult {
    fn from(outcome: SummaryOutcome) -> Self {
        Self {
            outcome,
            state_retired: false,
            pending_subagents: Vec::new(),
        }
    }
}

/// A subagent whose result is still to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingSubagent {
    /// Its id.
    pub id: String,
    /// What kind of subagent it is.
    pub kind: String,
    /// `running`, `queued`, `finished`.
    pub state: String,
}

impl PendingSubagent {
    /// A subagent by its id, its kind and its state.
    pub fn new(id: impl Into<String>, kind: impl Into<String>, state: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind: kind.into(),
            state: state.into(),
        }
    }
}
