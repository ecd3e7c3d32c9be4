//! A stored session to look at: what is read is the storage's, what is written is forgotten.

use crate::shared::Shared;
use crate::storage::{MemoryStorage, Storage, StorageError, StoredText};

/// One session of a storage, and what is added to it here, in memory.
#[derive(Clone)]
pub(crate) struct Aside {
    stored: Shared<dyn Storage>,
    added: MemoryStorage,
}

impl Aside {
    /// The session `key`, whose log was read.
    pub(crate) fn new(key: &str, log: Vec<String>, stored: impl Storage + 'static) -> Self {
        Self {
            stored: Shared::new(Box::new(stored)),
            added: MemoryStorage::with_log(key, log),
        }
    }
}

impl Storage for Aside {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        self.added.append(session, expected_length, records, texts)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        self.added.read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        match self.added.read_text(session, id) {
            Err(StorageError::NotFound) => self.stored.read_text(session, id),
            answer => answer,
        }
    }
}
