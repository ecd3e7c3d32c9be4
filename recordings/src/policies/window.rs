//! A sliding window that drops the oldest messages, as Strands Agents' `SlidingWindowConversationManager`
//! does with `per_turn` on.

use serde_json::{Value, json};

use super::Policy;
use super::history::{History, Kind};
use super::text::Text;

/// How many messages a request holds; the results of one reply are one.
const MESSAGES: usize = 40;

#[derive(Default)]
pub(super) struct Window {
    /// Where each message begins; those of results in a row at the first.
    messages: Vec<usize>,
    /// Entries that are in `messages`, or before them.
    known: usize,
}

impl Policy for Window {
    fn name(&self) -> &'static str {
        "sliding-window"
    }

    fn parameters(&self) -> Value {
        json!({"messages": MESSAGES, "applied": "before every request"})
    }

    fn request(&mut self, history: &History) -> Vec<Text> {
        self.learn(history);
        let first = self.first(history);
        let kept = |at: &usize| *at >= first || kind(history, *at) == Some(&Kind::Prompt);
        let all = (0..history.entries.len()).filter(kept);
        all.filter_map(|at| history.text(at)).cloned().collect()
    }
}

impl Window {
    fn learn(&mut self, history: &History) {
        for at in self.known..history.entries.len() {
            let before = at.checked_sub(1).and_then(|before| kind(history, before));
            let goes_on = is_result(kind(history, at)) && is_result(before);
            if !goes_on && kind(history, at) != Some(&Kind::Prompt) {
                self.messages.push(at);
            }
        }
        self.known = history.entries.len();
    }

    /// Where the window begins: never with results, whose calls would be gone.
    fn first(&self, history: &History) -> usize {
        let dropped = self.messages.len().saturating_sub(MESSAGES);
        let mut rest = self.messages.iter().skip(dropped);
        if dropped == 0 {
            return 0;
        }
        let first = rest.find(|at| !is_result(kind(history, **at)));
        first.copied().unwrap_or(history.entries.len())
    }
}

fn kind(history: &History, at: usize) -> Option<&Kind> {
    history.entries.get(at).map(|entry| &entry.kind)
}

fn is_result(kind: Option<&Kind>) -> bool {
    matches!(kind, Some(Kind::Result { .. }))
}
