//! The importer's own account of a session, handed through the host to the report.

use serde::{Deserialize, Serialize};

/// What an importer met in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Tool calls that the recording holds.
    pub calls: u64,
    /// Results that the recording holds.
    pub results: u64,
    /// Plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …).
    pub shell_reads: u64,
    /// Those of them that repeat lines of an unchanged file.
    pub shell_rereads: u64,
    /// What the recording harness did itself: the recording comes after it, so none of it counts
    /// as a saving of these rules.
    pub harness_measures: Vec<Measure>,
    /// Results that went in as recorded text although they are reads or edits, and why.
    pub not_replayed: Vec<Reason>,
    /// What was left out, and why.
    pub skipped: Vec<Reason>,
    /// What the recording does not hold of its requests, in a few words each.
    pub lacks: Vec<String>,
}

/// One measure of a recording harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// What it did, in a few words.
    pub measure: String,
    /// How many results it shaped.
    pub count: u64,
}

/// One reason, and how often it applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// In a few words.
    pub reason: String,
    /// How often.
    pub count: u64,
    /// The first line of the file, from 1, where it applied; none where lines mean nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_line: Option<u32>,
}

impl About {
    /// Counts a measure of the harness.
    pub(crate) fn measure(&mut self, measure: &str) {
        add_measure(&mut self.harness_measures, measure, 1);
    }

    /// Counts a result that could only be taken as text.
    pub(crate) fn as_text(&mut self, reason: &str, line: Option<u32>) {
        add_reason(&mut self.not_replayed, reason, 1, line);
    }

    /// Counts something that was left out.
    pub(crate) fn skip(&mut self, reason: &str, line: Option<u32>) {
        add_reason(&mut self.skipped, reason, 1, line);
    }
}

/// Adds to a measure's count, in the order in which measures were first met.
pub(crate) fn add_measure(list: &mut Vec<Measure>, measure: &str, count: u64) {
    match list.iter_mut().find(|entry| entry.measure == measure) {
        Some(entry) => entry.count += count,
        None => list.push(Measure {
            measure: measure.to_owned(),
            count,
        }),
    }
}

/// Adds to a reason's count, in the order in which reasons were first met.
pub(crate) fn add_reason(list: &mut Vec<Reason>, reason: &str, count: u64, line: Option<u32>) {
    match list.iter_mut().find(|entry| entry.reason == reason) {
        Some(entry) => entry.count += count,
        None => list.push(Reason {
            reason: reason.to_owned(),
            count,
            first_line: line,
        }),
    }
}
