//! Recorded agent sessions, read into steps that a Waybread session can replay, and the report on
//! what came of them. The JSON of both is described in `docs/replay.md`. And the audit of request
//! bodies: where a prompt no longer begins as the one before it (`docs/audit.md`). And what fills a
//! session's window, as a table and a page (`docs/context.md`).
//!
//! Nothing here reads a file, a clock or the environment: the same recording gives the same plan
//! in every host.
//!
//! ```
//! use waybread_recordings::{Options, plan};
//!
//! let recording = r#"[{"role":"assistant","tool_calls":[{"id":"c1","type":"function",
//!     "function":{"name":"bash","arguments":"{}"}}]},
//!     {"role":"tool","tool_call_id":"c1","content":"hello"}]"#;
//! let plan = plan("hello.json", recording, &Options::default())?;
//! assert_eq!(plan.format, "openai-chat");
//! # Ok::<(), waybread_recordings::ImportError>(())
//! ```

mod about;
mod act;
pub mod audit;
mod beginning;
mod closing;
#[cfg(target_arch = "wasm32")]
mod component;
mod context_page;
mod conversation;
mod detect;
mod error;
mod files;
mod formats;
mod import;
mod json;
mod lacks;
mod lines;
mod measures;
mod model;
mod name;
mod pairing;
mod patch;
mod path;
mod plan;
mod planner;
mod policies;
mod policy_report;
mod ranges;
mod replace;
mod replayed;
mod report;
mod salvage;
mod share;
mod shell;
mod shell_effects;
mod shell_read;
mod steps;
mod summary;
mod undecorate;
mod window;
mod window_report;

pub use about::{About, Measure, Reason};
pub use context_page::{
    BigResult, ContextKind, ContextPart, ContextPressure, ContextReport, context_page,
    context_page_json, context_table, context_table_json,
};
pub use error::ImportError;
pub use import::plan;
pub use model::{Sender, Tool};
pub use plan::{
    As, Changes, Context, Delivery, FileChange, InsertResult, Message, Options, Outcome, Plan,
    Prompt, PromptSource, Read, ReplyMessage, Session, Settings, Step, UserMessage,
};
pub use policies::{
    BuiltRequest, PolicyCounts, PromptCounts, ReplayedPrompt, RequestPressure, SummaryRequest,
    TriedCompaction, measure,
};
pub use policy_report::PolicyReport;
pub use replayed::{ReplayedContext, ReplayedFile, ReplayedResult, ReplayedSession, Treatment};
pub use report::{Counts, FailedFile, Lack, Report, SessionReport, report};
pub use summary::summary;
pub use window::{Window, WindowCounts};
pub use window_report::WindowReport;

/// [`plan()`] as JSON.
///
/// # Errors
///
/// As [`plan()`].
pub fn plan_json(name: &str, content: &str, options: &Options) -> Result<String, ImportError> {
    let plan = plan(name, content, options)?;
    serde_json::to_string(&plan).map_err(|error| ImportError::new(error.to_string()))
}

/// [`summary()`] of a report that is JSON.
///
/// # Errors
///
/// `report` is not a report as [`report_json`] makes one.
pub fn summary_json(report: &str, shell_reads: bool) -> Result<String, String> {
    let report: Report = serde_json::from_str(report)
        .map_err(|error| format!("not a report (docs/replay.md): {error}"))?;
    Ok(summary(&report, shell_reads))
}

/// [`measure()`] from JSON to JSON.
///
/// # Errors
///
/// `requests` is not a list of built requests as `docs/replay.md` describes them.
pub fn measure_json(requests: &str) -> Result<String, String> {
    let requests: Vec<BuiltRequest> = serde_json::from_str(requests)
        .map_err(|error| format!("not a list of built requests (docs/replay.md): {error}"))?;
    serde_json::to_string(&measure(&requests)).map_err(|error| error.to_string())
}

/// [`report()`] from JSON to JSON.
///
/// # Errors
///
/// `replayed` is not a list of replayed files as `docs/replay.md` describes them.
pub fn report_json(replayed: &str) -> Result<String, String> {
    let replayed: Vec<ReplayedFile> = serde_json::from_str(replayed)
        .map_err(|error| format!("not a list of replayed files (docs/replay.md): {error}"))?;
    serde_json::to_string(&report(&replayed)).map_err(|error| error.to_string())
}
