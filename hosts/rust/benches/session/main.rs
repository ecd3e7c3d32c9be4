//! What sessions cost: the component through this host, and the same rules compiled natively, in turn
//! and on the same inputs, so that the ratio holds whatever else the machine does. Storage is in memory.
//!
//! Prints one JSON line a host and case, with the median in nanoseconds.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that panics has failed"
)]

mod inputs;
mod insert;
mod native;
mod native_insert;
mod step;

use std::time::Duration;

/// How long to go on.
#[derive(Clone, Copy)]
enum Effort {
    Measure,
    /// As long as it takes to see that everything runs.
    TryOut,
}

fn main() {
    // Cargo says so where this is to measure and not only to be tried out.
    let measures = std::env::args().any(|argument| argument == "--bench");
    let effort = if measures {
        Effort::Measure
    } else {
        Effort::TryOut
    };
    insert::run(effort);
    step::run(effort);
}

fn print(host: &str, case: &str, median: Duration) {
    let nanoseconds = median.as_nanos();
    println!(r#"{{"host":"{host}","case":"{case}","nanoseconds":{nanoseconds}}}"#);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
