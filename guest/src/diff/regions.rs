//! Which lines changed: regions between lines that stand once on both sides, each compared alone.

use std::ops::Range;

use super::Change;
use super::anchors::{Counts, numbered};
use super::shortest::way;

/// How often each line may be looked at in search of lines that stand once. What is left then is
/// compared as it is.
const LOOKS: usize = 64;
/// The longest sequence of lines that is looked for where single lines stand more than once.
const LONGEST_SEQUENCE: usize = 32;

/// The changed lines, ascending and apart from each other.
pub fn changes(before: &[&str], after: &[&str]) -> Vec<Change> {
    let whole = Change {
        before: 0..before.len(),
        after: 0..after.len(),
    };
    let middle = trimmed(before, after, whole);
    let lines = [
        before.get(middle.before.clone()).unwrap_or_default(),
        after.get(middle.after.clone()).unwrap_or_default(),
    ];
    let mut search = Search::of(lines);
    search.run();
    for change in &mut search.found {
        *change = moved(change, &middle);
    }
    search.found
}

/// A region without the lines that it begins and ends with on both sides.
pub fn trimmed<Line: PartialEq>(before: &[Line], after: &[Line], region: Change) -> Change {
    let one = before.get(region.before.clone()).unwrap_or_default();
    let other = after.get(region.after.clone()).unwrap_or_default();
    let alike = |(one, other): &(&Line, &Line)| one == other;
    let head = one.iter().zip(other).take_while(alike).count();
    let (one, other) = (one.get(head..), other.get(head..));
    let pairs = one
        .into_iter()
        .flatten()
        .rev()
        .zip(other.into_iter().flatten().rev());
    let tail = pairs.take_while(alike).count();
    Change {
        before: region.before.start + head..region.before.end - tail,
        after: region.after.start + head..region.after.end - tail,
    }
}

/// `change`, which counts from where `region` begins.
fn moved(change: &Change, region: &Change) -> Change {
    let by = |range: &Range<usize>, start| range.start + start..range.end + start;
    Change {
        before: by(&change.before, region.before.start),
        after: by(&change.after, region.after.start),
    }
}

struct Search {
    /// The lines as numbers.
    before: Vec<u32>,
    after: Vec<u32>,
    counts: Counts,
    /// Regions that wait, the next one last.
    waiting: Vec<Change>,
    found: Vec<Change>,
    /// How many lines may still be looked at for anchors.
    looks: usize,
}

impl Search {
    fn of([before, after]: [&[&str]; 2]) -> Self {
        let mut numbers = numbered(&[before, after].concat());
        let whole = Change {
            before: 0..before.len(),
            after: 0..after.len(),
        };
        let after = numbers.split_off(before.len());
        Self {
            counts: Counts::below(numbers.len() + after.len()),
            looks: (numbers.len() + after.len()).saturating_mul(LOOKS),
            before: numbers,
            after,
            waiting: vec![whole],
            found: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some(region) = self.waiting.pop() {
            let region = trimmed(&self.before, &self.after, region);
            if region.before.is_empty() || region.after.is_empty() {
                self.add(region);
            } else {
                self.compare(region);
            }
        }
    }

    fn add(&mut self, change: Change) {
        if change.before.is_empty() && change.after.is_empty() {
            return;
        }
        match self.found.last_mut() {
            Some(last)
                if last.before.end == change.before.start
                    && last.after.end == change.after.start =>
            {
                last.before.end = change.before.end;
                last.after.end = change.after.end;
            }
            _ => self.found.push(change),
        }
    }

    /// Splits a region at lines that stand once, else at the lines that the shortest way keeps; where
    /// that is too long to be found, at sequences of lines that stand once.
    fn compare(&mut self, region: Change) {
        let before = self.before.get(region.before.clone()).unwrap_or_default();
        let after = self.after.get(region.after.clone()).unwrap_or_default();
        self.counts.count(before, after);
        let once = match self.looks.checked_sub(before.len() + after.len()) {
            Some(left) => {
                self.looks = left;
                self.counts.once(after)
            }
            None => Vec::new(),
        };
        let common = match once.is_empty() {
            true => self.counts.common(before, after),
            false => Default::default(),
        };
        self.counts.forget(before, after);
        if !once.is_empty() {
            return self.wait(&region, &once);
        }
        let numbers = |side: &[u32], places: &[usize]| -> Vec<u32> {
            let numbers = places.iter().map(|at| side.get(*at).copied());
            numbers.flatten().collect()
        };
        let way = way(&numbers(before, &common[0]), &numbers(after, &common[1]));
        if !way.shortest {
            let sequences = self.sequences(&region);
            if !sequences.is_empty() {
                return self.wait(&region, &sequences);
            }
        }
        let place = |side: &[usize], at: usize| side.get(at).copied().unwrap_or_default();
        let kept: Vec<_> = way
            .kept
            .iter()
            .map(|(one, other)| (place(&common[0], *one), place(&common[1], *other)))
            .collect();
        for gap in gaps(&region, &kept) {
            let gap = trimmed(&self.before, &self.after, gap);
            self.add(gap);
        }
    }

    fn wait(&mut self, region: &Change, anchors: &[(usize, usize)]) {
        let first = self.waiting.len();
        self.waiting.extend(gaps(region, anchors));
        if let Some(added) = self.waiting.get_mut(first..) {
            added.reverse();
        }
    }

    /// The begins of the shortest sequences that stand once on both sides.
    fn sequences(&mut self, region: &Change) -> Vec<(usize, usize)> {
        let mut before = self
            .before
            .get(region.before.clone())
            .unwrap_or_default()
            .to_vec();
        let mut after = self
            .after
            .get(region.after.clone())
            .unwrap_or_default()
            .to_vec();
        let mut length = 1;
        while length < LONGEST_SEQUENCE && length < before.len().min(after.len()) {
            let Some(left) = self.looks.checked_sub(before.len() + after.len()) else {
                break;
            };
            self.looks = left;
            let mut both = doubled(&before, length);
            both.append(&mut doubled(&after, length));
            let mut numbers = numbered(&both);
            after = numbers.split_off(before.len() - length);
            before = numbers;
            length *= 2;
            self.counts.count(&before, &after);
            let once = self.counts.once(&after);
            self.counts.forget(&before, &after);
            if !once.is_empty() {
                return once;
            }
        }
        Vec::new()
    }
}

/// The sequences of twice the length: each with the one that begins where it ends.
fn doubled(numbers: &[u32], length: usize) -> Vec<(u32, u32)> {
    let seconds = numbers.get(length..).unwrap_or_default();
    numbers
        .iter()
        .copied()
        .zip(seconds.iter().copied())
        .collect()
}

/// What lies between the kept lines, given from the region's begin.
fn gaps(region: &Change, kept: &[(usize, usize)]) -> Vec<Change> {
    let (mut before, mut after) = (region.before.start, region.after.start);
    let mut gaps = Vec::with_capacity(kept.len() + 1);
    for (one, other) in kept {
        let (one, other) = (region.before.start + one, region.after.start + other);
        gaps.push(Change {
            before: before..one,
            after: after..other,
        });
        (before, after) = (one + 1, other + 1);
    }
    gaps.push(Change {
        before: before..region.before.end,
        after: after..region.after.end,
    });
    gaps
}
