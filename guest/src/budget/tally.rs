//! The tokens of the messages of a request, of which a step counts only what is new.

use super::count::Counter;
use crate::conversation::Item;
use crate::request::{Carrying, Items};
use crate::rules::ByModel;
use crate::tokens::Estimate;

/// The sum so far. It knows how many messages it has taken in; when messages are taken back or a
/// summary takes their place, it is begun anew.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Messages of earlier turns, as they are sent from now on.
    settled: usize,
    settled_tokens: Estimate,
    /// Messages of the current turn before the last reply, which may still get results.
    taken: usize,
    taken_tokens: Estimate,
    /// How they carry reasoning.
    by: Option<(ByModel, usize)>,
}

/// How messages are sent, as far as their tokens depend on it.
#[derive(Clone, Copy)]
pub struct Sending<'a> {
    /// The messages.
    pub items: Items<'a>,
    /// Where the current turn begins.
    pub turn: usize,
    /// Which replies carry their reasoning.
    pub carrying: Carrying,
    /// Whether earlier turns' replies are their text only.
    pub chat: bool,
    /// Counts.
    pub counter: Counter<'a>,
    /// The number of the result that the first open call is about to get.
    pub closing: u32,
    /// The tokens of results' texts by their numbers.
    pub results: &'a dyn Fn(u32) -> Estimate,
}

impl Sending<'_> {
    /// One message with its results.
    pub fn message(&self, at: usize) -> Estimate {
        match self.items.get(at) {
            None => Estimate::default(),
            Some(Item::User(user)) => user.tokens,
            Some(Item::Reply(reply)) if self.chat && at < self.turn => reply.tokens.text_only,
            Some(Item::Reply(reply)) => {
                let said = if self.carrying.carries(at, reply) {
                    reply.tokens.carrying
                } else {
                    reply.tokens.plain
                };
                said + self.counter.results(reply, self.closing, self.results)
            }
        }
    }

    fn is_reply(&self, at: usize) -> bool {
        self.items.get(at).and_then(Item::as_reply).is_some()
    }

    /// All messages from `first` to before `end`.
    pub fn messages(&self, first: usize, end: usize) -> Estimate {
        (first..end).map(|at| self.message(at)).sum()
    }

    /// What is before it is sent in its later form.
    fn settles_before(&self) -> usize {
        if self.chat {
            self.turn
        } else {
            self.carrying.from
        }
    }
}

impl Tally {
    /// All messages.
    pub fn sum(&mut self, sending: &Sending<'_>) -> Estimate {
        let (settles, count) = (sending.settles_before(), sending.items.len());
        let by = Some((sending.carrying.by, sending.carrying.unbound));
        if settles < self.settled || count < self.taken || by != self.by {
            *self = Self::default();
            self.by = by;
        }
        self.settle(sending, settles.min(count));
        let last = (0..count).rev().find(|at| sending.is_reply(*at));
        while self.taken < last.unwrap_or(count.saturating_sub(1)) {
            self.taken_tokens += sending.message(self.taken);
            self.taken += 1;
        }
        self.settled_tokens + self.taken_tokens + sending.messages(self.taken, count)
    }

    /// Messages of a turn that ended are counted again, once, in the form in which they stay.
    fn settle(&mut self, sending: &Sending<'_>, end: usize) {
        if self.settled == end {
            return;
        }
        self.settled_tokens += sending.messages(self.settled, end);
        self.settled = end;
        self.taken = end;
        self.taken_tokens = Estimate::default();
    }
}
