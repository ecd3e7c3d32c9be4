//! Lines and characters (docs/rulings.md, "Characters", "Lines").
//!
//! A line is everything between two `\n`; a last line without `\n` counts; an empty text has none.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memrchr_iter};

/// How many lines a text has.
pub fn count(text: &str) -> usize {
    let newlines = memchr_iter(b'\n', text.as_bytes()).count();
    newlines + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// How many characters a text has.
pub fn characters(text: &str) -> usize {
    text.chars().count()
}

/// The text without the newline that ends its last line: what is left splits at `\n` into its lines.
pub fn without_last_newline(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// Lines `first` to `last` (from 1, inclusive) without the last one's newline. Lines that the text
/// does not have are left out.
pub fn range(text: &str, first: usize, last: usize) -> &str {
    let body = without_last_newline(text);
    let start = line_start(body, first);
    let rest = body.get(start..).unwrap_or_default();
    let wanted = (last + 1).saturating_sub(first);
    let end = memchr_iter(b'\n', rest.as_bytes()).nth(wanted.saturating_sub(1));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// The byte at which line `line` (from 1) begins; the text's end if it has fewer lines.
fn line_start(text: &str, line: usize) -> usize {
    match line.checked_sub(2) {
        None => 0,
        Some(newline) => memchr_iter(b'\n', text.as_bytes())
            .nth(newline)
            .map_or(text.len(), |at| at + 1),
    }
}

/// The lines of `body` from the last one backwards. `body` has no newline at its end.
pub fn backwards(body: &str) -> impl Iterator<Item = &str> {
    let mut end = Some(body.len());
    let mut newlines = memrchr_iter(b'\n', body.as_bytes());
    std::iter::from_fn(move || {
        let stop = end?;
        let newline = newlines.next();
        end = newline;
        body.get(newline.map_or(0, |at| at + 1)..stop)
    })
}

/// The first line, and what follows its newline.
pub fn split_first(body: &str) -> (&str, &str) {
    match memchr(b'\n', body.as_bytes()) {
        None => (body, ""),
        Some(at) => (
            body.get(..at).unwrap_or_default(),
            body.get(at + 1..).unwrap_or_default(),
        ),
    }
}

/// The first `characters` characters of a text.
pub fn first_characters(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map(|(at, _)| at);
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// A text as it is shown: NUL, which some providers refuse, as `nul`.
pub fn shown<'a>(text: &'a str, nul: &str) -> Cow<'a, str> {
    if memchr(0, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\0', nul))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_the_ruling_says() {
        let counts = ["", "\n", "a", "a\n", "a\nb", "a\r\nb\n", "\n\n"].map(count);
        assert_eq!(counts, [0, 1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn cuts_a_range_without_its_last_newline() {
        assert_eq!(range("a\nb\nc\n", 2, 3), "b\nc");
        assert_eq!(range("a\nb\nc", 1, 1), "a");
        assert_eq!(range("a\nb", 2, 9), "b");
        assert_eq!(range("\n", 1, 1), "");
    }

    #[test]
    fn walks_backwards() {
        let lines: Vec<&str> = backwards("a\n\nc").collect();
        assert_eq!(lines, ["c", "", "a"]);
    }

    #[test]
    fn never_splits_a_character() {
        assert_eq!(first_characters("中文字", 2), "中文");
        assert_eq!(first_characters("中", 5), "中");
    }
}
