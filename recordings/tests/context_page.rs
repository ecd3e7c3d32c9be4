//! The table and the page of a context report, held to what is written down in `tests/context`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics has failed"
)]

use serde_json::{Value, json};
use waybread_recordings::{context_page_json, context_table_json};

const REPORT: &str = include_str!("context/report.json");

fn with(change: impl FnOnce(&mut Value)) -> String {
    let mut report: Value = serde_json::from_str(REPORT).unwrap();
    change(&mut report);
    report.to_string()
}

/// The page is that of the folder; to look at a change, put what the test prints in its place.
#[test]
fn table_and_page_are_those_that_were_looked_at() {
    let table = context_table_json(REPORT).unwrap() + "\n";
    let page = context_page_json(REPORT).unwrap();
    for (made, kept) in [
        (&table, include_str!("context/table.txt")),
        (&page, include_str!("context/page.html")),
    ] {
        assert!(made == kept, "it is now:\n{made}");
    }
}

#[test]
fn nothing_of_a_session_is_markup_or_loaded() {
    let page = context_page_json(REPORT).unwrap();
    let lower = page.to_lowercase();
    for forbidden in [
        "<script", "<b>", "http://", "https://", "url(", "src=", "\u{7}",
    ] {
        assert!(!lower.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("prefers-color-scheme: dark"));
}

#[test]
fn without_a_window_and_results_neither_is_told_of() {
    let report = with(|report| {
        report["pressure"]["window"] = json!(0);
        report["biggest"] = json!([]);
    });
    let (table, page) = (
        context_table_json(&report).unwrap(),
        context_page_json(&report).unwrap(),
    );
    for text in [table, page] {
        assert!(!text.contains("of the window of"), "{text}");
        assert!(!text.to_lowercase().contains("largest results"), "{text}");
    }
}

#[test]
fn what_is_to_be_done_is_told() {
    for (action, reason, told) in [
        ("compact", None, "It is to be compacted before"),
        ("emergency", None, "in the emergency stage"),
        ("stop", Some("too large"), "It cannot be sent: too large."),
        (
            "none",
            Some("it frees little"),
            "No compaction begins: it frees little.",
        ),
    ] {
        let report = with(|report| {
            report["pressure"]["action"] = json!(action);
            report["pressure"]["reason"] = json!(reason);
        });
        assert!(
            context_table_json(&report).unwrap().contains(told),
            "{told}"
        );
        assert!(context_page_json(&report).unwrap().contains(told), "{told}");
    }
}

/// Bars end where the page ends, whatever the numbers are.
#[test]
fn a_request_over_the_window_fills_it() {
    let report = with(|report| {
        report["pressure"]["tokens"] = json!(1_000_000);
        report["bytes"] = json!(0);
    });
    let page = context_page_json(&report).unwrap();
    let widths = page
        .split("style=\"width: ")
        .skip(1)
        .filter_map(|rest| rest.split_once("%\""));
    let widths: Vec<f64> = widths.map(|(width, _)| width.parse().unwrap()).collect();
    assert!(widths.len() > 8 && widths.iter().all(|width| (0.0..=100.0).contains(width)));
    assert!(page.contains("6250.0 % of the window"));
}

#[test]
fn what_is_no_report_is_refused_with_the_reason() {
    for (given, named) in [
        ("", "EOF"),
        ("{}", "session"),
        (
            &with(|report| report["parts"][0]["kind"] = json!("other")),
            "other",
        ),
        (&with(|report| report["bytes"] = json!(-1)), "-1"),
    ] {
        for made in [context_table_json(given), context_page_json(given)] {
            let problem = made.unwrap_err();
            assert!(
                problem.starts_with("not a context report") && problem.contains(named),
                "{problem}"
            );
        }
    }
}
