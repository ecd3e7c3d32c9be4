//! What a session answers.

use std::fmt;

/// A result as it was inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inserted {
    /// `#0012` (§1): never given twice in a session.
    pub id: String,
    /// What goes to the model, whole, bracket included.
    pub text: String,
    /// Which measure shaped it.
    pub treatment: Treatment,
    /// The id that a stub names; none for anything else.
    pub refers_to: Option<String>,
    /// Characters that the model would have been shown had no measure acted. A character is a
    /// Unicode scalar value.
    pub chars_in: u32,
    /// Characters of `text`.
    pub chars_out: u32,
}

/// Which measure shaped an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Treatment {
    /// None: the result in full.
    Full,
    /// Head and tail (§3).
    Capped,
    /// A stub for an unchanged re-read (§2).
    UnchangedRead,
    /// A stub for the same search or listing (§6).
    SameResult,
    /// The call failed, or was refused with a sentence for the model.
    Failed,
}

impl Treatment {
    /// The name that the contract gives it: `unchanged-read`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Capped => "capped",
            Self::UnchangedRead => "unchanged-read",
            Self::SameResult => "same-result",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for Treatment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The newest full read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LastRead {
    /// The result's id.
    pub id: String,
    /// The path as that read's call gave it.
    pub path: String,
    /// The first line shown whole, from 1; 0 for an empty file and a cut line.
    pub first_line: u32,
    /// The last line shown whole; 0 for an empty file and a cut line.
    pub last_line: u32,
    /// The file's length in lines.
    pub total_lines: u32,
    /// SHA-256 of the content that was read, 64 lowercase hex digits.
    pub sha256: String,
}
