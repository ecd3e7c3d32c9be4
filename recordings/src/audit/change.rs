//! One tool, part of the system prompt, or message that changed: where in it, and why.

use std::borrow::Cow;

use super::Cause;
use super::finding::{Finding, Part, shown};
use super::piece::Piece;
use super::prompt::Unit;
use super::result::Rewritten;
use super::sentence::sentence;
use super::why::Differing;

/// The first difference between two units that differ and stand for the same thing.
pub(crate) fn change(previous: &Unit<'_>, next: &Unit<'_>, part: Part) -> Finding {
    let pairs = previous.pieces.iter().zip(&next.pieces);
    let at = pairs.take_while(|(a, b)| a.same(b)).count();
    let a = previous.pieces.get(at);
    let b = next.pieces.get(at);
    let differing = Differing {
        part,
        previous,
        next,
        a,
        b,
        result: Rewritten::at(previous, next, at),
    };
    let cause = differing.cause();
    if let Some(result) = differing.result.filter(|result| result.cause() == cause) {
        return rewritten(&result, previous, next, part);
    }
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
        // A text in the image's place.
        (Some(a), Some(b)) if cause == Cause::MediaRemoved && in_one_result(a, b) => {
            finding.with(rest(previous), rest(next))
        }
        _ if is_removal(cause) => finding.with(rest(previous), None),
        _ if is_addition(cause) => finding.with(None, rest(next)),
        (Some(a), Some(b)) if a.kind == b.kind && a.chars > 0 && b.chars > 0 => {
            finding.with_texts(&spelled(a), &spelled(b))
        }
        _ => finding.with(rest(previous), rest(next)),
    }
}

fn in_one_result(a: &Piece<'_>, b: &Piece<'_>) -> bool {
    a.result().is_some() && a.result() == b.result()
}

/// A tool's result that is another as a whole.
fn rewritten(result: &Rewritten, previous: &Unit<'_>, next: &Unit<'_>, part: Part) -> Finding {
    let cause = result.cause();
    let unit = if result.is_empty() { previous } else { next };
    let (before, now) = result.excerpts();
    let what = result.what().unwrap_or_else(|| sentence(cause));
    Finding::new(cause, what)
        .at(part, unit, &result.path)
        .with(before, now)
}

/// A value that goes to the model as it is spelled, as a whole; any other piece's text.
fn spelled<'a>(piece: &'a Piece<'_>) -> Cow<'a, str> {
    match piece.root {
        Some(root) => Cow::Owned(root.to_string()),
        None => Cow::Borrowed(&piece.text),
    }
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
