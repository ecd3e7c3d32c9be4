//! The bundled recordings in small windows, through the rules themselves.
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
use serde_json::{Value, json};
use waybread_recordings::{Options, Report, report, report_json, summary, summary_json};

fn options(window: u32, preset: &str) -> Options {
    Options {
        window: Some(window),
        preset: Some(preset.to_owned()),
        ..Options::default()
    }
}

fn replayed(window: u32, preset: &str) -> Report {
    report(&native::replayed(fixtures(), &options(window, preset)))
}

/// Every session goes to its end, in either preset.
#[test]
fn no_request_is_over_a_window_and_none_is_stopped() {
    let all = fixtures().len() as u64;
    let whole = replayed(1_000_000, "context-hygiene")
        .window
        .unwrap()
        .counts;
    for preset in ["context-hygiene", "steiner"] {
        let report = replayed(16_000, preset);
        let window = report.window.as_ref().unwrap();
        let counts = &window.counts;
        assert_eq!((report.files, report.total.errors), (all, 0));
        assert_eq!(counts.requests, whole.requests, "{preset}");
        assert_eq!((counts.over, counts.stopped.len()), (0, 0), "{window:?}");
        assert!(
            counts.normal > 0 && counts.largest_filled <= 16_000,
            "{window:?}"
        );
        assert!(window.kept_cost * 2 < window.pasted_cost, "{window:?}");
    }
    assert_eq!((whole.normal, whole.summary_read), (0, 0));
}

/// A hundred calls, one after the other, of which each answers three lines.
fn small() -> (String, String) {
    let call = |number: usize| {
        let arguments = json!({"command": format!("count {number}")}).to_string();
        let function = json!({"name": "bash", "arguments": arguments});
        let id = format!("call_{number}");
        let lines = format!("{number}: one line\n").repeat(3);
        [
            json!({"role": "assistant", "content": format!("I count to {number}."),
                "tool_calls": [{"id": id, "type": "function", "function": function}]}),
            json!({"role": "tool", "tool_call_id": id, "content": lines}),
        ]
    };
    let asked = json!({"role": "user", "content": "Count to a hundred."});
    let done = json!({"role": "assistant", "content": "Done."});
    let calls = (1..=100).flat_map(call);
    let messages: Vec<Value> = [asked].into_iter().chain(calls).chain([done]).collect();
    ("small.json".to_owned(), json!(messages).to_string())
}

#[test]
fn a_small_recording_is_compacted_as_often_as_it_takes() {
    for preset in ["context-hygiene", "steiner"] {
        let replayed = native::replayed(vec![small()], &options(4000, preset));
        let window = report(&replayed).window.unwrap();
        let counts = &window.counts;
        assert_eq!(
            (counts.requests, counts.normal, counts.emergency),
            (101, 2, 0),
            "{window:?}"
        );
        assert_eq!((counts.stopped.len(), counts.not_applied.len()), (0, 0));
        assert!(counts.largest_filled <= 4000);
        // The prompt of a summary, the newest reply and its result.
        assert!(counts.summary_read < 1400, "{window:?}");
        assert!(counts.pasted_read > 4000, "{window:?}");
    }
}

/// The stated length of a summary is what a compaction leaves.
#[test]
fn a_longer_summary_costs_more() {
    let next_read = |summary_tokens| {
        let options = Options {
            summary_tokens: Some(summary_tokens),
            ..options(8000, "context-hygiene")
        };
        let replayed = native::replayed(fixtures(), &options);
        report(&replayed).window.unwrap().counts.next_read
    };
    assert!(next_read(400) > next_read(100) + 200);
}

#[test]
fn the_report_adds_up_and_is_the_same_from_json() {
    let replayed = native::replayed(fixtures(), &options(12_000, "steiner"));
    let report = report(&replayed);
    let total = report.window.as_ref().unwrap();
    let sessions = || {
        report
            .sessions
            .iter()
            .map(|session| session.window.as_ref().unwrap())
    };
    assert_eq!(total.parameters, sessions().next().unwrap().parameters);
    let sum =
        |count: fn(&waybread_recordings::WindowReport) -> u64| sessions().map(count).sum::<u64>();
    assert_eq!(total.counts.requests, sum(|window| window.counts.requests));
    assert_eq!(total.kept_cost, sum(|window| window.kept_cost));
    assert_eq!(total.pasted_cost, sum(|window| window.pasted_cost));
    let largest = sessions().map(|window| window.counts.largest).max();
    assert_eq!(Some(total.counts.largest), largest);
    let from_json = report_json(&serde_json::to_string(&replayed).unwrap()).unwrap();
    assert_eq!(from_json, serde_json::to_string(&report).unwrap());
    let text = summary(&report, false);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert!(text.contains("With a window of 12,000 tokens and the preset steiner"));
    assert!(text.contains("no request was over the window"));
    assert_eq!(summary_json(&from_json, false), Ok(text));
}

/// A window that is too small is no error: what can't be sent is told.
#[test]
fn what_does_not_fit_is_stopped_and_the_rest_goes_on() {
    let report = replayed(4000, "context-hygiene");
    let counts = report.window.unwrap().counts;
    assert_eq!((report.total.errors, counts.over), (0, 0));
    let stopped: u64 = counts.stopped.iter().map(|reason| reason.count).sum();
    assert!(stopped > 0 && counts.requests > stopped, "{counts:?}");
    assert!(
        counts
            .stopped
            .iter()
            .all(|reason| reason.reason.contains("context_window=4000"))
    );
}
