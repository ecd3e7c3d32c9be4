//! What goes wrong, on both sides of the contract.

use super::bindings::exports::waybread::context::context as exported;
use super::bindings::waybread::context::{filesystem, storage};
use crate as rules;

impl From<storage::StorageError> for rules::StorageError {
    fn from(error: storage::StorageError) -> Self {
        match error {
            storage::StorageError::Conflict(length) => Self::Conflict(length),
            storage::StorageError::NotFound => Self::NotFound,
            storage::StorageError::Denied => Self::Denied,
            storage::StorageError::Full => Self::Full,
            storage::StorageError::Other(words) => Self::Other(words),
            storage::StorageError::Uncertain(words) => Self::Uncertain(words),
        }
    }
}

impl From<rules::StorageError> for storage::StorageError {
    fn from(error: rules::StorageError) -> Self {
        match error {
            rules::StorageError::Conflict(length) => Self::Conflict(length),
            rules::StorageError::NotFound => Self::NotFound,
            rules::StorageError::Denied => Self::Denied,
            rules::StorageError::Full => Self::Full,
            rules::StorageError::Other(words) => Self::Other(words),
            rules::StorageError::Uncertain(words) => Self::Uncertain(words),
        }
    }
}

impl From<filesystem::FileError> for rules::FileError {
    fn from(error: filesystem::FileError) -> Self {
        match error {
            filesystem::FileError::NotFound => Self::NotFound,
            filesystem::FileError::Denied => Self::Denied,
            filesystem::FileError::IsDirectory => Self::IsDirectory,
            filesystem::FileError::NotAFile => Self::NotAFile,
            filesystem::FileError::Unreadable(words) => Self::Unreadable(words),
            filesystem::FileError::Other(words) => Self::Other(words),
        }
    }
}

impl From<rules::Error> for exported::SessionError {
    fn from(error: rules::Error) -> Self {
        let message = error.to_string();
        Self {
            cause: error.into(),
            message,
        }
    }
}

impl From<rules::Error> for exported::Cause {
    fn from(error: rules::Error) -> Self {
        use rules::Error;
        match error {
            Error::InvalidArgument { argument, problem } => {
                Self::InvalidArgument(exported::InvalidArgument { argument, problem })
            }
            Error::InvalidSetting { key, problem } => {
                Self::InvalidSetting(exported::InvalidSetting { key, problem })
            }
            Error::SettingsDiffer { name, kept, given } => {
                let name = name.to_owned();
                Self::SettingsDiffer(exported::SettingsDiffer { name, kept, given })
            }
            Error::CallAnswered { call, id } => {
                Self::CallAnswered(exported::AnsweredCall { call, id })
            }
            Error::UnknownCall { call, open } => {
                Self::UnknownCall(exported::UnknownCall { call, open })
            }
            Error::UnknownMessage(number) => Self::UnknownMessage(number),
            Error::UnknownRequest(number) => Self::UnknownRequest(number),
            Error::UnknownGeneration(number) => Self::UnknownGeneration(number),
            Error::OutOfOrder(problem) => Self::OutOfOrder(problem),
            Error::UnknownId(id) => Self::UnknownId(id),
            Error::NewerRecord { position, problem } => {
                Self::NewerRecord(exported::BadRecord { position, problem })
            }
            Error::DamagedRecord { position, problem } => {
                Self::DamagedRecord(exported::BadRecord { position, problem })
            }
            Error::Conflict(length) => Self::Conflict(length),
            Error::Storage { operation, error } => Self::Storage(exported::StorageFailure {
                operation: operation.to_owned(),
                error: error.into(),
            }),
            Error::FileSystem { path, problem } => {
                Self::Filesystem(exported::FilesystemFailure { path, problem })
            }
        }
    }
}
