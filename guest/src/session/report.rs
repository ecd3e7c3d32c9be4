//! What a session tells of itself.

use super::Session;
use crate::call_summary::call_summary;
use crate::conversation::{Item, Place, UserItem};
use crate::draft::size;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::message::Sender;
use crate::ports::{FileSystem, Storage};
use crate::record::{Chain, Event, Stage, Usage, UserRecord};
use crate::request::Difference;
use crate::skills;
use crate::state::State;

/// One request in the cache report (§10.6). `wit/context.wit` explains each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct RequestReport {
    pub number: u32,
    pub length: u32,
    pub shared: u32,
    pub difference: Option<Difference>,
    pub usage: Option<Usage>,
}

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// A job, a team, the harness.
    Machine,
    /// A subagent.
    Subagent,
    /// The model.
    Model,
    /// A compaction.
    Summary,
}

/// A message of the conversation. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct StoredMessage {
    pub number: u32,
    pub speaker: Speaker,
    pub starts_turn: bool,
    pub text: String,
    pub given: String,
    pub note: Option<String>,
    pub incomplete: bool,
    pub results: Vec<String>,
}

/// A generation of the conversation. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Generation {
    pub number: u32,
    pub messages: u32,
    pub stage: Option<Stage>,
    pub summary: Option<String>,
    pub fallback: Option<String>,
}

/// What is worth keeping beside the conversation. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ContextState {
    pub recent_calls: Vec<String>,
    pub turns: u32,
}

/// What stands at the front of every request. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Prefix {
    pub system: String,
    pub tools: String,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Every request, oldest first.
    pub fn cache_report(&self) -> Vec<RequestReport> {
        let talk = self.state.talk.iter();
        let requests = talk.flat_map(|talk| &talk.requests);
        let report = requests.map(|request| RequestReport {
            number: request.record.number,
            length: request.record.length,
            shared: request.record.shared,
            difference: request.record.difference,
            usage: request.usage,
        });
        report.collect()
    }

    /// The messages, oldest first, without those taken back.
    pub fn conversation(&self) -> Vec<StoredMessage> {
        stored_messages(&self.state)
    }

    /// The generations of the conversation, oldest first.
    pub fn lineage(&self) -> Vec<Generation> {
        let Some(talk) = &self.state.talk else {
            return Vec::new();
        };
        let now = size(talk.conversation.items().len());
        let generations = talk.lineage.generations().zip(1..);
        let generations = generations.map(|((begun, ended), number)| Generation {
            number,
            messages: ended.unwrap_or(now),
            stage: begun.map(|begun| begun.stage),
            summary: begun
                .filter(|begun| begun.stage != Stage::Shorten)
                .map(|begun| begun.summary.clone()),
            fallback: begun.and_then(|begun| begun.fallback.clone()),
        });
        generations.collect()
    }

    /// The messages of a generation, as they were when it ended. An earlier one is read from the log.
    ///
    /// # Errors
    ///
    /// `unknown-generation`; `storage`.
    pub fn generation(&mut self, number: u32) -> Result<Vec<StoredMessage>, Error> {
        let active = self
            .talk()
            .map(|talk| talk.lineage.active())
            .unwrap_or_default();
        if number == 0 || number > active {
            return Err(Error::UnknownGeneration(number));
        }
        if number == active {
            return Ok(self.conversation());
        }
        let log = self
            .storage
            .read_log(&self.key, 0)
            .map_err(|error| Error::storage("read-log", error))?;
        let mut chain = Chain::default();
        let mut events = (0..).zip(&log).map(|(at, record)| chain.read(at, record));
        let Some(Event::Opened(opened)) = events.next().transpose()? else {
            return Err(Error::damaged(0, "does not begin a session"));
        };
        let mut state = State::begin(*opened)?;
        for event in events {
            let event = event?;
            if event.begins() == Some(number + 1) {
                break;
            }
            state.apply(event)?;
        }
        Ok(stored_messages(&state))
    }

    /// What is worth keeping of the session beside its conversation.
    pub fn context_state(&self) -> ContextState {
        let Some(talk) = &self.state.talk else {
            return ContextState::default();
        };
        let rules = &self.state.rules.state;
        let items = talk.conversation.items();
        let replies = items.iter().rev().filter_map(Item::as_reply);
        let calls = replies.flat_map(|reply| reply.reply.calls.iter().rev());
        let mut recent_calls: Vec<String> = calls
            .take(rules.calls as usize)
            .map(|call| call_summary(&call.name, &call.arguments, rules, &self.state.base))
            .collect();
        recent_calls.reverse();
        ContextState {
            recent_calls,
            turns: talk.lineage.turns(items),
        }
    }

    /// The system prompt and the tools as they are sent.
    pub fn prefix(&self) -> Prefix {
        let Some(talk) = &self.state.talk else {
            return Prefix::default();
        };
        Prefix {
            system: talk.made.system.clone(),
            tools: self.state.style.text(talk.tools.sent(talk.tools.count())),
        }
    }
}

fn stored_messages(state: &State) -> Vec<StoredMessage> {
    let talk = state.talk.iter();
    let items = talk.flat_map(|talk| talk.conversation.items());
    items.map(|item| stored_message(state, item)).collect()
}

/// A message's text without what the session put ahead of it, which stands after a notice.
fn given_text(state: &State, message: &UserRecord) -> String {
    let (notice, rest) = skills::split_notice(&message.text, &state.rules.skills.notices);
    let rest = rest.get(message.ahead as usize..).unwrap_or(rest);
    [notice, rest].concat()
}

fn stored_message(state: &State, item: &Item) -> StoredMessage {
    match item {
        Item::User(user) => {
            let given = match &user.place {
                Place::Summary { summary, .. } => summary.clone(),
                Place::Message | Place::Skills | Place::Pending => given_text(state, &user.message),
            };
            StoredMessage {
                number: user.number,
                speaker: speaker(user),
                starts_turn: user.message.starts_turn,
                text: user.message.text.clone(),
                given,
                note: user.message.note.as_ref().map(|note| note.text.clone()),
                incomplete: false,
                results: Vec::new(),
            }
        }
        Item::Reply(reply) => StoredMessage {
            number: reply.number,
            speaker: Speaker::Model,
            starts_turn: false,
            text: reply.reply.text.clone(),
            given: reply.given.clone(),
            note: None,
            incomplete: reply.incomplete,
            results: reply
                .results
                .iter()
                .map(|result| id_of(state, *result))
                .collect(),
        },
    }
}

fn speaker(user: &UserItem) -> Speaker {
    if user.place.is_summary() {
        return Speaker::Summary;
    }
    match user.message.sender {
        Sender::Person => Speaker::Person,
        Sender::Machine => Speaker::Machine,
        Sender::Subagent => Speaker::Subagent,
    }
}

fn id_of(state: &State, result: Option<u32>) -> String {
    let ids = &state.rules.ids;
    result.map_or_else(String::new, |number| ResultNumber(number).show(ids))
}
