//! The window in the report.

use serde::{Deserialize, Serialize};

use crate::{ReplayedSession, Window, WindowCounts};

/// What came of the window in a session, or in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowReport {
    /// The window's numbers.
    pub parameters: Window,
    /// What was counted.
    #[serde(flatten)]
    pub counts: WindowCounts,
    /// What compactions read, in tokens, where the request for a summary keeps the prefix.
    pub kept_cost: u64,
    /// What they would read where it has the conversation as text.
    pub pasted_cost: u64,
}

impl WindowReport {
    /// None for a session without a window.
    pub(crate) fn of(session: &ReplayedSession) -> Option<Self> {
        let mut report = Self {
            parameters: session.window.clone()?,
            ..Self::default()
        };
        for context in &session.contexts {
            report.counts.add(&context.prompt.window);
        }
        report.finish();
        Some(report)
    }

    fn finish(&mut self) {
        let counts = &self.counts;
        self.kept_cost = counts.summary_read.saturating_add(counts.next_read);
        self.pasted_cost = counts.pasted_read.saturating_add(counts.next_read);
    }
}

/// Adds a session's to the sum.
pub(crate) fn add_window(sum: &mut Option<WindowReport>, window: Option<&WindowReport>) {
    match (sum.as_mut(), window) {
        (_, None) => {}
        (None, Some(window)) => *sum = Some(window.clone()),
        (Some(sum), Some(window)) => {
            sum.counts.add(&window.counts);
            sum.finish();
        }
    }
}
