//! Earlier results replaced by a placeholder when the prompt passes a threshold, as Anthropic's context
//! editing does with `clear_tool_uses_20250919`.

use serde_json::{Value, json};

use super::Policy;
use super::history::{History, Kind};
use super::text::{Text, tokens};

/// What is cleared, and when. The defaults are those of its documentation.
pub(super) struct Clear {
    /// The prompt's length, in tokens, past which results are cleared.
    pub(super) trigger: u64,
    /// How many of the newest results are kept.
    pub(super) keep: usize,
    /// Nothing is cleared unless it frees this many tokens.
    pub(super) at_least: u64,
    placeholder: Text,
    /// Where the results are.
    results: Vec<usize>,
    /// How many of them, from the first, are cleared.
    cleared: usize,
    /// Entries of which `results` holds what are results.
    known: usize,
}

const PLACEHOLDER: &str = "[cleared]";

impl Default for Clear {
    fn default() -> Self {
        Self::new(100_000, 3, 0)
    }
}

impl Clear {
    /// `trigger` and `at_least` in tokens, `keep` in results.
    pub(super) fn new(trigger: u64, keep: usize, at_least: u64) -> Self {
        Self {
            trigger,
            keep,
            at_least,
            placeholder: Text::result(PLACEHOLDER),
            results: Vec::new(),
            cleared: 0,
            known: 0,
        }
    }
}

impl Policy for Clear {
    fn name(&self) -> &'static str {
        "clear-tool-uses"
    }

    fn parameters(&self) -> Value {
        json!({
            "trigger_tokens": self.trigger,
            "keep_tool_uses": self.keep,
            "clear_at_least_tokens": self.at_least,
            "placeholder": PLACEHOLDER,
            "chars_per_token": 4,
        })
    }

    fn request(&mut self, history: &History) -> Vec<Text> {
        self.learn(history);
        let request = self.shown(history);
        let length = request.iter().map(Text::chars).sum();
        if tokens(length) > self.trigger && self.clear(history) {
            return self.shown(history);
        }
        request
    }
}

impl Clear {
    fn learn(&mut self, history: &History) {
        let new = history.entries.iter().enumerate().skip(self.known);
        let results = new.filter(|(_, entry)| matches!(entry.kind, Kind::Result { .. }));
        self.results.extend(results.map(|(at, _)| at));
        self.known = history.entries.len();
    }

    /// Clears all results but the newest; false if that is not worth it.
    fn clear(&mut self, history: &History) -> bool {
        let end = self.results.len().saturating_sub(self.keep);
        let due = self.results.get(self.cleared..end).unwrap_or_default();
        let length = |at: &usize| history.text(*at).map_or(0, Text::chars);
        let freed = |at| length(at).saturating_sub(self.placeholder.chars());
        if due.is_empty() || tokens(due.iter().map(freed).sum()) < self.at_least {
            return false;
        }
        self.cleared = end;
        true
    }

    fn shown(&self, history: &History) -> Vec<Text> {
        let mut cleared = self.results.iter().take(self.cleared).peekable();
        let shown = |at| {
            if cleared.next_if_eq(&&at).is_some() {
                Some(&self.placeholder)
            } else {
                history.text(at)
            }
        };
        let all = 0..history.entries.len();
        all.filter_map(shown).cloned().collect()
    }
}
