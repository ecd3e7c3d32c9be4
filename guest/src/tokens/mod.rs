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

use serde::{Deserialize, Serialize};

use class::ASCII_CLASSES;
use weights::{ASCII_FURTHER, SCRIPT_FURTHER, SCRIPT_ROW, SCRIPTS};

pub use model::{Model, ModelTable, bare_name};
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
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

    /// Tokens that are the same in every vocabulary.
    #[must_use]
    pub fn whole(tokens: u64) -> Self {
        let thousandths = tokens.saturating_mul(1000);
        Self {
            o200k: thousandths,
            cl100k: thousandths,
        }
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

impl From<(u64, u64)> for Estimate {
    fn from((o200k, cl100k): (u64, u64)) -> Self {
        Self { o200k, cl100k }
    }
}

impl From<Estimate> for (u64, u64) {
    fn from(estimate: Estimate) -> Self {
        (estimate.o200k, estimate.cl100k)
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
    let (mut o200k, mut cl100k) = (0, 0);
    cells(text, |cell| {
        let weights = weights::WEIGHTS.get(cell).copied().unwrap_or_default();
        o200k += u64::from(weights[0]);
        cl100k += u64::from(weights[1]);
    });
    Estimate { o200k, cl100k }
}

/// The bit beside those of the longest run that is told from longer ones.
const LONGEST: u8 = 1 << ASCII_FURTHER;

/// Calls `visit` with the table's cell, below [`CELLS`], of each character of `text`: what an
/// estimate adds up, and what the weights are fitted by.
///
/// A text begins as after a newline, so a text that is cut where lines begin has its pieces' cells.
#[inline]
pub fn cells(text: &str, mut visit: impl FnMut(usize)) {
    let mut previous = class::NEWLINE;
    // A bit for each character so far, the latest the lowest: it is of the class of the one before.
    let mut alike = 0_u8;
    for character in text.chars() {
        let class = class::of(character);
        alike = alike << 1 | u8::from(class == previous);
        let run = (!alike | LONGEST).trailing_zeros() as usize;
        visit(if class < ASCII_CLASSES {
            ascii_cell(previous, class, run)
        } else {
            script_cell(previous, class, run)
        });
        previous = class;
    }
}

/// The cell of an ASCII character of `class`, after one of `previous` and `run` of its own class, at
/// most [`ASCII_FURTHER`].
///
/// A table, and the bits above, where conditions would say it: runs are short, and no processor
/// foresees where one ends. It makes the estimate several times as fast.
#[inline]
fn ascii_cell(previous: usize, class: usize, run: usize) -> usize {
    let row = weights::ROWS.get(previous * ASCII_CLASSES + class);
    usize::from(row.copied().unwrap_or_default()) + run
}

/// The cell of a character beyond ASCII: of a run's first, after a space or not; of a further one.
#[inline]
fn script_cell(previous: usize, class: usize, run: usize) -> usize {
    let column = match run {
        0 => usize::from(previous != class::SPACE),
        _ => 1 + run.min(SCRIPT_FURTHER),
    };
    SCRIPTS + (class - ASCII_CLASSES) * SCRIPT_ROW + column
}
