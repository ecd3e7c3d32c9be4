//! What came of a window, over the requests of a context, a session, or of all of them.

use serde::{Deserialize, Serialize};

use crate::Reason;
use crate::about::add_reason;

/// Compactions, and what they cost. All sizes are in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowCounts {
    /// Requests that were sent.
    pub requests: u64,
    /// Compactions that were applied in the stage `normal`.
    pub normal: u64,
    /// Those in the stage `emergency`.
    pub emergency: u64,
    /// Compactions that were tried and came to nothing, by stage and reason.
    pub not_applied: Vec<Reason>,
    /// Requests that were sent although a compaction was due, by reason.
    pub held: Vec<Reason>,
    /// Requests that were not sent, by reason.
    pub stopped: Vec<Reason>,
    /// The largest request.
    pub largest: u64,
    /// The most that a request takes of its window, with reserve and margin.
    pub largest_filled: u64,
    /// Requests that take more than the window.
    pub over: u64,
    /// What requests for a summary read that keep the prefix.
    pub summary_read: u64,
    /// What they would read with the conversation as text in a request of their own.
    pub pasted_read: u64,
    /// What the first requests after applied compactions read.
    pub next_read: u64,
}

impl WindowCounts {
    /// Nothing was counted.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.requests, other.requests),
            (&mut self.normal, other.normal),
            (&mut self.emergency, other.emergency),
            (&mut self.over, other.over),
            (&mut self.summary_read, other.summary_read),
            (&mut self.pasted_read, other.pasted_read),
            (&mut self.next_read, other.next_read),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
        self.largest = self.largest.max(other.largest);
        self.largest_filled = self.largest_filled.max(other.largest_filled);
        let lists = [
            (&mut self.not_applied, &other.not_applied),
            (&mut self.held, &other.held),
            (&mut self.stopped, &other.stopped),
        ];
        for (list, more) in lists {
            for reason in more {
                add_reason(list, &reason.reason, reason.count, None);
            }
        }
    }
}
