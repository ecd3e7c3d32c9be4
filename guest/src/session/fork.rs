//! A new session from any point of one.

use super::Session;
use super::history::history_id;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::lookup;
use crate::ports::{FileSystem, Storage, StorageError, StoredText};
use crate::record::{Chain, Event};

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Copies the session, up to and with message `after` (none: all of it), to the session `key`.
    ///
    /// # Errors
    ///
    /// As `fork` in `wit/context.wit`.
    pub fn fork(&mut self, key: &str, after: Option<u32>) -> Result<(), Error> {
        if key.is_empty() {
            return Err(Error::argument(
                "key",
                "is empty, must name the new session",
            ));
        }
        if key == self.key {
            let problem = "is this session's own; the new session needs another";
            return Err(Error::argument("key", problem));
        }
        let length = match after {
            None => self.state.length,
            Some(after) => self.length_after(after)?,
        };
        let log = self
            .storage
            .read_log(&self.key, 0)
            .map_err(|error| Error::storage("read-log", error))?;
        let records: Vec<&str> = log
            .iter()
            .take(length as usize)
            .map(String::as_str)
            .collect();
        let texts = self.texts_of(&records)?;
        let bytes = records.iter().map(|record| record.len()).sum::<usize>();
        let bytes = bytes + texts.iter().map(|(_, text)| text.len()).sum::<usize>();
        self.state.rules.fits("the new session", bytes)?;
        let texts: Vec<StoredText<'_>> = texts
            .iter()
            .map(|(id, text)| StoredText { id, text })
            .collect();
        let copied = self.storage.append(key, 0, &records, &texts);
        copied.map_err(|error| match error {
            StorageError::Conflict(length) => {
                let problem =
                    format!("is `{key}`, a session of {length} records that exists already");
                Error::argument("key", problem)
            }
            error => Error::storage("append", error),
        })
    }

    /// How much of the log ends with a message and its results.
    fn length_after(&self, after: u32) -> Result<u32, Error> {
        let conversation = &self.talk()?.conversation;
        let end = conversation.end_of(after);
        let end = end.ok_or(Error::UnknownMessage(after))?;
        Ok(end.unwrap_or(self.state.length))
    }

    /// The stored texts that belong to some records.
    fn texts_of(&mut self, records: &[&str]) -> Result<Vec<(String, String)>, Error> {
        let mut texts = Vec::new();
        let mut chain = Chain::default();
        for (record, at) in records.iter().zip(0..) {
            let (id, hash) = match chain.read(at, record)? {
                Event::Result(result) | Event::Kept(result) => {
                    let id = ResultNumber(result.number).show(&self.state.rules.ids);
                    (id, result.text)
                }
                Event::Archived { generation, text } => (history_id(generation), text),
                _ => continue,
            };
            let text = lookup::stored(&mut self.storage, &self.key, &id, hash.as_deref())?;
            texts.push((id, text));
        }
        Ok(texts)
    }
}
