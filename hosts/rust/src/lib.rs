#![doc = include_str!("../README.md")]

mod answer;
#[cfg(feature = "context")]
mod aside;
mod assembly;
#[cfg(feature = "audit")]
pub mod audit;
mod bindings;
mod body;
mod call;
mod compacted;
mod compaction;
mod content;
#[cfg(feature = "context")]
pub mod context;
mod conversation;
mod convert;
mod delegation;
mod engine;
mod error;
mod fallback;
mod filesystem;
mod generation;
mod host;
mod limits;
mod message;
mod note;
mod pressure;
mod prompt;
#[cfg(feature = "replay")]
pub mod replay;
mod report;
mod request;
mod session;
mod settings;
mod shared;
mod skill;
mod snapshot;
mod storage;
mod tool;
mod usage;

pub use answer::{Inserted, LastRead, Treatment};
pub use assembly::{Assembly, PromptBlock, Zone};
pub use call::{Changes, Delegated, FileChange, Outcome, Read, RecallWindow, ToolCall};
pub use compacted::{Compacted, CompactionEnd, CompactionReport, NotApplied, NotAppliedReason};
pub use compaction::{
    Compaction, CompactionStart, PendingSubagent, Stage, SummaryOutcome, SummaryRequest,
    SummaryResult, SummaryTarget,
};
pub use conversation::{Added, ReplyCall, Speaker, StoredMessage};
pub use delegation::{DelegateState, Delegation};
pub use error::{Cause, Error};
pub use fallback::{
    FallbackDecision, FallbackModel, FallbackStatus, FallbackUse, MainRequest, ModelRef,
};
pub use filesystem::{Directory, File, FileError, FileSystem, MemoryTree};
pub use generation::{ContextState, Generation};
pub use limits::Limits;
pub use message::{Delivery, Message, Part, Reply, Sender, UserMessage};
pub use note::{Change, ChangeKind};
pub use pressure::{
    Confidence, Health, HealthState, Pressure, PressureAction, Severity, TokenEstimate,
    TokenStrategy,
};
pub use prompt::{Prefix, Prompt, PromptPart, PromptSource};
pub use report::{BigResult, ContextKind, ContextPart, ContextReport};
pub use request::{Body, Difference, DifferenceCause, Request, RequestPart, RequestReport};
pub use session::{CompactionRun, Session};
pub use settings::{Dialect, Kind, Settings};
pub use skill::{SkillChange, SkillState, SkillTruncated};
pub use snapshot::{Diagnosis, MessageHash, Snapshot};
#[cfg(feature = "sqlite")]
pub use storage::SqliteStorage;
pub use storage::{MemoryStorage, Storage, StorageError, StoredText};
pub use tool::Tool;
pub use usage::Usage;
