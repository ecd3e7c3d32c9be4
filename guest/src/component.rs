//! The WebAssembly face of the rules: the only code that knows the bindings. It translates and
//! decides nothing.

#![allow(
    unsafe_code,
    reason = "the generated bindings cross the component's boundary"
)]
#![allow(missing_docs, reason = "the contract documents what is exported, once")]

use std::cell::RefCell;

use bindings::exports::waybread::context::context as exported;
use bindings::waybread::context::{filesystem, storage};

use crate as rules;

mod bindings {
    wit_bindgen::generate!({
        world: "harness",
        path: "../wit",
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

struct Component;

bindings::export!(Component with_types_in bindings);

impl exported::Guest for Component {
    type Session = Session;
}

struct Session(RefCell<rules::Session<HostStorage, HostFiles>>);

impl exported::GuestSession for Session {
    fn open(
        key: String,
        settings: exported::Settings,
    ) -> Result<exported::Session, exported::SessionError> {
        let session = rules::Session::open(&key, &settings.into(), HostStorage, HostFiles)?;
        Ok(exported::Session::new(Self(RefCell::new(session))))
    }

    fn insert_result(
        &self,
        call: exported::ToolCall,
        outcome: exported::Outcome,
    ) -> Result<exported::Inserted, exported::SessionError> {
        let inserted = self
            .0
            .borrow_mut()
            .insert_result(&call.into(), outcome.into())?;
        Ok(inserted.into())
    }

    fn recall(
        &self,
        call: exported::ToolCall,
        id: String,
        offset: Option<u32>,
        limit: Option<u32>,
    ) -> Result<exported::Inserted, exported::SessionError> {
        let window = rules::LineWindow { offset, limit };
        let inserted = self.0.borrow_mut().recall(&call.into(), &id, window)?;
        Ok(inserted.into())
    }

    fn stored_text(&self, id: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow_mut().stored_text(&id)?)
    }

    fn last_read(
        &self,
        path: String,
    ) -> Result<Option<exported::LastRead>, exported::SessionError> {
        Ok(self.0.borrow_mut().last_read(&path)?.map(Into::into))
    }

    fn resolve_path(&self, path: String) -> Result<String, exported::SessionError> {
        Ok(self.0.borrow().resolve_path(&path)?)
    }
}

/// Storage, by way of the host.
struct HostStorage;

impl rules::Storage for HostStorage {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: &[&str],
        texts: &[rules::StoredText<'_>],
    ) -> Result<(), rules::StorageError> {
        let texts: Vec<storage::StoredText<'_>> = texts
            .iter()
            .map(|text| storage::StoredText {
                id: text.id,
                text: text.text,
            })
            .collect();
        Ok(storage::append(session, expected_length, records, &texts)?)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, rules::StorageError> {
        Ok(storage::read_log(session, start)?)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, rules::StorageError> {
        Ok(storage::read_text(session, id)?)
    }
}

/// Files, by way of the host.
struct HostFiles;

impl rules::FileSystem for HostFiles {
    fn identify(&mut self, path: &str) -> Result<String, rules::FileError> {
        Ok(filesystem::identify(path)?)
    }

    fn read(&mut self, path: &str) -> Result<rules::File, rules::FileError> {
        let file = filesystem::read(path)?;
        Ok(rules::File {
            identity: file.identity,
            hashed: file.hashed.into(),
        })
    }
}

impl From<exported::Settings> for rules::Settings {
    fn from(settings: exported::Settings) -> Self {
        Self {
            kind: match settings.kind {
                exported::Kind::Agent => rules::Kind::Agent,
                exported::Kind::Chat => rules::Kind::Chat,
            },
            root: settings.root,
            home: settings.home,
            overrides: settings.overrides,
        }
    }
}

impl From<exported::ToolCall> for rules::ToolCall {
    fn from(call: exported::ToolCall) -> Self {
        Self {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
        }
    }
}

impl From<exported::Outcome> for rules::Outcome {
    fn from(outcome: exported::Outcome) -> Self {
        match outcome {
            exported::Outcome::Read(read) => Self::Read(rules::ReadRequest {
                path: read.path,
                window: rules::LineWindow {
                    offset: read.offset,
                    limit: read.limit,
                },
                force: read.force,
            }),
            exported::Outcome::Changes(set) => Self::Changes(rules::ChangeSet {
                files: set.files.into_iter().map(Into::into).collect(),
                note: set.note,
            }),
            exported::Outcome::Output(text) => Self::Output(text),
            exported::Outcome::Failure(message) => Self::Failure(message),
        }
    }
}

impl From<exported::FileChange> for rules::FileChange {
    fn from(change: exported::FileChange) -> Self {
        Self {
            path: change.path,
            before: change.before.map(Into::into),
            after: change.after.map(Into::into),
        }
    }
}

impl From<filesystem::Content> for rules::Content {
    fn from(content: filesystem::Content) -> Self {
        match content {
            filesystem::Content::Text(text) => Self::Text(text),
            filesystem::Content::Binary(bytes) => Self::Binary(bytes),
        }
    }
}

impl From<filesystem::HashedContent> for rules::HashedContent {
    fn from(hashed: filesystem::HashedContent) -> Self {
        Self {
            content: hashed.content.into(),
            sha256: hashed.sha256,
        }
    }
}

impl From<rules::Inserted> for exported::Inserted {
    fn from(inserted: rules::Inserted) -> Self {
        Self {
            id: inserted.id,
            text: inserted.text,
            treatment: match inserted.treatment {
                rules::Treatment::Full => exported::Treatment::Full,
                rules::Treatment::Capped => exported::Treatment::Capped,
                rules::Treatment::UnchangedRead => exported::Treatment::UnchangedRead,
                rules::Treatment::SameResult => exported::Treatment::SameResult,
                rules::Treatment::Failed => exported::Treatment::Failed,
            },
            refers_to: inserted.refers_to,
            chars_in: inserted.chars_in,
            chars_out: inserted.chars_out,
        }
    }
}

impl From<rules::LastReadFile> for exported::LastRead {
    fn from(last: rules::LastReadFile) -> Self {
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

impl From<storage::StorageError> for rules::StorageError {
    fn from(error: storage::StorageError) -> Self {
        match error {
            storage::StorageError::Conflict(length) => Self::Conflict(length),
            storage::StorageError::NotFound => Self::NotFound,
            storage::StorageError::Denied => Self::Denied,
            storage::StorageError::Full => Self::Full,
            storage::StorageError::Other(words) => Self::Other(words),
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
