//! The conversation, and the requests that are made of it.

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
use crate::conversation::{Added, StoredMessage};
use crate::convert;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::message::Message;
use crate::request::{Request, RequestReport};
use crate::usage::Usage;

impl Session {
    /// Adds what the person wrote, a machine's message, or the model's reply. Calls of an earlier
    /// reply that are still open get a result first that says that none came.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`], which names the place in a reply's JSON; [`Cause::OutOfOrder`] in
    /// a session without a dialect, for a reply to nothing, and for a step boundary before any turn;
    /// [`Cause::Conflict`], [`Cause::Storage`].
    pub fn add_message(&mut self, message: impl Into<Message>) -> Result<Added, Error> {
        convert::with_message(&message.into(), |message| {
            self.call(|api, store, session| api.call_add_message(store, session, message))
        })
    }

    /// The next request: what the previous one held stands, what is new follows. A step costs what
    /// is new in it.
    ///
    /// `parameters` is a JSON object of what else the body holds (`model`, `temperature`,
    /// `max_tokens`, `stream`, …), carried as it is spelled; empty for none. `model` stands first in
    /// the body, the rest last. Calls that are still open get a result that says that none came.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`], also for a parameter that the component writes itself;
    /// [`Cause::OutOfOrder`] without a dialect or a message; [`Cause::Conflict`],
    /// [`Cause::Storage`].
    pub fn build_request(&mut self, parameters: &str) -> Result<Request, Error> {
        let built: wit::Request =
            self.call(|api, store, session| api.call_build_request(store, session, parameters))?;
        let body = self.last_body.next(built.keep, &built.tail, built.length);
        Ok(Request {
            number: built.number,
            body: body.map_err(|problem| self.faulty(problem))?,
            keep: built.keep,
            sha256: built.sha256,
            shared: built.shared,
            difference: built.difference.map(Into::into),
            closed: built.closed.into_iter().map(Into::into).collect(),
            pressure: built.pressure.into(),
        })
    }

    /// Takes messages back, `first` to `last` (none: the newest), with their results and reads (an
    /// undo, a reply regenerated or deleted). Numbers and ids go on; the results can still be
    /// recalled. What a note on them told is owed again.
    ///
    /// # Errors
    ///
    /// [`Cause::OutOfOrder`] without a dialect; [`Cause::UnknownMessage`]; [`Cause::InvalidArgument`]
    /// if `last` comes before `first`, what is left would begin with a reply, a stub that is left
    /// names a result that would be taken back, or a summary would be ([`fork`](Self::fork) the session
    /// before it instead); [`Cause::Conflict`], [`Cause::Storage`].
    pub fn rewind(&mut self, first: u32, last: Option<u32>) -> Result<(), Error> {
        self.call(|api, store, session| api.call_rewind(store, session, first, last))
    }

    /// Copies the session, up to and with message `after` and its results (none: all of it), to the
    /// new session `key` in the same storage. Its next request is the bytes that this one's would
    /// have been. It is opened like any other.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty key, this session's own or that of a session that
    /// exists; [`Cause::UnknownMessage`] for a number that was never given; [`Cause::OutOfOrder`] for
    /// one in a session without a dialect; [`Cause::Storage`].
    pub fn fork(&mut self, key: &str, after: Option<u32>) -> Result<(), Error> {
        self.call(|api, store, session| api.call_fork(store, session, key, after))
    }

    /// Keeps what the provider reported of request `number` (§10.6): its usage object, or the whole
    /// response, as JSON. A later report of one request replaces the earlier.
    ///
    /// # Errors
    ///
    /// [`Cause::OutOfOrder`] without a dialect; [`Cause::UnknownRequest`]; [`Cause::InvalidArgument`]
    /// if no spelling of usage is found; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn record_usage(&mut self, number: u32, usage: &str) -> Result<Usage, Error> {
        let usage: wit::Usage =
            self.call(|api, store, session| api.call_record_usage(store, session, number, usage))?;
        Ok(usage.into())
    }

    /// Every request of the session, oldest first: what stood, what was cached, why not.
    ///
    /// # Errors
    ///
    /// [`Cause::Trapped`], and what [`open`](Self::open) answers if the session has to be opened
    /// again.
    pub fn cache_report(&mut self) -> Result<Vec<RequestReport>, Error> {
        let report: Vec<wit::RequestReport> =
            self.call(|api, store, session| api.call_cache_report(store, session).map(Ok))?;
        Ok(report.into_iter().map(Into::into).collect())
    }

    /// The messages of the conversation, oldest first, without those taken back.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn conversation(&mut self) -> Result<Vec<StoredMessage>, Error> {
        let messages: Vec<wit::StoredMessage> =
            self.call(|api, store, session| api.call_conversation(store, session).map(Ok))?;
        Ok(messages.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LastBody;
    use crate::{Dialect, MemoryStorage, MemoryTree, Settings, UserMessage};

    #[test]
    fn a_body_that_does_not_fit_is_an_error_and_the_session_goes_on() {
        let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
        let (storage, files) = (MemoryStorage::new(), MemoryTree::new());
        let mut session = Session::open("s", settings, storage, files).unwrap();
        session.add_message(UserMessage::person("Hello.")).unwrap();
        let sent = session.build_request("").unwrap();
        session.last_body = LastBody::default();
        let error = session.build_request("").unwrap_err();
        assert_eq!(error.cause().name(), "trapped");
        assert!(error.to_string().contains("which has 0"), "{error}");
        let next = session.build_request("").unwrap();
        assert_eq!((next.keep, next.body), (0, sent.body));
    }
}
