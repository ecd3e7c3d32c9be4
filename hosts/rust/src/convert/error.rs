//! What a call fails with, and what the storage and the files answer the component.

use crate::bindings::exports::waybread::context::context as wit;
use crate::bindings::waybread::context::{filesystem as files, storage as log};
use crate::error::{Cause, Error};
use crate::filesystem::FileError;
use crate::storage::StorageError;

impl From<wit::SessionError> for Error {
    fn from(error: wit::SessionError) -> Self {
        Self::new(error.cause.into(), error.message)
    }
}

impl From<wit::Cause> for Cause {
    fn from(cause: wit::Cause) -> Self {
        match cause {
            wit::Cause::InvalidArgument(wit::InvalidArgument { argument, problem }) => {
                Self::InvalidArgument { argument, problem }
            }
            wit::Cause::InvalidSetting(wit::InvalidSetting { key, problem }) => {
                Self::InvalidSetting { key, problem }
            }
            wit::Cause::SettingsDiffer(wit::SettingsDiffer { name, kept, given }) => {
                Self::SettingsDiffer { name, kept, given }
            }
            wit::Cause::CallAnswered(wit::AnsweredCall { call, id }) => {
                Self::CallAnswered { call, id }
            }
            wit::Cause::UnknownCall(wit::UnknownCall { call, open }) => {
                Self::UnknownCall { call, open }
            }
            wit::Cause::UnknownMessage(number) => Self::UnknownMessage { number },
            wit::Cause::UnknownRequest(number) => Self::UnknownRequest { number },
            wit::Cause::UnknownGeneration(number) => Self::UnknownGeneration { number },
            wit::Cause::OutOfOrder(problem) => Self::OutOfOrder { problem },
            wit::Cause::UnknownId(id) => Self::UnknownId { id },
            wit::Cause::NewerRecord(wit::BadRecord { position, problem }) => {
                Self::NewerRecord { position, problem }
            }
            wit::Cause::DamagedRecord(wit::BadRecord { position, problem }) => {
                Self::DamagedRecord { position, problem }
            }
            wit::Cause::Conflict(length) => Self::Conflict { length },
            wit::Cause::Storage(wit::StorageFailure { operation, error }) => Self::Storage {
                operation,
                error: error.into(),
            },
            wit::Cause::Filesystem(wit::FilesystemFailure { path, problem }) => {
                Self::FileSystem { path, problem }
            }
        }
    }
}

impl From<log::StorageError> for StorageError {
    fn from(error: log::StorageError) -> Self {
        match error {
            log::StorageError::Conflict(length) => Self::Conflict(length),
            log::StorageError::NotFound => Self::NotFound,
            log::StorageError::Denied => Self::Denied,
            log::StorageError::Full => Self::Full,
            log::StorageError::Other(words) => Self::Other(words),
            log::StorageError::Uncertain(words) => Self::Uncertain(words),
        }
    }
}

impl From<StorageError> for log::StorageError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Conflict(length) => Self::Conflict(length),
            StorageError::NotFound => Self::NotFound,
            StorageError::Denied => Self::Denied,
            StorageError::Full => Self::Full,
            StorageError::Other(words) => Self::Other(words),
            StorageError::Uncertain(words) => Self::Uncertain(words),
        }
    }
}

impl From<FileError> for files::FileError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::NotFound => Self::NotFound,
            FileError::Denied => Self::Denied,
            FileError::IsDirectory => Self::IsDirectory,
            FileError::NotAFile => Self::NotAFile,
            FileError::Unreadable(reason) => Self::Unreadable(reason),
            FileError::Other(words) => Self::Other(words),
        }
    }
}
