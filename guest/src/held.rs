//! A read and a recall are held to a number of characters (docs/rulings.md, "The bound of reads and recalls").

use crate::cap::Fits;
use crate::lines;

/// As much of some lines as fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// So many whole lines from the first on.
    Lines {
        /// How many; at least one.
        lines: u32,
        /// The byte at which the last one ends.
        until: usize,
    },
    /// The beginning of the first line, which is longer than what fits.
    Cut {
        /// The byte at which it is cut.
        until: usize,
        /// The line's characters.
        characters: usize,
    },
}

/// Holds lines, with the newlines between them, to `most` characters. None where all fit, or `most` is 0.
pub fn hold(text: &str, most: u32) -> Option<Held> {
    let limit = most as usize;
    // No text has more characters than bytes, so most texts are not counted.
    if limit == 0 || text.len() <= limit || lines::characters(text) <= limit {
        return None;
    }
    let mut fits = Fits::new(most);
    let (mut lines, mut until) = (0, 0);
    for line in text.split('\n') {
        if !fits.take(line) {
            break;
        }
        until += line.len() + usize::from(lines > 0);
        lines += 1;
    }
    if lines > 0 {
        return Some(Held::Lines { lines, until });
    }
    let (line, _) = lines::split_first(text);
    Some(Held::Cut {
        until: lines::first_characters(line, limit).len(),
        characters: lines::characters(line),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_whole_lines_or_cuts_the_first() {
        assert_eq!(hold("ab\ncd", 5), None);
        assert_eq!(hold("ab\ncd", 0), None);
        assert_eq!(hold("ab\ncd", 4), Some(Held::Lines { lines: 1, until: 2 }));
        assert_eq!(hold("\nabc", 2), Some(Held::Lines { lines: 1, until: 0 }));
        let cut = |until, characters| Some(Held::Cut { until, characters });
        assert_eq!(hold("中文字\nx", 2), cut(6, 3));
        assert_eq!(hold("ab\ncd", 1), cut(1, 2));
    }
}
