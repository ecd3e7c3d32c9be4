//! Results of tool calls, and the files that they are of.

use super::Session;
use crate::answer::{Inserted, LastRead};
use crate::bindings::exports::waybread::context::context as wit;
use crate::call::{Outcome, RecallWindow, ToolCall};
use crate::convert;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;

impl Session {
    /// Gives a tool call's outcome its id, applies the rules (§1–§6), stores the full text and
    /// returns what goes to the model. Earlier results stay untouched.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`]; [`Cause::CallAnswered`]; [`Cause::UnknownCall`] in a session with a
    /// dialect; [`Cause::FileSystem`] when a read failed for a reason that no model can act on;
    /// [`Cause::Conflict`], [`Cause::Storage`].
    pub fn insert_result(
        &mut self,
        call: &ToolCall,
        outcome: impl Into<Outcome>,
    ) -> Result<Inserted, Error> {
        convert::with_outcome(&outcome.into(), |outcome| {
            let call = convert::call(call);
            self.call(|api, store, session| api.call_insert_result(store, session, call, outcome))
        })
    }

    /// The model's `recall` (§4): shows a stored result again, up to 2000 lines. The answer is itself a
    /// result. `id` is taken with or without `#` and brackets, in either case, with or without leading
    /// zeros.
    ///
    /// # Errors
    ///
    /// As [`insert_result`](Self::insert_result). An id that was never given is no error: the model
    /// is told.
    pub fn recall(
        &mut self,
        call: &ToolCall,
        id: &str,
        window: RecallWindow,
    ) -> Result<Inserted, Error> {
        let call = convert::call(call);
        let RecallWindow {
            offset,
            limit,
            char_offset,
            char_limit,
        } = window;
        self.call(|api, store, session| {
            api.call_recall(
                store,
                session,
                call,
                id,
                offset,
                limit,
                char_offset,
                char_limit,
            )
        })
    }

    /// A stored result in full, for programs: nothing is inserted. `id` as in
    /// [`recall`](Self::recall).
    ///
    /// # Errors
    ///
    /// [`Cause::UnknownId`], [`Cause::Storage`].
    pub fn stored_text(&mut self, id: &str) -> Result<String, Error> {
        self.call(|api, store, session| api.call_stored_text(store, session, id))
    }

    /// The newest full read of a file in this session, by the file's identity: for tools that insist
    /// on a read before a change. None if there was none or nothing is there. A compaction does not
    /// forget it.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty path, [`Cause::FileSystem`].
    pub fn last_read(&mut self, path: &str) -> Result<Option<LastRead>, Error> {
        let last: Option<wit::LastRead> =
            self.call(|api, store, session| api.call_last_read(store, session, path))?;
        Ok(last.map(Into::into))
    }

    /// The absolute path that a path in a call means (§11), for the answers of tools that name it.
    /// Nothing is looked up.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty path.
    pub fn resolve_path(&mut self, path: &str) -> Result<String, Error> {
        self.call(|api, store, session| api.call_resolve_path(store, session, path))
    }
}
