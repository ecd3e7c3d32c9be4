//! What fills a session's window, for people: a table for a terminal, and a page with a chart. The same in
//! every host. The numbers are a session's `context-report` (`docs/assembly.md`, "What fills the window"); the JSON is
//! described in `docs/context.md`.

mod kind;
mod page;
mod sentences;
mod table;
mod template;

use serde::{Deserialize, Serialize};

pub use kind::ContextKind;
pub use page::context_page;
pub use table::context_table;

/// What the next request of a session would hold. Its JSON is what `waybread context --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextReport {
    /// The session's key.
    pub session: String,
    /// The body's length in bytes.
    pub bytes: u64,
    /// How full the window would be.
    pub pressure: ContextPressure,
    /// The parts. Their bytes add up to `bytes`.
    pub parts: Vec<ContextPart>,
    /// The largest results, the largest first.
    pub biggest: Vec<BigResult>,
}

/// How full the window would be, in tokens: of `pressure` of the contract what people are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPressure {
    /// The request's.
    pub tokens: u64,
    /// `weights` or `provider-usage`.
    pub strategy: String,
    /// `low`, `medium` or `high`.
    pub confidence: String,
    /// The model's window; 0: not known.
    pub window: u64,
    /// From how many a compaction is due; 0 without a window.
    pub soft_limit: u64,
    /// The window without the margin.
    pub hard_limit: u64,
    /// Kept free for the reply.
    pub reserve: u64,
    /// Kept free for what the estimate misses.
    pub margin: u64,
    /// `none`, `compact`, `emergency` or `stop`.
    pub action: String,
    /// Why it is `stop`, or why nothing is done where a compaction is due.
    pub reason: Option<String>,
}

/// A part of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPart {
    /// What it is.
    pub kind: ContextKind,
    /// A source's, a tool's or a skill's name; empty for the others.
    pub name: String,
    /// How many there are.
    pub count: u64,
    /// Bytes in the body.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: u64,
}

/// One of the largest results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BigResult {
    /// `#0012`.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// Bytes in the body.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: u64,
}

impl ContextReport {
    /// From its JSON.
    fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json)
            .map_err(|error| format!("not a context report (docs/context.md): {error}"))
    }

    /// Tokens of all parts, which may differ from the request's by rounding.
    fn part_tokens(&self) -> u64 {
        let tokens = self.parts.iter().map(|part| part.tokens);
        tokens.fold(0, u64::saturating_add)
    }
}

/// [`context_table()`] of a report that is JSON.
///
/// # Errors
///
/// `report` is not a context report.
pub fn context_table_json(report: &str) -> Result<String, String> {
    ContextReport::read(report).map(|report| context_table(&report))
}

/// [`context_page()`] of a report that is JSON.
///
/// # Errors
///
/// `report` is not a context report.
pub fn context_page_json(report: &str) -> Result<String, String> {
    ContextReport::read(report).map(|report| context_page(&report))
}
