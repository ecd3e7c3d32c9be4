//! Two prompts, part by part in reading order.

use super::Cause;
use super::change::block;
use super::dialect::Dialect;
use super::finding::{Finding, Part, counted, shown};
use super::measure::{Chars, measure};
use super::piece::{Kind, Piece};
use super::prompt::{Prompt, Unit};
use super::sentence::sentence;
use super::thinking::InvalidThinking;
use super::{sequence, tools};

/// The first difference, what it costs, and the thinking that it makes invalid.
pub(crate) fn compare(
    previous: (&serde_json::Value, Dialect),
    next: (&serde_json::Value, Dialect),
) -> (Finding, Chars, Option<InvalidThinking>) {
    let (a, b) = (
        Prompt::of(previous.0, previous.1),
        Prompt::of(next.0, next.1),
    );
    let same_api = previous.1 == next.1;
    let within = same_api.then(|| first_difference(&a, &b));
    let thinking = within
        .as_ref()
        .and_then(|found| InvalidThinking::of((&a, next.1), &b, found));
    let finding = match within {
        Some(_) if a.model != b.model => other_model(&a, &b),
        Some(finding) => finding,
        None => other_api(previous.1, next.1),
    };
    let nothing_stands = matches!(finding.cause, Cause::Dialect | Cause::Model);
    let chars = measure(&a.pieces(), &b.pieces(), nothing_stands);
    (finding, chars, thinking)
}

/// Aside from the model's name.
fn first_difference(a: &Prompt<'_>, b: &Prompt<'_>) -> Finding {
    tools::difference(&a.tools, &b.tools)
        .or_else(|| sequence::difference(&a.system, &b.system, Part::System))
        .or_else(|| extended(&a.messages, &b.messages))
        .or_else(|| sequence::difference(&a.messages, &b.messages, Part::Message))
        .unwrap_or_else(|| Finding::new(Cause::None, sentence(Cause::None)))
}

fn other_api(a: Dialect, b: Dialect) -> Finding {
    let mut finding = Finding::new(Cause::Dialect, sentence(Cause::Dialect))
        .with(Some(a.name().to_owned()), Some(b.name().to_owned()));
    finding.part = Some(Part::Model);
    finding
}

fn other_model(a: &Prompt<'_>, b: &Prompt<'_>) -> Finding {
    let name = |prompt: &Prompt<'_>| match prompt.model {
        serde_json::Value::Null => None,
        serde_json::Value::String(name) => Some(name.clone()),
        other => Some(other.to_string()),
    };
    let mut finding = Finding::new(Cause::Model, sentence(Cause::Model)).with(name(a), name(b));
    finding.part = Some(Part::Model);
    finding.path = Some("model".to_owned());
    finding
}

/// An append that begins inside the last message: a block more, or more text.
fn extended(previous: &[Unit<'_>], next: &[Unit<'_>]) -> Option<Finding> {
    let (last, before) = previous.split_last()?;
    let unit = next.get(before.len())?;
    let stands = before.iter().zip(next).all(|(a, b)| a.same(b));
    let goes_on = last.pieces.len().checked_sub(1)?;
    let equal = last
        .pieces
        .iter()
        .zip(&unit.pieces)
        .take_while(|(a, b)| a.same(b))
        .count();
    let longer = equal == goes_on && continued(last.pieces.get(equal)?, unit.pieces.get(equal)?);
    if !stands || !(longer || (equal > goes_on && unit.pieces.len() > equal)) {
        return None;
    }
    let more = next.len() - previous.len();
    let what = if more == 0 {
        "the last message goes on".to_owned()
    } else {
        format!(
            "the last message goes on, and {} appended",
            counted(more, "message")
        )
    };
    let piece = unit.pieces.get(equal)?;
    let path = if longer {
        &piece.path
    } else {
        block(&piece.path)
    };
    let finding = Finding::new(Cause::Append, what).at(Part::Message, unit, path);
    if longer {
        return Some(finding.with_texts(&last.pieces.get(equal)?.text, &piece.text));
    }
    Some(finding.with(None, unit.pieces.get(equal..).and_then(shown)))
}

/// The same text, and more.
fn continued(a: &Piece<'_>, b: &Piece<'_>) -> bool {
    let text = matches!(a.kind, Kind::Text | Kind::Result | Kind::Reasoning);
    text && a.path == b.path && a.kind == b.kind && a.chars > 0 && b.text.starts_with(&*a.text)
}
