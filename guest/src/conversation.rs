//! The messages of a session: turns (§8), calls and their results, messages taken back.

use std::collections::BTreeMap;

use crate::breakpoints::{self, Own};
use crate::budget::{Counter, ReplyTokens};
use crate::draft::size;
use crate::json;
use crate::message::{Part, Sender};
use crate::record::{CompactedRecord, MessageBody, MessageRecord, StrippedMessage, UserRecord};
use crate::reply::{Call, Fault, Form, Reply};
use crate::tokens::Estimate;

/// A message as it stands in the conversation.
#[derive(Clone, Debug)]
pub enum Item {
    /// To the model.
    User(Box<UserItem>),
    /// From the model.
    Reply(Box<ReplyItem>),
}

/// What a message to the model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A message that was added.
    Message,
    /// The summary of what came before.
    Summary {
        /// As the model wrote it.
        summary: String,
        /// Whether it speaks in the system's role, where the dialect has that.
        system: bool,
    },
    /// Active skills, which a compaction put ahead of what it retained.
    Skills,
    /// Subagents whose results are still to come, which a compaction put behind it.
    Pending,
}

impl Place {
    /// Whether it is a summary.
    pub fn is_summary(&self) -> bool {
        matches!(self, Self::Summary { .. })
    }

    /// Whether it is a summary that speaks in the system's role.
    pub fn is_system(&self) -> bool {
        matches!(self, Self::Summary { system: true, .. })
    }
}

/// A message to the model.
#[derive(Clone, Debug)]
pub struct UserItem {
    /// The message's number.
    pub number: u32,
    /// The message.
    pub message: UserRecord,
    /// What it is.
    pub place: Place,
    /// Its tokens.
    pub tokens: Estimate,
}

impl UserItem {
    /// A message that was added.
    pub fn new(number: u32, message: UserRecord, counter: Counter<'_>) -> Self {
        Self::placed(number, message, Place::Message, counter)
    }

    /// Its text, and how many bytes of it, after a notice, are envelopes of the session's own.
    pub fn told(&self) -> (&str, u32) {
        let ahead = match self.place {
            Place::Message => self.message.ahead,
            Place::Skills => size(self.message.text.len()),
            Place::Summary { .. } | Place::Pending => 0,
        };
        (&self.message.text, ahead)
    }

    fn placed(number: u32, message: UserRecord, place: Place, counter: Counter<'_>) -> Self {
        Self {
            tokens: counter.user(&message),
            number,
            message,
            place,
        }
    }
}

/// A reply, and the results of its calls.
#[derive(Clone, Debug)]
pub struct ReplyItem {
    /// The message's number.
    pub number: u32,
    /// As it was given.
    pub given: String,
    /// From a stream that broke off.
    pub incomplete: bool,
    /// Understood.
    pub reply: Reply,
    /// Its tokens, without its results'.
    pub tokens: ReplyTokens,
    /// The numbers of the results, in the order of the calls; none where a call is open.
    pub results: Vec<Option<u32>>,
    /// Whether its thinking was made behind something else than what stands before it now.
    pub unbound: bool,
}

impl ReplyItem {
    /// Whether nothing of it is sent in Anthropic.
    pub fn is_silent(&self) -> bool {
        matches!(&self.reply.form, Form::Anthropic(blocks) if blocks.is_empty()) && !self.incomplete
    }
}

impl Item {
    /// The message's number.
    pub fn number(&self) -> u32 {
        match self {
            Self::User(user) => user.number,
            Self::Reply(reply) => reply.number,
        }
    }

    /// Whether a turn begins with it (§8).
    pub fn starts_turn(&self) -> bool {
        matches!(self, Self::User(user) if user.message.starts_turn)
    }

    /// What a message to the model is; none of a reply.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::User(user) => Some(&user.place),
            Self::Reply(_) => None,
        }
    }

    /// Whether a compaction put it at the conversation's front.
    pub fn is_front(&self) -> bool {
        let place = self.place();
        place.is_some_and(|place| place.is_summary() || *place == Place::Skills)
    }

    /// Whether it is a summary.
    pub fn is_summary(&self) -> bool {
        self.place().is_some_and(Place::is_summary)
    }

    /// A message to the model.
    pub fn as_user(&self) -> Option<&UserItem> {
        match self {
            Self::User(user) => Some(user),
            Self::Reply(_) => None,
        }
    }

    /// A reply.
    pub fn as_reply(&self) -> Option<&ReplyItem> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::User(_) => None,
        }
    }
}

