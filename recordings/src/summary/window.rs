//! The window: what was compacted in each session, and what that cost.

use crate::{Reason, Report, WindowReport};

use super::numbers::{counted, grouped};
use super::sentences::wrapped;
use super::table::table;

const HEADER: [&str; 8] = [
    "Session",
    "Requests",
    "Com-\npacted",
    "Emer-\ngency",
    "Not\nsent",
    "Largest",
    "Read",
    "If\npasted",
];

/// A table, with what it shows. Nothing without a window.
pub(super) fn of(report: &Report) -> Vec<String> {
    let Some(total) = &report.window else {
        return Vec::new();
    };
    let lists = [
        (
            "Compactions that came to nothing:",
            &total.counts.not_applied,
        ),
        (
            "Requests that were sent although a compaction was due:",
            &total.counts.held,
        ),
        ("Requests that were not sent:", &total.counts.stopped),
    ];
    let lists = lists
        .into_iter()
        .filter_map(|(title, list)| reasons(title, list));
    [
        wrapped(&parameters(total)),
        sessions(report, total),
        wrapped(&sizes(total)),
        wrapped(&costs(total)),
    ]
    .into_iter()
    .chain(lists)
    .collect()
}

fn parameters(total: &WindowReport) -> String {
    let window = &total.parameters;
    format!(
        "With a window of {} tokens and the preset {}; {} are kept free for a reply. A summary that the \
         recording does not hold has {} tokens. Waybread's requests above are those with this window; \
         the other policies have none. Below are requests, compactions, the largest request, and the \
         tokens that were read around compactions, with the prefix kept and with the conversation pasted.",
        grouped(window.window.into()),
        window.preset,
        grouped(window.max_output.into()),
        grouped(window.summary_tokens.into()),
    )
}

fn sessions(report: &Report, total: &WindowReport) -> String {
    let sessions = report.sessions.iter();
    let rows =
        sessions.filter_map(|session| Some(row(session.name.clone(), session.window.as_ref()?)));
    let all = counted(report.sessions.len() as u64, "session", "sessions");
    let rows = rows.chain([row(all, total)]).collect();
    table(&HEADER, rows, true)
}

fn row(name: String, window: &WindowReport) -> Vec<String> {
    let counts = &window.counts;
    let numbers = [
        counts.requests,
        counts.normal,
        counts.emergency,
        sum(&counts.stopped),
        counts.largest,
        window.kept_cost,
        window.pasted_cost,
    ];
    [name].into_iter().chain(numbers.map(grouped)).collect()
}

fn sum(reasons: &[Reason]) -> u64 {
    reasons.iter().map(|reason| reason.count).sum()
}

fn sizes(total: &WindowReport) -> String {
    let (counts, window) = (&total.counts, &total.parameters);
    let over = if counts.over == 0 {
        "no request was over the window".to_owned()
    } else {
        counted(counts.over, "request was over it", "requests were over it")
    };
    format!(
        "The fullest request takes {} of {} tokens, with what is kept free for the reply and for errors of the estimate: {over}.",
        grouped(counts.largest_filled),
        grouped(window.window.into()),
    )
}

fn costs(total: &WindowReport) -> String {
    let counts = &total.counts;
    format!(
        "Around {}, {} tokens had to be read: {} in requests for a summary, which keep the prefix that was sent \
         before, and {} in the first requests after one. With the conversation pasted into a request of its \
         own, the summaries would have read {}, and {} in all.",
        counted(
            counts.normal.saturating_add(counts.emergency),
            "compaction",
            "compactions"
        ),
        grouped(total.kept_cost),
        grouped(counts.summary_read),
        grouped(counts.next_read),
        grouped(counts.pasted_read),
        grouped(total.pasted_cost),
    )
}

fn reasons(title: &str, list: &[Reason]) -> Option<String> {
    let line = |reason: &Reason| format!("{:>7} × {}", grouped(reason.count), reason.reason);
    let lines: Vec<String> = list.iter().map(line).collect();
    (!list.is_empty()).then(|| wrapped(&format!("{title}\n{}", lines.join("\n"))))
}
