//! A session's state: a fold over the events of its log.

mod bound;
mod delegates;
mod lineage;
mod reports;
mod skills;
mod talk;

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Counter;
use crate::conversation::Item;
use crate::error::Error;
use crate::id::IdPrefix;
use crate::json::JsonStyle;
use crate::message::Sender;
use crate::path::Base;
use crate::record::{
    Chain, CompactedRecord, Event, Fact, Kind, MessageBody, MessageRecord, Opened, ReadFact,
    ResultRecord, ShortenedRecord,
};
use crate::reply::{self, Around};
use crate::rules::{self, Rules};
use crate::table::DedupeTable;

pub use bound::Sent;
pub use delegates::DelegateState;
pub use lineage::Failed;
pub use reports::Reported;
pub use talk::{Previous, Talk};

/// What a session knows without reading its texts.
#[derive(Clone, Debug)]
pub struct State {
    /// Records in the log.
    pub length: u32,
    /// What the next record follows.
    pub chain: Chain,
    /// As the session began.
    pub opened: Opened,
    /// Texts and numbers.
    pub rules: Rules,
    /// How JSON is written.
    pub style: JsonStyle,
    /// What relative paths resolve against, now.
    pub base: Base,
    /// What a stub may name.
    pub table: DedupeTable,
    /// The conversation; none in a session of results only.
    pub talk: Option<Talk>,
    answered: BTreeMap<String, u32>,
    last_reads: BTreeMap<String, LastRead>,
    results: Vec<ResultRecord>,
}

/// The newest full read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRead {
    /// Its result.
    pub number: u32,
    /// What it showed.
    pub read: ReadFact,
}

impl State {
    /// The state after the first event of a log, at position 0.
    ///
    /// # Errors
    ///
    /// `damaged-record` if a session cannot begin so.
    pub fn begin(mut opened: Opened) -> Result<Self, Error> {
        let (kept, mut rules) = rules::kept(&opened.rules)
            .map_err(|problem| Error::damaged(0, format!("holds rules that fail: {problem}")))?;
        rules.ids.prefix = IdPrefix::parse(&opened.prefix)
            .ok_or_else(|| Error::damaged(0, "holds a prefix of ids that is none"))?;
        let talk = opened.conversation.as_ref();
        if talk.is_none_or(|talk| talk.filter.vision) {
            rules.requests.image_omitted = None;
        }
        opened.rules = kept;
        let base = base(0, &opened.root, opened.home.as_deref())?;
        let style = JsonStyle::new(&rules.nul);
        let counter = Counter {
            rules: &rules,
            style: &style,
        };
        let talk = opened.conversation.as_ref();
        let talk = talk.map(|opened| Talk::begin(opened, counter)).transpose();
        Ok(Self {
            length: 1,
            chain: Chain::default(),
            talk: talk.map_err(|problem| Error::damaged(0, problem))?,
            style,
            opened,
            rules,
            base,
            table: DedupeTable::default(),
            answered: BTreeMap::new(),
            last_reads: BTreeMap::new(),
            results: Vec::new(),
        })
    }

