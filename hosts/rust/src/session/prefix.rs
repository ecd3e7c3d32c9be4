//! What stands at the front of every request, and what can change beside it.

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
use crate::convert;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::note::Change;
use crate::prompt::{Prefix, Prompt};
#[cfg(doc)]
use crate::settings::Settings;
use crate::tool::Tool;

impl Session {
    /// The system prompt and the tools as they are sent, but for breakpoints of the cache. Empty
    /// without a dialect.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn prefix(&mut self) -> Result<Prefix, Error> {
        let prefix: wit::Prefix =
            self.call(|api, store, session| api.call_prefix(store, session).map(Ok))?;
        Ok(prefix.into())
    }

    /// Says what something's value is now (§10.3). If that is not what the model was last told, a
    /// note goes with the next message that starts a turn.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for a name that is missing, or one or a mode's text with an
    /// absolute path of the machine; [`Cause::OutOfOrder`] without a dialect; [`Cause::Conflict`],
    /// [`Cause::Storage`].
    pub fn note(&mut self, change: &Change) -> Result<(), Error> {
        self.noted(change, false)
    }

    /// The same for a change that the model made itself: a tool result told it already, so no note is
    /// owed.
    ///
    /// # Errors
    ///
    /// As [`note`](Self::note).
    pub fn note_by_model(&mut self, change: &Change) -> Result<(), Error> {
        self.noted(change, true)
    }

    fn noted(&mut self, change: &Change, by_model: bool) -> Result<(), Error> {
        let change = convert::change(change);
        self.call(|api, store, session| api.call_note(store, session, change, by_model))
    }

    /// What the system prompt is to be made of when it is next made again (§10.1): after a compaction,
    /// or at a change of model. What was sent stands until then.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] as for [`Settings::prompt`]; [`Cause::OutOfOrder`] without a
    /// dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn set_prompt(&mut self, prompt: &Prompt) -> Result<(), Error> {
        convert::with_prompt(prompt, |prompt| {
            self.call(|api, store, session| api.call_set_prompt(store, session, prompt))
        })
    }

    /// Says whether a condition that tools require is met now (§10.4).
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty name; [`Cause::OutOfOrder`] without a dialect;
    /// [`Cause::Conflict`], [`Cause::Storage`].
    pub fn set_condition(&mut self, name: &str, met: bool) -> Result<(), Error> {
        self.call(|api, store, session| api.call_set_condition(store, session, name, met))
    }

    /// Withdraws a tool: it stays listed, and its calls are answered `refusal` (§10.4).
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for a tool that is not listed or an empty refusal;
    /// [`Cause::OutOfOrder`] without a dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn withdraw_tool(&mut self, name: &str, refusal: &str) -> Result<(), Error> {
        self.call(|api, store, session| api.call_withdraw_tool(store, session, name, refusal))
    }

    /// An MCP server connected: those of its tools whose names are not listed yet are appended, and
    /// its instructions, unless none or blank, are told in a note. A server that comes back with the
    /// same changes nothing. Before the first request nothing is read again; the
    /// [setting](Self::setting) `tools.mcp_wait_ms` says for how many milliseconds to wait.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`]; [`Cause::OutOfOrder`] without a dialect; [`Cause::Conflict`],
    /// [`Cause::Storage`].
    pub fn connect_server(
        &mut self,
        name: &str,
        tools: &[Tool],
        instructions: Option<&str>,
    ) -> Result<(), Error> {
        convert::with_tools(tools, |tools| {
            self.call(|api, store, session| {
                api.call_connect_server(store, session, name, tools, instructions)
            })
        })
    }

    /// A setting of the session by its dotted name, as JSON: `tools.mcp_wait_ms`.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidSetting`] for a name that `loop.json` does not have.
    pub fn setting(&mut self, key: &str) -> Result<String, Error> {
        self.call(|api, store, session| api.call_setting(store, session, key))
    }

    /// How a prompt or a note names a file (§11): relative to the root in the project, `~/…` under
    /// home, absolute elsewhere. A chat's tree has short paths; they are absolute.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty path.
    pub fn name_path(&mut self, path: &str) -> Result<String, Error> {
        self.call(|api, store, session| api.call_name_path(store, session, path))
    }

    /// Refuses a text of the harness's own that names an absolute path of the machine, the root or
    /// home or one below, in an agent session (§11): for task messages. `name` is what the error calls
    /// it.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`], which says the character (from 0) and what would be right.
    pub fn check_paths(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.call(|api, store, session| api.call_check_paths(store, session, name, text))
    }
}
