//! Lines, or sequences of lines, that stand once on both sides of a region.

use std::ops::Range;

/// Numbers for `keys`, equal ones for equal keys. Sorted and not hashed: no text can make it slow.
pub fn numbered<Key: Ord + Copy>(keys: &[Key]) -> Vec<u32> {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let number = |key| sorted.binary_search(key).unwrap_or_default() as u32;
    keys.iter().map(number).collect()
}

/// How often each number stands on either side of a region, and where it stood last.
#[derive(Default)]
pub struct Counts {
    before: Vec<Seen>,
    after: Vec<Seen>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    times: u32,
    last: usize,
}

impl Counts {
    /// Room for the numbers below `distinct`.
    pub fn below(distinct: usize) -> Self {
        Self {
            before: vec![Seen::default(); distinct],
            after: vec![Seen::default(); distinct],
        }
    }

    pub fn count(&mut self, before: &[u32], after: &[u32]) {
        note(&mut self.before, before);
        note(&mut self.after, after);
    }

    /// Makes the counts nothing again, in time of the region and not of the file.
    pub fn forget(&mut self, before: &[u32], after: &[u32]) {
        clear(&mut self.before, before);
        clear(&mut self.after, after);
    }

    /// The longest sequence of pairs of places, ascending on both sides, whose numbers stand once on
    /// both sides. From each side's begin.
    pub fn once(&self, after: &[u32]) -> Vec<(usize, usize)> {
        let places = after.iter().enumerate();
        let pairs = places.filter_map(|(at, number)| {
            let before = seen(&self.before, *number);
            let alone = before.times == 1 && seen(&self.after, *number).times == 1;
            alone.then_some((before.last, at))
        });
        ascending(&pairs.collect::<Vec<_>>())
    }

    /// The places on both sides whose numbers the other side has too.
    pub fn common(&self, before: &[u32], after: &[u32]) -> [Vec<usize>; 2] {
        [
            places_in(before, &self.after),
            places_in(after, &self.before),
        ]
    }
}

fn note(side: &mut [Seen], numbers: &[u32]) {
    for (at, number) in numbers.iter().enumerate() {
        if let Some(seen) = side.get_mut(*number as usize) {
            seen.times += 1;
            seen.last = at;
        }
    }
}

fn clear(side: &mut [Seen], numbers: &[u32]) {
    for number in numbers {
        if let Some(seen) = side.get_mut(*number as usize) {
            *seen = Seen::default();
        }
    }
}

fn seen(side: &[Seen], number: u32) -> Seen {
    side.get(number as usize).copied().unwrap_or_default()
}

fn places_in(numbers: &[u32], other: &[Seen]) -> Vec<usize> {
    let places: Range<usize> = 0..numbers.len();
    places
        .zip(numbers)
        .filter(|(_, number)| seen(other, **number).times > 0)
        .map(|(at, _)| at)
        .collect()
}

/// The longest ascending sequence of `pairs`, which ascend by their second place.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair at which the best sequence of each length ends, and the one before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = Vec::with_capacity(pairs.len());
    for (at, (place, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs.get(*end).is_some_and(|end| end.0 < *place));
        previous.push(
            length
                .checked_sub(1)
                .and_then(|last| ends.get(last).copied()),
        );
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let last = ends.last().copied();
    let mut sequence: Vec<_> =
        std::iter::successors(last, |at| previous.get(*at).copied().flatten())
            .filter_map(|at| pairs.get(at).copied())
            .collect();
    sequence.reverse();
    sequence
}
