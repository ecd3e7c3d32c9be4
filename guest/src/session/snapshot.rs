//! What the newest request held (docs/assembly.md, "Snapshots").

use super::Session;
use super::request::{Texts, view};
use crate::assembly::front;
use crate::budget::limits;
use crate::draft::size;
use crate::error::Error;
use crate::ports::{FileSystem, Storage};
use crate::request::{Items, Parameters};
use crate::snapshot::{Snapshot, Taken, take};
use crate::state::{Previous, State, Talk};

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// What the newest request held. It is made when it is asked for: a session keeps none.
    ///
    /// # Errors
    ///
    /// As `snapshot` in `wit/context.wit`.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let (talk, previous) = sent(&self.state)?;
        let parameters = Parameters::read(&previous.parameters).unwrap_or_default();
        let items = talk.conversation.items().get(..previous.common);
        let items = Items {
            first: items.unwrap_or_default(),
            rest: &[],
        };
        let view = view(&self.state, previous.sent, talk, items, &parameters, 0);
        let mut taken = Taken::default();
        for message in front::messages(&talk.made, talk.dialect) {
            taken.add_front(message.role, message.text, &self.state.rules.nul);
        }
        let mut texts = Texts {
            state: &self.state,
            storage: &mut self.storage,
            key: &self.key,
            fresh: &self.fresh,
            closed: &[],
            shorter: &[],
            stubs: &[],
        };
        take(&mut taken, &view, &mut texts)?;
        let blocks = front::blocks(&talk.made, talk.dialect);
        let blocks = blocks.iter().map(|block| block.text.len());
        Ok(Snapshot {
            request: size(talk.requests.len()),
            messages: taken.messages,
            prompt_bytes: size(taken.bytes),
            blocks_bytes: size(blocks.sum()),
            tools_bytes: tools_bytes(&self.state, talk, previous),
            max_tokens: limits::given(&parameters.rest),
        })
    }
}

/// The newest request, if its messages are still the conversation's.
fn sent(state: &State) -> Result<(&Talk, &Previous), Error> {
    let problem = |problem: &str| Error::OutOfOrder(problem.to_owned());
    let none = "there is no request yet; build one first";
    let talk = state.talk.as_ref().ok_or_else(|| problem(none))?;
    let previous = talk.previous.as_ref().ok_or_else(|| problem(none))?;
    if previous.compacted || !previous.rest.is_empty() {
        let gone = "messages of the newest request were taken back or summarised since; build the next one first";
        return Err(problem(gone));
    }
    Ok((talk, previous))
}

/// The tools as they are sent; nothing without tools.
fn tools_bytes(state: &State, talk: &Talk, previous: &Previous) -> u32 {
    match talk.tools.sent(previous.tools) {
        [] => 0,
        tools => size(state.style.text(tools).len()),
    }
}
