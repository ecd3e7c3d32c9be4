//! Where a change stands that could stand in several places: as far down as it goes, joined with
//! what it meets on the way (as `git` and `diff` place it).

use super::Change;
use super::regions::trimmed;

/// `changes`, each moved to where a reader expects it.
pub fn settled(before: &[&str], after: &[&str], changes: Vec<Change>) -> Vec<Change> {
    let mut waiting: Vec<Change> = changes.into_iter().rev().collect();
    let mut settled: Vec<Change> = Vec::new();
    while let Some(mut change) = waiting.pop() {
        move_up(before, after, &mut change, settled.last());
        if let Some(last) = settled.pop_if(|last| touch(last, &change)) {
            change = joined(before, after, &last, &change);
        }
        move_down(before, after, &mut change, waiting.last());
        // Only down from here: a change that went back up would pass the same lines each time.
        while let Some(next) = waiting.pop_if(|next| touch(&change, next)) {
            change = joined(before, after, &change, &next);
            move_down(before, after, &mut change, waiting.last());
        }
        if !change.before.is_empty() || !change.after.is_empty() {
            settled.push(change);
        }
    }
    settled
}

fn touch(one: &Change, next: &Change) -> bool {
    one.before.end == next.before.start && one.after.end == next.after.start
}

/// Both as one, without what it begins and ends with on both sides.
fn joined(before: &[&str], after: &[&str], one: &Change, next: &Change) -> Change {
    let both = Change {
        before: one.before.start..next.before.end,
        after: one.after.start..next.after.end,
    };
    trimmed(before, after, both)
}

/// The lines of a change that only adds or only removes some, and where they lie in them.
fn lines_of<'a, 'b>(
    before: &'a [&'b str],
    after: &'a [&'b str],
    change: &Change,
) -> Option<(&'a [&'b str], usize, usize)> {
    match (change.before.is_empty(), change.after.is_empty()) {
        (true, false) => Some((after, change.after.start, change.after.end)),
        (false, true) => Some((before, change.before.start, change.before.end)),
        _ => None,
    }
}

fn move_up(before: &[&str], after: &[&str], change: &mut Change, last: Option<&Change>) {
    while let Some((lines, start, end)) = lines_of(before, after, change) {
        let room = change.before.start > 0
            && change.after.start > 0
            && last.is_none_or(|last| !touch(last, change));
        if !room || lines.get(start - 1) != lines.get(end - 1) {
            return;
        }
        change.before = change.before.start - 1..change.before.end - 1;
        change.after = change.after.start - 1..change.after.end - 1;
    }
}

fn move_down(before: &[&str], after: &[&str], change: &mut Change, next: Option<&Change>) {
    while let Some((lines, start, end)) = lines_of(before, after, change) {
        let room = change.before.end < before.len()
            && change.after.end < after.len()
            && next.is_none_or(|next| !touch(change, next));
        if !room || lines.get(start) != lines.get(end) {
            return;
        }
        change.before = change.before.start + 1..change.before.end + 1;
        change.after = change.after.start + 1..change.after.end + 1;
    }
}
