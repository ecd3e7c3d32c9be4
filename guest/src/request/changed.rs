//! From which message on a body has to be written again, and why.

use super::difference::DifferenceCause;
use super::view::View;
use crate::conversation::Item;
use crate::record::Dialect;

/// What the previous body was written from.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// How many of its messages are still the conversation's first.
    pub common: usize,
    /// How many there were.
    pub count: usize,
    /// Where its current turn began, and from where it carried reasoning.
    pub turn: usize,
    pub carried: usize,
    /// The messages that ended with a breakpoint of the prompt cache.
    pub marks: Vec<usize>,
}

/// A message that differs, and why it and what follows may.
pub type Change = (usize, DifferenceCause);

/// The changes, earliest first.
pub fn changes(written: &Written, view: &View<'_>, marks: &[usize]) -> Vec<Change> {
    let mut changes = Vec::new();
    if written.common < written.count {
        changes.push((run_before(written.common, view), DifferenceCause::Rewind));
    }
    changes.extend(turn(written, view));
    let moved = |mark: &&usize| written.marks.contains(mark) != marks.contains(mark);
    let marks = written.marks.iter().chain(marks).filter(moved).min();
    let marks = marks.filter(|at| **at < written.common);
    changes.extend(marks.map(|at| (*at, DifferenceCause::CacheBreakpoint)));
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// Replies of a chat that follow one another are one: where one is taken back, all are written again.
fn run_before(at: usize, view: &View<'_>) -> usize {
    let is_run = |at: &usize| {
        let item = view.items.get(*at).filter(|_| view.is_text_only(*at));
        item.and_then(Item::as_reply).is_some()
    };
    (0..at).rev().take_while(is_run).last().unwrap_or(at)
}

/// The first reply that another turn changes.
fn turn(written: &Written, view: &View<'_>) -> Option<Change> {
    let (old, new) = if view.chat {
        (written.turn, view.turn)
    } else {
        (written.carried, view.carried)
    };
    let replies = (old.min(new)..old.max(new).min(written.common)).filter_map(|at| {
        let reply = view.items.get(at)?.as_reply()?;
        Some((at, reply))
    });
    let mut changed = replies
        .filter(|(_, reply)| view.chat || (reply.reply.reasons && !view.carries_later(reply)));
    let (at, reply) = changed.next()?;
    let cause = if view.turn < written.turn {
        // A turn that had ended is the current one again.
        DifferenceCause::Rewind
    } else if view.chat && (!reply.reply.calls.is_empty() || !reply.reply.reasons) {
        DifferenceCause::EarlierResults
    } else {
        DifferenceCause::TurnBoundaryReasoning
    };
    Some((at, cause))
}

/// The messages that end with a breakpoint: the newest of role `user` (docs/requests.md).
pub fn marks(view: &View<'_>) -> Vec<usize> {
    let most = view.rules.requests.cache_breakpoints;
    let mut marks = Vec::new();
    if view.dialect != Dialect::AnthropicMessages {
        return marks;
    }
    let mut in_message = false;
    for at in (0..view.items.len()).rev() {
        if marks.len() + 1 >= most as usize {
            break;
        }
        let user = ends_as_user(view, at);
        if user && !in_message {
            marks.push(at);
        }
        in_message = user && !begins_as_assistant(view, at);
    }
    marks
}

/// Whether the last that stands of a message is of role `user`: the message, or a reply's results.
fn ends_as_user(view: &View<'_>, at: usize) -> bool {
    match view.items.get(at) {
        Some(Item::User(_)) => true,
        Some(Item::Reply(reply)) => !view.is_text_only(at) && !reply.results.is_empty(),
        None => false,
    }
}

/// A reply with calls always has something of role `assistant` before its results.
fn begins_as_assistant(view: &View<'_>, at: usize) -> bool {
    matches!(view.items.get(at), Some(Item::Reply(_)))
}
