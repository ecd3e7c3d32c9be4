//! What a report says beside its tables, in sentences.

use crate::{Lack, Reason, Report};
use textwrap::{Options, WordSplitter};

use super::WIDTH;
use super::numbers::{counted, grouped};

/// As wide as a count and the sign after it.
const LIST_INDENT: &str = "          ";

/// The paragraphs on results, no wider than the tables. `as_reads`: shell reads were reads.
pub(super) fn of(report: &Report, as_reads: bool) -> Vec<String> {
    let paragraphs = [
        Some(saved(report)),
        not_replayed(report),
        assumed(report),
        harness_measures(report),
        shell_reads(report, as_reads),
        failed_calls(report),
        lacks(report),
        refused(report),
        failed_files(report),
    ];
    paragraphs
        .into_iter()
        .flatten()
        .map(|text| wrapped(&text))
        .collect()
}

/// The text with its lines broken where they are too long. What follows a line of a list is indented as its text is.
pub(crate) fn wrapped(paragraph: &str) -> String {
    // A file's name is not broken at its hyphens.
    let options = Options::new(WIDTH.into()).word_splitter(WordSplitter::NoHyphenation);
    let wrap = |line: &str| {
        let indent = if line.starts_with(' ') {
            LIST_INDENT
        } else {
            ""
        };
        textwrap::fill(line, options.clone().subsequent_indent(indent))
    };
    let lines: Vec<String> = paragraph.lines().map(wrap).collect();
    lines.join("\n")
}

fn saved(report: &Report) -> String {
    let total = &report.total;
    format!(
        "{} of {} characters would have gone to the model: {} % saved.",
        grouped(total.chars_out),
        grouped(total.chars_in),
        total.saved_percent
    )
}

fn not_replayed(report: &Report) -> Option<String> {
    let reasons = &report.total.not_replayed;
    if reasons.is_empty() {
        return None;
    }
    let lines = reasons.iter().map(|reason| reason_line(report, reason));
    let lines: Vec<String> = lines.collect();
    Some(format!(
        "Not replayed, or only as the text that was recorded:\n{}",
        lines.join("\n")
    ))
}

/// A reason, how often it applied, and where it did first.
fn reason_line(report: &Report, reason: &Reason) -> String {
    let first = report.sessions.iter().find_map(|session| {
        let mut reasons = session.counts.not_replayed.iter();
        let same = reasons.find(|other| other.reason == reason.reason)?;
        let line = same
            .first_line
            .map(|line| format!(", line {line}"))
            .unwrap_or_default();
        Some(format!(" (first in {}{line})", session.file))
    });
    format!(
        "{:>7} × {}{}",
        grouped(reason.count),
        reason.reason,
        first.unwrap_or_default()
    )
}

fn assumed(report: &Report) -> Option<String> {
    let total = &report.total;
    (total.assumed > 0).then(|| {
        format!(
            "{} of {} rest on an assumption: the recording does not show every line that they \
             compare.",
            grouped(total.assumed),
            counted(total.unchanged, "unchanged re-read", "unchanged re-reads")
        )
    })
}

fn harness_measures(report: &Report) -> Option<String> {
    let measures = &report.total.harness_measures;
    if measures.is_empty() {
        return None;
    }
    let lines = measures.iter();
    let lines = lines.map(|measure| format!("{:>7} × {}", grouped(measure.count), measure.measure));
    let lines: Vec<String> = lines.collect();
    Some(format!(
        "The recording harnesses had measures of their own, which are not counted as savings:\n{}",
        lines.join("\n")
    ))
}

fn shell_reads(report: &Report, as_reads: bool) -> Option<String> {
    let total = &report.total;
    let treated = if as_reads {
        "they went through the rules as reads"
    } else {
        "--shell-reads puts them through the rules as reads"
    };
    (total.shell_reads > 0).then(|| {
        format!(
            "The recordings hold {}, of which {} lines of an unchanged file; {treated}.",
            counted(total.shell_reads, "plain shell read", "plain shell reads"),
            counted(total.shell_rereads, "repeats", "repeat")
        )
    })
}

fn failed_calls(report: &Report) -> Option<String> {
    let failed = report.total.failed;
    (failed > 0).then(|| {
        let results = counted(failed, "result says", "results say");
        format!("{results} that the call failed.")
    })
}

fn lacks(report: &Report) -> Option<String> {
    let lacks = &report.total.lacks;
    if lacks.is_empty() {
        return None;
    }
    let line = |lack: &Lack| format!("{:>7} × {}", grouped(lack.sessions), lack.part);
    let lines: Vec<String> = lacks.iter().map(line).collect();
    Some(format!(
        "What sessions do not hold of their requests, which counts under no policy:\n{}",
        lines.join("\n")
    ))
}

fn refused(report: &Report) -> Option<String> {
    let errors = report.total.errors;
    (errors > 0).then(|| {
        let sessions = report
            .sessions
            .iter()
            .filter(|session| session.counts.errors > 0);
        let names: Vec<&str> = sessions.map(|session| session.name.as_str()).collect();
        let refused = counted(
            errors,
            "result, message or request was",
            "results, messages or requests were",
        );
        format!("{refused} refused with an error, in {}.", names.join(", "))
    })
}

fn failed_files(report: &Report) -> Option<String> {
    let failed = report.failed_files.len() as u64;
    (failed > 0).then(|| {
        let failed = counted(failed, "file", "files");
        format!(
            "{failed} of {} could not be replayed.",
            grouped(report.files)
        )
    })
}
