//! Messages, as they are added and as they are stored.

use crate::bindings::exports::waybread::context::context as wit;
use crate::call::ToolCall;
use crate::conversation::{Added, ReplyCall, Speaker, StoredMessage};
use crate::message::{Delivery, Message, Part, Sender, UserMessage};

/// A message, and the list that it borrows.
pub(crate) fn with_message<T>(message: &Message, go: impl FnOnce(wit::Message<'_>) -> T) -> T {
    match message {
        Message::User(message) => {
            let parts: Vec<wit::Part<'_>> = message.parts.iter().map(part).collect();
            go(wit::Message::User(user(message, &parts)))
        }
        Message::Reply(reply) => go(wit::Message::Reply(wit::Reply {
            json: &reply.json,
            incomplete: reply.incomplete,
        })),
        Message::WrapUp => go(wit::Message::WrapUp),
    }
}

fn user<'a>(message: &'a UserMessage, parts: &'a [wit::Part<'a>]) -> wit::UserMessage<'a> {
    wit::UserMessage {
        sender: match message.sender {
            Sender::Person => wit::Sender::Person,
            Sender::Machine => wit::Sender::Machine,
            Sender::Subagent => wit::Sender::Subagent,
        },
        delivery: match message.delivery {
            Delivery::StartsTurn => wit::Delivery::StartsTurn,
            Delivery::StepBoundary => wit::Delivery::StepBoundary,
        },
        text: &message.text,
        parts,
        date: message.date.as_deref(),
    }
}

fn part(part: &Part) -> wit::Part<'_> {
    match part {
        Part::Text(text) => wit::Part::Text(text),
        Part::Image { media_type, base64 } => wit::Part::Image(wit::Image { media_type, base64 }),
        Part::ImageUrl(url) => wit::Part::ImageUrl(url),
        Part::Block(json) => wit::Part::Block(json),
    }
}

impl From<wit::Added> for Added {
    fn from(added: wit::Added) -> Self {
        Self {
            number: added.number,
            note: added.note,
            skills: added.skills.into_iter().map(Into::into).collect(),
            calls: added.calls.into_iter().map(Into::into).collect(),
            closed: added.closed.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<wit::ReplyCall> for ReplyCall {
    fn from(call: wit::ReplyCall) -> Self {
        let wit::ToolCallResult {
            id,
            name,
            arguments,
        } = call.call;
        Self {
            call: ToolCall {
                id,
                name,
                arguments,
            },
            refused: call.refused.map(Into::into),
        }
    }
}

impl From<wit::StoredMessage> for StoredMessage {
    fn from(message: wit::StoredMessage) -> Self {
        let result = |id: String| (!id.is_empty()).then_some(id);
        Self {
            number: message.number,
            speaker: match message.speaker {
                wit::Speaker::Person => Speaker::Person,
                wit::Speaker::Machine => Speaker::Machine,
                wit::Speaker::Subagent => Speaker::Subagent,
                wit::Speaker::Model => Speaker::Model,
                wit::Speaker::Summary => Speaker::Summary,
            },
            starts_turn: message.starts_turn,
            text: message.text,
            given: message.given,
            note: message.note,
            incomplete: message.incomplete,
            results: message.results.into_iter().map(result).collect(),
        }
    }
}
