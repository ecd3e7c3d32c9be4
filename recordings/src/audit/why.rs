//! Why one tool, part of the system prompt, or message is another than it was.

use super::Cause;
use super::embedded::{self, respelled};
use super::finding::Part;
use super::piece::{Kind, Piece};
use super::prompt::Unit;
use super::result::Rewritten;
use super::text;

/// Two units that stand for the same thing, and the pieces at which they first differ.
pub(crate) struct Differing<'a, 'b> {
    pub part: Part,
    pub previous: &'a Unit<'b>,
    pub next: &'a Unit<'b>,
    pub a: Option<&'a Piece<'b>>,
    pub b: Option<&'a Piece<'b>>,
    /// The tool's result that they are in.
    pub result: Option<Rewritten>,
}

impl Differing<'_, '_> {
    pub(crate) fn cause(&self) -> Cause {
        self.replaced()
            .or_else(|| self.left_out())
            .or_else(|| self.result.as_ref().and_then(Rewritten::loss))
            .or_else(|| self.in_another_shape().then_some(Cause::ContentShape))
            .or_else(|| self.in_arguments().then(|| arguments_cause(self.a, self.b)))
            .unwrap_or_else(|| match self.part {
                Part::Tools => self.of_one_kind().map_or(Cause::ToolChanged, tool_cause),
                _ => self.in_message(),
            })
    }

    fn in_message(&self) -> Cause {
        if reordered(self.previous, self.next) {
            return Cause::BlockOrder;
        }
        let rewritten = self.result.as_ref().map(Rewritten::cause);
        rewritten
            .or_else(|| came_or_went(self.previous, self.next))
            .or_else(|| self.of_one_kind().map(value_cause))
            .or_else(|| self.text_in_another_shape())
            .unwrap_or(Cause::FieldChanged)
    }

    /// A string here and blocks with another text there.
    fn text_in_another_shape(&self) -> Option<Cause> {
        let (a, b) = self.a.zip(self.b)?;
        let holds = |string: &Piece<'_>, block: &Piece<'_>| {
            let below = block.path.strip_prefix(&string.path);
            string.kind == Kind::Text && below.is_some_and(|below| below.starts_with('['))
        };
        (holds(a, b) || holds(b, a)).then_some(Cause::TextChanged)
    }

    /// What is another and yet the same thing.
    fn replaced(&self) -> Option<Cause> {
        let (a, b) = self.of_one_kind()?;
        match a.kind {
            Kind::Role => Some(Cause::Role),
            Kind::Reasoning if a.path == b.path => Some(Cause::ReasoningChanged),
            Kind::Media if a.path == b.path => Some(Cause::MediaReplaced),
            _ => None,
        }
    }

    /// Reasoning and media that one of them has less of.
    fn left_out(&self) -> Option<Cause> {
        let kind = |piece: Option<&Piece<'_>>, kind| piece.is_some_and(|piece| piece.kind == kind);
        let (gone, new) = (
            |of| kind(self.a, of) && fewer(self.previous, self.next, of),
            |of| kind(self.b, of) && fewer(self.next, self.previous, of),
        );
        let causes = [
            (gone(Kind::Reasoning), Cause::ReasoningRemoved),
            (new(Kind::Reasoning), Cause::ReasoningAdded),
            (gone(Kind::Media), Cause::MediaRemoved),
            (new(Kind::Media), Cause::MediaAdded),
        ];
        causes
            .into_iter()
            .find(|(found, _)| *found)
            .map(|(_, cause)| cause)
    }

    fn in_another_shape(&self) -> bool {
        let wrapped = |(a, b)| wrapped(a, b, self.next) || wrapped(b, a, self.previous);
        reshaped(self.previous, self.next) || self.a.zip(self.b).is_some_and(wrapped)
    }

    /// As many calls, so that a difference in arguments is one of a call's own.
    fn in_arguments(&self) -> bool {
        let arguments = |piece: &Piece<'_>| piece.kind == Kind::Arguments;
        (self.a.is_some_and(arguments) || self.b.is_some_and(arguments))
            && !fewer(self.previous, self.next, Kind::Name)
            && !fewer(self.next, self.previous, Kind::Name)
    }

    fn of_one_kind(&self) -> Option<(&Piece<'_>, &Piece<'_>)> {
        self.a.zip(self.b).filter(|(a, b)| a.kind == b.kind)
    }
}

fn arguments_cause(a: Option<&Piece<'_>>, b: Option<&Piece<'_>>) -> Cause {
    let same = a.zip(b).and_then(|(a, b)| match a.root.zip(b.root) {
        Some((a, b)) => respelled(a, b),
        None => embedded::cause(&a.text, &b.text),
    });
    same.unwrap_or(Cause::ArgumentsChanged)
}

/// Two pieces of one kind in a tool.
fn tool_cause((a, b): (&Piece<'_>, &Piece<'_>)) -> Cause {
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
fn value_cause((a, b): (&Piece<'_>, &Piece<'_>)) -> Cause {
    match a.kind {
        Kind::Id => Cause::CallId,
        Kind::Result => text::result_cause(&a.text, &b.text),
        Kind::Text if a.path == b.path => text::cause(&a.text, &b.text),
        _ => Cause::FieldChanged,
    }
}

/// Blocks or calls that are there in one only.
fn came_or_went(previous: &Unit<'_>, next: &Unit<'_>) -> Option<Cause> {
    if within(previous, next) {
        Some(Cause::BlockAdded)
    } else {
        within(next, previous).then_some(Cause::BlockRemoved)
    }
}

/// Whether `string` is a string, and in its place in the other unit stands a list of blocks, whose
/// first one is `block`, that begins with the same text.
fn wrapped(string: &Piece<'_>, block: &Piece<'_>, other: &Unit<'_>) -> bool {
    let below = block.path.strip_prefix(&string.path);
    let mut texts = other
        .pieces
        .iter()
        .filter(|piece| piece.path.starts_with(&string.path) && piece.kind == string.kind);
    below.is_some_and(|below| below.starts_with('['))
        && texts.next().is_some_and(|piece| piece.text == string.text)
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
