//! Parts of a request, and how much each piece of them is.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde_json::Value;

use super::ContextKind;
use crate::budget::Counter;
use crate::reply::Piece;
use crate::tokens::Estimate;

/// How much a piece of a request is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Bytes in the body.
    pub bytes: usize,
    /// Its tokens.
    pub tokens: Estimate,
}

impl Add for Weight {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            tokens: self.tokens + other.tokens,
        }
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Weight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self::default(), Add::add)
    }
}

/// Weighs by a session's settings.
#[derive(Clone, Copy, Debug)]
pub struct Weigher<'a> {
    /// Counts tokens, and knows how JSON is written.
    pub counter: Counter<'a>,
}

impl Weigher<'_> {
    /// A text within quotes.
    pub fn text(self, text: &str) -> Weight {
        Weight {
            bytes: self.spelled(text),
            tokens: self.counter.text(text),
        }
    }

    /// The bytes of a text, the quotes aside.
    fn spelled(self, text: &str) -> usize {
        self.counter.style.text(text).len().saturating_sub(2)
    }

    /// The bytes of a value.
    pub fn json(self, value: &Value) -> usize {
        self.counter.style.text(value).len()
    }

    /// The bytes of pieces.
    pub fn pieces(self, pieces: &[Piece<'_>]) -> usize {
        let bytes = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => self.spelled(text),
            Piece::Json(value) => self.json(value),
        });
        bytes.sum()
    }
}

/// A part of a request.
#[derive(Clone, Debug)]
pub struct Part {
    pub kind: ContextKind,
    pub name: String,
    /// How many there are of it.
    pub count: u32,
    pub weight: Weight,
}

/// The parts that were found so far.
#[derive(Debug, Default)]
pub struct Parts(Vec<Part>);

impl Parts {
    /// One more of a part.
    pub fn add(&mut self, kind: ContextKind, name: &str, weight: Weight) {
        let same = |part: &&mut Part| part.kind == kind && part.name == name;
        if let Some(part) = self.0.iter_mut().find(same) {
            part.count = part.count.saturating_add(1);
            part.weight += weight;
        } else {
            self.0.push(Part {
                kind,
                name: name.to_owned(),
                count: 1,
                weight,
            });
        }
    }

    /// One more of a part, if there is anything of it.
    pub fn add_some(&mut self, kind: ContextKind, name: &str, weight: Weight) {
        if weight.bytes > 0 {
            self.add(kind, name, weight);
        }
    }

    /// All parts of a request that is `whole` in their order, the last is what no other is.
    pub fn of(mut self, whole: Weight) -> Vec<Part> {
        let found: Weight = self.0.iter().map(|part| part.weight).sum();
        let framing = Weight {
            bytes: whole.bytes.saturating_sub(found.bytes),
            tokens: whole.tokens.without(found.tokens),
        };
        self.add(ContextKind::Framing, "", framing);
        // Stable: of one kind the first found stays the first.
        self.0.sort_by_key(|part| part.kind);
        self.0
    }
}
