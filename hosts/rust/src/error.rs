//! What a call can fail with.

use crate::storage::StorageError;

/// A failed call. The session is as it was before.
///
/// Its `Display` is one sentence for people: what was wrong, where, and what would be right. A program
/// looks at [`cause`](Self::cause).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    cause: Box<Cause>,
    message: String,
}

impl Error {
    pub(crate) fn new(cause: Cause, message: String) -> Self {
        Self {
            cause: Box::new(cause),
            message,
        }
    }

    /// What went wrong, for a program.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// What went wrong, for a program: `cause` of the contract, and [`Trapped`](Self::Trapped).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// An argument that no session accepts.
    InvalidArgument {
        /// The argument, by its path in the contract: `call.id`, `changes.files[2].path`.
        argument: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A setting that is unknown, of the wrong type, out of range or at odds with another.
    InvalidSetting {
        /// The setting's dotted name: `context.cap.head_lines`.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A setting given at a later `open` that is not what the session began with.
    SettingsDiffer {
        /// `kind`, `dialect` or `overrides`.
        name: String,
        /// What the session began with.
        kept: String,
        /// What was given now.
        given: String,
    },
    /// A second result for one call.
    CallAnswered {
        /// The call's id.
        call: String,
        /// The id of the result that it has.
        id: String,
    },
    /// A result for a call that is not open.
    UnknownCall {
        /// The call's id.
        call: String,
        /// The ids of the calls that are open.
        open: Vec<String>,
    },
    /// No message of the conversation has this number.
    UnknownMessage {
        /// The number that was given.
        number: u32,
    },
    /// No request of the session has this number.
    UnknownRequest {
        /// The number that was given.
        number: u32,
    },
    /// The session has no generation of this number.
    UnknownGeneration {
        /// The number that was given.
        number: u32,
    },
    /// The call does not fit what the session is or where it stands.
    OutOfOrder {
        /// Why.
        problem: String,
    },
    /// An id that the session never gave.
    UnknownId {
        /// The id as it was asked for.
        id: String,
    },
    /// A record of the log that a newer version wrote. Nothing of the session is used.
    NewerRecord {
        /// Its position in the log, from 0.
        position: u32,
        /// What is newer.
        problem: String,
    },
    /// A record of the log that is none, or that does not fit those before it.
    DamagedRecord {
        /// Its position in the log, from 0.
        position: u32,
        /// What does not fit.
        problem: String,
    },
    /// Another writer appended to this session. [`Session::reopen`](crate::Session::reopen)
    /// carries it on.
    Conflict {
        /// The length of the log now, in records.
        length: u32,
    },
    /// A storage call failed.
    Storage {
        /// `append`, `read-log` or `read-text`.
        operation: String,
        /// What the storage said.
        error: StorageError,
    },
    /// A file could not be read for a reason that no model can act on, or the history could not be
    /// written to one.
    FileSystem {
        /// The absolute path; of a history, the path that was given.
        path: String,
        /// What the filesystem said.
        problem: String,
    },
    /// The component stopped in the middle of the call: it ran out of memory, or has a fault.
    ///
    /// What it had stored is not lost: the session has been opened again from storage, or will be by
    /// the next call. If the call had been stored by then, it has its result.
    Trapped {
        /// What stopped it.
        problem: String,
    },
}

impl Cause {
    /// The name that the contract gives it: `call-answered`. A trap is `trapped`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::InvalidArgument { .. } => "invalid-argument",
            Self::InvalidSetting { .. } => "invalid-setting",
            Self::SettingsDiffer { .. } => "settings-differ",
            Self::CallAnswered { .. } => "call-answered",
            Self::UnknownCall { .. } => "unknown-call",
            Self::UnknownMessage { .. } => "unknown-message",
            Self::UnknownRequest { .. } => "unknown-request",
            Self::UnknownGeneration { .. } => "unknown-generation",
            Self::OutOfOrder { .. } => "out-of-order",
            Self::UnknownId { .. } => "unknown-id",
            Self::NewerRecord { .. } => "newer-record",
            Self::DamagedRecord { .. } => "damaged-record",
            Self::Conflict { .. } => "conflict",
            Self::Storage { .. } => "storage",
            Self::FileSystem { .. } => "filesystem",
            Self::Trapped { .. } => "trapped",
        }
    }
}
