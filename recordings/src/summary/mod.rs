//! A report for people: tables and sentences, the same in every host.

pub(crate) mod numbers;
mod policies;
mod results;
pub(crate) mod sentences;
pub(crate) mod table;
mod window;

use crate::Report;

/// Room for the numbers, and no wider than most terminals.
const WIDTH: u16 = 100;

/// The report as a terminal shows it, without a newline at its end; empty without a session.
/// `shell_reads`: shell reads were replayed as reads.
pub fn summary(report: &Report, shell_reads: bool) -> String {
    if report.sessions.is_empty() {
        return String::new();
    }
    let parts = [results::of(report)].into_iter();
    let parts = parts.chain(sentences::of(report, shell_reads));
    let parts = parts.chain(policies::of(report));
    let parts: Vec<String> = parts.chain(window::of(report)).collect();
    parts.join("\n\n")
}
