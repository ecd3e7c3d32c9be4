//! The weights that make the estimate's squared error small over all lines of the fitted pieces.

use std::fs;

use anyhow::{Context, Result, ensure};
use waybread_guest::tokens::{CELLS, cells};

use crate::counted::Tokenizers;
use crate::pieces::Piece;
use crate::{solve, table};

/// A written text's lines count for so much of a recording's: what sessions hold comes first.
const WRITTEN: f64 = 0.3;

/// How much evidence a cell's prior is worth: of cells that the pieces hardly have, it decides.
const PRIOR: f64 = 3.0;

/// Fits the weights to the pieces that are for it, and writes them.
pub fn write(pieces: &[Piece], tokenizers: &Tokenizers) -> Result<()> {
    let path = table::path();
    let old = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
    let mut sums = Sums::new(&table::priors());
    for piece in pieces
        .iter()
        .filter(|piece| piece.fitted && !piece.repeated)
    {
        let weight = if piece.written { WRITTEN } else { 1.0 };
        for part in parts(&piece.text) {
            sums.add(part, tokenizers.count(part), weight);
        }
    }
    ensure!(
        sums.parts > 0,
        "none of the texts is one to fit to (docs/tokens.md)"
    );
    let fitted = sums
        .moments
        .each_ref()
        .map(|moments| solve::not_negative(&sums.products, moments));
    fs::write(&path, table::with_weights(&old, &fitted)?)?;
    println!("fitted to {} lines", sums.parts);
    Ok(())
}

/// The sums of a weighted least-squares problem.
struct Sums {
    /// Of two cells' numbers, multiplied; a row for each cell.
    products: Vec<Vec<f64>>,
    /// Of a cell's number and the tokens counted, multiplied, for each vocabulary.
    moments: [Vec<f64>; 2],
    parts: usize,
}

impl Sums {
    fn new(priors: &[f64]) -> Self {
        let mut products = vec![vec![0.0; CELLS]; CELLS];
        products
            .iter_mut()
            .enumerate()
            .for_each(|(cell, row)| add(row, cell, PRIOR));
        let moments: Vec<f64> = priors.iter().map(|prior| PRIOR * prior).collect();
        Self {
            products,
            moments: [moments.clone(), moments],
            parts: 0,
        }
    }

    /// A text of many tokens may be off by more, so its error counts for less.
    fn add(&mut self, text: &str, counted: [f64; 2], weight: f64) {
        let weight = weight / counted[0].max(1.0);
        let numbers = numbers(text);
        for (cell, number) in &numbers {
            let scaled = weight * number;
            if let Some(row) = self.products.get_mut(*cell) {
                numbers
                    .iter()
                    .for_each(|(other, number)| add(row, *other, scaled * number));
            }
            for (moments, count) in self.moments.iter_mut().zip(counted) {
                add(moments, *cell, scaled * count);
            }
        }
        self.parts += 1;
    }
}

fn add(row: &mut [f64], cell: usize, value: f64) {
    if let Some(sum) = row.get_mut(cell) {
        *sum += value;
    }
}

/// How often each cell is in `text`, without those that are not.
fn numbers(text: &str) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    cells(text, |cell| all.push(cell));
    all.sort_unstable();
    let runs = all.chunk_by(|cell, next| cell == next);
    runs.filter_map(|run| Some((*run.first()?, run.len() as f64)))
        .collect()
}

/// A text cut before each line that begins with no white space: there no token crosses the cut, and
/// the estimates of the parts add up to the whole's.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(cut) = cut(rest) {
        let (part, after) = rest.split_at(cut);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

fn cut(text: &str) -> Option<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let mut starts = ends.filter_map(|at| Some((at, text.get(at..)?.chars().next()?)));
    starts.find_map(|(at, next)| (!next.is_whitespace()).then_some(at))
}
