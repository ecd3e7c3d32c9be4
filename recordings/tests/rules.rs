//! The recordings through the rules themselves, natively: every file that a plan reads is found,
//! nothing is refused, and the report adds up.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;
mod native;

use common::fixtures;
use waybread_recordings::{
    Options, PolicyReport, ReplayedFile, plan, report, report_json, summary, summary_json,
};

fn replayed(shell_reads: bool) -> Vec<ReplayedFile> {
    let options = Options {
        shell_reads,
        ..Options::default()
    };
    native::replayed(fixtures(), &options)
}

/// The bundled recordings show every measure at work.
#[test]
fn every_measure_acts_and_the_report_adds_up() {
    let replayed = replayed(false);
    let report = report(&replayed);
    let total = &report.total;
    let sum = |count: fn(&waybread_recordings::Counts) -> u64| {
        report
            .sessions
            .iter()
            .map(|session| count(&session.counts))
            .sum::<u64>()
    };
    assert_eq!(total.errors, 0);
    assert_eq!(total.results, sum(|counts| counts.results));
    assert_eq!(total.chars_out, sum(|counts| counts.chars_out));
    assert_eq!(
        (
            total.unchanged,
            total.assumed,
            total.same_search,
            total.capped
        ),
        (9, 6, 3, 4),
        "{total:?}"
    );
    assert!(total.chars_out < total.chars_in);
    let from_json = report_json(&serde_json::to_string(&replayed).unwrap()).unwrap();
    assert_eq!(from_json, serde_json::to_string(&report).unwrap());
    let text = summary(&report, false);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert_eq!(summary_json(&from_json, false), Ok(text));
}

/// The policies in the report, side by side.
#[test]
fn every_policy_makes_every_request() {
    let report = report(&replayed(false));
    let names = [
        "full-history",
        "waybread",
        "prune-old-outputs",
        "sliding-window",
        "clear-tool-uses",
    ];
    let adds_up = |policies: &[PolicyReport]| {
        assert_eq!(
            policies
                .iter()
                .map(|one| one.policy.as_str())
                .collect::<Vec<_>>(),
            names
        );
        for policy in policies {
            assert_eq!(policy.requests, policies[0].requests);
            assert_eq!(policy.sent, policy.kept + policy.reread);
            assert!(policy.again <= policy.reread);
        }
    };
    adds_up(&report.policies);
    for session in &report.sessions {
        adds_up(&session.policies);
        // What Waybread breaks off is a turn's reasoning, as the templates do under every policy.
        let [full, waybread, ..] = session.policies.as_slice() else {
            panic!("{}", session.name);
        };
        assert_eq!(waybread.breaks, full.breaks, "{}", session.name);
    }
    assert!(report.policies[0].requests > 200);
}

#[test]
fn shell_reads_find_more_unchanged_ones() {
    let total = report(&replayed(true)).total;
    assert_eq!(
        (total.errors, total.unchanged, total.shell_rereads),
        (0, 13, 4),
        "{total:?}"
    );
}

/// Whatever stands where in a recording, a session takes all that its plan holds.
#[test]
fn any_order_of_lines_is_taken() {
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let options = Options {
        shell_reads: true,
        ..Options::default()
    };
    let small = fixtures().into_iter();
    let small = small.filter(|(name, content)| name.ends_with(".jsonl") && content.len() < 60_000);
    let mut planned = 0;
    for (name, content) in small {
        for _ in 0..5 {
            let mut lines: Vec<&str> = content.lines().collect();
            for at in (1..lines.len()).rev() {
                lines.swap(at, next(at + 1));
            }
            lines.truncate(1 + next(lines.len()));
            let Ok(plan) = plan(&name, &lines.join("\n"), &options) else {
                continue;
            };
            planned += 1;
            for context in plan.sessions.iter().flat_map(|session| &session.contexts) {
                assert_eq!(native::perform(&name, context).prompt.errors, 0, "{name}");
            }
        }
    }
    assert!(planned > 20, "{planned}");
}
