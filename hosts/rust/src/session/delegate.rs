//! Subagents (`docs/assembly.md`, "Subagents").

use wasmtime::component::ResourceAny;

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
use crate::convert;
use crate::delegation::{DelegateState, Delegation};
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::settings::Settings;

impl Session {
    /// Gives a part of the work to a subagent: opens its session on this session's storage and files,
    /// with this session's dialect, kind, root, home, overrides and session date, and none of its
    /// messages. Given a key that this session delegated before, it is carried on (a follow-up).
    ///
    /// Both sessions can be used at once, also in different threads; each lives on when the other ends
    /// or stops. What the subagent brought is inserted here as
    /// [`Outcome::delegated`](crate::Outcome::delegated), the result of the call that asked for it.
    ///
    /// ```
    /// use waybread::{Delegation, Dialect, MemoryStorage, MemoryTree, Outcome, Prompt, Reply, Session};
    /// use waybread::{Settings, Tool, ToolCall, UserMessage};
    ///
    /// let settings = Settings::agent("/work/app")
    ///     .dialect(Dialect::OpenaiChat)
    ///     .tools([Tool::new("task", "Gives work to a subagent.")]);
    /// let mut session = Session::open("chat-7", settings, MemoryStorage::new(), MemoryTree::new())?;
    /// session.add_message(UserMessage::person("Where is the parser?"))?;
    /// let reply = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
    ///     "function":{"name":"task","arguments":"{}"}}]}"#;
    /// session.add_message(Reply::new(reply))?;
    ///
    /// let mut subagent = session.delegate(&Delegation::new("chat-7/explore-1", "explore"))?;
    /// subagent.add_message(UserMessage::machine("Find the parser."))?; // and so on, with its model
    ///
    /// let brought = Outcome::delegated("chat-7/explore-1", "It is in src/parse.rs.");
    /// let inserted = session.insert_result(&ToolCall::new("c1", "task", "{}"), brought)?;
    /// assert_eq!(inserted.text, "[#0001 explore chat-7/explore-1]\nIt is in src/parse.rs.");
    /// # Ok::<(), waybread::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Cause::InvalidArgument`] for this session's own key or another
    /// session's, and for tools of a follow-up that leave out some that it began with; [`Cause::OutOfOrder`]
    /// without a dialect.
    pub fn delegate(&mut self, delegation: &Delegation) -> Result<Session, Error> {
        let handle: ResourceAny = convert::with_delegation(delegation, |delegation| {
            self.call(|api, store, session| api.call_delegate(store, session, delegation))
        })?;
        // The component's session lives in this session's instance, and would stop with it. Its log is
        // written, so that it is left and carried on in an instance of its own.
        if let Err(trap) = handle.resource_drop(&mut self.store) {
            let error = self.trapped(&trap);
            self.open_again();
            return Err(error);
        }
        let parent = &self.settings;
        // What else it was opened with stands in its log.
        let settings = Settings {
            dialect: parent.dialect,
            home: parent.home.clone(),
            overrides: parent.overrides.clone(),
            start: parent.start.clone(),
            ..Settings::new(parent.kind, parent.root.clone())
        };
        let host = self.store.data().another();
        Self::on_host(delegation.key.clone(), settings, host)
    }

    /// Says how far a subagent is: its state stands in the line of those whose results are still to come
    /// (`docs/compaction.md`). A state of `delegation.ended` (`answered`, `failed`, `cancelled`) ends it; of
    /// one that has ended nothing more is told.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for a key that was not delegated, or a blank state;
    /// [`Cause::OutOfOrder`] without a dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn delegate_progress(&mut self, key: &str, state: &str) -> Result<(), Error> {
        self.call(|api, store, session| api.call_delegate_progress(store, session, key, state))
    }

    /// The subagents of this session, in the order in which they were first delegated.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn delegates(&mut self) -> Result<Vec<DelegateState>, Error> {
        let delegates: Vec<wit::DelegateState> =
            self.call(|api, store, session| api.call_delegates(store, session).map(Ok))?;
        Ok(delegates.into_iter().map(Into::into).collect())
    }
}
