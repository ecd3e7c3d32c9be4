//! The first difference between two conversations, or two system prompts in several parts.

use std::collections::{HashMap, HashSet};

use super::Cause;
use super::alike::{alike, mentions_summary};
use super::change::change;
use super::finding::{Finding, Part, counted, shown_message};
use super::overlap::goes_on_at;
use super::prompt::Unit;
use super::sentence::sentence;

/// None where they are the same.
pub(crate) fn difference(previous: &[Unit<'_>], next: &[Unit<'_>], part: Part) -> Option<Finding> {
    let pairs = previous.iter().zip(next);
    let at = pairs.take_while(|(a, b)| a.same(b)).count();
    let rest = Rest {
        at,
        previous: previous.get(at..).unwrap_or_default(),
        next: next.get(at..).unwrap_or_default(),
        part,
    };
    match (rest.previous.first(), rest.next.first()) {
        (None, None) => None,
        (None, Some(first)) => Some(rest.added(first)),
        (Some(gone), None) => Some(rest.taken_back(gone)),
        (Some(a), Some(b)) => Some(rest.between(a, b)),
    }
}

/// What follows the messages that are the same.
struct Rest<'a, 'b> {
    at: usize,
    previous: &'a [Unit<'b>],
    next: &'a [Unit<'b>],
    part: Part,
}

impl Rest<'_, '_> {
    fn between(&self, a: &Unit<'_>, b: &Unit<'_>) -> Finding {
        if self.reordered() {
            return self.moved(a, b);
        }
        if reasoning_left_out(self.previous, b) {
            return self
                .reasoning(Cause::ReasoningRemoved, a)
                .with(Some(shown_message(a)), None);
        }
        if reasoning_left_out(self.next, a) {
            return self
                .reasoning(Cause::ReasoningAdded, b)
                .with(None, Some(shown_message(b)));
        }
        if let Some(count) = goes_on_at(self.previous, self.next) {
            return self.removed(count, a);
        }
        if let Some(count) = goes_on_at(self.next, self.previous) {
            return self.inserted(count, b);
        }
        if alike(a, b) || self.goes_on_after_one() {
            return change(a, b, self.part);
        }
        match self.replaced() {
            Some((gone, new)) if gone == new => change(a, b, self.part),
            Some((gone, new)) => self.stands_in(gone, new, a, b),
            None => self.left(a, b),
        }
    }

    /// Both begin with the same messages in another order.
    fn reordered(&self) -> bool {
        let mut balance: HashMap<u64, i64> = HashMap::new();
        let mut open = 0_i64;
        for (a, b) in self.previous.iter().zip(self.next) {
            for (unit, step) in [(a, 1), (b, -1)] {
                let count = balance.entry(unit.hash()).or_default();
                open -= count.abs();
                *count += step;
                open += count.abs();
            }
            if open == 0 {
                return true;
            }
        }
        false
    }

    fn goes_on_after_one(&self) -> bool {
        let after = |units| tail(units, 1);
        continues(after(self.previous), after(self.next))
    }

    /// How many messages were replaced by how many, where the rest of both goes on alike.
    fn replaced(&self) -> Option<(usize, usize)> {
        // Only where one goes on with a message of the other is it worth looking how far.
        let known: HashSet<u64> = tail(self.previous, 1).iter().map(Unit::hash).collect();
        (1..self.next.len()).find_map(|new| {
            let first = self.next.get(new)?;
            if !known.contains(&first.hash()) {
                return None;
            }
            let gone = goes_on_at(self.previous, tail(self.next, new))?;
            Some((gone, new))
        })
    }

    /// Nothing goes on.
    fn left(&self, a: &Unit<'_>, b: &Unit<'_>) -> Finding {
        if let Some(count) = self.previous.iter().position(|unit| unit.same(b)) {
            return self.removed(count, a);
        }
        if let Some(count) = self.next.iter().position(|unit| unit.same(a)) {
            return self.inserted(count, b);
        }
        let summary = mentions_summary(b) && self.next.len() < self.previous.len();
        let start = self.at == 0 && self.previous.len() > 2;
        if self.part == Part::System {
            change(a, b, self.part)
        } else if summary || (self.at > 0 && a.role() != b.role() && self.shorter()) {
            let gone = counted(self.previous.len(), "message");
            self.compacted(format!("another text stands in place of {gone}"), a, b)
        } else if start {
            self.finding(Cause::OtherConversation, None)
                .at(self.part, b, "")
                .between(a, b)
        } else {
            self.finding(Cause::Rewind, None)
                .at(self.part, b, "")
                .between(a, b)
        }
    }

