//! What goes into the log in one append: events, the texts that belong to them, and results that the
//! harness gave in place of a tool.

use super::{NewResult, Session, ToolCall};
use crate::draft::Inserted;
use crate::error::Error;
use crate::ports::{FileSystem, Storage};
use crate::record::Event;
use crate::reply::Call;

/// An append in the making.
#[derive(Debug, Default)]
pub struct Pending {
    /// In order.
    pub events: Vec<Event>,
    texts: Vec<(String, String)>,
    /// What no request has shown yet.
    shown: Vec<(u32, String)>,
    results: u32,
}

impl Pending {
    /// How many results it holds.
    pub fn results(&self) -> u32 {
        self.results
    }

    /// The texts of its results as the model reads them.
    pub fn shown(&self) -> &[(u32, String)] {
        &self.shown
    }
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Answers a call with a sentence of the harness's own.
    pub(super) fn refuse(
        &self,
        pending: &mut Pending,
        call: &ToolCall,
        sentence: &str,
    ) -> Result<Inserted, Error> {
        let number = self.next_number(pending.results)?;
        let result = NewResult::refusal(number, call, sentence, &self.state.rules);
        let inserted = result.inserted;
        pending.events.push(result.event);
        pending.texts.push((inserted.id.clone(), result.stored));
        pending.shown.push((number, inserted.text.clone()));
        pending.results += 1;
        Ok(inserted)
    }

    /// Closes the calls that are open, in their order.
    pub(super) fn close_calls(&self, pending: &mut Pending) -> Result<Vec<Inserted>, Error> {
        let sentence = &self.state.rules.replies.unanswered;
        let open = self.talk()?.conversation.open_calls();
        open.map(|call| self.refuse(pending, &tool_call(call), sentence))
            .collect()
    }

    pub(super) fn commit_pending(&mut self, pending: Pending) -> Result<(), Error> {
        self.commit(pending.events, &pending.texts)?;
        self.fresh.extend(pending.shown);
        Ok(())
    }
}

/// A call as a harness sees it.
pub fn tool_call(call: &Call) -> ToolCall {
    ToolCall {
        id: call.id.clone(),
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    }
}
