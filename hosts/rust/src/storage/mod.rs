//! Where sessions live: an append-only log of records and the full text of every result.

mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use memory::MemoryStorage;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStorage;

/// Durable sessions. Waybread brings [`MemoryStorage`] and [`SqliteStorage`]; a harness that keeps its
/// data elsewhere writes its own.
///
/// A storage owns the medium and nothing else: it never reads a record. Every string must come back
/// exactly as it was given, NUL and other control characters included. A panic becomes
/// [`StorageError::Other`], in an append [`StorageError::Uncertain`].
pub trait Storage: Send {
    /// Appends to a session's log, and stores the texts that belong to it, in one atomic step: all
    /// of it or, on any error but [`StorageError::Uncertain`], nothing. A session that was never written has length 0; the first
    /// append makes it. When the call returns, what it wrote survives a crash.
    ///
    /// # Errors
    ///
    /// [`StorageError::Conflict`] if the log holds other than `expected_length` records.
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError>;

    /// The records of a session, in order, from position `start` (0 is the first). Empty for a
    /// session that was never written and for a `start` at or past the end.
    ///
    /// # Errors
    ///
    /// Those of the medium.
    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError>;

    /// One stored text, whole.
    ///
    /// # Errors
    ///
    /// [`StorageError::NotFound`] if the session has no text with that id.
    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError>;
}

impl<S: Storage + ?Sized> Storage for Box<S> {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        (**self).append(session, expected_length, records, texts)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        (**self).read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        (**self).read_text(session, id)
    }
}

/// The full text of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredText {
    /// The result's id as the model sees it, `#0012` (§1). Unique in the session.
    pub id: String,
    /// The text, of any length, the empty one included.
    pub text: String,
}

/// Why storage could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The log is not as long as the append expected: another writer was faster. Nothing was
    /// written.
    #[error("the log holds {0} records")]
    Conflict(
        /// The log's length, in records.
        u32,
    ),
    /// No such text.
    #[error("no such text")]
    NotFound,
    /// The medium refuses access: permissions, or a read-only medium.
    #[error("access denied")]
    Denied,
    /// No room is left. Nothing was written.
    #[error("no room left")]
    Full,
    /// Anything else, in the medium's own words. Nothing was written.
    #[error("{0}")]
    Other(String),
    /// An append failed where it may have been written all the same: a commit that failed, a connection that was
    /// lost. In the medium's own words. The session's next call opens it again from its storage.
    #[error("{0}; it may have been written")]
    Uncertain(String),
}
