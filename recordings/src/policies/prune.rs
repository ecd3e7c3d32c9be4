//! Old tool outputs pruned behind a protected window, as opencode's `SessionCompaction.prune` does.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Policy;
use super::history::{History, Kind};
use super::text::{Text, tokens};

/// The newest outputs, by this many tokens, are left alone.
const PROTECTED: u64 = 40_000;
/// Nothing is pruned unless it frees more tokens than this.
const MINIMUM: u64 = 20_000;
/// Outputs since the person's last message but one are neither pruned nor counted.
const TURNS: usize = 2;
const TOOLS: &[&str] = &["skill"];
const PLACEHOLDER: &str = "[Old tool result content cleared]";

pub(super) struct Prune {
    pruned: BTreeSet<usize>,
    placeholder: Text,
}

impl Default for Prune {
    fn default() -> Self {
        Self {
            pruned: BTreeSet::new(),
            placeholder: Text::result(PLACEHOLDER),
        }
    }
}

impl Policy for Prune {
    fn name(&self) -> &'static str {
        "prune-old-outputs"
    }

    fn parameters(&self) -> Value {
        json!({
            "protect_tokens": PROTECTED,
            "minimum_tokens": MINIMUM,
            "protect_turns": TURNS,
            "protect_tools": TOOLS,
            "placeholder": PLACEHOLDER,
            "chars_per_token": 4,
        })
    }

    fn turn_ended(&mut self, history: &History) {
        let mut turns = 0;
        let (mut seen, mut freed) = (0, 0);
        let mut found = Vec::new();
        for (at, entry) in history.entries.iter().enumerate().rev() {
            turns += usize::from(entry.kind == Kind::User);
            let Kind::Result {
                tool,
                failed: false,
                chars,
            } = &entry.kind
            else {
                continue;
            };
            if turns < TURNS || TOOLS.contains(&tool.as_str()) {
                continue;
            }
            // What lies before was pruned, or left for good, when this was.
            if self.pruned.contains(&at) {
                break;
            }
            seen += tokens(*chars);
            if seen > PROTECTED {
                freed += tokens(*chars);
                found.push(at);
            }
        }
        if freed > MINIMUM {
            self.pruned.extend(found);
        }
    }

    fn request(&mut self, history: &History) -> Vec<Text> {
        let shown = |at| {
            if self.pruned.contains(&at) {
                Some(&self.placeholder)
            } else {
                history.text(at)
            }
        };
        let all = 0..history.entries.len();
        all.filter_map(shown).cloned().collect()
    }
}
