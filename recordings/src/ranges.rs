//! Ranges of lines, none inside another.

use std::collections::BTreeMap;

/// First lines and last lines, both rising.
#[derive(Debug, Default)]
pub(crate) struct Ranges(BTreeMap<u32, u32>);

impl Ranges {
    /// Whether one of the ranges holds all these lines.
    pub(crate) fn hold(&self, first: u32, last: u32) -> bool {
        self.0
            .range(..=first)
            .next_back()
            .is_some_and(|(_, end)| last <= *end)
    }

    /// Adds a range, and drops those inside it.
    pub(crate) fn add(&mut self, first: u32, last: u32) {
        if self.hold(first, last) {
            return;
        }
        while let Some((start, _)) = self
            .0
            .range(first..)
            .next()
            .filter(|(_, end)| **end <= last)
        {
            let start = *start;
            self.0.remove(&start);
        }
        self.0.insert(first, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_has_to_hold_all_lines() {
        let mut ranges = Ranges::default();
        for (first, last) in [(10, 20), (15, 30), (12, 18), (1, 5), (2, 40)] {
            ranges.add(first, last);
        }
        assert_eq!(ranges.0.len(), 2);
        assert!(ranges.hold(1, 5) && ranges.hold(10, 40) && ranges.hold(2, 2));
        assert!(!ranges.hold(1, 6) && !ranges.hold(30, 41) && !ranges.hold(0, 0));
    }
}
