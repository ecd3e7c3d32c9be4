//! The report as a terminal shows it.

use super::kind::shown;
use super::{BigResult, ContextPart, ContextReport, sentences};
use crate::share::percent;
use crate::summary::numbers::grouped;
use crate::summary::sentences::wrapped;
use crate::summary::table::table;

/// What fills the window, as tables and sentences, without a newline at its end.
#[must_use]
pub fn context_table(report: &ContextReport) -> String {
    let mut parts = vec![by_part(report)];
    if !report.biggest.is_empty() {
        parts.push(biggest(&report.biggest));
    }
    let sentences = sentences::of(report);
    parts.extend(sentences.iter().map(|sentence| wrapped(sentence)));
    parts.join("\n\n")
}

fn by_part(report: &ContextReport) -> String {
    let row = |part: &ContextPart| {
        vec![
            part.label(),
            grouped(part.count),
            grouped(part.bytes),
            percent(part.bytes.into(), report.bytes),
            grouped(part.tokens),
        ]
    };
    let mut rows: Vec<Vec<String>> = report.parts.iter().map(row).collect();
    rows.push(vec![
        "total".to_owned(),
        String::new(),
        grouped(report.bytes),
        percent(report.bytes.into(), report.bytes),
        grouped(report.part_tokens()),
    ]);
    table(&["part", "count", "bytes", "%", "tokens"], rows, true)
}

fn biggest(results: &[BigResult]) -> String {
    let row = |result: &BigResult| {
        vec![
            format!("{} {}", shown(&result.id), shown(&result.tool)),
            grouped(result.bytes),
            grouped(result.tokens),
        ]
    };
    let rows = results.iter().map(row).collect();
    table(&["largest results", "bytes", "tokens"], rows, false)
}
