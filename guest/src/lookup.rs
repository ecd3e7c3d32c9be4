//! Where a result is kept that an id names: here, or in the session of a subagent (docs/assembly.md, "Ids of a
//! subagent"). No other session is read.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::id::{IdPrefix, ResultId, ResultNumber};
use crate::ports::{Storage, StorageError};
use crate::record::{Chain, Event, text_hash};
use crate::state::State;

/// A stored result.
#[derive(Debug)]
pub struct Stored {
    /// The id as it is shown.
    pub id: String,
    /// The full text.
    pub text: String,
}

/// The result that an id names. None if neither this session gave it, nor a subagent of its.
///
/// # Errors
///
/// `storage`; `newer-record`, `damaged-record` of a subagent's log.
pub fn find(
    state: &State,
    storage: &mut impl Storage,
    session: &str,
    asked: &str,
) -> Result<Option<Stored>, Error> {
    let Some(asked) = ResultId::parse(asked) else {
        return Ok(None);
    };
    let ids = &state.rules.ids;
    let id = asked.prefix.show(asked.number, ids.digits);
    let text = match asked.prefix.after(&ids.prefix) {
        None => None,
        Some([]) if !state.has_result(asked.number.0) => None,
        Some([]) => Some(state.stored_text(storage, session, asked.number)?),
        Some([first, below @ ..]) => {
            let talk = state.talk.as_ref();
            let subagent = talk.and_then(|talk| talk.delegates.key_of(*first));
            let prefix = ids.prefix.below(*first);
            text_below(storage, subagent.map(str::to_owned), prefix, below, &id)?
        }
    };
    Ok(text.map(|text| Stored { id, text }))
}

/// A stored text, which has to be the one whose hash the log has.
///
/// # Errors
///
/// `storage`.
pub fn stored(
    storage: &mut impl Storage,
    session: &str,
    id: &str,
    hash: Option<&str>,
) -> Result<String, Error> {
    let text = storage.read_text(session, id);
    let text = text.map_err(|error| Error::storage("read-text", error))?;
    if hash.is_some_and(|hash| hash != text_hash(&text)) {
        let problem = format!("the text of {id} is not the one that was stored: it was changed");
        return Err(Error::storage("read-text", StorageError::Other(problem)));
    }
    Ok(text)
}

impl State {
    /// The stored text of a result.
    ///
    /// # Errors
    ///
    /// `storage`.
    pub fn stored_text(
        &self,
        storage: &mut impl Storage,
        session: &str,
        number: ResultNumber,
    ) -> Result<String, Error> {
        let hash = self
            .result(number.0)
            .and_then(|result| result.text.as_deref());
        stored(storage, session, &number.show(&self.rules.ids), hash)
    }
}

/// A text of a subagent, or of one below it.
fn text_below(
    storage: &mut impl Storage,
    mut subagent: Option<String>,
    mut prefix: IdPrefix,
    below: &[u32],
    id: &str,
) -> Result<Option<String>, Error> {
    for ordinal in below {
        let Some(session) = subagent else {
            return Ok(None);
        };
        subagent = subagent_of(storage, &session, &prefix, *ordinal)?;
        prefix = prefix.below(*ordinal);
    }
    let Some(session) = subagent else {
        return Ok(None);
    };
    match storage.read_text(&session, id) {
        // A number that it did not give, or a subagent of before there were prefixes.
        Err(StorageError::NotFound) => Ok(None),
        text => text
            .map(Some)
            .map_err(|error| Error::storage("read-text", error)),
    }
}

/// The key of a subagent of another session, which has that prefix.
fn subagent_of(
    storage: &mut impl Storage,
    session: &str,
    prefix: &IdPrefix,
    ordinal: u32,
) -> Result<Option<String>, Error> {
    let log = storage.read_log(session, 0);
    let log = log.map_err(|error| Error::storage("read-log", error))?;
    let mut known = BTreeSet::new();
    let mut chain = Chain::default();
    for (record, at) in log.iter().zip(0..) {
        match chain.read(at, record)? {
            Event::Opened(opened) if opened.prefix != prefix.to_string() => return Ok(None),
            Event::Delegated { key, .. }
                if known.insert(key.clone()) && known.len() == ordinal as usize =>
            {
                return Ok(Some(key));
            }
            _ => {}
        }
    }
    Ok(None)
}
