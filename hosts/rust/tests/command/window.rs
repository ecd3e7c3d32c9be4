//! `waybread replay --window`.

use std::path::PathBuf;

use serde_json::{Value, json};
use waybread::replay::{Options, replay};

use crate::{Folder, code, stderr, stdout, waybread};

/// A hundred calls, one after the other, of which each answers three lines.
fn counting(folder: &Folder) -> PathBuf {
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
    folder.write("counting.json", json!(messages).to_string())
}

#[test]
fn a_session_is_compacted_where_its_window_is_full() {
    let folder = Folder::new();
    let file = counting(&folder);
    for preset in ["context-hygiene", "steiner"] {
        let arguments = ["replay", "--json", "--window", "4000", "--preset", preset];
        let output = waybread(&arguments, &[&file]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let options = Options::default().window(4000).preset(preset);
        let report = replay(&[&file], &options, &mut |_| {}).unwrap();
        let spelled = serde_json::to_string(&report).unwrap();
        assert_eq!(stdout(&output), format!("{spelled}\n"));
        let window = report.window.unwrap();
        let counts = &window.counts;
        assert_eq!((report.total.errors, counts.requests), (0, 101));
        assert_eq!((counts.normal, counts.emergency, counts.over), (2, 0, 0));
        assert!(counts.stopped.is_empty() && counts.not_applied.is_empty());
        assert!(counts.largest_filled <= 4000, "{counts:?}");
        assert!(window.kept_cost * 3 < window.pasted_cost, "{window:?}");
        assert_eq!(report.sessions[0].window.as_ref(), Some(&window));
    }
}

#[test]
fn a_window_is_told_of_for_people_too() {
    let folder = Folder::new();
    let file = counting(&folder);
    let arguments = ["replay", "--window", "4000", "--summary-tokens", "100"];
    let text = stdout(&waybread(&arguments, &[&file])).replace('\n', " ");
    for told in [
        "With a window of 4,000 tokens and the preset context-hygiene",
        "A summary that the recording does not hold has 100 tokens.",
        "no request was over the window",
        "Around 2 compactions, ",
    ] {
        assert!(text.contains(told), "{text}");
    }
    let without = stdout(&waybread(&["replay"], &[&file])).to_owned();
    assert!(!without.contains("window of"), "{without}");
}

#[test]
fn numbers_out_of_range_and_options_without_a_window_are_wrong_usage() {
    let folder = Folder::new();
    let file = counting(&folder);
    for arguments in [
        &["--window", "3999"][..],
        &["--window", "10000001"],
        &["--window", "large"],
        &["--window", "4000", "--preset", "other"],
        &["--window", "4000", "--summary-tokens", "0"],
        &["--window", "4000", "--summary-tokens", "3073"],
        &["--preset", "steiner"],
        &["--summary-tokens", "800"],
    ] {
        let output = waybread(&[&["replay"], arguments].concat(), &[&file]);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stdout(&output).is_empty());
    }
}

/// A library's caller is told by file.
#[test]
fn a_number_out_of_range_fails_each_file() {
    let folder = Folder::new();
    let file = counting(&folder);
    let options = Options::default().window(100);
    let report = replay(&[&file], &options, &mut |_| {}).unwrap();
    let message = &report.failed_files[0].error.message;
    assert_eq!(
        message,
        "the window is 100 tokens, must be 4000 to 10000000"
    );
}
