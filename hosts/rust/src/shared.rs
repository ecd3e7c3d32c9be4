//! A storage or files that a session and its subagents use in turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::filesystem::{File, FileError, FileSystem};
use crate::storage::{Storage, StorageError, StoredText};

/// A handle of what a session was opened with. Its subagents have handles of the same.
pub(crate) struct Shared<T: ?Sized>(Arc<Mutex<Box<T>>>);

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Shared<T> {
    pub(crate) fn new(inner: Box<T>) -> Self {
        Self(Arc::new(Mutex::new(inner)))
    }

    /// For one call. A panic in a user's code has become an error by then, whose data is theirs to mend.
    pub(crate) fn turn(&self) -> MutexGuard<'_, Box<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thing itself, if this is the only handle.
    fn alone(self) -> Result<Box<T>, Self> {
        let inner = Arc::try_unwrap(self.0).map_err(Self)?;
        Ok(inner.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shared<dyn Storage> {
    pub(crate) fn into_box(self) -> Box<dyn Storage> {
        self.alone().unwrap_or_else(|shared| Box::new(shared))
    }
}

impl Shared<dyn FileSystem> {
    pub(crate) fn into_box(self) -> Box<dyn FileSystem> {
        self.alone().unwrap_or_else(|shared| Box::new(shared))
    }
}

impl Storage for Shared<dyn Storage> {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        self.turn().append(session, expected_length, records, texts)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        self.turn().read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        self.turn().read_text(session, id)
    }
}

impl FileSystem for Shared<dyn FileSystem> {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        self.turn().identify(path)
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        self.turn().read(path)
    }
}
