//! Counts requests: what each has in common with the one before, from the first character on.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::text::Text;

/// Requests in characters of what a model reads. `sent` is `kept` and what had to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptCounts {
    /// How many.
    pub requests: u64,
    /// Characters of all of them.
    pub sent: u64,
    /// Those that the request before had too, from the first character to where both first differ.
    pub kept: u64,
    /// Of the rest, those in messages that the request before had too: read before, and again.
    pub again: u64,
    /// Requests that did not keep all of the request before.
    pub breaks: u64,
}

impl PromptCounts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.sent = self.sent.saturating_add(other.sent);
        self.kept = self.kept.saturating_add(other.kept);
        self.again = self.again.saturating_add(other.again);
        self.breaks = self.breaks.saturating_add(other.breaks);
    }
}

/// The requests of one context, one after the other. The cost of one is a glance at each message,
/// and at the characters of the first that differs.
#[derive(Default)]
pub(super) struct Meter {
    pub(super) counts: PromptCounts,
    previous: Vec<Text>,
}

impl Meter {
    pub(super) fn request(&mut self, texts: Vec<Text>) {
        let same = same(&texts, &self.previous);
        let new = texts.get(same..).unwrap_or_default();
        let lost = self.previous.get(same..).unwrap_or_default();
        let counts = PromptCounts {
            requests: 1,
            sent: length(&texts),
            kept: in_common(&texts, &self.previous),
            again: again(new, lost),
            breaks: u64::from(!lost.is_empty()),
        };
        self.counts.add(&counts);
        self.previous = texts;
    }
}

/// The characters of a request.
pub(super) fn length(texts: &[Text]) -> u64 {
    texts.iter().map(Text::chars).sum()
}

/// How many characters, from the first, two requests have in common.
pub(super) fn in_common(one: &[Text], other: &[Text]) -> u64 {
    let same = same(one, other);
    let stands = length(one.get(..same).unwrap_or_default());
    match (one.get(same), other.get(same)) {
        (Some(text), Some(other)) => stands + text.in_common(other),
        _ => stands,
    }
}

/// How many messages, from the first, are the same.
fn same(one: &[Text], other: &[Text]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(text, other)| text == other).count()
}

/// Characters of the messages that both have, each as often as it was there.
fn again(new: &[Text], lost: &[Text]) -> u64 {
    let mut left: HashMap<u64, u64> = HashMap::new();
    for text in lost {
        *left.entry(text.hash()).or_default() += 1;
    }
    let mut again = 0;
    for text in new {
        if let Some(count) = left.get_mut(&text.hash()).filter(|count| **count > 0) {
            *count -= 1;
            again += text.chars();
        }
    }
    again
}
