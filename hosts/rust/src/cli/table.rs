//! The report as a table: a line a session, and the totals.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Row, Table, TableStyle};
use waybread::replay::{Counts, Report};

use super::numbers::{counted, grouped};

/// Room for the numbers, and no wider than most terminals.
pub const WIDTH: u16 = 100;
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
/// A rule below the header and nothing else.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The lines of a report's table.
pub fn of(report: &Report) -> String {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH)
        .set_header(HEADER);
    for session in &report.sessions {
        table.add_row(row(session.name.clone(), &session.counts));
    }
    let sessions = counted(report.sessions.len() as u64, "session", "sessions");
    table.add_row(row(sessions, &report.total));
    for (position, column) in table.column_iter_mut().enumerate() {
        column.set_padding((1, 0));
        if position > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    with_rule_above_totals(&table)
}

fn row(name: String, counts: &Counts) -> Row {
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
    Row::from([name].into_iter().chain(numbers).chain([saved]))
}

/// The library has no rule for a single row.
fn with_rule_above_totals(table: &Table) -> String {
    let mut lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    let rule = lines.iter().find(|line| line.starts_with('─')).cloned();
    lines.splice(
        lines.len().saturating_sub(1)..lines.len().saturating_sub(1),
        rule,
    );
    lines.join("\n")
}
