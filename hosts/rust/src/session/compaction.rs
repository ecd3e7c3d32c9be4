//! How full the window is, and the two calls of a compaction (`docs/compaction.md`).

use std::time::Duration;

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
use crate::compacted::CompactionEnd;
use crate::compaction::{Compaction, CompactionStart, SummaryRequest, SummaryResult};
use crate::convert;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::fallback::{FallbackDecision, MainRequest, ModelRef};
use crate::pressure::Pressure;

impl Session {
    /// How full the window would be with the next request, which is not built (`docs/compaction.md`,
    /// "Pressure"). `parameters` as [`build_request`](Self::build_request) takes them; empty for those of
    /// the newest request, if there is one.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`]; [`Cause::OutOfOrder`] without a dialect or a message;
    /// [`Cause::Storage`].
    pub fn pressure(&mut self, parameters: &str) -> Result<Pressure, Error> {
        let pressure: wit::Pressure =
            self.call(|api, store, session| api.call_pressure(store, session, parameters))?;
        Ok(pressure.into())
    }

    /// Asks for a summary of the conversation (§7; `docs/compaction.md`, "The request for a summary"): the
    /// request is the next turn of the same conversation, and is neither shown nor stored. Nothing changes
    /// until [`compact_finish`](Self::compact_finish). A compaction that is not to be is told, with the
    /// reason; so is a fallback that is passed over. [`compact`](Self::compact) does a whole compaction.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`]; [`Cause::OutOfOrder`] without a dialect or a message, or while calls
    /// are open; [`Cause::Storage`].
    pub fn compact_begin(&mut self, compaction: &Compaction) -> Result<CompactionStart, Error> {
        let compaction = convert::compaction(compaction);
        let start: wit::CompactionStart =
            self.call(|api, store, session| api.call_compact_begin(store, session, compaction))?;
        match start {
            wit::CompactionStart::Request(request) => {
                Ok(CompactionStart::Request(self.summary_request(request)?))
            }
            wit::CompactionStart::NotApplied(not) => Ok(CompactionStart::NotApplied(not.into())),
        }
    }

    /// The request with a body beside the session's last one.
    fn summary_request(&mut self, request: wit::SummaryRequest) -> Result<SummaryRequest, Error> {
        let (keep, tail) = (request.keep, &request.tail);
        let body = self.last_body.beside(keep, tail, request.length);
        Ok(SummaryRequest {
            stage: request.stage.into(),
            body: body.map_err(|problem| self.faulty(problem))?,
            keep: request.keep,
            sha256: request.sha256,
            estimate: request.estimate.into(),
            max_tokens: request.max_tokens,
            covers: request.covers,
            retains: request.retains,
            on_fallback: request.on_fallback,
            fallback: request.fallback.map(Into::into),
            health: request.health.into(),
        })
    }

    /// Takes what came of the request that [`compact_begin`](Self::compact_begin) gave, and puts the
    /// summary in the place of what it covers, with the table of reads (§7; `docs/compaction.md`, "What a
    /// compaction leaves"). What was added in the meantime stays. Or leaves all as it was, with the
    /// reason.
    ///
    /// # Errors
    ///
    /// [`Cause::OutOfOrder`] if no compaction was begun since the session was opened, or what it covers is
    /// not the conversation's beginning any more; [`Cause::InvalidArgument`]; [`Cause::Conflict`],
    /// [`Cause::Storage`].
    pub fn compact_finish(
        &mut self,
        result: impl Into<SummaryResult>,
    ) -> Result<CompactionEnd, Error> {
        convert::with_result(&result.into(), |result| {
            self.call(|api, store, session| api.call_compact_finish(store, session, result))
        })
    }

    /// Says that the main model answered a request: after each, so that
    /// [`fallback_due`](Self::fallback_due) knows how long its cache has been idle. Also seeds a session
    /// that carries on for another one. A fallback's requests are not told.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty provider or model; [`Cause::OutOfOrder`] without a
    /// dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn main_request_answered(&mut self, request: &MainRequest) -> Result<(), Error> {
        let request = convert::main_request(request);
        self.call(|api, store, session| api.call_main_request_answered(store, session, request))
    }

    /// The last main request that was told; none after none.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn last_main_request(&mut self) -> Result<Option<MainRequest>, Error> {
        let last: Option<wit::MainRequestResult> =
            self.call(|api, store, session| api.call_last_main_request(store, session).map(Ok))?;
        Ok(last.map(Into::into))
    }

    /// Whether the main model's cache is cold, so that a fallback may be resolved (`docs/compaction.md`,
    /// "Fallback"). `now` is on the clock of [`MainRequest::at`], in whole milliseconds; `after` is the
    /// idle time that is still warm, rounded up to milliseconds (zero: switched off). A last request of
    /// another provider, model or cache key counts as none.
    ///
    /// # Errors
    ///
    /// [`Cause::OutOfOrder`] without a dialect.
    pub fn fallback_due(
        &mut self,
        main: &ModelRef,
        cache_key: &str,
        after: Duration,
        now: Duration,
    ) -> Result<FallbackDecision, Error> {
        let main = convert::model(main);
        let (after, now) = (convert::span(after), convert::moment(now));
        self.call(|api, store, session| {
            api.call_fallback_due(store, session, main, cache_key, after, now)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LastBody;
    use crate::{Dialect, MemoryStorage, MemoryTree, Reply, Settings, UserMessage};

    #[test]
    fn a_body_that_does_not_fit_the_last_one_is_an_error_and_the_session_goes_on() {
        let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
        let (storage, files) = (MemoryStorage::new(), MemoryTree::new());
        let mut session = Session::open("s", settings, storage, files).unwrap();
        let hello = UserMessage::person("Hello. ".repeat(50));
        session.add_message(hello).unwrap();
        let sent = session.build_request("").unwrap();
        let reply = r#"{"role":"assistant","content":"Hello to you."}"#;
        session.add_message(Reply::new(reply)).unwrap();
        session.last_body = LastBody::default();
        let error = session.compact_begin(&Compaction::new("")).unwrap_err();
        assert_eq!(error.cause().name(), "trapped");
        assert!(error.to_string().contains("which has 0"), "{error}");
        let CompactionStart::Request(asked) = session.compact_begin(&Compaction::new("")).unwrap()
        else {
            panic!("not begun");
        };
        assert_eq!(asked.keep, 0);
        assert!(
            asked
                .body
                .starts_with(sent.body.strip_suffix("]}").unwrap())
        );
    }
}
