//! One tool, part of the system prompt, or message that changed: where in it, and why.

use std::borrow::Cow;

use super::Cause;
use super::embedded::{self, respelled};
use super::finding::{Finding, Part, shown};
use super::piece::{Kind, Piece};
use super::prompt::Unit;
use super::sentence::sentence;
use super::text;

/// The first difference between two units that differ and stand for the same thing.
pub(crate) fn change(previous: &Unit<'_>, next: &Unit<'_>, part: Part) -> Finding {
    let pairs = previous.pieces.iter().zip(&next.pieces);
    let at = pairs.take_while(|(a, b)| a.same(b)).count();
    let a = previous.pieces.get(at);
    let b = next.pieces.get(at);
    let cause = cause_of(previous, next, a, b, part);
    let finding = Finding::new(cause, sentence(cause));
    let (unit, path) = match place(cause, a, b) {
        Place::Previous(piece) => (previous, piece.path.clone()),
        Place::Next(piece) => (next, piece.path.clone()),
        Place::Both(path) => (next, path),
    };
    // These are about a block or a call, and not about one of its fields.
    let of_blocks = is_removal(cause) || is_addition(cause) || cause == Cause::BlockOrder;
    let path = if of_blocks { block(&path) } else { &path };
    let finding = finding.at(part, unit, path);
    let rest = |unit: &Unit<'_>| unit.pieces.get(at..).and_then(shown);
    match (a, b) {
        _ if is_removal(cause) => finding.with(rest(previous), None),
        _ if is_addition(cause) => finding.with(None, rest(next)),
        (Some(a), Some(b)) if a.kind == b.kind && a.chars > 0 && b.chars > 0 => {
            finding.with_texts(&spelled(a), &spelled(b))
        }
        _ => finding.with(rest(previous), rest(next)),
    }
}

/// A value that goes to the model as it is spelled, as a whole; any other piece's text.
fn spelled<'a>(piece: &'a Piece<'_>) -> Cow<'a, str> {
    match piece.root {
        Some(root) => Cow::Owned(root.to_string()),
        None => Cow::Borrowed(&piece.text),
    }
}

fn cause_of(
    previous: &Unit<'_>,
    next: &Unit<'_>,
    a: Option<&Piece<'_>>,
    b: Option<&Piece<'_>>,
    part: Part,
) -> Cause {
    let kinds = (a.map(|piece| piece.kind), b.map(|piece| piece.kind));
    let pair = a.zip(b);
    let same_place = pair.is_some_and(|(a, b)| a.path == b.path);
    match kinds {
        (Some(Kind::Reasoning), Some(Kind::Reasoning)) if same_place => Cause::ReasoningChanged,
        (Some(Kind::Media), Some(Kind::Media)) if same_place => Cause::MediaReplaced,
        (Some(Kind::Role), Some(Kind::Role)) => Cause::Role,
        (Some(Kind::Reasoning), _) if fewer(previous, next, Kind::Reasoning) => {
            Cause::ReasoningRemoved
        }
        (_, Some(Kind::Reasoning)) if fewer(next, previous, Kind::Reasoning) => {
            Cause::ReasoningAdded
        }
        (Some(Kind::Media), _) if fewer(previous, next, Kind::Media) => Cause::MediaRemoved,
        (_, Some(Kind::Media)) if fewer(next, previous, Kind::Media) => Cause::MediaAdded,
        _ if reshaped(previous, next)
            || pair.is_some_and(|(a, b)| wrapped(a, b, previous, next)) =>
        {
            Cause::ContentShape
        }
        _ => match pair.filter(|(a, b)| a.kind == b.kind) {
            _ if calls_alike(previous, next) && is_arguments(kinds) => arguments_cause(a, b),
            Some((a, b)) if part == Part::Tools => tool_cause(a, b),
            _ if part == Part::Tools => Cause::ToolChanged,
            pair => came_or_went(previous, next)
                .or_else(|| pair.map(|(a, b)| value_cause(a, b)))
                .unwrap_or(Cause::FieldChanged),
        },
    }
}

fn is_arguments(kinds: (Option<Kind>, Option<Kind>)) -> bool {
    kinds.0 == Some(Kind::Arguments) || kinds.1 == Some(Kind::Arguments)
}

/// As many calls, so that a difference in arguments is one of a call's own.
fn calls_alike(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    !fewer(a, b, Kind::Name) && !fewer(b, a, Kind::Name)
}

fn arguments_cause(a: Option<&Piece<'_>>, b: Option<&Piece<'_>>) -> Cause {
    let same = a.zip(b).and_then(|(a, b)| match a.root.zip(b.root) {
        Some((a, b)) => respelled(a, b),
        None => embedded::cause(&a.text, &b.text),
    });
    same.unwrap_or(Cause::ArgumentsChanged)
}

/// Two pieces of one kind in a tool.
fn tool_cause(a: &Piece<'_>, b: &Piece<'_>) -> Cause {
    if let Some((a, b)) = a.root.zip(b.root)
        && let Some(cause) = respelled(a, b)
    {
        return cause;
    }
    match text::cause(&a.text, &b.text) {
        cause @ (Cause::Date | Cause::Identifier | Cause::FilePath) if a.path == b.path => cause,
        _ => Cause::ToolChanged,
    }
}

