//! Tables for a terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use super::WIDTH;

/// A rule below the header and nothing else.
const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The lines of a table: names on the left, numbers on the right. `totals`: the last row is a sum.
pub(crate) fn table(header: &[&str], rows: Vec<Vec<String>>, totals: bool) -> String {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH)
        .set_header(header);
    table.add_rows(rows);
    for (position, column) in table.column_iter_mut().enumerate() {
        column.set_padding((1, 0));
        if position > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    if totals {
        // The library has no rule for a single row.
        let rule = lines.iter().find(|line| line.starts_with('─')).cloned();
        let last = lines.len().saturating_sub(1);
        lines.splice(last..last, rule);
    }
    lines.join("\n")
}
