//! Between the public types and the contract's. Nothing is decided here.

use crate::answer::{Inserted, LastRead, Treatment};
use crate::bindings::exports::waybread::context::context as wit;
use crate::bindings::waybread::context::{filesystem as files, storage as log};
use crate::call::{Changes, FileChange, Kind, Outcome, Settings, ToolCall};
use crate::content;
use crate::error::{Cause, Error};
use crate::filesystem::{FileError, too_large};
use crate::storage::StorageError;

pub(crate) fn settings(settings: &Settings) -> wit::Settings<'_> {
    wit::Settings {
        kind: match settings.kind {
            Kind::Agent => wit::Kind::Agent,
            Kind::Chat => wit::Kind::Chat,
        },
        root: &settings.root,
        home: settings.home.as_deref(),
        overrides: &settings.overrides,
    }
}

pub(crate) fn call(call: &ToolCall) -> wit::ToolCall<'_> {
    wit::ToolCall {
        id: &call.id,
        name: &call.name,
        arguments: &call.arguments,
    }
}

/// An outcome, and the changed files that it borrows.
pub(crate) fn with_outcome<T>(
    outcome: &Outcome,
    go: impl FnOnce(wit::Outcome<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    match outcome {
        Outcome::Read(read) => go(wit::Outcome::Read(wit::ReadRequest {
            path: &read.path,
            offset: read.offset,
            limit: read.limit,
            force: read.force,
        })),
        Outcome::Output(text) => go(wit::Outcome::Output(text)),
        Outcome::Failure(message) => go(wit::Outcome::Failure(message)),
        Outcome::Changes(changes) => with_changes(changes, go),
    }
}

fn with_changes<T>(
    changes: &Changes,
    go: impl FnOnce(wit::Outcome<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    // The hashes are borrowed by what follows.
    let hash = |change: &FileChange| change.after.as_deref().map(content::hash);
    let hashes: Vec<Option<String>> = changes.files.iter().map(hash).collect();
    let files = changes.files.iter().zip(&hashes).enumerate();
    let files = files.map(|(at, (change, hash))| file_change(at, change, hash.as_deref()));
    let files: Vec<wit::FileChange<'_>> = files.collect::<Result<_, _>>()?;
    go(wit::Outcome::Changes(wit::ChangeSet {
        files: &files,
        note: changes.note.as_deref(),
    }))
}

fn file_change<'a>(
    at: usize,
    change: &'a FileChange,
    hash: Option<&'a str>,
) -> Result<wit::FileChange<'a>, Error> {
    let side = |name: &str, bytes: &'a Option<Vec<u8>>| {
        let content = bytes.as_deref().map(content::of_side).transpose();
        content.map_err(|size| too_large_side(format!("changes.files[{at}].{name}"), size))
    };
    let after = side("after", &change.after)?;
    Ok(wit::FileChange {
        path: &change.path,
        before: side("before", &change.before)?,
        after: after
            .zip(hash)
            .map(|(content, sha256)| files::HashedContentParam { content, sha256 }),
    })
}

fn too_large_side(argument: String, size: u64) -> Error {
    let problem = too_large(size).to_string();
    let message = format!("argument `{argument}`: {problem}");
    Error::new(Cause::InvalidArgument { argument, problem }, message)
}

impl From<wit::Inserted> for Inserted {
    fn from(inserted: wit::Inserted) -> Self {
        Self {
            id: inserted.id,
            text: inserted.text,
            treatment: match inserted.treatment {
                wit::Treatment::Full => Treatment::Full,
                wit::Treatment::Capped => Treatment::Capped,
                wit::Treatment::UnchangedRead => Treatment::UnchangedRead,
                wit::Treatment::SameResult => Treatment::SameResult,
                wit::Treatment::Failed => Treatment::Failed,
            },
            refers_to: inserted.refers_to,
            chars_in: inserted.chars_in,
            chars_out: inserted.chars_out,
        }
    }
}

impl From<wit::LastRead> for LastRead {
    fn from(last: wit::LastRead) -> Self {
        Self {
            id: last.id,
            path: last.path,
            first_line: last.first_line,
            last_line: last.last_line,
            total_lines: last.total_lines,
            sha256: last.sha256,
        }
    }
}

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
            FileError::Other(words) => Self::Other(words),
        }
    }
}
