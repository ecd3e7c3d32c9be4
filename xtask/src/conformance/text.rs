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

/// Two texts line by line, what is equal left out save for a line around each difference.
pub fn difference(expected: &str, found: &str) -> String {
    TextDiff::from_lines(expected, found)
        .unified_diff()
        .context_radius(1)
        .header("expected", "found")
        .to_string()
}