/// Two pieces of one kind in a message or the system prompt.
fn value_cause(a: &Piece<'_>, b: &Piece<'_>) -> Cause {
    match a.kind {
        Kind::Id => Cause::CallId,
        Kind::Result => text::result_cause(&a.text, &b.text),
        Kind::Text if a.path == b.path => text::cause(&a.text, &b.text),
        _ => Cause::FieldChanged,
    }
}

/// Blocks or calls that are there in one only, or in another order.
fn came_or_went(previous: &Unit<'_>, next: &Unit<'_>) -> Option<Cause> {
    if reordered(previous, next) {
        Some(Cause::BlockOrder)
    } else if within(previous, next) {
        Some(Cause::BlockAdded)
    } else {
        within(next, previous).then_some(Cause::BlockRemoved)
    }
}

/// A string here, and there a list of blocks that begins with the same text.
fn wrapped(a: &Piece<'_>, b: &Piece<'_>, previous: &Unit<'_>, next: &Unit<'_>) -> bool {
    let in_list = |string: &Piece<'_>, block: &Piece<'_>, unit: &Unit<'_>| {
        let below = block.path.strip_prefix(&string.path);
        let mut texts = unit
            .pieces
            .iter()
            .filter(|piece| piece.path.starts_with(&string.path));
        below.is_some_and(|below| below.starts_with('['))
            && texts
                .find(|piece| piece.kind == string.kind)
                .is_some_and(|piece| piece.text == string.text)
    };
    in_list(a, b, next) || in_list(b, a, previous)
}

/// Whether the pieces of one are among those of the other, in order.
fn within(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    let mut others = b.pieces.iter();
    a.pieces
        .iter()
        .all(|piece| others.any(|other| other.same_value(piece)))
}

fn fewer(a: &Unit<'_>, b: &Unit<'_>, kind: Kind) -> bool {
    let count = |unit: &Unit<'_>| {
        unit.pieces
            .iter()
            .filter(|piece| piece.kind == kind)
            .count()
    };
    count(b) < count(a)
}

/// The same text in other blocks.
fn reshaped(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    let words = |unit: &Unit<'_>| -> String {
        let read = unit.pieces.iter().filter(|piece| piece.kind != Kind::Type);
        read.map(|piece| &*piece.text).collect()
    };
    let places = |unit: &Unit<'_>| -> Vec<String> {
        unit.pieces.iter().map(|piece| piece.path.clone()).collect()
    };
    places(a) != places(b) && words(a) == words(b)
}

/// The same pieces in another order.
fn reordered(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    let sorted = |unit: &Unit<'_>| {
        let mut texts: Vec<String> = unit
            .pieces
            .iter()
            .map(|piece| piece.text.to_string())
            .collect();
        texts.sort_unstable();
        texts
    };
    let in_order = a
        .pieces
        .iter()
        .map(|piece| &piece.text)
        .eq(b.pieces.iter().map(|b| &b.text));
    a.pieces.len() == b.pieces.len() && !in_order && sorted(a) == sorted(b)
}

fn is_removal(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::BlockRemoved | Cause::MediaRemoved | Cause::ReasoningRemoved
    )
}

fn is_addition(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::BlockAdded | Cause::MediaAdded | Cause::ReasoningAdded
    )
}

/// The path of the block that a path leads into; the path itself where it leads into none.
pub(crate) fn block(path: &str) -> &str {
    let end = path.rfind(']').map_or(path.len(), |at| at + 1);
    path.get(..end).unwrap_or(path)
}

/// Which body's path a difference has.
enum Place<'a> {
    Previous(&'a Piece<'a>),
    Next(&'a Piece<'a>),
    Both(String),
}

/// What is gone has the path that it had, what came the one that it has; else it is the path that
/// both have in common.
fn place<'a>(cause: Cause, a: Option<&'a Piece<'a>>, b: Option<&'a Piece<'a>>) -> Place<'a> {
    match (a, b) {
        (Some(a), Some(b)) if a.path == b.path => Place::Both(a.path.clone()),
        (Some(a), _) if is_removal(cause) => Place::Previous(a),
        (_, Some(b)) if is_addition(cause) => Place::Next(b),
        (Some(a), Some(b)) => Place::Both(in_common(&a.path, &b.path)),
        (Some(a), None) => Place::Previous(a),
        (None, Some(b)) => Place::Next(b),
        (None, None) => Place::Both(String::new()),
    }
}

/// The path of the field or list that holds both.
fn in_common(a: &str, b: &str) -> String {
    let equal = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let ends_step = |text: &str| {
        text.get(equal..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let common = a.get(..equal).unwrap_or_default();
    if ends_step(a) && ends_step(b) {
        return common.to_owned();
    }
    let end = common.rfind(['.', '[']).unwrap_or(0);
    common.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::in_common;

    #[test]
    fn paths_have_whole_steps_in_common() {
        for (a, b, expected) in [
            (".content", ".content[0].text", ".content"),
            (".content[1].text", ".content[10].text", ".content"),
            (".name", ".named", ""),
            (".a.bc", ".a.bd", ".a"),
            ("", ".a", ""),
            (".é", ".è", ""),
        ] {
            assert_eq!(in_common(a, b), expected, "{a} {b}");
        }
    }
}