    /// Takes in the next event.
    ///
    /// # Errors
    ///
    /// `damaged-record` if it does not fit the events before it.
    pub fn apply(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Opened(_) => return Err(self.damaged("begins the session a second time")),
            Event::Moved { root, home } => self.base = base(self.length, &root, home.as_deref())?,
            Event::Result(result) => self.apply_result(*result)?,
            Event::Kept(result) => self.keep(*result)?,
            Event::Message(message) => self.apply_message(*message)?,
            Event::TakenBack { first, last } => self.take_back(first, last)?,
            Event::Compacted(record) => self.compact(*record)?,
            Event::Shortened(record) => self.shorten(record)?,
            event => {
                let position = self.length;
                let counter = Counter {
                    rules: &self.rules,
                    style: &self.style,
                };
                let chat = self.opened.kind == Kind::Chat;
                let talk = self.talk.as_mut();
                let talk = talk.ok_or_else(|| no_conversation(position))?;
                if matches!(event, Event::Requested(_)) {
                    talk.sent_results = self.results.len();
                }
                talk.apply(event, chat, counter)
                    .map_err(|problem| Error::damaged(position, problem))?;
            }
        }
        self.length += 1;
        Ok(())
    }

    fn damaged(&self, problem: impl Into<String>) -> Error {
        Error::damaged(self.length, problem)
    }

    fn check_number(&self, result: &ResultRecord) -> Result<(), Error> {
        if self.next_number() == Some(result.number) {
            return Ok(());
        }
        let count = self.results.len();
        let problem = format!("is result {}, after {count} results", result.number);
        Err(self.damaged(problem))
    }

    /// A text that can be recalled, and answers no call.
    fn keep(&mut self, result: ResultRecord) -> Result<(), Error> {
        self.check_number(&result)?;
        self.results.push(result);
        Ok(())
    }

    fn apply_result(&mut self, result: ResultRecord) -> Result<(), Error> {
        self.check_number(&result)?;
        if let Some(problem) = result.fact.problem(result.number) {
            return Err(self.damaged(problem));
        }
        match &mut self.talk {
            None => {
                if let Some(earlier) = self.answered.get(&result.call) {
                    let problem = format!("answers the call of result {earlier} again");
                    return Err(self.damaged(problem));
                }
            }
            Some(talk) => {
                if !talk.conversation.answer(&result.call, result.number) {
                    let problem = format!("answers `{}`, which is no open call", result.call);
                    return Err(self.damaged(problem));
                }
                talk.lineage.failed = Failed::default();
                talk.delegates.result(&result.call, &result.fact);
            }
        }
        self.answered.insert(result.call.clone(), result.number);
        self.learn(&result);
        self.results.push(result);
        Ok(())
    }

    /// What the rules need to know of a result that is in the request being built.
    fn learn(&mut self, result: &ResultRecord) {
        if result.limit.is_some() {
            return;
        }
        let in_request = self.resends_results();
        match &result.fact {
            Fact::Read(read) => {
                if in_request {
                    self.table.add_read(result.number, read);
                }
                if read.stub_of.is_none() {
                    let (number, read) = (result.number, read.clone());
                    let last = LastRead { number, read };
                    self.last_reads.insert(last.read.file.clone(), last);
                }
            }
            Fact::Search(search) if in_request => {
                self.table.add_search(result.number, &result.tool, search);
            }
            _ => {}
        }
    }

    /// Whether the request being built carries the newest result. A chat of results only cannot
    /// know where a reply ends.
    fn resends_results(&self) -> bool {
        self.opened.kind == Kind::Agent || self.talk.is_some()
    }

    fn apply_message(&mut self, message: MessageRecord) -> Result<(), Error> {
        let position = self.length;
        let (chat, rules) = (self.opened.kind == Kind::Chat, &self.rules);
        let counter = Counter {
            rules,
            style: &self.style,
        };
        let talk = self.talk.as_mut();
        let talk = talk.ok_or_else(|| no_conversation(position))?;
        if talk.conversation.next_number() != Some(message.number) {
            let problem = format!("is message {} out of turn", message.number);
            return Err(Error::damaged(position, problem));
        }
        let dialect = talk.dialect;
        let mut begins = false;
        if let MessageBody::User(user) = &message.body {
            begins = user.starts_turn;
            if user.sender == Sender::Subagent {
                talk.delegates.brought();
            }
            if let Some(note) = &user.note {
                talk.notes.message_tells(message.number, note);
            }
        }
        let reply = matches!(message.body, MessageBody::Reply { .. });
        talk.lineage.added(reply, begins);
        let (number, unstored, answered) = (message.number, talk.unstored, &self.answered);
        let read = |given: &str, incomplete| {
            let around = Around {
                rules,
                incomplete,
                number,
                unstored,
                known: &|id| answered.contains_key(id),
            };
            reply::read(dialect, given, around)
        };
        let added = talk.conversation.add(position, message, counter, read);
        added.map_err(|fault| {
            Error::damaged(position, format!("holds a reply that {}", fault.problem))
        })?;
        if begins && chat {
            self.table = DedupeTable::default();
        }
        Ok(())
    }

    /// Takes messages back, with their results and reads.
    fn take_back(&mut self, first: u32, last: u32) -> Result<(), Error> {
        let position = self.length;
        let talk = self.talk.as_mut();
        let talk = talk.ok_or_else(|| no_conversation(position))?;
        let problem = || Error::damaged(position, "takes back messages that are not there");
        let (from, end) = talk.conversation.range(first, last).ok_or_else(problem)?;
        let gone = numbers(talk.conversation.items(), from, end);
        talk.notes.take_back(&gone);
        talk.delegates.take_back(&gone);
        if let Some(previous) = &mut talk.previous {
            previous.keep_apart(talk.conversation.items(), from);
        }
        // Where nothing was learnt from them, the table and the last reads are what they were.
        let teaches = |number: u32| {
            let result = self.results.get((number as usize).saturating_sub(1));
            result.is_none_or(|result| matches!(result.fact, Fact::Read(_) | Fact::Search(_)))
        };
        let learnt =
            self.opened.kind == Kind::Chat || talk.conversation.results(from, end).any(teaches);
        talk.conversation.take_back(position, from, end);
        if learnt {
            self.learn_again();
        }
        Ok(())
    }

    /// A summary takes the place of messages. What was read is still known, but not in the request.
    fn compact(&mut self, record: CompactedRecord) -> Result<(), Error> {
        let position = self.length;
        let counter = Counter {
            rules: &self.rules,
            style: &self.style,
        };
        self.check_known(&record.unstubbed)?;
        let talk = self.talk.as_mut();
        let talk = talk.ok_or_else(|| no_conversation(position))?;
        // Of each message that was ever added something is kept: a number out of turn could ask for any amount.
        let expected = (1..).map(|more| talk.conversation.count().checked_add(more));
        if !record
            .numbers()
            .zip(expected)
            .all(|(number, next)| Some(number) == next)
        {
            return Err(Error::damaged(
                position,
                "gives its messages numbers out of turn",
            ));
        }
        talk.compact(position, &record, &self.results, counter)
            .map_err(|problem| Error::damaged(position, problem))?;
        self.show_otherwise(record.unstubbed);
        Ok(())
    }

    /// Results are shown shorter, and stubs of them in full.
    fn shorten(&mut self, record: ShortenedRecord) -> Result<(), Error> {
        let position = self.length;
        self.check_known(&record.results)?;
        let talk = self.talk.as_mut();
        let talk = talk.ok_or_else(|| no_conversation(position))?;
        if let Some(generation) = record.generation {
            talk.shorten(generation)
                .map_err(|problem| Error::damaged(position, problem))?;
        }
        self.show_otherwise(record.results);
        Ok(())
    }

    fn check_known(&self, results: &[ResultRecord]) -> Result<(), Error> {
        let known = 1..=self.results.len();
        let mut results = results.iter();
        if results.all(|result| known.contains(&(result.number as usize))) {
            return Ok(());
        }
        Err(self.damaged("shows results that are not there"))
    }

    /// Results as they are shown from now on: what a stub may name is another set.
    fn show_otherwise(&mut self, results: Vec<ResultRecord>) {
        for result in results {
            let at = (result.number as usize).saturating_sub(1);
            if let Some(known) = self.results.get_mut(at) {
                *known = result;
            }
        }
        self.learn_again();
    }

    /// The table and the last reads, from the results that the conversation still has.
    fn learn_again(&mut self) {
        self.last_reads.clear();
        let Some(talk) = &self.talk else { return };
        let turn = if self.opened.kind == Kind::Chat {
            talk.conversation.turn()
        } else {
            0
        };
        // In the order in which they came in, whatever that of their calls is.
        let covered = talk.lineage.covered_results.iter().copied();
        let earlier = covered.chain(talk.conversation.results(0, turn));
        let earlier: BTreeSet<u32> = earlier.collect();
        let current: BTreeSet<u32> = talk.conversation.results(turn, usize::MAX).collect();
        let results = std::mem::take(&mut self.results);
        let result = |number: u32| results.get((number as usize).checked_sub(1)?);
        for result in earlier.into_iter().filter_map(result) {
            self.learn(result);
        }
        // Of what earlier turns read only the last reads are kept.
        self.table = DedupeTable::default();
        for result in current.into_iter().filter_map(result) {
            self.learn(result);
        }
        self.results = results;
    }

    /// The number of the next result. Numbers are never reused, so there is a last one.
    pub fn next_number(&self) -> Option<u32> {
        u32::try_from(self.results.len()).ok()?.checked_add(1)
    }

    /// Whether a result with this number was given.
    pub fn has_result(&self, number: u32) -> bool {
        self.result(number).is_some()
    }

    /// A result's record.
    pub fn result(&self, number: u32) -> Option<&ResultRecord> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.results.get(at)
    }

    /// The newest result of a call with that id.
    pub fn answer_of(&self, call: &str) -> Option<u32> {
        self.answered.get(call).copied()
    }

    /// The newest full read of a file, by its identity.
    pub fn last_read(&self, file: &str) -> Option<&LastRead> {
        self.last_reads.get(file)
    }
}

/// The numbers of some messages.
fn numbers(items: &[Item], from: usize, end: usize) -> BTreeSet<u32> {
    let items = items.iter().take(end).skip(from);
    items.map(Item::number).collect()
}

fn no_conversation(position: u32) -> Error {
    Error::damaged(
        position,
        "belongs to a conversation, which this session is none",
    )
}

fn base(position: u32, root: &str, home: Option<&str>) -> Result<Base, Error> {
    Base::new(root, home)
        .map_err(|name| Error::damaged(position, format!("holds a {name} that is not absolute")))
}
