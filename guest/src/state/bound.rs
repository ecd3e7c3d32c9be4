//! Where the next request differs from the previous one, as a model sees it that binds thinking to what
//! stands before it (docs/requests.md, "Bound thinking").

use super::talk::{Previous, Talk};
use crate::assembly::Made;
use crate::conversation::ReplyItem;
use crate::request::{Carrying, Items};

/// How the messages of a request are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Whether earlier turns' replies are their text only.
    pub chat: bool,
    /// Where the current turn begins.
    pub turn: usize,
    /// Which replies carry their reasoning.
    pub carrying: Carrying,
}

/// How a reply is sent, as far as another request may send it otherwise.
#[derive(PartialEq, Eq)]
struct Form {
    text_only: bool,
    reasoning: bool,
    empty_key: bool,
}

impl Sent {
    fn form(self, at: usize, reply: &ReplyItem) -> Form {
        let text_only = self.chat && at < self.turn;
        let carries = !text_only && self.carrying.carries(at, reply);
        let thinks = reply.reply.reasons;
        Form {
            text_only,
            reasoning: carries && thinks,
            empty_key: carries && self.carrying.by.empty && !reply.reply.calls.is_empty(),
        }
    }
}

impl Talk {
    /// The first message that does not stand as it did, or not behind what it did. Beyond all where
    /// there is none. `prompt` is the one that is made again.
    pub fn differs_from(&self, items: Items<'_>, now: Sent, prompt: Option<&Made>) -> usize {
        let Some(previous) = &self.previous else {
            return first(items, 0..items.len(), |at, reply| {
                leaves_out(now, at, reply)
            });
        };
        if previous.compacted || !self.front_stands(previous, prompt) {
            return 0;
        }
        let common = previous.common;
        let gone = match previous.rest.is_empty() {
            true => usize::MAX,
            false => common,
        };
        let changed = first(items, between(previous.sent, now, common), |at, reply| {
            previous.sent.form(at, reply) != now.form(at, reply)
        });
        let new = common..items.len();
        let left_out = first(items, new.clone(), |at, reply| leaves_out(now, at, reply));
        // A reply to the request, which was added behind what the request did not hold.
        let late = first(items, new, |_, _| true);
        let late = if late == common { usize::MAX } else { late };
        gone.min(changed).min(left_out).min(late)
    }

    /// Whether tools and prompt are those of the previous request.
    fn front_stands(&self, previous: &Previous, prompt: Option<&Made>) -> bool {
        let before = previous.made.as_ref();
        let same = before.is_none() && prompt.is_none() || {
            let (before, now) = (before.unwrap_or(&self.made), prompt.unwrap_or(&self.made));
            before.system == now.system && before.front == now.front
        };
        same && previous.tools == self.tools.count()
    }
}

/// The replies that may stand otherwise though nothing was taken back: where a turn or another model
/// began.
fn between(before: Sent, now: Sent, common: usize) -> std::ops::Range<usize> {
    if before.carrying.by != now.carrying.by {
        return 0..common;
    }
    let edges = [before, now].map(|sent| [sent.turn, sent.carrying.from]);
    let edges = edges.as_flattened();
    let edge = |edge: Option<&usize>| edge.copied().unwrap_or_default().min(common);
    edge(edges.iter().min())..edge(edges.iter().max())
}

fn leaves_out(now: Sent, at: usize, reply: &ReplyItem) -> bool {
    reply.reply.reasons && !now.form(at, reply).reasoning
}

/// The first reply of which something is true; beyond all where there is none.
fn first(
    items: Items<'_>,
    mut range: std::ops::Range<usize>,
    is: impl Fn(usize, &ReplyItem) -> bool,
) -> usize {
    let found = range.find(|at| {
        let reply = items.get(*at).and_then(|item| item.as_reply());
        reply.is_some_and(|reply| is(*at, reply))
    });
    found.unwrap_or(usize::MAX)
}
