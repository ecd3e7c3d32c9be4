//! Texts of case files, and how two texts differ.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use similar::TextDiff;

/// A text: a string, or pieces that are joined.
pub fn expand(text: &Value) -> Result<String> {
    match text {
        Value::String(text) => Ok(text.clone()),
        Value::Array(pieces) => pieces.iter().map(expand_piece).collect(),
        other => bail!("is no text: {other}"),
    }
}

fn expand_piece(piece: &Value) -> Result<String> {
    let number = |name: &str| {
        piece
            .get(name)
            .and_then(Value::as_u64)
            .with_context(|| format!("no `{name}`"))
    };
    let word = |name: &str| piece.get(name).and_then(Value::as_str);
    if let Some(text) = piece.as_str() {
        return Ok(text.to_owned());
    }
    if let Some(text) = word("repeat") {
        return Ok(text.repeat(usize::try_from(number("times")?)?));
    }
    let text = word("count").with_context(|| format!("is no piece of a text: {piece}"))?;
    let numbers = number("from")?..=number("to")?;
    Ok(numbers
        .map(|number| text.replace("{n}", &number.to_string()))
        .collect())
}

/// Lines longer than this are not shown whole: a request's body is one line.
const LONGEST_LINE: usize = 400;

/// Characters shown before and after the place where long lines differ.
const AROUND: (usize, usize) = (60, 120);

/// Two texts line by line, what is equal left out save for a line around each difference; of
/// long lines, the place of the first difference.
pub fn difference(expected: &str, found: &str) -> String {
    let is_long = |text: &str| text.lines().any(|line| line.len() > LONGEST_LINE);
    if is_long(expected) || is_long(found) {
        return place(expected, found);
    }
    TextDiff::from_lines(expected, found)
        .unified_diff()
        .context_radius(1)
        .header("expected", "found")
        .to_string()
}

/// A text as it is, or its beginning and its length.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LINE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", slice(text, 0, end), text.len()),
    }
}

/// Where two texts first differ, with what stands around it.
fn place(expected: &str, found: &str) -> String {
    let at = expected
        .char_indices()
        .zip(found.chars())
        .find_map(|((at, one), other)| (one != other).then_some(at))
        .unwrap_or_else(|| expected.len().min(found.len()));
    let (from, before) = match slice(expected, 0, at).char_indices().rev().nth(AROUND.0) {
        Some((from, _)) => (from, "…"),
        None => (0, ""),
    };
    let show = |text: &str| {
        let rest = slice(text, from, text.len());
        let end = rest.char_indices().nth(AROUND.0 + AROUND.1);
        let (end, after) = end.map_or((rest.len(), ""), |(end, _)| (end, "…"));
        format!("{before}{}{after}", slice(rest, 0, end).replace('\n', "⏎"))
    };
    format!(
        "at byte {at} of {} and {}\n- {}\n+ {}\n",
        expected.len(),
        found.len(),
        show(expected),
        show(found)
    )
}

/// A part between two character boundaries.
fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{brief, difference};

    #[test]
    fn long_lines_show_the_place_where_they_differ() {
        let line = |middle: &str| format!("{}{middle}{}", "ä".repeat(500), "z".repeat(500));
        let shown = difference(&line("one"), &line("two"));
        assert!(
            shown.starts_with("at byte 1000 of 1503 and 1503\n- …ää"),
            "{shown}"
        );
        assert!(
            shown.contains("äonezz") && shown.contains("ätwozz"),
            "{shown}"
        );
        assert!(shown.chars().count() < 500, "{shown}");
    }

    #[test]
    fn a_long_line_that_ends_too_soon_is_shown() {
        let line = "a".repeat(600);
        let shown = difference(&line, &format!("{line}b"));
        assert!(shown.starts_with("at byte 600 of 600 and 601\n"), "{shown}");
    }

    #[test]
    fn short_lines_are_a_diff() {
        assert!(difference("a\nb\n", "a\nc\n").ends_with(" a\n-b\n+c\n"));
    }

    #[test]
    fn a_brief_text_is_whole_or_says_how_long_it_is() {
        assert_eq!(brief("short"), "short");
        assert!(brief(&"ä".repeat(500)).ends_with("ä… (1000 bytes)"));
    }
}
