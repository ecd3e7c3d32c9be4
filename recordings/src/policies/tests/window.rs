//! What a window's requests are counted as.

use serde_json::json;

use crate::policies::{BuiltRequest, measure};
use crate::{Reason, WindowCounts};

/// "system\nS\n", 9 characters.
const SYSTEM: &str = r#"{"messages":[{"role":"system","content":"S"}"#;
/// "user\naaa\n", 9 characters each.
const USER: &str = r#",{"role":"user","content":"aaa"}"#;

/// A body, kept as far as `keep` messages to the model after the system prompt.
fn tail(keep: Option<usize>, new: &str) -> (usize, String) {
    match keep {
        None => (0, format!("{SYSTEM}{new}]}}")),
        Some(messages) => (SYSTEM.len() + messages * USER.len(), format!("{new}]}}")),
    }
}

fn sent(keep: Option<usize>, new: &str, tokens: u64) -> BuiltRequest {
    let (keep, tail) = tail(keep, new);
    let pressure =
        json!({"window": 100, "tokens": tokens, "reserve": 10, "margin": 5, "reason": null});
    parsed(&json!({"keep": keep, "tail": tail, "pressure": pressure}))
}

fn compaction(stage: &str, keep: Option<usize>, new: &str, tokens: u64) -> serde_json::Value {
    let (keep, tail) = tail(keep, new);
    let request = json!({"keep": keep, "tail": tail, "tokens": tokens});
    json!({"compaction": {"stage": stage, "request": request, "not_applied": null}})
}

fn parsed(value: &serde_json::Value) -> BuiltRequest {
    serde_json::from_value(value.clone()).unwrap()
}

fn reason(reason: &str, count: u64) -> Reason {
    Reason {
        reason: reason.to_owned(),
        count,
        first_line: None,
    }
}

#[test]
fn a_summary_that_keeps_the_prefix_reads_what_is_new_and_a_pasted_one_all_but_the_prompt() {
    let measured = measure(&[
        sent(None, &USER.repeat(2), 54),
        parsed(&compaction("normal", Some(2), &USER.repeat(2), 80)),
        // Of the request before stand the system prompt and `user\n`: 14 characters.
        sent(None, r#",{"role":"user","content":"zz"}"#, 40),
        sent(Some(0), r#",{"role":"user","content":"zz"}"#, 41),
    ]);
    assert_eq!(measured.errors, 0);
    let expected = WindowCounts {
        requests: 3,
        normal: 1,
        largest: 54,
        largest_filled: 69,
        summary_read: 80 - 54,
        // 36 of 45 characters.
        pasted_read: 64,
        // 3 of 17 characters of 40 tokens do not.
        next_read: 7,
        ..WindowCounts::default()
    };
    assert_eq!(measured.window, expected);
    assert_eq!(measured.counts.requests, 3);
}

#[test]
fn a_compaction_before_any_request_reads_everything() {
    let measured = measure(&[
        parsed(&compaction("emergency", None, USER, 20)),
        sent(None, USER, 7),
    ]);
    let window = measured.window;
    assert_eq!((window.emergency, window.summary_read), (1, 20));
    assert_eq!((window.pasted_read, window.next_read), (10, 7));
}

#[test]
fn what_came_to_nothing_is_counted_by_its_reason() {
    let mut failed = compaction("normal", Some(1), USER, 30);
    failed["compaction"]["not_applied"] = json!("too-long");
    let not_begun = json!({"compaction": {"stage": "emergency", "not_applied": "no-turn-since"}});
    let mut held = json!({"keep": 0, "tail": format!("{SYSTEM}{USER}]}}")});
    held["pressure"] =
        json!({"window": 100, "tokens": 90, "reserve": 10, "margin": 1, "reason": "why"});
    let measured = measure(&[
        sent(None, USER, 20),
        parsed(&failed),
        parsed(&not_begun),
        parsed(&not_begun),
        parsed(&json!({"stopped": "too much"})),
        parsed(&held),
    ]);
    let window = measured.window;
    assert_eq!((measured.errors, window.requests), (0, 2));
    assert_eq!((window.normal, window.emergency), (0, 0));
    let not_applied = [
        reason("normal: too-long", 1),
        reason("emergency: no-turn-since", 2),
    ];
    assert_eq!(window.not_applied, not_applied);
    assert_eq!(window.stopped, [reason("too much", 1)]);
    assert_eq!(window.held, [reason("why", 1)]);
    assert_eq!(
        (window.largest, window.largest_filled, window.over),
        (90, 101, 1)
    );
    // A request for a summary is read whether or not something comes of it.
    assert_eq!((window.summary_read, window.next_read), (10, 0));
}

#[test]
fn a_request_for_a_summary_that_is_none_is_an_error() {
    let measured = measure(&[
        sent(None, USER, 20),
        parsed(
            &json!({"compaction": {"stage": "normal", "request": {"keep": 9000, "tail": "", "tokens": 3}}}),
        ),
        sent(Some(1), USER, 30),
    ]);
    assert_eq!((measured.errors, measured.window.requests), (1, 2));
}

#[test]
fn nothing_is_said_of_a_window_without_one() {
    let body = format!("{SYSTEM}{USER}]}}");
    let measured = measure(&[parsed(&json!({"keep": 0, "tail": body}))]);
    assert_eq!(measured.window, WindowCounts::default());
    let spelled = serde_json::to_value(&measured).unwrap();
    assert_eq!(spelled.get("window"), None);
}
