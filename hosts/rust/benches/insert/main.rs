//! What inserting a result takes: the component through this host, and the same rules compiled
//! natively, in turn and on the same inputs, so that the ratio holds whatever else the machine does.
//!
//! Prints one JSON line a host and case, with the median in nanoseconds. The inputs are those of the
//! Python and the JavaScript benchmark.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that panics has failed"
)]

mod inputs;
mod native;

use std::time::{Duration, Instant};

use waybread::{MemoryStorage, MemoryTree, Session, Settings, ToolCall};

use inputs::{Case, ROOT};

const WARM_UP: usize = 30;
const ROUNDS: usize = 600;

fn main() {
    // Cargo says so where this is to measure and not only to be tried out.
    let measures = std::env::args().any(|argument| argument == "--bench");
    let rounds = if measures { WARM_UP + ROUNDS } else { 2 };
    for case in inputs::cases() {
        let (native, rust) = measure(&case, rounds);
        print("native", case.name, native);
        print("rust", case.name, rust);
    }
}

fn print(host: &str, case: &str, median: Duration) {
    let nanoseconds = median.as_nanos();
    println!(r#"{{"host":"{host}","case":"{case}","nanoseconds":{nanoseconds}}}"#);
}

/// The medians of the native rules and of the component.
fn measure(case: &Case, rounds: usize) -> (Duration, Duration) {
    let tree = MemoryTree::new();
    let mut native = native::open(tree.clone());
    let mut rust = Session::open(
        "bench",
        Settings::agent(ROOT),
        MemoryStorage::new(),
        tree.clone(),
    )
    .unwrap();
    let (mut native_times, mut rust_times) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        case.prepare(&tree, round);
        let mut time_native = || native_times.push(native::insert(&mut native, case, round));
        let mut time_rust = || rust_times.push(insert(&mut rust, case, round));
        // Whoever is second finds warmer caches.
        if round % 2 == 0 {
            time_native();
            time_rust();
        } else {
            time_rust();
            time_native();
        }
    }
    (median(native_times), median(rust_times))
}

fn insert(session: &mut Session, case: &Case, round: usize) -> Duration {
    let call = ToolCall::new(format!("call-{round}"), "bash", "{}");
    let outcome = case.outcome();
    let start = Instant::now();
    let inserted = session.insert_result(&call, outcome).unwrap();
    let time = start.elapsed();
    assert_eq!(inserted.treatment.name(), case.treatment);
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    let mut times = times.split_off(times.len().min(WARM_UP + 1) - 1);
    times.sort_unstable();
    times[times.len() / 2]
}
