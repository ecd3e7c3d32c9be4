//! What became of results: a line a session, and the totals.

use crate::{Counts, Report};

use super::numbers::{counted, grouped};
use super::table::table;

const HEADER: [&str; 9] = [
    "Session",
    "Results",
    "Reads",
    "Re-read\nstubs",
    "Search\nstubs",
    "Capped",
    "Chars in",
    "Chars out",
    "Saved",
];

/// The table's lines.
pub(super) fn of(report: &Report) -> String {
    let sessions = report.sessions.iter();
    let mut rows: Vec<Vec<String>> = sessions
        .map(|session| row(session.name.clone(), &session.counts))
        .collect();
    let sessions = counted(report.sessions.len() as u64, "session", "sessions");
    rows.push(row(sessions, &report.total));
    table(&HEADER, rows, true)
}

fn row(name: String, counts: &Counts) -> Vec<String> {
    let numbers = [
        counts.results,
        counts.reads,
        counts.unchanged,
        counts.same_search,
        counts.capped,
        counts.chars_in,
        counts.chars_out,
    ];
    let numbers = numbers.into_iter().map(grouped);
    let saved = format!("{} %", counts.saved_percent);
    [name].into_iter().chain(numbers).chain([saved]).collect()
}
