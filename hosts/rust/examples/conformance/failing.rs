//! A storage that fails when a case says so.

use std::sync::{Arc, Mutex, PoisonError};

use waybread::{MemoryStorage, Storage, StorageError, StoredText};

/// Memory, and the error of an append to come.
#[derive(Clone, Default)]
pub struct Failing {
    storage: MemoryStorage,
    coming: Arc<Mutex<Option<Failure>>>,
}

struct Failure {
    /// Appends that pass before.
    after: u32,
    error: StorageError,
}

impl Failing {
    /// Makes an append fail once `after` of them have passed.
    pub fn fail(&self, error: StorageError, after: u32) {
        *self.coming.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Failure { after, error });
    }

    /// The error of this append.
    fn next(&self) -> Option<StorageError> {
        let mut coming = self.coming.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *coming {
            Some(failure) if failure.after > 0 => {
                failure.after -= 1;
                None
            }
            _ => coming.take().map(|failure| failure.error),
        }
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
        match self.next() {
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
