//! The unified diff of a change (§5): hunks only, the path stands in the bracket.
//!
//! Lines that stand once on both sides lead (`regions`); between them the shortest change is looked
//! for (`shortest`) and moved to where a reader expects it (`slide`). Every bound is a number of lines
//! and never a time, nothing recurses: the answer is the same everywhere.

mod anchors;
mod regions;
mod shortest;
mod slide;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::ops::Range;

/// The changed lines between two texts.
pub struct LineDiff<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    changes: Vec<Change>,
}

/// Lines `before` gave way to lines `after`, both from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    before: Range<usize>,
    after: Range<usize>,
}

impl<'a> LineDiff<'a> {
    /// Compares two texts line by line; a line's `\r` and a missing last newline count.
    pub fn between(before: &'a str, after: &'a str) -> Self {
        let before: Vec<&str> = before.split_inclusive('\n').collect();
        let after: Vec<&str> = after.split_inclusive('\n').collect();
        let changes = slide::settled(&before, &after, regions::changes(&before, &after));
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
