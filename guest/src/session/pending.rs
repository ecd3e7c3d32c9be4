//! What goes into the log in one append: events, the texts that belong to them, and results that the
//! harness gave in place of a tool.

use super::{NewResult, Session, ToolCall};
use crate::draft::Inserted;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::message::{Part, Sender, UserMessage};
use crate::output;
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

    fn add(&mut self, result: NewResult) -> Inserted {
        let inserted = result.inserted;
        self.events.push(result.event);
        self.texts.push((inserted.id.clone(), result.stored));
        self.results += 1;
        inserted
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
        let inserted = pending.add(result);
        pending.shown.push((number, inserted.text.clone()));
        Ok(inserted)
    }

    /// Holds what a subagent says in a message to what it may bring in a result; the whole is kept.
    pub(super) fn hold(
        &self,
        pending: &mut Pending,
        message: &mut UserMessage,
    ) -> Result<(), Error> {
        if message.sender != Sender::Subagent {
            return Ok(());
        }
        let delegate = self.talk()?.delegates.only_pending();
        let parts = message.parts.iter_mut().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        });
        for text in std::iter::once(&mut message.text).chain(parts) {
            let number = self.next_number(pending.results)?;
            let id = ResultNumber(number).show(&self.state.rules.ids);
            let draft = output::brought(&self.state, &id, delegate, text.clone());
            if let Some(result) = NewResult::brought(number, id, draft, &self.state.rules) {
                *text = pending.add(result).text;
            }
        }
        Ok(())
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

/// The text of one of the results that are about to be given, whose numbers ascend.
pub fn closed_text(closed: &[(u32, String)], number: u32) -> Option<&str> {
    let at = closed.binary_search_by_key(&number, |(number, _)| *number);
    let (_, text) = closed.get(at.ok()?)?;
    Some(text)
}

/// A call as a harness sees it.
pub fn tool_call(call: &Call) -> ToolCall {
    ToolCall {
        id: call.id.clone(),
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    }
}
