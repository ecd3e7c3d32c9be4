//! What inserting a result takes: the component through this host, and the native rules, in turn. The
//! inputs are those of the Python and the JavaScript benchmark.

use std::time::{Duration, Instant};

use waybread::{MemoryStorage, MemoryTree, Session, Settings, ToolCall};

use crate::inputs::{self, Case, ROOT};
use crate::{Effort, median, native, native_insert, print};

const WARM_UP: usize = 30;
const ROUNDS: usize = 600;

/// Prints the median of every case.
pub fn run(effort: Effort) {
    let rounds = match effort {
        Effort::Measure => WARM_UP + ROUNDS,
        Effort::TryOut => 2,
    };
    for case in inputs::cases() {
        let (native, rust) = measure(&case, rounds);
        print("native", case.name, native);
        print("rust", case.name, rust);
    }
}

/// The medians of the native rules and of the component.
fn measure(case: &Case, rounds: usize) -> (Duration, Duration) {
    let tree = MemoryTree::new();
    let mut native = native::open(tree.clone(), None);
    let storage = MemoryStorage::new();
    let settings = Settings::agent(ROOT);
    let mut rust = Session::open("bench", settings, storage, tree.clone()).unwrap();
    let (mut native_times, mut rust_times) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        case.prepare(&tree, round);
        let mut time_native = || native_times.push(native_insert::insert(&mut native, case, round));
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
    let warm = rounds.min(WARM_UP + 1) - 1;
    (
        median(native_times.split_off(warm)),
        median(rust_times.split_off(warm)),
    )
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
