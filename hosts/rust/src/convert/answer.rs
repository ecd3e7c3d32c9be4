//! What a session answers.

use crate::answer::{Inserted, LastRead, Treatment};
use crate::bindings::exports::waybread::context::context as wit;

impl From<wit::Inserted> for Inserted {
    fn from(inserted: wit::Inserted) -> Self {
        Self {
            id: inserted.id,
            text: inserted.text,
            treatment: match inserted.treatment {
                wit::Treatment::Full => Treatment::Full,
                wit::Treatment::Capped => Treatment::Capped,
                wit::Treatment::UnchangedRead => Treatment::UnchangedRead,
                wit::Treatment::SameResult => Treatment::SameResult,
                wit::Treatment::Failed => Treatment::Failed,
            },
            refers_to: inserted.refers_to,
            chars_in: inserted.chars_in,
            chars_out: inserted.chars_out,
        }
    }
}

impl From<wit::LastRead> for LastRead {
    fn from(last: wit::LastRead) -> Self {
        Self {
            id: last.id,
            path: last.path,
            first_line: last.first_line,
            last_line: last.last_line,
            total_lines: last.total_lines,
            sha256: last.sha256,
        }
    }
}
