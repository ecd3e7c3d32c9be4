//! The table of reads that a summary covers (§7).

use std::collections::BTreeMap;

use crate::bracket;
use crate::id::ResultNumber;
use crate::record::{Fact, ReadFact, ResultRecord};
use crate::rules::Rules;

/// The table, of the full reads among some results. None without reads.
pub fn table<'a>(results: impl Iterator<Item = &'a ResultRecord>, rules: &Rules) -> Option<String> {
    let mut newest: BTreeMap<&str, (u32, &ReadFact)> = BTreeMap::new();
    for result in results {
        if let Fact::Read(read) = &result.fact
            && read.stub_of.is_none()
            && result.limit.is_none()
        {
            // Parallel calls stand in their order, and may have been answered in another.
            let known = newest.entry(&read.file).or_insert((result.number, read));
            if result.number > known.0 {
                *known = (result.number, read);
            }
        }
    }
    let mut reads: Vec<(u32, &ReadFact)> = newest.into_values().collect();
    reads.sort_by_key(|(number, _)| *number);
    let most = rules.compaction.rows as usize;
    let first = reads.len().saturating_sub(most);
    let rows = reads
        .iter()
        .skip(first)
        .map(|(number, read)| row(*number, read, rules));
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        return None;
    }
    Some(rules.compaction.table.fill(&[("rows", &rows.join("\n"))]))
}

fn row(number: u32, read: &ReadFact, rules: &Rules) -> String {
    let texts = &rules.compaction;
    let lines = match read.first {
        0 => texts.empty.clone(),
        line if read.cut => texts.part.fill(&[
            ("line", &line.to_string()),
            ("total", &read.total.to_string()),
        ]),
        first => texts.lines.fill(&[
            ("first", &first.to_string()),
            ("last", &read.last.to_string()),
            ("total", &read.total.to_string()),
        ]),
    };
    let sha = read.sha256.get(..rules.sha_digits as usize);
    texts.row.fill(&[
        ("path", &bracket::cell(&read.path)),
        ("lines", &lines),
        ("sha", sha.unwrap_or(&read.sha256)),
        ("id", &ResultNumber(number).show(&rules.ids)),
    ])
}
