//! What is this host's own: storage, the disk, failures. The rules have the conformance cases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics has failed"
)]

mod compaction;
mod compaction_run;
mod conversation;
mod crash;
mod crash_compaction;
mod crash_conversation;
mod delegates;
#[cfg(unix)]
mod directory;
mod history;
mod imports;
#[cfg(feature = "context")]
mod look;
mod memory_tree;
mod refused;
mod resume;
mod session;
mod sqlite;
mod stores;
mod support;
mod trap;