    fn shorter(&self) -> bool {
        let chars = |units: &[Unit<'_>]| units.iter().map(Unit::chars).sum::<u64>();
        self.next.len() < self.previous.len() && chars(self.next) < chars(self.previous)
    }

    fn finding(&self, cause: Cause, what: Option<String>) -> Finding {
        Finding::new(cause, what.unwrap_or_else(|| sentence(cause).to_owned()))
    }

    fn added(&self, first: &Unit<'_>) -> Finding {
        let (cause, what) = match self.part {
            Part::System if self.at == 0 => (Cause::SystemAdded, None),
            Part::System => (
                Cause::MessageInserted,
                Some("the system prompt was added to".into()),
            ),
            _ => (
                Cause::Append,
                Some(format!("{} appended", counted(self.next.len(), "message"))),
            ),
        };
        self.finding(cause, what)
            .at(self.part, first, "")
            .with(None, Some(shown_message(first)))
    }

    fn taken_back(&self, gone: &Unit<'_>) -> Finding {
        let count = counted(self.previous.len(), "message");
        let (cause, what) = match self.part {
            Part::System if self.at == 0 => (Cause::SystemRemoved, None),
            Part::System => (
                Cause::MessageRemoved,
                Some("the system prompt lost its end".into()),
            ),
            _ => (Cause::Rewind, Some(format!("{count} taken back"))),
        };
        self.finding(cause, what)
            .at(self.part, gone, "")
            .with(Some(shown_message(gone)), None)
    }

    fn removed(&self, count: usize, gone: &Unit<'_>) -> Finding {
        let oldest = self.at == 0 || (self.at == 1 && count > 1);
        let cause = if oldest && self.part == Part::Message {
            Cause::SlidingWindow
        } else {
            Cause::MessageRemoved
        };
        let which = if oldest { ", the oldest," } else { "" };
        let verb = if count == 1 { "is" } else { "are" };
        let what = format!("{}{which} {verb} gone", counted(count, "message"));
        self.finding(cause, Some(what))
            .at(self.part, gone, "")
            .with(Some(shown_message(gone)), None)
    }

    fn inserted(&self, count: usize, new: &Unit<'_>) -> Finding {
        let what = format!(
            "{} inserted before others that were there",
            counted(count, "message")
        );
        self.finding(Cause::MessageInserted, Some(what))
            .at(self.part, new, "")
            .with(None, Some(shown_message(new)))
    }

    fn moved(&self, a: &Unit<'_>, b: &Unit<'_>) -> Finding {
        self.finding(Cause::MessageOrder, None)
            .at(self.part, b, "")
            .between(a, b)
    }

    fn reasoning(&self, cause: Cause, item: &Unit<'_>) -> Finding {
        self.finding(cause, None).at(self.part, item, "")
    }

    /// Messages in place of others, after which both go on alike.
    fn stands_in(&self, gone: usize, new: usize, a: &Unit<'_>, b: &Unit<'_>) -> Finding {
        let verb = if new == 1 { "stands" } else { "stand" };
        let what = format!("{} {verb} in place of {gone}", counted(new, "message"));
        if gone > new {
            return self.compacted(what, a, b);
        }
        self.finding(Cause::MessageInserted, Some(what))
            .at(self.part, b, "")
            .between(a, b)
    }

    fn compacted(&self, what: String, a: &Unit<'_>, b: &Unit<'_>) -> Finding {
        self.finding(Cause::Compaction, Some(what))
            .at(self.part, b, "")
            .between(a, b)
    }
}

impl Finding {
    fn between(self, a: &Unit<'_>, b: &Unit<'_>) -> Self {
        self.with(Some(shown_message(a)), Some(shown_message(b)))
    }
}

/// Whether messages begin with reasoning of its own, and what follows it is `other`, perhaps changed.
fn reasoning_left_out(units: &[Unit<'_>], other: &Unit<'_>) -> bool {
    let reasoning = |unit: &&Unit<'_>| unit.value["type"] == "reasoning";
    let after = units.iter().skip_while(reasoning);
    units.first().is_some_and(|first| reasoning(&first))
        && !reasoning(&other)
        && after.take(1).any(|unit| alike(unit, other))
}

/// Whether one goes on as the other does, to the end of one of them, and for one message at least.
fn continues(a: &[Unit<'_>], b: &[Unit<'_>]) -> bool {
    !a.is_empty() && !b.is_empty() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

fn tail<'a, 'b>(units: &'a [Unit<'b>], from: usize) -> &'a [Unit<'b>] {
    units.get(from..).unwrap_or_default()
}
