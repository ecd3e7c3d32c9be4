//! What a host hands back after performing plans, in the JSON of `docs/replay.md`.

use serde::{Deserialize, Serialize};

use crate::policies::{PolicyCounts, ReplayedPrompt};
use crate::{About, As, ImportError, Window};

/// One file: replayed, or with the reason why it could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedFile {
    /// The file's name without folders.
    pub file: String,
    /// The plan's format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The plan's sessions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<ReplayedSession>,
    /// Why there is no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ImportError>,
}

/// One session of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedSession {
    /// As in the plan.
    pub name: String,
    /// As in the plan.
    #[serde(default)]
    pub about: About,
    /// As in the plan.
    #[serde(default)]
    pub policies: Vec<PolicyCounts>,
    /// As in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// As in the plan, results in place of steps.
    pub contexts: Vec<ReplayedContext>,
}

/// One context of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedContext {
    /// As in the plan.
    pub name: String,
    /// One for each `insert-result`, in order.
    pub results: Vec<ReplayedResult>,
    /// What [`crate::measure`] made of the context's requests.
    #[serde(default)]
    pub prompt: ReplayedPrompt,
}

/// What came of an `insert-result`: either `error`, or the other three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayedResult {
    /// As in the plan.
    #[serde(rename = "as")]
    pub counted: As,
    /// Which measure shaped the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub treatment: Option<Treatment>,
    /// `chars-in` of the answer.
    #[serde(default)]
    pub chars_in: u64,
    /// `chars-out` of the answer.
    #[serde(default)]
    pub chars_out: u64,
    /// The message of the session error: nothing was inserted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Which measure shaped an answer, as in `wit/context.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// None: the result in full.
    Full,
    /// Head and tail (§3).
    Capped,
    /// A stub for an unchanged re-read (§2).
    UnchangedRead,
    /// A stub for the same result (§6).
    SameResult,
    /// The call failed or was refused.
    Failed,
}
