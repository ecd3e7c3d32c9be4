//! The unified diff of a change (§5): hunks only, the path stands in the bracket.
//!
//! `similar` finds the changed lines, by the histogram algorithm. What is left to compare waits on
//! the heap, where Myers' algorithm alone recurses until a component's stack is spent, and an
//! expensive search is cut short by its own state and never by a clock: the answer is the same
//! everywhere.

use std::fmt::Write;
use std::ops::Range;

use similar::DiffTag;
use similar::algorithms::{Capture, Compact, Replace, histogram};

/// The changed lines between two texts.
pub struct LineDiff<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
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
        let before: Vec<&str> = before.split_inclusive('\n').collect();
        let after: Vec<&str> = after.split_inclusive('\n').collect();
        // The named algorithm, and not the function that takes one by name: that would carry
        // them all into the component.
        let mut steps = Compact::new(Replace::new(Capture::new()), &*before, &*after);
        let whole = (0..before.len(), 0..after.len());
        let Ok(()) = histogram::diff(&mut steps, &*before, whole.0, &*after, whole.1);
        let steps = steps.into_inner().into_inner().into_ops();
        let changes = steps
            .into_iter()
            .filter(|step| step.tag() != DiffTag::Equal)
            .map(|step| Change {
                before: step.old_range(),
                after: step.new_range(),
            })
            .collect();
        Self {
            before,
            after,
            changes,
        }
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
        let lines_before = self.before.len();
        for group in self
            .changes
            .chunk_by(|one, next| next.before.start - one.before.end <= context.saturating_mul(2))
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
        let mut write = |mark, lines: Option<&[&str]>| {
            write_lines(text, mark, lines.unwrap_or_default(), no_newline);
        };
        for change in hunk.changes {
            write(' ', self.before.get(at..change.before.start));
            write('-', self.before.get(change.before.clone()));
            write('+', self.after.get(change.after.clone()));
            at = change.before.end;
        }
        write(' ', self.before.get(at..hunk.before.end));
    }
}

fn write_lines(text: &mut String, mark: char, lines: &[&str], no_newline: &str) {
    for line in lines {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            let _ = writeln!(text, "\n{no_newline}");
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

    /// Files with few distinct lines are where a diff's time grows with the square of their size.
    #[test]
    fn few_distinct_lines_do_not_run_away() {
        let before = "a\nb\n".repeat(200_000);
        let after = "b\na\n".repeat(200_000) + "c\n";
        assert_eq!(
            LineDiff::between(&before, &after).added_and_removed(),
            (2, 1)
        );
    }

    #[test]
    fn a_carriage_return_is_part_of_its_line() {
        assert_eq!(
            unified("a\r\nb\n", "a\nb\n"),
            "@@ -1,2 +1,2 @@\n-a\r\n+a\n b"
        );
    }
}