/// The messages, and where each came in.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    items: Vec<Item>,
    /// Of every message that was ever added but the newest, how long the log was when something else
    /// was added or taken back.
    ends: Vec<u32>,
    /// How many messages were ever added.
    count: u32,
    /// The index of the last message that starts a turn.
    turn: usize,
    /// Whether a wrap-up was asked for in this turn.
    wrapping_up: bool,
    /// The messages that have breakpoints of the caller's, by their places.
    marked: Vec<(usize, Own)>,
    /// The calls of the last reply that have no result: their places by their ids.
    open: BTreeMap<String, usize>,
}

impl Conversation {
    /// The messages, oldest first, without those taken back.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The messages that have breakpoints of the caller's, by their places.
    pub fn marked(&self) -> &[(usize, Own)] {
        &self.marked
    }

    /// Where the current turn begins; 0 before any.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Whether calls are not run: a wrap-up was asked for, and no turn began since.
    pub fn is_wrapping_up(&self) -> bool {
        self.wrapping_up
    }

    /// How many messages were ever added, which is the newest number that was given.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of the next message.
    pub fn next_number(&self) -> Option<u32> {
        self.count.checked_add(1)
    }

    /// The newest message's number; 0 before any.
    pub fn newest(&self) -> u32 {
        self.items.last().map_or(0, Item::number)
    }

