#![doc = include_str!("../README.md")]

mod answer;
mod bindings;
mod call;
mod content;
mod convert;
mod engine;
mod error;
mod filesystem;
mod host;
mod limits;
#[cfg(feature = "replay")]
pub mod replay;
mod session;
mod storage;

pub use answer::{Inserted, LastRead, Treatment};
pub use call::{Changes, FileChange, Kind, Outcome, Read, Settings, ToolCall};
pub use error::{Cause, Error};
pub use filesystem::{Directory, File, FileError, FileSystem, MemoryTree};
pub use limits::Limits;
pub use session::Session;
#[cfg(feature = "sqlite")]
pub use storage::SqliteStorage;
pub use storage::{MemoryStorage, Storage, StorageError, StoredText};
