//! Sessions in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Storage, StorageError, StoredText};

/// Sessions in memory, for as long as a handle lives.
///
/// A clone is another handle on the same sessions: keep one to open a session again.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    sessions: Arc<Mutex<BTreeMap<String, Stored>>>,
}

#[derive(Debug, Default)]
struct Stored {
    log: Vec<String>,
    texts: BTreeMap<String, String>,
}

impl MemoryStorage {
    /// No sessions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A session of which only the log is here.
    #[cfg(feature = "context")]
    pub(crate) fn with_log(session: &str, log: Vec<String>) -> Self {
        let storage = Self::default();
        let stored = Stored {
            log,
            ..Stored::default()
        };
        storage.sessions().insert(session.to_owned(), stored);
        storage
    }

    /// Moves a session, if it was begun, to another storage, to a key that has none there.
    #[cfg(feature = "replay")]
    pub(crate) fn move_to(
        &self,
        session: &str,
        to: &mut dyn Storage,
        key: &str,
    ) -> Result<(), StorageError> {
        let Some(stored) = self.sessions().remove(session) else {
            return Ok(());
        };
        let texts = stored.texts.into_iter();
        let texts = texts.map(|(id, text)| StoredText { id, text });
        to.append(key, 0, stored.log, texts.collect())
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<String, Stored>> {
        // A thread that panicked left the map whole: no method panics half-way through a change.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for MemoryStorage {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        let mut sessions = self.sessions();
        let length = sessions.get(session).map_or(0, |stored| stored.log.len());
        if length != expected_length as usize {
            return Err(StorageError::Conflict(count(length)?));
        }
        count(length + records.len())?;
        let stored = sessions.entry(session.to_owned()).or_default();
        stored.accepts(&texts)?;
        stored.log.extend(records);
        stored
            .texts
            .extend(texts.into_iter().map(|text| (text.id, text.text)));
        Ok(())
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        let sessions = self.sessions();
        let log = sessions
            .get(session)
            .and_then(|stored| stored.log.get(start as usize..));
        Ok(log.unwrap_or_default().to_vec())
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        let sessions = self.sessions();
        let text = sessions
            .get(session)
            .and_then(|stored| stored.texts.get(id));
        text.cloned().ok_or(StorageError::NotFound)
    }
}

impl Stored {
    /// Ids are unique: a text is never replaced.
    fn accepts(&self, texts: &[StoredText]) -> Result<(), StorageError> {
        match texts.iter().find(|text| self.texts.contains_key(&text.id)) {
            Some(text) => Err(StorageError::Other(format!(
                "the text {} is stored already",
                text.id
            ))),
            None => Ok(()),
        }
    }
}

fn count(length: usize) -> Result<u32, StorageError> {
    u32::try_from(length)
        .map_err(|_| StorageError::Other(format!("a log cannot hold {length} records")))
}
