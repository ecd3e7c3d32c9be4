//! What the rules need from outside: storage and files. `wit/storage.wit` and
//! `wit/filesystem.wit` say what each call promises.

use std::fmt;

/// A text to store, under the id of its result.
#[derive(Clone, Copy, Debug)]
pub struct StoredText<'a> {
    /// The id as the model sees it, `#0012`.
    pub id: &'a str,
    /// The text in full.
    pub text: &'a str,
}

/// Durable sessions.
#[allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "the contract documents them, once"
)]
pub trait Storage {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: &[&str],
        texts: &[StoredText<'_>],
    ) -> Result<(), StorageError>;
    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError>;
    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError>;
}

/// The files that a session's tools work on.
#[allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "the contract documents them, once"
)]
pub trait FileSystem {
    fn identify(&mut self, path: &str) -> Result<String, FileError>;
    fn read(&mut self, path: &str) -> Result<File, FileError>;
}

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// What identifies the file: its real, absolute path.
    pub identity: String,
    /// Content and hash.
    pub hashed: HashedContent,
}

/// A content and the hash that decides whether a file is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedContent {
    /// The whole content.
    pub content: Content,
    /// SHA-256 of the raw bytes, 64 lowercase hex digits.
    pub sha256: String,
}

/// A file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// UTF-8, byte for byte.
    Text(String),
    /// Not UTF-8: the size in bytes.
    Binary(u32),
}

/// Why storage could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The log has this length in records, not the one expected.
    Conflict(u32),
    /// No such text.
    NotFound,
    /// Not allowed.
    Denied,
    /// No room.
    Full,
    /// Anything else, in the host's words.
    Other(String),
    /// An append failed, and may have been written.
    Uncertain(String),
}

/// Why a file could not be resolved or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// Nothing is there.
    NotFound,
    /// Not allowed.
    Denied,
    /// A directory.
    IsDirectory,
    /// A device, a socket, a pipe.
    NotAFile,
    /// It is there and can't be given, for this reason.
    Unreadable(String),
    /// Anything else, in the host's words.
    Other(String),
}

impl fmt::Display for StorageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(length) => write!(formatter, "the log holds {length} records"),
            Self::NotFound => formatter.write_str("no such text"),
            Self::Denied => formatter.write_str("access denied"),
            Self::Full => formatter.write_str("no room left"),
            Self::Other(words) => formatter.write_str(words),
            Self::Uncertain(words) => write!(formatter, "{words}; it may have been written"),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotFound => "not found",
            Self::Denied => "access denied",
            Self::IsDirectory => "is a directory",
            Self::NotAFile => "is not a file",
            Self::Unreadable(words) | Self::Other(words) => words,
        })
    }
}
