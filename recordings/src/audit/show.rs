//! Audits as text for people: what `waybread audit` prints in every host.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use super::finding::counted;
use super::{Audit, AuditList, InvalidThinking, RequestAudit};

impl Display for Audit {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let cause = self.cause.name();
        let mut line = |label: &str, text: &str| writeln!(formatter, "{label:<12} {text}");
        line("cause", &format!("{cause}: {}", self.what))?;
        if self.part.is_some() {
            line("where", &place(self))?;
        }
        for (label, text) in [("before", &self.previous), ("now", &self.next)] {
            if let Some(text) = text {
                line(label, &Value::from(text.as_str()).to_string())?;
            }
        }
        for parameter in &self.parameters {
            let value =
                |value: &Option<String>| value.clone().unwrap_or_else(|| "not given".to_owned());
            let (before, now) = (value(&parameter.previous), value(&parameter.next));
            line(
                "parameter",
                &format!("{}: {before} → {now}", parameter.path),
            )?;
        }
        for (label, paths) in [
            ("cache_control", &self.cache_control.removed),
            ("cache_control", &self.cache_control.added),
        ] {
            let verb = if std::ptr::eq(paths, &self.cache_control.added) {
                "now"
            } else {
                "no longer"
            };
            if !paths.is_empty() {
                line(label, &format!("{verb} at {}", paths.join(", ")))?;
            }
        }
        if let Some(thinking) = &self.thinking {
            line("thinking", &invalid(thinking))?;
        }
        write!(formatter, "{:<12} {}", "prompt", characters(self))
    }
}

/// How much of the thinking a model that binds it does not take back.
fn invalid(thinking: &InvalidThinking) -> String {
    let (blocks, message) = (thinking.blocks as usize, thinking.message);
    format!(
        "{} of it from message {message} on stand behind something else than they were made behind: models that bind \
         thinking refuse or drop them",
        counted(blocks, "block")
    )
}

fn place(audit: &Audit) -> String {
    let part = audit
        .part
        .map(|part| format!("{part:?}").to_lowercase())
        .unwrap_or_default();
    let part = audit
        .message
        .map_or(part.clone(), |message| format!("{part} {message}"));
    let path = audit
        .path
        .as_ref()
        .map(|path| format!(", {path}"))
        .unwrap_or_default();
    let byte = audit
        .byte
        .map(|byte| format!(" (the bodies differ from byte {})", grouped(byte)));
    format!("{part}{path}{}", byte.unwrap_or_default())
}

fn characters(audit: &Audit) -> String {
    let chars = &audit.chars;
    format!(
        "{} characters: {} kept, {} read again ({} %), {} new",
        grouped(chars.next),
        grouped(chars.kept),
        grouped(chars.again),
        audit.again_percent,
        grouped(chars.new)
    )
}

const HEADER: [&str; 7] = [
    "Request",
    "Cause",
    "Where",
    "Chars",
    "Kept",
    "Read again",
    "Share",
];
/// Columns of words; the others are numbers.
const WORDS: [usize; 2] = [1, 2];
/// The longest path that is shown whole.
const PATH: usize = 44;

impl Display for AuditList {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut rows = vec![HEADER.map(str::to_owned)];
        rows.extend(self.audits.iter().map(row));
        rows.push(self.total_row());
        let widths: [usize; 7] = std::array::from_fn(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or_default()
        });
        let rule = "─".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1));
        let last = rows.len() - 1;
        for (at, row) in rows.iter().enumerate() {
            if at == 1 || at == last {
                writeln!(formatter, "{rule}")?;
            }
            writeln!(formatter, "{}", cells(row, &widths))?;
        }
        for cause in self
            .total
            .causes
            .iter()
            .filter(|cause| cause.cause.breaks())
        {
            let (count, again) = (grouped(cause.count), grouped(cause.again));
            write!(
                formatter,
                "\n{count:>7} × {}, {again} characters read again",
                cause.cause.name()
            )?;
        }
        self.asides(formatter)
    }
}

impl AuditList {
    fn total_row(&self) -> [String; 7] {
        let total = &self.total;
        [
            grouped(total.compared),
            format!("{} broken", grouped(total.broken)),
            String::new(),
            grouped(total.chars.next),
            grouped(total.chars.kept),
            grouped(total.chars.again),
            format!("{} %", total.again_percent),
        ]
    }

    fn asides(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for entry in &self.audits {
            for parameter in &entry.audit.parameters {
                write!(
                    formatter,
                    "\nrequest {}: parameter {} changed",
                    entry.request, parameter.path
                )?;
            }
        }
        for entry in &self.audits {
            if let Some(thinking) = &entry.audit.thinking {
                let invalid = invalid(thinking);
                write!(
                    formatter,
                    "\nrequest {}: thinking: {invalid}",
                    entry.request
                )?;
            }
        }
        for skipped in &self.skipped {
            write!(
                formatter,
                "\nrecord {} skipped: {}",
                skipped.request, skipped.message
            )?;
        }
        Ok(())
    }
}

fn row(entry: &RequestAudit) -> [String; 7] {
    let audit = &entry.audit;
    let path = audit.path.as_deref().unwrap_or_default();
    let place = match path.char_indices().nth(PATH) {
        Some((end, _)) => format!("{}…", path.get(..end).unwrap_or_default()),
        None => path.to_owned(),
    };
    [
        entry.request.to_string(),
        audit.cause.name(),
        place,
        grouped(audit.chars.next),
        grouped(audit.chars.kept),
        grouped(audit.chars.again),
        format!("{} %", audit.again_percent),
    ]
}

fn cells(row: &[String; 7], widths: &[usize; 7]) -> String {
    let padded = row
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(column, (cell, width))| {
            if WORDS.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
    padded.collect::<Vec<_>>().join("  ")
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
