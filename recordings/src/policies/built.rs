//! What a host hands over of a context's requests, in the JSON of `docs/replay.md`.

use serde::{Deserialize, Serialize};

/// What came of a `build-request` step or before it, or why an `add-message` failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BuiltRequest {
    /// A call that failed.
    Failed {
        /// The message of the session error.
        error: String,
    },
    /// With a window: a request that was not sent.
    Stopped {
        /// Why.
        stopped: String,
    },
    /// With a window: a compaction that was tried.
    Compaction {
        /// What came of it.
        compaction: TriedCompaction,
    },
    /// A request.
    Built {
        /// How many bytes of the request before it stand; 0 for the first request.
        keep: u64,
        /// The rest of the body.
        tail: String,
        /// With a window, how full it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pressure: Option<RequestPressure>,
    },
}

/// How full a window is with a request, in tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestPressure {
    /// The window.
    pub window: u64,
    /// The request's estimate.
    pub tokens: u64,
    /// Kept free for the reply.
    pub reserve: u64,
    /// Kept free for what the estimate misses.
    pub margin: u64,
    /// Why a compaction that is due was not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A compaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedCompaction {
    /// `normal` or `emergency`.
    pub stage: String,
    /// What `compact-begin` gave; none if it gave no request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<SummaryRequest>,
    /// Why it did not come about, by the reason's name; none if it was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_applied: Option<String>,
}

/// A request for a summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryRequest {
    /// How many bytes of the last request stand.
    pub keep: u64,
    /// The rest of the body.
    pub tail: String,
    /// The request's estimate in tokens.
    pub tokens: u64,
}
