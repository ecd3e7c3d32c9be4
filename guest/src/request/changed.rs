//! From which message on a body has to be written again, and why.

use super::difference::DifferenceCause;
use super::marks::Mark;
use super::view::View;
use crate::conversation::{Item, ReplyItem};

/// What the previous body was written from.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// How many of its messages are still the conversation's first.
    pub common: usize,
    /// How many there were.
    pub count: usize,
    /// Where its current turn began, and from where every reply carried reasoning.
    pub turn: usize,
    pub carried: usize,
    /// The messages that ended with a breakpoint of the prompt cache.
    pub marks: Vec<(usize, Mark)>,
    /// Whether a summary has taken the place of its messages.
    pub compacted: bool,
}

/// A message that differs, and why it and what follows may.
pub type Change = (usize, DifferenceCause);

/// The changes, earliest first.
pub fn changes(written: &Written, view: &View<'_>, marks: &[(usize, Mark)]) -> Vec<Change> {
    let mut changes: Vec<Change> = turn(written, view).collect();
    if written.common < written.count {
        let cause = if written.compacted {
            DifferenceCause::Compaction
        } else {
            DifferenceCause::Rewind
        };
        changes.push((run_before(written.common, view), cause));
    }
    changes.extend(shorter(written, view));
    let moved = |mark: &&(usize, Mark)| written.marks.contains(mark) != marks.contains(mark);
    let moved = written.marks.iter().chain(marks).filter(moved);
    let first = moved.map(|(at, _)| *at).min();
    let first = first.filter(|at| *at < written.common);
    changes.extend(first.map(|at| (at, DifferenceCause::CacheBreakpoint)));
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// The first message of the previous body with a result that is shown otherwise.
fn shorter(written: &Written, view: &View<'_>) -> Option<Change> {
    let shown = |reply: &ReplyItem| {
        let mut results = reply.results.iter().flatten();
        results.any(|number| view.shorter.contains(number))
    };
    let mut common = 0..if view.shorter.is_empty() {
        0
    } else {
        written.common
    };
    let at = common.find(|at| {
        let reply = view.items.get(*at).and_then(Item::as_reply);
        reply.is_some_and(shown)
    })?;
    Some((at, DifferenceCause::Shortened))
}

/// Replies of a chat that follow one another are one: where one is taken back, all are written again.
fn run_before(at: usize, view: &View<'_>) -> usize {
    let is_run = |at: &usize| {
        let item = view.items.get(*at).filter(|_| view.is_text_only(*at));
        item.and_then(Item::as_reply).is_some()
    };
    (0..at).rev().take_while(is_run).last().unwrap_or(at)
}

/// The replies that another turn changes.
fn turn<'a>(written: &'a Written, view: &'a View<'_>) -> impl Iterator<Item = Change> + 'a {
    let (old, new) = if view.chat {
        (written.turn, view.turn)
    } else {
        (written.carried, view.carrying.from)
    };
    let replies = (old.min(new)..old.max(new).min(written.common)).filter_map(|at| {
        let reply = view.items.get(at)?.as_reply()?;
        Some((at, reply))
    });
    let changed = replies.filter(|(_, reply)| {
        view.chat || (reply.reply.reasons && !view.carrying.carries_later(reply))
    });
    changed.map(|(at, reply)| {
        let results = !reply.reply.calls.is_empty() || !reply.reply.reasons;
        let cause = if view.turn < written.turn {
            // A turn that had ended is the current one again.
            DifferenceCause::Rewind
        } else if view.chat && results {
            DifferenceCause::EarlierResults
        } else {
            DifferenceCause::TurnBoundaryReasoning
        };
        (at, cause)
    })
}
