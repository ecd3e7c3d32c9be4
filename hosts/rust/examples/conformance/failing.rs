//! A storage that fails when a case says so.

use std::sync::{Arc, Mutex, PoisonError};

use waybread::{MemoryStorage, Storage, StorageError, StoredText};

/// Memory, and the error of the next append.
#[derive(Clone, Default)]
pub struct Failing {
    storage: MemoryStorage,
    next: Arc<Mutex<Option<StorageError>>>,
}

impl Failing {
    /// Makes the next append fail.
    pub fn fail_next(&self, error: StorageError) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl Storage for Failing {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        match self
            .next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            Some(error) => Err(error),
            None => self
                .storage
                .append(session, expected_length, records, texts),
        }
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        self.storage.read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        self.storage.read_text(session, id)
    }
}
