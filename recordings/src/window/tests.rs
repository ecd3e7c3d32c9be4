#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use serde_json::{Value, json};

use super::*;
use crate::conversation::{Answered, BEFORE, Part, Spoken};
use crate::model::Sender;

fn window(tokens: u32) -> Window {
    let options = Options {
        window: Some(tokens),
        ..Options::default()
    };
    Window::of(&options).unwrap().unwrap()
}

fn said(sender: Sender, text: &str) -> Part {
    Part::Said(Spoken {
        sender,
        starts_turn: true,
        text: text.to_owned(),
    })
}

fn reply(text: &str) -> Part {
    Part::Reply(Answered {
        recorded: true,
        text: text.to_owned(),
        reasoning: "not said".to_owned(),
        incomplete: false,
        calls: Vec::new(),
    })
}

/// The text of a stand-in.
fn summary(reply: &str) -> String {
    let reply: Value = serde_json::from_str(reply).unwrap();
    assert_eq!(reply["choices"][0]["finish_reason"], "stop");
    let message = &reply["choices"][0]["message"];
    assert_eq!(message["role"], "assistant");
    message["content"].as_str().unwrap().to_owned()
}

#[test]
fn less_is_read_at_once_in_proportion_to_the_window() {
    let small = window(32_000);
    assert_eq!(
        Value::Object(small.overrides()),
        json!({"budget": {"window": 32_000, "max_output": 2000}})
    );
    assert_eq!(
        Value::Object(small.context(0)),
        json!({
            "reads": {"window": 125},
            "recall": {"window": 125},
            "cap": {
                "max_lines": 25, "max_chars": 2500, "head_lines": 12, "head_chars": 1250,
                "tail_lines": 6, "tail_chars": 625
            }
        })
    );
    // A prompt of 16,000 tokens leaves half the room; there is always some.
    assert_eq!(small.context(64_000)["reads"], json!({"window": 62}));
    assert_eq!(small.context(1_000_000)["reads"], json!({"window": 20}));
    let large = window(512_000);
    assert_eq!(large.max_output, 4096);
    assert!(large.context(0).is_empty());
    assert_eq!(large.context(4)["reads"], json!({"window": 1999}));
    let smallest = window(4000);
    assert_eq!(smallest.max_output, 250);
    // Head and tail fit into what is shown.
    let cap = json!({
        "max_lines": 4, "max_chars": 400, "head_lines": 2, "head_chars": 200, "tail_lines": 1,
        "tail_chars": 100
    });
    assert_eq!(smallest.context(0)["cap"], cap);
}

#[test]
fn the_default_preset_is_not_named() {
    let options = |preset: &str| Options {
        window: Some(32_000),
        preset: Some(preset.to_owned()),
        ..Options::default()
    };
    let overrides = |preset| Window::of(&options(preset)).unwrap().unwrap().overrides();
    assert_eq!(overrides("steiner").get("preset"), Some(&json!("steiner")));
    assert_eq!(overrides("context-hygiene").get("preset"), None);
    let error = Window::of(&options("stoner")).unwrap_err();
    assert_eq!(
        error.message,
        "the preset is `stoner`, must be context-hygiene or steiner"
    );
}

#[test]
fn a_number_out_of_range_is_refused_and_so_is_an_option_without_its_window() {
    let message = |window, preset: Option<&str>, summary_tokens| {
        let options = Options {
            window,
            preset: preset.map(str::to_owned),
            summary_tokens,
            ..Options::default()
        };
        Window::of(&options).map_err(|error| error.message)
    };
    assert_eq!(message(None, None, None), Ok(None));
    let needs = Err("a preset and a summary's length need a window".to_owned());
    assert_eq!(message(None, Some("steiner"), None), needs);
    assert_eq!(message(None, None, Some(800)), needs);
    for window in [0, 3999, 10_000_001] {
        let error = format!("the window is {window} tokens, must be 4000 to 10000000");
        assert_eq!(message(Some(window), None, None), Err(error));
    }
    for summary in [0, 3073] {
        let error = format!("the summary is {summary} tokens, must be 1 to 3072");
        assert_eq!(message(Some(4000), None, Some(summary)), Err(error));
    }
    assert!(message(Some(10_000_000), None, Some(3072)).is_ok());
}

#[test]
fn a_stand_in_is_what_was_said_in_the_stated_length() {
    let parts = [said(Sender::Person, "Fix it."), reply("  "), reply("Done.")];
    let text = summary(&stand_in(&window(32_000), &parts, &[]));
    assert_eq!(text.chars().count(), 800 * 4);
    let begin =
        "A stand-in for a summary, made of what was said:\nFix it.\nDone.\nFix it.\nDone.\n";
    assert!(text.starts_with(begin), "{text}");
    assert!(!text.contains("not said"));
    // No stage takes more than a model writes.
    let small = summary(&stand_in(&window(4000), &parts, &[]));
    assert_eq!(small.chars().count(), 186 * 4);
}

#[test]
fn a_stand_in_of_nothing_says_what_it_is() {
    let text = summary(&stand_in(&window(32_000), &[], &[]));
    assert_eq!(text, "A stand-in for a summary, made of what was said:\n");
}

#[test]
fn a_recorded_summary_is_taken_where_there_is_one() {
    let parts = [said(Sender::Person, "Fix it.")];
    let of = |next: &[Part]| summary(&stand_in(&window(32_000), &parts, next));
    assert_eq!(
        of(&[said(Sender::Machine, "What was done.")]),
        "What was done."
    );
    let among_others = [
        said(Sender::Machine, "Fix it."),
        said(Sender::Person, "What was done."),
        said(Sender::Person, "Go on."),
        reply("Well, that is longer than any of it."),
        said(Sender::Person, "And so is this, but it comes too late."),
    ];
    assert_eq!(of(&among_others), "What was done.");
    for none in [said(Sender::Machine, BEFORE), reply("Well.")] {
        assert!(of(&[none]).starts_with("A stand-in"));
    }
    let long = [said(Sender::Machine, &"é".repeat(20_000))];
    assert_eq!(of(&long).chars().count(), 1500);
    let long = [said(Sender::Machine, &"e".repeat(20_000))];
    assert_eq!(of(&long).chars().count(), 1500 * 4);
    let large = summary(&stand_in(&window(128_000), &parts, &long));
    assert_eq!(large.chars().count(), 2304 * 4);
    let small = summary(&stand_in(&window(8000), &parts, &long));
    assert_eq!(small.chars().count(), 375 * 4);
}
