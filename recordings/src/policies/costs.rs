//! What compactions cost in tokens, as `docs/replay.md` defines it ("What it costs").

use crate::WindowCounts;
use crate::about::add_reason;

use super::built::{RequestPressure, SummaryRequest, TriedCompaction};
use super::meter::{in_common, length};
use super::text::Text;

/// The window's counts over the requests of one context.
#[derive(Default)]
pub(super) struct Costs {
    pub(super) counts: WindowCounts,
    /// The last request that was sent, summaries aside.
    sent: Option<Estimated>,
    /// A compaction was applied since.
    compacted: bool,
}

/// A request, and its tokens by the component's estimate.
struct Estimated {
    texts: Vec<Text>,
    tokens: u64,
}

impl Costs {
    pub(super) fn request(&mut self, pressure: &RequestPressure, texts: Vec<Text>) {
        let tokens = pressure.tokens;
        let request = Estimated { texts, tokens };
        if std::mem::take(&mut self.compacted) {
            self.counts.next_read += request.read_after(self.sent.as_ref());
        }
        let filled = tokens
            .saturating_add(pressure.reserve)
            .saturating_add(pressure.margin);
        self.counts.requests += 1;
        self.counts.largest = self.counts.largest.max(tokens);
        self.counts.largest_filled = self.counts.largest_filled.max(filled);
        self.counts.over += u64::from(filled > pressure.window);
        if let Some(reason) = &pressure.reason {
            add_reason(&mut self.counts.held, reason, 1, None);
        }
        self.sent = Some(request);
    }

    pub(super) fn stopped(&mut self, reason: &str) {
        add_reason(&mut self.counts.stopped, reason, 1, None);
    }

    pub(super) fn compaction(&mut self, tried: &TriedCompaction) {
        match &tried.not_applied {
            Some(reason) => {
                let reason = format!("{}: {reason}", tried.stage);
                add_reason(&mut self.counts.not_applied, &reason, 1, None);
            }
            None if tried.stage == "emergency" => self.counts.emergency += 1,
            None => self.counts.normal += 1,
        }
        self.compacted |= tried.not_applied.is_none();
    }

    /// The request for a summary. The first `prompt` of its texts are tools and system prompt.
    pub(super) fn summary(&mut self, request: &SummaryRequest, texts: Vec<Text>, prompt: usize) {
        let conversation = length(texts.get(prompt..).unwrap_or_default());
        let tokens = request.tokens;
        let request = Estimated { texts, tokens };
        self.counts.summary_read += request.read_after(self.sent.as_ref());
        self.counts.pasted_read += request.share(conversation);
    }
}

impl Estimated {
    /// What is read of it where what `before` holds has been read: to the token where all of that
    /// stands, else in proportion.
    fn read_after(&self, before: Option<&Self>) -> u64 {
        let Some(before) = before else {
            return self.tokens;
        };
        let common = in_common(&before.texts, &self.texts);
        if common == length(&before.texts) {
            return self.tokens.saturating_sub(before.tokens);
        }
        self.share(length(&self.texts).saturating_sub(common))
    }

    /// The tokens of `chars` of its characters, rounded half up.
    fn share(&self, chars: u64) -> u64 {
        let all = u128::from(length(&self.texts)).max(1);
        let doubled = u128::from(self.tokens) * u128::from(chars) * 2 + all;
        u64::try_from(doubled / (2 * all)).unwrap_or(u64::MAX)
    }
}
