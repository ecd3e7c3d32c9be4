//! What can go wrong in a call, for a program (`Error`) and for people (its `Display`).

use std::fmt;

use crate::ports::{FileError, StorageError};

/// A failed call. The session is as it was before. The variants are those of `cause` in
/// `wit/context.wit`, where each is explained.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub enum Error {
    InvalidArgument {
        argument: String,
        problem: String,
    },
    InvalidSetting {
        key: String,
        problem: String,
    },
    SettingsDiffer {
        name: &'static str,
        kept: String,
        given: String,
    },
    CallAnswered {
        call: String,
        id: String,
    },
    UnknownCall {
        call: String,
        open: Vec<String>,
    },
    UnknownId(String),
    UnknownMessage(u32),
    UnknownRequest(u32),
    UnknownGeneration(u32),
    OutOfOrder(String),
    NewerRecord {
        position: u32,
        problem: String,
    },
    DamagedRecord {
        position: u32,
        problem: String,
    },
    Conflict(u32),
    Storage {
        operation: &'static str,
        error: StorageError,
    },
    FileSystem {
        path: String,
        problem: String,
    },
}

impl Error {
    pub(crate) fn argument(argument: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::InvalidArgument {
            argument: argument.into(),
            problem: problem.into(),
        }
    }

    pub(crate) fn setting(key: &str, problem: impl Into<String>) -> Self {
        Self::InvalidSetting {
            key: key.to_owned(),
            problem: problem.into(),
        }
    }

    pub(crate) fn damaged(position: u32, problem: impl Into<String>) -> Self {
        Self::DamagedRecord {
            position,
            problem: problem.into(),
        }
    }

    pub(crate) fn storage(operation: &'static str, error: StorageError) -> Self {
        match error {
            StorageError::Conflict(length) => Self::Conflict(length),
            error => Self::Storage { operation, error },
        }
    }

    pub(crate) fn filesystem(path: &str, error: FileError) -> Self {
        Self::FileSystem {
            path: path.to_owned(),
            problem: error.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidArgument { argument, problem } => {
                write!(formatter, "argument `{argument}` {problem}")
            }
            Self::InvalidSetting { key, problem } => write!(formatter, "setting `{key}` {problem}"),
            Self::SettingsDiffer { name, kept, given } => write!(
                formatter,
                "the session began with {name} `{kept}` and cannot be carried on with `{given}`"
            ),
            Self::CallAnswered { call, id } => write!(
                formatter,
                "call `{call}` has its result already, {id}; a call has one result"
            ),
            Self::UnknownCall { call, open } if open.is_empty() => {
                write!(formatter, "there is no call `{call}`, and no call is open")
            }
            Self::UnknownCall { call, open } => write!(
                formatter,
                "there is no open call `{call}`; open are `{}`",
                open.join("`, `")
            ),
            Self::UnknownMessage(number) => {
                write!(formatter, "the conversation has no message {number}")
            }
            Self::UnknownRequest(number) => {
                write!(formatter, "the session has no request {number}")
            }
            Self::UnknownGeneration(number) => {
                write!(formatter, "the session has no generation {number}")
            }
            Self::OutOfOrder(problem) => formatter.write_str(problem),
            Self::UnknownId(id) => write!(formatter, "no stored result `{id}` in this session"),
            Self::NewerRecord { position, problem } | Self::DamagedRecord { position, problem } => {
                write!(formatter, "record {position} of the log {problem}")
            }
            Self::Conflict(length) => write!(
                formatter,
                "another writer appended to this session, its log now holds {length} records; \
                 open it again to carry on"
            ),
            Self::Storage { operation, error } => {
                write!(formatter, "storage failed in {operation}: {error}")
            }
            Self::FileSystem { path, problem } => {
                write!(formatter, "could not read `{path}`: {problem}")
            }
        }
    }
}

impl std::error::Error for Error {}
