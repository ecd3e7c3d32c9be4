//! The context rules of Waybread, in plain Rust.
//!
//! `component.rs` alone knows WebAssembly; everything else builds, tests and is measured natively.
//! Dependencies point one way: component → session → the rules (`read`, `output`, `changes`,
//! `recall`) → draft, state, table, cap, diff → rules, record, error → leaf values (`id`, `lines`,
//! `window`, `path`, `canon`, `template`).
//!
//! "§" in a comment points into `context-hygiene` 3.2.0; "the rulings" are docs/rulings.md.

mod canon;
mod cap;
mod changes;
#[cfg(target_arch = "wasm32")]
mod component;
mod diff;
mod draft;
mod error;
mod id;
mod lines;
mod output;
mod overrides;
mod path;
mod ports;
mod read;
mod recall;
mod record;
mod rules;
mod session;
mod state;
mod table;
mod template;
mod window;

pub use changes::{ChangeSet, FileChange};
pub use draft::{Inserted, Treatment};
pub use error::Error;
pub use ports::{
    Content, File, FileError, FileSystem, HashedContent, Storage, StorageError, StoredText,
};
pub use read::ReadRequest;
pub use record::Kind;
pub use session::{LastReadFile, Outcome, Session, Settings, ToolCall};
pub use window::LineWindow;
