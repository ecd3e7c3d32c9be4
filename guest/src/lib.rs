//! The context rules of Waybread, in plain Rust.
//!
//! `component` alone knows WebAssembly; everything else builds, tests and is measured natively.
//! Dependencies point one way: component → session → the rules of results (`read`, `output`,
//! `changes`, `recall`), of requests (`request`, `prompt`, `usage`), of what is told of them (`report`,
//! `snapshot`) and of compaction (`compaction`, `budget`, `fallback`, `escalation`) → draft, state, conversation, notes, tools, reply, table, cap,
//! diff → rules, record, error → leaf values (`id`, `lines`, `json`, `window`, `path`, `canon`,
//! `template`, `tokens`, `image_size`).
//!
//! "§" in a comment points into `context-hygiene` 3.2.0; "the rulings" are docs/rulings.md.

mod assembly;
mod bracket;
mod breakpoints;
mod budget;
mod call_summary;
mod canon;
mod cap;
mod changes;
mod compaction;
#[cfg(target_arch = "wasm32")]
mod component;
mod conversation;
mod diff;
mod draft;
mod error;
mod escalation;
mod fallback;
mod held;
mod id;
mod image_size;
mod json;
mod lines;
mod lookup;
mod message;
mod notes;
mod output;
mod overrides;
mod path;
mod ports;
mod prompt;
mod read;
mod recall;
mod record;
mod reply;
mod report;
mod request;
mod rules;
mod session;
pub mod skills;
mod snapshot;
mod state;
mod table;
mod template;
pub mod tokens;
mod tools;
mod usage;
mod window;

pub use assembly::{Assembly, PromptBlock, Zone};
pub use budget::{Confidence, Pressure, PressureAction, Strategy, TokenEstimate};
pub use changes::{ChangeSet, FileChange};
pub use compaction::Reason;
pub use draft::{Inserted, Treatment};
pub use error::Error;
pub use escalation::{Health, HealthState, Severity};
pub use fallback::{Due, MainRequest};
pub use message::{Image, Message, Part, Sender, UserMessage};
pub use notes::{Change, ChangeKind};
pub use ports::{
    Content, File, FileError, FileSystem, HashedContent, Storage, StorageError, StoredText,
};
pub use prompt::{Prompt, PromptPart, PromptSource};
pub use read::ReadRequest;
pub use record::{Dialect, Kind, Stage, Usage};
pub use report::{BigResult, ContextKind, ContextPart, ContextReport};
pub use request::{Difference, DifferenceCause, RequestPart};
pub use session::{
    Added, Compacted, CompactionEnd, CompactionRequest, CompactionStart, ContextState, Delegation,
    FallbackModel, FallbackUse, Generation, LastReadFile, ModelRef, NotApplied, Outcome,
    PendingSubagent, Prefix, ReplyCall, Request, RequestReport, Session, Settings, SkillChange,
    SkillState, SkillTruncated, Speaker, StoredMessage, SummaryOutcome, SummaryRequest,
    SummaryResult, SummaryTarget, ToolCall,
};
pub use snapshot::{Diagnosis, MessageHash, Snapshot, diagnose};
pub use state::DelegateState;
pub use tools::Tool;
pub use window::{CharWindow, LineWindow};
