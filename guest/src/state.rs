//! A session's state: a fold over the events of its log.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::path::Base;
use crate::record::{Event, Fact, Kind, Opened, ReadFact, ResultRecord};
use crate::rules::{self, Rules};
use crate::table::DedupeTable;

/// What a session knows without reading its texts.
#[derive(Clone, Debug)]
pub struct State {
    /// Records in the log.
    pub length: u32,
    /// As the session began.
    pub opened: Opened,
    /// Texts and numbers.
    pub rules: Rules,
    /// What relative paths resolve against, now.
    pub base: Base,
    /// What a stub may name.
    pub table: DedupeTable,
    answered: BTreeMap<String, u32>,
    last_reads: BTreeMap<String, LastRead>,
    results: u32,
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
    pub fn begin(opened: Opened) -> Result<Self, Error> {
        let (_, rules) = rules::with_overrides(&opened.rules)
            .map_err(|problem| Error::damaged(0, format!("holds rules that fail: {problem}")))?;
        let base = base(0, &opened.root, opened.home.as_deref())?;
        Ok(Self {
            length: 1,
            opened,
            rules,
            base,
            table: DedupeTable::default(),
            answered: BTreeMap::new(),
            last_reads: BTreeMap::new(),
            results: 0,
        })
    }

    /// Takes in the next event.
    ///
    /// # Errors
    ///
    /// `damaged-record` if it does not fit the events before it.
    pub fn apply(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Opened(_) => {
                return Err(Error::damaged(
                    self.length,
                    "begins the session a second time",
                ));
            }
            Event::Moved { root, home } => self.base = base(self.length, &root, home.as_deref())?,
            Event::Result(result) => self.apply_result(*result)?,
        }
        self.length += 1;
        Ok(())
    }

    fn apply_result(&mut self, result: ResultRecord) -> Result<(), Error> {
        if self.next_number() != Some(result.number) {
            let problem = format!(
                "is result {}, after {} results",
                result.number, self.results
            );
            return Err(Error::damaged(self.length, problem));
        }
        if let Some(problem) = result.fact.problem(result.number) {
            return Err(Error::damaged(self.length, problem));
        }
        if let Some(earlier) = self.answered.insert(result.call, result.number) {
            let problem = format!("answers the call of result {earlier} again");
            return Err(Error::damaged(self.length, problem));
        }
        self.results = result.number;
        match result.fact {
            Fact::Read(read) => self.apply_read(result.number, read),
            Fact::Search(search) if self.resends_results() => {
                self.table.add_search(result.number, &result.tool, &search);
            }
            _ => {}
        }
        Ok(())
    }

    fn apply_read(&mut self, number: u32, read: ReadFact) {
        if self.resends_results() {
            self.table.add_read(number, &read);
        }
        if read.stub_of.is_none() {
            self.last_reads
                .insert(read.file.clone(), LastRead { number, read });
        }
    }

    /// A chat's request carries no earlier reply's results, so nothing of it enters the table.
    fn resends_results(&self) -> bool {
        self.opened.kind == Kind::Agent
    }

    /// The number of the next result. Numbers are never reused, so there is a last one.
    pub fn next_number(&self) -> Option<u32> {
        self.results.checked_add(1)
    }

    /// Whether a result with this number was given.
    pub fn has_result(&self, number: u32) -> bool {
        (1..=self.results).contains(&number)
    }

    /// The result that a call has.
    pub fn answer_of(&self, call: &str) -> Option<u32> {
        self.answered.get(call).copied()
    }

    /// The newest full read of a file, by its identity.
    pub fn last_read(&self, file: &str) -> Option<&LastRead> {
        self.last_reads.get(file)
    }
}

fn base(position: u32, root: &str, home: Option<&str>) -> Result<Base, Error> {
    Base::new(root, home)
        .map_err(|name| Error::damaged(position, format!("holds a {name} that is not absolute")))
}
