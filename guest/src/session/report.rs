//! What a session tells of itself.

use super::Session;
use crate::conversation::Item;
use crate::id::ResultNumber;
use crate::message::Sender;
use crate::ports::{FileSystem, Storage};
use crate::record::Usage;
use crate::request::Difference;

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
    /// The model.
    Model,
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
        let talk = self.state.talk.iter();
        let items = talk.flat_map(|talk| talk.conversation.items());
        items.map(|item| self.stored_message(item)).collect()
    }

    fn stored_message(&self, item: &Item) -> StoredMessage {
        match item {
            Item::User(user) => StoredMessage {
                number: user.number,
                speaker: match user.message.sender {
                    Sender::Person => Speaker::Person,
                    Sender::Machine => Speaker::Machine,
                },
                starts_turn: user.message.starts_turn,
                text: user.message.text.clone(),
                given: user.message.text.clone(),
                note: user.message.note.as_ref().map(|note| note.text.clone()),
                incomplete: false,
                results: Vec::new(),
            },
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
                    .map(|result| self.id_of(*result))
                    .collect(),
            },
        }
    }

    fn id_of(&self, result: Option<u32>) -> String {
        let digits = self.state.rules.ids.digits;
        result.map_or_else(String::new, |number| ResultNumber(number).show(digits))
    }

    /// The system prompt and the tools as they are sent.
    pub fn prefix(&self) -> Prefix {
        let Some(talk) = &self.state.talk else {
            return Prefix::default();
        };
        Prefix {
            system: talk.system.clone(),
            tools: self.state.style.text(talk.tools.sent(talk.tools.count())),
        }
    }
}
