//! What holds of every request of any conversation: the sent part stands, every difference has its
//! cause, calls and results go together, and an instance that did not build the last request builds
//! the same next one.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod checks;
mod report;
mod steps;
#[path = "../support/mod.rs"]
mod support;
mod talker;

use proptest::prelude::*;

use steps::{conversation, setup};
use talker::Talker;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_request_extends_the_one_before(setup in setup(), steps in conversation()) {
        let mut talker = Talker::open(setup);
        for step in steps {
            talker.perform(step);
        }
        talker.build("");
    }
}