    /// How much of the log a message and its results are the end of, whether it was taken back or not:
    /// all of it for the newest. None for a message that was never added.
    pub fn end_of(&self, number: u32) -> Option<Option<u32>> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        (number <= self.count).then(|| self.ends.get(at).copied())
    }

    /// The newest message ends here, unless it has already.
    fn end(&mut self, position: u32) {
        if self.ends.len() < self.count as usize {
            self.ends.push(position);
        }
    }

    /// Where a message stands. A summary has a higher number than what is retained after it.
    pub fn index_of(&self, number: u32) -> Option<usize> {
        self.items.iter().rposition(|item| item.number() == number)
    }

    /// Adds a message whose record stands at `position`, behind those of the calls that it closed.
    ///
    /// # Errors
    ///
    /// What is wrong with a reply, as `read` says, or with a block.
    pub fn add(
        &mut self,
        position: u32,
        record: MessageRecord,
        counter: Counter<'_>,
        read: impl FnOnce(&str, bool) -> Result<Reply, Fault>,
    ) -> Result<(), Fault> {
        let (number, closed) = (record.number, record.closed);
        let item = match record.body {
            MessageBody::User(message) => {
                message.parts.iter().try_for_each(check_block)?;
                Item::User(Box::new(UserItem::new(number, message, counter)))
            }
            MessageBody::Reply { given, incomplete } => {
                let reply = read(&given, incomplete)?;
                let results = vec![None; reply.calls.len()];
                Item::Reply(Box::new(ReplyItem {
                    number,
                    given,
                    incomplete,
                    tokens: counter.reply(&reply, incomplete),
                    reply,
                    results,
                    unbound: false,
                }))
            }
        };
        self.end(position.saturating_sub(closed));
        self.count = number;
        if item.starts_turn() {
            self.turn = self.items.len();
        }
        self.wrapping_up = self.wraps_up_after(&item);
        self.marked
            .extend(breakpoints::marked(self.items.len(), [&item].into_iter()));
        let reply = item.as_reply().is_some();
        self.items.push(item);
        if reply {
            self.find_open();
        }
        Ok(())
    }

    /// Finds the open calls of the last reply.
    fn find_open(&mut self) {
        let places = self.last_reply().into_iter().flat_map(|reply| {
            let calls = reply.reply.calls.iter().zip(&reply.results).enumerate();
            calls.filter(|(_, (_, result))| result.is_none())
        });
        self.open = places
            .map(|(at, (call, _))| (call.id.clone(), at))
            .collect();
    }

    fn last_reply(&self) -> Option<&ReplyItem> {
        self.items.iter().rev().find_map(Item::as_reply)
    }

    /// Whether a call of the last reply has no result.
    pub fn is_open(&self, call: &str) -> bool {
        self.open.contains_key(call)
    }

    fn wraps_up_after(&self, item: &Item) -> bool {
        match item {
            Item::User(user) if user.message.wrap_up => true,
            item => self.wrapping_up && !item.starts_turn(),
        }
    }

    /// The calls of the last reply that have no result. A message that was added closed them; only what
    /// a compaction put behind the reply did not.
    pub fn open_calls(&self) -> impl Iterator<Item = &Call> {
        let reply = self.last_reply().filter(|_| !self.open.is_empty());
        reply.into_iter().flat_map(|reply| {
            let calls = reply.reply.calls.iter().zip(&reply.results);
            calls.filter_map(|(call, result)| result.is_none().then_some(call))
        })
    }

    /// What stands before a reply is not what its thinking was made behind, nor is that of those after it.
    pub fn unbind(&mut self, number: u32) {
        let from = self.index_of(number).unwrap_or(self.items.len());
        for item in self.items.iter_mut().skip(from) {
            if let Item::Reply(reply) = item {
                reply.unbound = true;
            }
        }
    }

    /// Gives an open call its result. False if there is no such call.
    pub fn answer(&mut self, call: &str, number: u32) -> bool {
        let Some(at) = self.open.remove(call) else {
            return false;
        };
        let mut items = self.items.iter_mut().rev();
        let Some(Item::Reply(reply)) = items.find(|item| matches!(item, Item::Reply(_))) else {
            return false;
        };
        if let Some(result) = reply.results.get_mut(at) {
            *result = Some(number);
        }
        true
    }

    /// Where messages stand: the first's place, and that after the last. None unless both are there, in
    /// that order.
    pub fn range(&self, first: u32, last: u32) -> Option<(usize, usize)> {
        let (first, last) = (self.index_of(first)?, self.index_of(last)?);
        (first <= last).then_some((first, last + 1))
    }

    /// Takes out the messages from `first` to before `end`, by the record at `position`.
    pub fn take_back(&mut self, position: u32, first: usize, end: usize) {
        self.end(position);
        let end = end.min(self.items.len());
        self.items.drain(first.min(end)..end);
        self.marked = breakpoints::marked(0, self.items.iter());
        self.find_turn();
        self.find_open();
    }

    fn find_turn(&mut self) {
        self.turn = self.items.iter().rposition(Item::starts_turn).unwrap_or(0);
        let current = self.items.get(self.turn..).unwrap_or_default();
        self.wrapping_up = current
            .iter()
            .any(|item| matches!(item, Item::User(user) if user.message.wrap_up));
    }

    /// A summary takes the place of the first messages, by the record at `position`, behind that of the
    /// system prompt.
    pub fn compact(&mut self, position: u32, record: &CompactedRecord, counter: Counter<'_>) {
        let end = position.saturating_sub(1);
        self.end(end);
        let covers = (record.covers as usize).min(self.items.len());
        self.items.drain(..covers);
        self.strip(&record.stripped, counter);
        let summary = &record.message;
        let place = Place::Summary {
            summary: record.summary.clone(),
            system: summary.system,
        };
        let mut message = machine_message(&summary.text, Sender::Machine);
        message.starts_turn = true;
        message.note.clone_from(&summary.note);
        let mut front = vec![UserItem::placed(summary.number, message, place, counter)];
        front.extend(record.skills.as_ref().map(|skills| {
            let message = machine_message(&skills.text, Sender::Machine);
            UserItem::placed(skills.number, message, Place::Skills, counter)
        }));
        let pending = record.pending.as_ref().map(|pending| {
            let message = machine_message(&pending.text, Sender::Subagent);
            UserItem::placed(pending.number, message, Place::Pending, counter)
        });
        let item = |user: UserItem| Item::User(Box::new(user));
        self.items.splice(0..0, front.into_iter().map(item));
        self.items.extend(pending.map(item));
        self.count = record.last_number();
        // All that is new stands at once, and ends with what is added next.
        let ends = (self.count as usize).saturating_sub(1);
        self.ends
            .resize(ends.max(self.ends.len()), position.saturating_add(1));
        self.marked = breakpoints::marked(0, self.items.iter());
        self.find_turn();
        self.find_open();
    }

    fn strip(&mut self, stripped: &[StrippedMessage], counter: Counter<'_>) {
        for message in stripped {
            let Some(at) = self.index_of(message.number) else {
                continue;
            };
            match (&message.text, self.items.get_mut(at)) {
                (Some(text), Some(Item::User(user))) => {
                    user.message.text.clone_from(text);
                    user.message.ahead = 0;
                    user.tokens = counter.user(&user.message);
                }
                _ => drop(self.items.remove(at)),
            }
        }
    }

    /// The numbers of the results of the messages from `first` to before `end`, oldest message first.
    pub fn results(&self, first: usize, end: usize) -> impl Iterator<Item = u32> {
        let items = self.items.iter().take(end).skip(first);
        let replies = items.filter_map(Item::as_reply);
        replies.flat_map(|reply| reply.results.iter().flatten().copied())
    }
}

/// A message of the harness's own, at a step boundary.
pub fn machine_message(text: &str, sender: Sender) -> UserRecord {
    UserRecord {
        sender,
        starts_turn: false,
        wrap_up: false,
        text: text.to_owned(),
        parts: Vec::new(),
        note: None,
        ahead: 0,
    }
}

fn check_block(part: &Part) -> Result<(), Fault> {
    let Part::Block(block) = part else {
        return Ok(());
    };
    json::object(block).map(drop).map_err(|problem| Fault {
        path: String::new(),
        problem,
    })
}
