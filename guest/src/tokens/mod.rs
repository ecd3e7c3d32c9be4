//! How many tokens a text has, estimated without a vocabulary (`docs/tokens.md`).
//!
//! A text is a sequence of *runs*, characters of one class. Each character costs what a table says:
//! the first of a run by what stands before it, each further one by how far it is into the run. No
//! cost is negative, so more text is never fewer tokens.
//!
//! ```
//! use waybread_guest::tokens::{Vocabulary, estimate};
//!
//! let estimate = estimate("fn main() {\n") + estimate("}\n");
//! assert_eq!(estimate.tokens(Vocabulary::O200k), 5);
//! ```

mod class;
mod model;
#[cfg(test)]
mod tests;
mod weights;

use std::ops::{Add, AddAssign};

pub use model::{Model, ModelTable};
pub use weights::{CELLS, FIRST_CELLS, SCRIPT_CELLS};

/// A vocabulary that the weights were fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// `o200k_base`: GPT-4o and what came after it.
    O200k,
    /// `cl100k_base`: GPT-4 and GPT-3.5.
    Cl100k,
}

/// An estimate, in thousandths of a token, for every vocabulary. Estimates of a request's pieces
/// add up to the request's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    o200k: u64,
    cl100k: u64,
}

impl Estimate {
    /// Thousandths of a token.
    #[must_use]
    pub const fn thousandths(self, vocabulary: Vocabulary) -> u64 {
        match vocabulary {
            Vocabulary::O200k => self.o200k,
            Vocabulary::Cl100k => self.cl100k,
        }
    }

    /// Whole tokens, rounded half up.
    #[must_use]
    pub const fn tokens(self, vocabulary: Vocabulary) -> u64 {
        self.thousandths(vocabulary).saturating_add(500) / 1000
    }

    /// Less `taken`, for a piece that is no longer sent; never below nothing.
    #[must_use]
    pub const fn without(self, taken: Self) -> Self {
        Self {
            o200k: self.o200k.saturating_sub(taken.o200k),
            cl100k: self.cl100k.saturating_sub(taken.cl100k),
        }
    }
}

impl Add for Estimate {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            o200k: self.o200k.saturating_add(other.o200k),
            cl100k: self.cl100k.saturating_add(other.cl100k),
        }
    }
}

impl AddAssign for Estimate {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Estimate {
    fn sum<I: Iterator<Item = Self>>(pieces: I) -> Self {
        pieces.fold(Self::default(), Add::add)
    }
}

/// The estimate of one piece of text: a message, a result, a call's arguments. One pass, no
/// allocation.
#[must_use]
pub fn estimate(text: &str) -> Estimate {
    let mut sum = Estimate::default();
    cells(text, |cell| {
        let [o200k, cl100k] = weights::WEIGHTS.get(cell).copied().unwrap_or_default();
        sum.o200k += u64::from(o200k);
        sum.cl100k += u64::from(cl100k);
    });
    sum
}

/// Calls `visit` with the table's cell, below [`CELLS`], of each character of `text`: what an
/// estimate adds up, and what the weights are fitted by.
///
/// A text begins as after a newline, so the pieces of a text that was cut where lines begin have the
/// text's cells.
#[inline]
pub fn cells(text: &str, mut visit: impl FnMut(usize)) {
    let mut previous = class::NEWLINE;
    let mut place = 0;
    for character in text.chars() {
        let class = class::of(character);
        place = if class == previous && place > 0 {
            place + 1
        } else {
            1
        };
        visit(cell(previous, class, place));
        previous = class;
    }
}

/// The cell of a character of `class`, the `place`th of its run, after one of `previous`.
#[inline]
fn cell(previous: usize, class: usize, place: usize) -> usize {
    use class::{ASCII_CLASSES, SPACE};
    use weights::{ASCII_FURTHER, FURTHER, SCRIPT_FURTHER, SCRIPT_ROW, SCRIPTS};

    if class < ASCII_CLASSES {
        match place {
            1 => previous.min(ASCII_CLASSES) * ASCII_CLASSES + class,
            _ => FURTHER + class * ASCII_FURTHER + (place - 2).min(ASCII_FURTHER - 1),
        }
    } else {
        let column = match place {
            1 => usize::from(previous != SPACE),
            _ => place.min(SCRIPT_FURTHER + 1),
        };
        SCRIPTS + (class - ASCII_CLASSES) * SCRIPT_ROW + column
    }
}
