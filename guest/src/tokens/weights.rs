//! The table of `conformance/tokens.json`, read when the crate is compiled: nothing is parsed at run
//! time, and a table of another shape doesn't compile.

use super::class::{ASCII_CLASSES, SCRIPT_CLASSES};

/// How many characters after a run's first one have a weight of their own; the rest have the last's.
pub const ASCII_FURTHER: usize = 7;
pub const SCRIPT_FURTHER: usize = 4;

/// Where the parts of a vocabulary's table begin, and its length.
pub const FURTHER: usize = (ASCII_CLASSES + 1) * ASCII_CLASSES;
pub const SCRIPTS: usize = FURTHER + ASCII_CLASSES * ASCII_FURTHER;
pub const SCRIPT_ROW: usize = 2 + SCRIPT_FURTHER;

/// How many weights a vocabulary has.
pub const CELLS: usize = SCRIPTS + SCRIPT_CELLS;
/// How many of them, the first, are for the first characters of ASCII's runs.
pub const FIRST_CELLS: usize = FURTHER;
/// How many of them, the last, are for what is beyond ASCII.
pub const SCRIPT_CELLS: usize = SCRIPT_CLASSES * SCRIPT_ROW;

/// Thousandths of a token for each cell: in `o200k_base`, in `cl100k_base`.
pub static WEIGHTS: [[u16; 2]; CELLS] =
    by_cell(numbers(include_bytes!("../../../conformance/tokens.json")));

/// Where the cells of an ASCII character are, by the class before it and its own: the only one of a
/// run's first; the one before the first of a run's further ones.
pub static ROWS: [u16; PAIRS] = rows();

const PAIRS: usize = (ASCII_CLASSES + SCRIPT_CLASSES) * ASCII_CLASSES;

#[allow(clippy::indexing_slicing)] // Evaluated when it is compiled.
const fn rows() -> [u16; PAIRS] {
    let mut rows = [0; PAIRS];
    let mut pair = 0;
    while pair < PAIRS {
        let (previous, class) = (pair / ASCII_CLASSES, pair % ASCII_CLASSES);
        let cell = if previous == class {
            FURTHER + class * ASCII_FURTHER - 1
        } else if previous < ASCII_CLASSES {
            pair
        } else {
            ASCII_CLASSES * ASCII_CLASSES + class
        };
        rows[pair] = cell as u16;
        pair += 1;
    }
    rows
}

#[allow(clippy::indexing_slicing)] // Evaluated when it is compiled.
const fn by_cell(numbers: [u16; 2 * CELLS]) -> [[u16; 2]; CELLS] {
    let mut weights = [[0; 2]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        weights[cell] = [numbers[cell], numbers[CELLS + cell]];
        cell += 1;
    }
    weights
}

/// The numbers of a JSON text in their order; what stands in quotes is passed over.
#[allow(clippy::indexing_slicing, clippy::panic)] // Evaluated when it is compiled.
const fn numbers(json: &[u8]) -> [u16; 2 * CELLS] {
    let mut found = [0; 2 * CELLS];
    let (mut count, mut at, mut quoted) = (0, 0, false);
    while at < json.len() {
        match json[at] {
            b'\\' => at += 1,
            b'"' => quoted = !quoted,
            b'0'..=b'9' if !quoted => {
                let (number, end) = number(json, at);
                found[count] = number;
                count += 1;
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    assert!(count == 2 * CELLS, "conformance/tokens.json lacks numbers");
    found
}

#[allow(clippy::indexing_slicing)] // Evaluated when it is compiled.
const fn number(json: &[u8], mut at: usize) -> (u16, usize) {
    let mut number = 0;
    while json[at].is_ascii_digit() {
        number = number * 10 + (json[at] - b'0') as u16;
        at += 1;
    }
    (number, at)
}
