//! Least squares with no negative weight.

/// More rounds change no weight by a ten-thousandth of a token.
const ROUNDS: usize = 2000;
const SMALL: f64 = 1e-5;

/// The weights, none negative, that make `w·products·w / 2 - moments·w` least: each in turn is set to
/// its best for the others', until nothing moves. `products` is symmetric, its diagonal positive.
pub fn not_negative(products: &[Vec<f64>], moments: &[f64]) -> Vec<f64> {
    let mut weights = vec![0.0; moments.len()];
    let mut gradient = moments.to_vec();
    for _ in 0..ROUNDS {
        let mut moved = 0.0_f64;
        for (cell, row) in products.iter().enumerate() {
            let change = change(cell, row, &weights, &gradient);
            if let Some(weight) = weights.get_mut(cell).filter(|_| change != 0.0) {
                *weight += change;
                for (slope, product) in gradient.iter_mut().zip(row) {
                    *slope -= product * change;
                }
                moved = moved.max(change.abs());
            }
        }
        if moved < SMALL {
            break;
        }
    }
    weights
}

fn change(cell: usize, row: &[f64], weights: &[f64], gradient: &[f64]) -> f64 {
    let at = |values: &[f64]| values.get(cell).copied().unwrap_or_default();
    let best = at(weights) + at(gradient) / at(row);
    best.max(0.0) - at(weights)
}
