//! The table of errors.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use waybread_guest::tokens::{Estimate, estimate};

use crate::counted::{Tokenizers, VOCABULARIES};
use crate::pieces::Piece;

/// Shorter pieces are left out of the errors of pieces: a token more or less says little there.
const FEWEST_TOKENS: f64 = 50.0;

/// How often all texts are estimated for the time it takes.
const ROUNDS: u32 = 5;

/// Shares of the recorded pieces that were held out, and what error they may have at most.
const BARS: [(f64, f64); 2] = [(0.5, 0.08), (0.95, 0.2)];

/// A row's relative errors in each vocabulary, with their signs.
type Errors = [Vec<f64>; 2];

/// What is printed, row by row.
#[derive(Default)]
struct Table {
    /// By what was fitted to, whether it is written, and kind. What is repeated counts once.
    pieces: BTreeMap<(bool, bool, String), Errors>,
    /// Estimated and counted, by session.
    sessions: BTreeMap<(bool, String), (Estimate, [f64; 2])>,
}

/// Prints the errors by kind, of pieces that the weights were not fitted to and of the others, and
/// what an estimate costs.
///
/// # Errors
///
/// The errors are over the bars.
pub fn print(pieces: &[Piece], tokenizers: &Tokenizers) -> Result<()> {
    let mut table = Table::default();
    for piece in pieces {
        table.add(piece, tokenizers.count(&piece.text));
    }
    println!("token estimate: relative error in percent against the real tokenizers");
    println!(
        "{:<38}{:>7}  {:>26}  {:>26}",
        "", "", "o200k_base", "cl100k_base"
    );
    let heads = "  median    p95     bias";
    println!("{:<38}{:>7}  {heads:>26}  {heads:>26}", "", "number");
    table.print();
    println!("time: {:.0} ns for 100 bytes", nanoseconds(pieces));
    table.check()
}

impl Table {
    fn add(&mut self, piece: &Piece, counted: [f64; 2]) {
        let estimated = estimate(&piece.text);
        if !piece.repeated && counted.iter().all(|count| *count >= FEWEST_TOKENS) {
            let kinds = [
                (piece.written, piece.kind.clone()),
                (piece.written, "all".to_owned()),
            ];
            for (written, kind) in kinds {
                let row = self
                    .pieces
                    .entry((piece.fitted, written, kind))
                    .or_default();
                push(row, estimated, counted);
            }
        }
        if !piece.written {
            let key = (piece.fitted, piece.session.clone());
            let (sum, counts) = self.sessions.entry(key).or_default();
            *sum += estimated;
            counts
                .iter_mut()
                .zip(counted)
                .for_each(|(all, count)| *all += count);
        }
    }

    fn print(&self) {
        for ((fitted, written, kind), errors) in &self.pieces {
            let what = if *written { "text" } else { "piece" };
            print_row(&format!("{}{what}, {kind}", seen(*fitted)), errors);
        }
        for fitted in [false, true] {
            let mut errors = Errors::default();
            for (_, (sum, counts)) in self.sessions.iter().filter(|((of, _), _)| *of == fitted) {
                push(&mut errors, *sum, *counts);
            }
            print_row(&format!("{}session, whole", seen(fitted)), &errors);
        }
    }

    fn check(&self) -> Result<()> {
        let held_out = self.pieces.get(&(false, false, "all".to_owned()));
        for (signed, (name, _)) in held_out.into_iter().flatten().zip(VOCABULARIES) {
            for (share, most) in BARS {
                let error = quantile(&mut sizes(signed), share);
                ensure!(
                    error <= most,
                    "the estimate is off by {error:.3} of {name} at the share {share} of the pieces that were held out, \
                     must be at most {most}"
                );
            }
        }
        Ok(())
    }
}

fn seen(fitted: bool) -> &'static str {
    if fitted { "fitted to: " } else { "held out: " }
}

fn push(errors: &mut Errors, estimated: Estimate, counted: [f64; 2]) {
    for ((row, count), (_, vocabulary)) in errors.iter_mut().zip(counted).zip(VOCABULARIES) {
        let tokens = estimated.thousandths(vocabulary) as f64 / 1e3;
        row.push(tokens / count.max(1.0) - 1.0);
    }
}

fn print_row(name: &str, errors: &Errors) {
    let number = errors.first().map_or(0, Vec::len);
    if number == 0 {
        return;
    }
    let [o200k, cl100k] = errors.each_ref().map(|signed| {
        let mut sizes = sizes(signed);
        let [median, most] = [0.5, 0.95].map(|share| 100.0 * quantile(&mut sizes, share));
        let bias = 100.0 * quantile(&mut signed.clone(), 0.5);
        format!("{median:>8.1}{most:>8.1}{bias:>+9.1}")
    });
    println!("{name:<38}{number:>7}  {o200k:>26}  {cl100k:>26}");
}

fn sizes(signed: &[f64]) -> Vec<f64> {
    signed.iter().map(|error| error.abs()).collect()
}

/// The value that `share` of the values are below, between two where it falls between them.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = share * values.len().saturating_sub(1) as f64;
    let at = |index: f64| values.get(index as usize).copied().unwrap_or_default();
    let (below, above) = (at(place.floor()), at(place.ceil()));
    below + (above - below) * place.fract()
}

/// The least of a few rounds over everything.
fn nanoseconds(pieces: &[Piece]) -> f64 {
    let bytes: usize = pieces.iter().map(|piece| piece.text.len()).sum();
    let round = |_| {
        let start = Instant::now();
        let all: Estimate = pieces.iter().map(|piece| estimate(&piece.text)).sum();
        std::hint::black_box(all);
        start.elapsed().as_nanos() as f64
    };
    let least = (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min);
    100.0 * least / bytes.max(1) as f64
}
