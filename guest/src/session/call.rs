//! Which call a result may have, and the result as it goes into the log.

use super::{Session, ToolCall};
use crate::draft::{Draft, Inserted, Treatment};
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::{FileSystem, Storage};
use crate::record::{Event, ResultRecord, text_hash};
use crate::rules::Rules;
use crate::tokens;

/// A result on its way into the log.
#[derive(Debug)]
pub struct NewResult {
    /// For the caller.
    pub inserted: Inserted,
    /// For the log.
    pub event: Event,
    /// The full text, which is stored.
    pub stored: String,
}

impl NewResult {
    /// The result of a call.
    pub fn new(number: u32, id: String, call: &ToolCall, draft: Draft, rules: &Rules) -> Self {
        let (inserted, body) = draft.show(id, rules);
        let tokens = tokens::estimate(&inserted.text);
        Self {
            inserted,
            event: Event::Result(Box::new(ResultRecord {
                number,
                call: call.id.clone(),
                tool: call.name.clone(),
                head: draft.head,
                body,
                fact: draft.fact,
                tokens,
                text: Some(text_hash(&draft.stored)),
                limit: None,
            })),
            stored: draft.stored,
        }
    }

    /// A text of a subagent's message, if it is longer than what a subagent may bring. It answers no call.
    pub fn brought(number: u32, id: String, draft: Draft, rules: &Rules) -> Option<Self> {
        let call = ToolCall {
            id: String::new(),
            name: String::new(),
            arguments: String::new(),
        };
        let result = Self::new(number, id, &call, draft, rules);
        match result.event {
            Event::Result(record) if result.inserted.treatment == Treatment::Capped => Some(Self {
                event: Event::Kept(record),
                ..result
            }),
            _ => None,
        }
    }

    /// A result that the harness gives in place of a tool.
    pub fn refusal(number: u32, call: &ToolCall, sentence: &str, rules: &Rules) -> Self {
        let id = ResultNumber(number).show(&rules.ids);
        let bracket = rules.bracket.fill(&[("id", &id)]);
        let draft = Draft::refusal(&bracket, sentence.to_owned());
        Self::new(number, id, call, draft, rules)
    }
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// The id of the next result, if `call` may have one.
    pub(super) fn id_for(&self, call: &ToolCall) -> Result<String, Error> {
        if call.id.is_empty() {
            let problem = "is empty, must be the provider's id of the call";
            return Err(Error::argument("call.id", problem));
        }
        let talk = self.state.talk.as_ref();
        if talk.is_some_and(|talk| talk.conversation.is_open(&call.id)) {
            return self.next_id(0);
        }
        if let Some(number) = self.state.answer_of(&call.id) {
            return Err(Error::CallAnswered {
                call: call.id.clone(),
                id: ResultNumber(number).show(&self.state.rules.ids),
            });
        }
        if let Some(talk) = &self.state.talk {
            let open = talk.conversation.open_calls();
            return Err(Error::UnknownCall {
                call: call.id.clone(),
                open: open.map(|open| open.id.clone()).collect(),
            });
        }
        self.next_id(0)
    }

    fn next_id(&self, ahead: u32) -> Result<String, Error> {
        Ok(ResultNumber(self.next_number(ahead)?).show(&self.state.rules.ids))
    }

    /// The number that a result will have with `ahead` others before it.
    pub(super) fn next_number(&self, ahead: u32) -> Result<u32, Error> {
        let next = self.state.next_number();
        next.and_then(|number| number.checked_add(ahead))
            .ok_or_else(|| {
                Error::argument("call", "comes after the last id that a session can give")
            })
    }
}
