//! The window of a read and of a recall (§3): so many lines from an offset, or characters of one line.

/// The lines that a call asks for, as it gave them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineWindow {
    /// The first line, from 1; 0 and none read as 1.
    pub offset: Option<u32>,
    /// How many lines; 0 and none read as the window's size.
    pub limit: Option<u32>,
}

/// The characters of one line that a recall asks for, as it gave them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CharWindow {
    /// The first character, from 1; 0 and none read as 1.
    pub offset: Option<u32>,
    /// How many characters; 0 and none read as all.
    pub limit: Option<u32>,
}

impl CharWindow {
    /// Whether it asks for less than whole lines.
    pub fn is_given(self) -> bool {
        self.offset.is_some_and(|offset| offset > 1) || self.limit.is_some_and(|limit| limit > 0)
    }

    /// The first and the last character asked for, of a line with `total`; none past its end.
    pub fn of(self, total: u32) -> Option<(u32, u32)> {
        let first = self.first();
        let limit = self.limit.filter(|limit| *limit > 0).unwrap_or(u32::MAX);
        let last = first.saturating_add(limit - 1).min(total);
        (first <= total).then_some((first, last))
    }

    /// The first character asked for.
    pub fn first(self) -> u32 {
        self.offset.unwrap_or(1).max(1)
    }
}

/// Lines of a text, from 1, both ends included. Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line, `first` or later.
    pub last: u32,
}

impl LineRange {
    /// Whether every line of `other` is one of these.
    pub fn holds(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }
}

/// What a window shows of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The text has no lines.
    Empty,
    /// The offset lies past the last line.
    PastEnd {
        /// The line asked for.
        offset: u32,
    },
    /// These lines.
    Lines(LineRange),
}

impl LineWindow {
    /// The lines shown of a text with `total` lines, `size` at most.
    pub fn of(self, total: u32, size: u32) -> Shown {
        let first = self.offset.unwrap_or(1).max(1);
        if first > total {
            return match first {
                1 => Shown::Empty,
                _ => Shown::PastEnd { offset: first },
            };
        }
        let limit = match self.limit {
            None | Some(0) => size,
            Some(limit) => limit.min(size),
        };
        let last = first.saturating_add(limit - 1).min(total);
        Shown::Lines(LineRange { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(offset: Option<u32>, limit: Option<u32>, total: u32) -> Shown {
        LineWindow { offset, limit }.of(total, 2000)
    }

    #[test]
    fn is_held_to_its_size_and_to_the_text() {
        let lines = |first, last| Shown::Lines(LineRange { first, last });
        assert_eq!(window(None, None, 340), lines(1, 340));
        assert_eq!(window(None, None, 3400), lines(1, 2000));
        assert_eq!(window(Some(0), Some(0), 5), lines(1, 5));
        assert_eq!(window(Some(3), Some(5000), 9000), lines(3, 2002));
        assert_eq!(
            window(Some(u32::MAX), Some(9), u32::MAX),
            lines(u32::MAX, u32::MAX)
        );
    }

    #[test]
    fn past_the_end_is_told_from_empty() {
        assert_eq!(window(None, None, 0), Shown::Empty);
        assert_eq!(window(Some(2), None, 0), Shown::PastEnd { offset: 2 });
        assert_eq!(window(Some(6), None, 5), Shown::PastEnd { offset: 6 });
    }
}
