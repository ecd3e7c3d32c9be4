//! The unified diff of a change (§5): hunks only, the path stands in the bracket.
//!
//! `imara-diff` finds the changed lines. Its histogram algorithm stays fast on a file that was
//! rewritten as a whole, where the plain algorithm needs time that grows with the product of the
//! two sizes; there is no clock here to stop that one.

use std::fmt::Write;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// The changed lines between two texts.
pub struct LineDiff<'a> {
    input: InternedInput<&'a str>,
    changes: Vec<Change>,
}

/// Lines `before` gave way to lines `after`, both from 0.
struct Change {
    before: Range<usize>,
    after: Range<usize>,
}

impl<'a> LineDiff<'a> {
    /// Compares two texts line by line; a line's `\r` and a missing last newline count.
    pub fn between(before: &'a str, after: &'a str) -> Self {
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let range = |lines: Range<u32>| lines.start as usize..lines.end as usize;
        let changes = diff
            .hunks()
            .map(|hunk| Change {
                before: range(hunk.before),
                after: range(hunk.after),
            })
            .collect();
        Self { input, changes }
    }

    /// How many lines came and how many went.
    pub fn added_and_removed(&self) -> (usize, usize) {
        self.changes
            .iter()
            .fold((0, 0), |(added, removed), change| {
                (added + change.after.len(), removed + change.before.len())
            })
    }

    /// The hunks with `context` lines around each change, without a newline at the end.
    /// `no_newline` marks a last line that has none.
    pub fn unified(&self, context: usize, no_newline: &str) -> String {
        let mut text = String::new();
        let lines_before = self.input.before.len();
        for group in self
            .changes
            .chunk_by(|one, next| next.before.start - one.before.end <= 2 * context)
        {
            if let Some(hunk) = Hunk::around(group, context, lines_before) {
                self.write_hunk(&mut text, &hunk, no_newline);
            }
        }
        text.pop();
        text
    }

    fn write_hunk(&self, text: &mut String, hunk: &Hunk<'_>, no_newline: &str) {
        let (before, after) = (line_range(&hunk.before), line_range(&hunk.after));
        let _ = writeln!(text, "@@ -{before} +{after} @@");
        let mut at = hunk.before.start;
        for change in hunk.changes {
            self.write_lines(text, ' ', true, at..change.before.start, no_newline);
            self.write_lines(text, '-', true, change.before.clone(), no_newline);
            self.write_lines(text, '+', false, change.after.clone(), no_newline);
            at = change.before.end;
        }
        self.write_lines(text, ' ', true, at..hunk.before.end, no_newline);
    }

    fn write_lines(
        &self,
        text: &mut String,
        mark: char,
        before: bool,
        lines: Range<usize>,
        no_newline: &str,
    ) {
        let tokens = if before {
            &self.input.before
        } else {
            &self.input.after
        };
        for token in tokens.get(lines).unwrap_or_default() {
            let line = self.input.interner[*token];
            text.push(mark);
            text.push_str(line);
            if !line.ends_with('\n') {
                let _ = writeln!(text, "\n{no_newline}");
            }
        }
    }
}

/// Changes that stand so near that their context meets, and the lines that they span with it.
struct Hunk<'a> {
    changes: &'a [Change],
    before: Range<usize>,
    after: Range<usize>,
}

impl<'a> Hunk<'a> {
    fn around(changes: &'a [Change], context: usize, lines_before: usize) -> Option<Self> {
        let (first, last) = (changes.first()?, changes.last()?);
        let ahead = context.min(first.before.start);
        let behind = context.min(lines_before.saturating_sub(last.before.end));
        Some(Self {
            changes,
            before: first.before.start - ahead..last.before.end + behind,
            after: first.after.start.saturating_sub(ahead)..last.after.end + behind,
        })
    }
}

/// A hunk's range as `diff -u` writes it: an empty one names the line before it, one line has no
/// length.
fn line_range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        length => format!("{},{length}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unified(before: &str, after: &str) -> String {
        LineDiff::between(before, after).unified(3, "\\ No newline at end of file")
    }

    #[test]
    fn shows_three_lines_of_context() {
        let before: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let after = before.replace("10\n", "ten\n");
        assert_eq!(
            unified(&before, &after),
            "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13"
        );
    }

    #[test]
    fn marks_a_last_line_without_newline() {
        assert_eq!(
            unified("a\nb", "a\nb\n"),
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b"
        );
    }

    #[test]
    fn writes_empty_and_single_ranges_as_diff_does() {
        assert_eq!(unified("", "a\n"), "@@ -0,0 +1 @@\n+a");
        assert_eq!(unified("a\nb\n", ""), "@@ -1,2 +0,0 @@\n-a\n-b");
    }

    #[test]
    fn a_carriage_return_is_part_of_its_line() {
        assert_eq!(
            unified("a\r\nb\n", "a\nb\n"),
            "@@ -1,2 +1,2 @@\n-a\r\n+a\n b"
        );
    }
}
