//! Each record of a log carries a hash over itself and the records before it, so that one that was changed, went
//! missing or moved is noticed (docs/rulings.md, "Damage"). It finds accidents: whoever can write the log can write a chain.

use xxhash_rust::xxh64::xxh64;

use super::{Event, Record, VERSION, Version};
use crate::error::Error;

/// How a record of this form begins; the chain's 16 hex digits follow.
const BEGIN: &str = r#"{"v":2,"chain":""#;
const EVENT: &str = r#"","event":"#;

/// The hash of a log so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    hash: u64,
    /// Records of the first form carry no hash, and none may follow one that does.
    begun: bool,
}

impl Chain {
    /// The next event as a record.
    pub fn write(&mut self, event: &Event) -> String {
        // Nothing in an event can fail to be JSON: its keys are text and it holds no floats.
        let event = serde_json::to_string(event).unwrap_or_default();
        self.hash = xxh64(event.as_bytes(), self.hash);
        self.begun = true;
        format!("{BEGIN}{:016x}{EVENT}{event}}}", self.hash)
    }

    /// The next record as an event.
    ///
    /// # Errors
    ///
    /// `newer-record` for a version this code does not know, `damaged-record` for anything else
    /// that is not an event, or does not follow the records before it.
    pub fn read(&mut self, position: u32, record: &str) -> Result<Event, Error> {
        let version: Version = serde_json::from_str(record)
            .map_err(|problem| Error::damaged(position, format!("is no record: {problem}")))?;
        if version.v > u64::from(VERSION) {
            let problem = format!(
                "has version {}, this component knows {VERSION}; a newer one is needed",
                version.v
            );
            return Err(Error::NewerRecord { position, problem });
        }
        let chained = match version.v {
            0 => return Err(Error::damaged(position, "has version 0; the first is 1")),
            1 if self.begun => {
                return Err(Error::damaged(
                    position,
                    "has no chain; those before it have",
                ));
            }
            1 => record,
            _ => self.event_of(position, record)?,
        };
        self.hash = xxh64(chained.as_bytes(), self.hash);
        let event = if self.begun {
            serde_json::from_str(chained)
        } else {
            serde_json::from_str(record).map(|record: Record| record.event)
        };
        event.map_err(|problem| Error::damaged(position, format!("is damaged: {problem}")))
    }

    /// The event's JSON, if the record's hash is the one that the records so far and it come to.
    fn event_of<'a>(&mut self, position: u32, record: &'a str) -> Result<&'a str, Error> {
        let parts = record
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.split_once(EVENT));
        let parts = parts.and_then(|(hash, event)| Some((hash, event.strip_suffix('}')?)));
        let (hash, event) = parts
            .ok_or_else(|| Error::damaged(position, "is not as this component writes records"))?;
        if hash != format!("{:016x}", xxh64(event.as_bytes(), self.hash)) {
            let problem = "is not the one that was stored here, or one before it is not: it was changed, or a \
                           record is missing";
            return Err(Error::damaged(position, problem));
        }
        self.begun = true;
        Ok(event)
    }
}

/// The hash of a stored text, which the record of its result carries.
pub fn text_hash(text: &str) -> String {
    format!("{:016x}", xxh64(text.as_bytes(), 0))
}
