//! A tool's result as a whole, whatever its shape: a string, a list of blocks, nothing.

use super::Cause;
use super::piece::{Kind, Piece};
use super::prompt::Unit;
use super::text;

/// A result that two units have, and the field in which it first differs.
pub(crate) struct Rewritten {
    /// The field's path, after the unit's.
    pub path: String,
    before: Content,
    now: Content,
}

/// What stands in a field.
struct Content {
    text: String,
    /// How many values its images and files have.
    media: usize,
    /// What the first of them says it is.
    first_media: Option<String>,
}

impl Rewritten {
    /// The result in which two units first differ, at their pieces `at`. None where that is in no
    /// result, in one that only one of them has, at an image or a file, or in one text among texts at
    /// the same places.
    pub(crate) fn at(previous: &Unit<'_>, next: &Unit<'_>, at: usize) -> Option<Self> {
        // Its type, its role and its ids come first, so what differs in it follows a piece of it.
        let result = previous.pieces.get(at.checked_sub(1)?)?.result()?;
        let differing = [previous.pieces.get(at), next.pieces.get(at)];
        let media = |piece: &Piece<'_>| piece.kind == Kind::Media;
        if previous.pieces.get(at).is_some_and(media) {
            return None;
        }
        let in_it = differing.into_iter().flatten();
        let in_it = in_it.filter(|piece| piece.result() == Some(result));
        let fields: Vec<&str> = in_it.filter_map(|piece| field(piece, result)).collect();
        let path = fields.iter().find(|path| is_content(path));
        let path = (*path.or(fields.first())?).to_owned();
        let (before, now) = (below(previous, &path), below(next, &path));
        let texts = |piece: Option<&Piece<'_>>| piece.is_some_and(|it| it.kind == Kind::Result);
        let one_text = differing.iter().all(|piece| texts(*piece))
            && before.len() == now.len()
            && before.iter().zip(&now).all(|(a, b)| a.path == b.path);
        (!one_text).then(|| Self {
            path,
            before: Content::of(&before),
            now: Content::of(&now),
        })
    }

    /// Why it is another, if it is less than it was.
    pub(crate) fn loss(&self) -> Option<Cause> {
        let chars = |content: &Content| content.text.chars().count();
        let less = chars(&self.now) < chars(&self.before) || self.now.media < self.before.media;
        (less && is_content(&self.path)).then(|| self.cause())
    }

    /// Why it is another.
    pub(crate) fn cause(&self) -> Cause {
        if !is_content(&self.path) {
            return Cause::FieldChanged;
        }
        let (before, now) = (&self.before, &self.now);
        let fewer_media = now.media < before.media;
        if before.text == now.text {
            return if fewer_media {
                Cause::MediaRemoved
            } else {
                Cause::ContentShape
            };
        }
        match text::result_cause(&before.text, &now.text) {
            Cause::ResultReplaced if now.text.is_empty() && now.media > 0 => Cause::ResultShortened,
            Cause::ResultChanged if fewer_media => Cause::ResultReplaced,
            cause => cause,
        }
    }

    /// What changed, in a few words, where the cause alone does not say it.
    pub(crate) fn what(&self) -> Option<&'static str> {
        let emptied = self.is_empty() && self.cause() == Cause::ResultReplaced;
        emptied.then_some("a tool's result was emptied")
    }

    /// Whether nothing is left of it.
    pub(crate) fn is_empty(&self) -> bool {
        self.now.text.is_empty() && self.now.media == 0
    }

    /// What stands around the first difference; none where there is no text.
    pub(crate) fn excerpts(&self) -> (Option<String>, Option<String>) {
        if self.cause() == Cause::MediaRemoved {
            return (self.before.first_media.clone(), None);
        }
        let (before, now) = text::excerpts(&self.before.text, &self.now.text);
        let some = |text: String| (!text.is_empty()).then_some(text);
        (some(before), some(now))
    }
}

impl Content {
    fn of(pieces: &[&Piece<'_>]) -> Self {
        let read = |piece: &&&Piece<'_>| !matches!(piece.kind, Kind::Type | Kind::Media);
        let media = || pieces.iter().filter(|piece| piece.kind == Kind::Media);
        Self {
            text: pieces
                .iter()
                .filter(read)
                .map(|piece| &*piece.text)
                .collect(),
            media: media().count(),
            first_media: media().next().map(|piece| text::beginning(&piece.text)),
        }
    }
}

/// The path of the result's field that a piece is in; none for what says which result it is.
fn field<'a>(piece: &'a Piece<'_>, result: &str) -> Option<&'a str> {
    let below = piece.path.get(result.len()..)?;
    let end = below
        .get(1..)
        .and_then(|name| name.find(['.', '[']))
        .map_or(piece.path.len(), |end| result.len() + 1 + end);
    let path = piece.path.get(..end)?;
    let says_which = matches!(
        piece.kind,
        Kind::Type | Kind::Role | Kind::Id | Kind::Name | Kind::Arguments
    );
    (is_content(path) || !says_which).then_some(path)
}

/// Whether a field of a result is what the tool answered.
fn is_content(path: &str) -> bool {
    path.ends_with(".content") || path.ends_with(".output")
}

/// The pieces in a field.
fn below<'a, 'b>(unit: &'a Unit<'b>, path: &str) -> Vec<&'a Piece<'b>> {
    let within = |piece: &&Piece<'_>| {
        let rest = piece.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    unit.pieces.iter().filter(within).collect()
}
