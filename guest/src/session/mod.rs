//! One conversation's context: the state machine, and the only caller of the ports.
//!
//! Every call does the same four steps: check the arguments, decide the events, append them to
//! storage in one atomic call that names the log length it expects, apply them to the state. If the
//! append fails, the state is what it was.

mod call;
mod change;
mod compact;
mod compacted;
mod context_report;
mod delegate;
mod fallback;
mod fork;
mod history;
mod message;
mod next;
mod open;
mod pending;
mod prompting;
mod report;
mod request;
mod shorten;
mod skills;
mod snapshot;
mod unstub;

use std::collections::BTreeMap;

use crate::assembly::Assembly;
use crate::budget::Tally;
use crate::changes::{self, ChangeSet};
use crate::draft::{Draft, Inserted};
use crate::error::Error;
use crate::id::ResultNumber;
use crate::lookup;
use crate::output;
use crate::ports::{FileError, FileSystem, Storage, StoredText};
use crate::prompt::{self, Place, Prompt};
use crate::read::{self, ReadRequest};
use crate::recall::{self, RecallRequest};
use crate::record::{Chain, Dialect, Event, Kind};
use crate::request::Body;
use crate::rules::Rules;
use crate::state::{State, Talk};
use crate::tools::{Filter, Tool};
use crate::window::{CharWindow, LineWindow};

pub use compact::{
    CompactionRequest, CompactionStart, FallbackModel, ModelRef, NotApplied, SummaryRequest,
    SummaryTarget,
};
pub use compacted::{Compacted, CompactionEnd, PendingSubagent, SummaryOutcome, SummaryResult};
pub use delegate::Delegation;
pub use fallback::FallbackUse;
pub use message::{Added, ReplyCall};
pub use report::{ContextState, Generation, Prefix, RequestReport, Speaker, StoredMessage};
pub use request::Request;
pub use skills::{SkillChange, SkillState, SkillTruncated};

use call::NewResult;
use compact::Begun;
use fallback::Skipped;

/// What is fixed when a session begins. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Settings {
    pub kind: Kind,
    pub dialect: Option<Dialect>,
    pub root: String,
    pub home: Option<String>,
    pub overrides: String,
    pub start: Option<String>,
    pub prompt: Prompt,
    pub assembly: Assembly,
    pub tools: Vec<Tool>,
    pub recall: bool,
    pub vision: bool,
    pub only_tools: Option<Vec<String>>,
    pub without_tools: Vec<String>,
    pub conditions: Vec<String>,
}

impl Settings {
    /// Settings of a session of results only, with nothing changed.
    pub fn new(kind: Kind, root: &str) -> Self {
        Self {
            kind,
            dialect: None,
            root: root.to_owned(),
            home: None,
            overrides: String::new(),
            start: None,
            prompt: Prompt::default(),
            assembly: Assembly::default(),
            tools: Vec::new(),
            recall: true,
            vision: true,
            only_tools: None,
            without_tools: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Which tools are offered.
    fn filter(&self) -> Filter {
        Filter {
            kind: self.kind,
            vision: self.vision,
            only: self.only_tools.clone(),
            without: self.without_tools.clone(),
        }
    }
}

/// A model's tool call. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

/// What came of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// §1, §2.
    Read(ReadRequest),
    /// §5.
    Changes(ChangeSet),
    /// §3, §6.
    Output(String),
    /// The tool failed: its message.
    Failure(String),
    /// A subagent's answer.
    Delegated {
        /// The key of its session.
        key: String,
        /// The answer.
        text: String,
    },
}

/// The newest full read of a file. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct LastReadFile {
    pub id: String,
    pub path: String,
    pub first_line: u32,
    pub last_line: u32,
    pub total_lines: u32,
    pub sha256: String,
}

/// A session on some storage and some files.
#[derive(Debug)]
pub struct Session<S, F> {
    key: String,
    storage: S,
    files: F,
    state: State,
    /// Where the person started, relative to the root, if below it.
    start: Option<String>,
    /// The previous request's body; none until the first request after `open`.
    body: Option<Body>,
    /// Whether the caller has it.
    handed_out: bool,
    /// Texts of results that no request has shown yet.
    fresh: BTreeMap<u32, String>,
    /// The tokens of the messages, as far as they are counted.
    tally: Tally,
    /// The compaction that was begun.
    begun: Option<Begun>,
    /// What became of a fallback.
    skipped: Option<Skipped>,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Gives a tool call's outcome its id, applies §1–§6 and stores the full text.
    ///
    /// # Errors
    ///
    /// As `insert-result` in `wit/context.wit`.
    pub fn insert_result(&mut self, call: &ToolCall, outcome: Outcome) -> Result<Inserted, Error> {
        let id = self.id_for(call)?;
        let state = &self.state;
        let draft = match outcome {
            Outcome::Read(request) => read::draft(state, &mut self.files, &id, &request)?,
            Outcome::Changes(set) => changes::draft(&state.rules, &id, &set)?,
            Outcome::Output(text) => {
                output::draft(state, &mut self.storage, &self.key, &id, call, text)?
            }
            Outcome::Failure(message) => output::failure(state, &id, message),
            Outcome::Delegated { key, text } => {
                let delegate = self.delegated(&key, "delegated.key")?;
                output::delegated(state, &id, delegate, text)
            }
        };
        self.insert(call, id, draft)
    }

    /// Shows a stored result again (§4).
    ///
    /// # Errors
    ///
    /// As `recall` in `wit/context.wit`.
    pub fn recall(
        &mut self,
        call: &ToolCall,
        asked: &str,
        window: LineWindow,
        characters: CharWindow,
    ) -> Result<Inserted, Error> {
        let id = self.id_for(call)?;
        let request = RecallRequest {
            id: asked,
            lines: window,
            characters,
        };
        let (state, storage) = (&self.state, &mut self.storage);
        let draft = recall::draft(state, storage, &self.key, &id, request)?;
        self.insert(call, id, draft)
    }

    /// A stored result in full, for programs.
    ///
    /// # Errors
    ///
    /// `unknown-id`, `storage`.
    pub fn stored_text(&mut self, asked: &str) -> Result<String, Error> {
        let stored = lookup::find(&self.state, &mut self.storage, &self.key, asked)?;
        let stored = stored.ok_or_else(|| Error::UnknownId(asked.to_owned()))?;
        Ok(stored.text)
    }

    /// The newest full read of a file, by its identity.
    ///
    /// # Errors
    ///
    /// `invalid-argument`, `filesystem`.
    pub fn last_read(&mut self, path: &str) -> Result<Option<LastReadFile>, Error> {
        let path = self.resolve_path(path)?;
        let identity = match self.files.identify(&path) {
            Ok(identity) => identity,
            Err(error @ FileError::Other(_)) => return Err(Error::filesystem(&path, error)),
            Err(_) => return Ok(None),
        };
        let ids = &self.state.rules.ids;
        Ok(self.state.last_read(&identity).map(|last| LastReadFile {
            id: ResultNumber(last.number).show(ids),
            path: last.read.path.clone(),
            first_line: last.read.shown().0,
            last_line: last.read.shown().1,
            total_lines: last.read.total,
            sha256: last.read.sha256.clone(),
        }))
    }

    /// The absolute path that a path in a call means (§11).
    ///
    /// # Errors
    ///
    /// `invalid-argument` for an empty path.
    pub fn resolve_path(&self, path: &str) -> Result<String, Error> {
        if path.is_empty() {
            return Err(Error::argument("path", "is empty"));
        }
        Ok(self.state.base.resolve(path))
    }

    /// How a prompt or a note names a file (§11).
    ///
    /// # Errors
    ///
    /// `invalid-argument` for an empty path.
    pub fn name_path(&self, path: &str) -> Result<String, Error> {
        if path.is_empty() {
            return Err(Error::argument("path", "is empty"));
        }
        Ok(self.place().name(path))
    }

    /// Refuses a text of the harness's own that names an absolute path of the machine (§11).
    ///
    /// # Errors
    ///
    /// `invalid-argument`.
    pub fn check_paths(&self, name: &str, text: &str) -> Result<(), Error> {
        prompt::check_paths(self.place(), "text", name, text)
    }

    /// A setting by its dotted name, as JSON.
    ///
    /// # Errors
    ///
    /// `invalid-setting`.
    pub fn setting(&self, key: &str) -> Result<String, Error> {
        let found = key
            .split('.')
            .try_fold(&self.state.opened.rules, |settings, name| {
                settings.get(name)
            });
        let found = found.ok_or_else(|| Error::setting(key, "is not in loop.json"))?;
        Ok(found.to_string())
    }

    fn place(&self) -> Place<'_> {
        Place {
            rules: &self.state.rules,
            base: &self.state.base,
            kind: self.state.opened.kind,
        }
    }

    /// The conversation, in a session that has one.
    fn talk(&self) -> Result<&Talk, Error> {
        self.state.talk.as_ref().ok_or_else(|| {
            let problem = "the session was opened without a dialect: it takes results and builds no \
                           requests";
            Error::OutOfOrder(problem.to_owned())
        })
    }

    fn insert(&mut self, call: &ToolCall, id: String, draft: Draft) -> Result<Inserted, Error> {
        let number = self.state.next_number().unwrap_or_default();
        let result = NewResult::new(number, id, call, draft, &self.state.rules);
        let inserted = result.inserted.clone();
        self.state
            .rules
            .fits("the result as it is shown", inserted.text.len())?;
        self.commit(vec![result.event], &[(inserted.id.clone(), result.stored)])?;
        if self.state.talk.is_some() {
            self.fresh.insert(number, inserted.text.clone());
        }
        Ok(inserted)
    }

    /// Appends events, with the texts that belong to them, and applies them: all or, on an error,
    /// none.
    fn commit(&mut self, events: Vec<Event>, texts: &[(String, String)]) -> Result<(), Error> {
        if events.is_empty() {
            return Ok(());
        }
        let state = &self.state;
        let at = (state.length, state.chain);
        let chain = append(
            &state.rules,
            &self.key,
            &mut self.storage,
            at,
            &events,
            texts,
        )?;
        self.state.chain = chain;
        for event in events {
            self.state.apply(event)?;
        }
        Ok(())
    }
}

/// Appends to a session's log at its end, which is its length and its chain. Gives the chain that the log ends with then.
fn append(
    rules: &Rules,
    key: &str,
    storage: &mut impl Storage,
    (length, mut chain): (u32, Chain),
    events: &[Event],
    texts: &[(String, String)],
) -> Result<Chain, Error> {
    let records: Vec<String> = events.iter().map(|event| chain.write(event)).collect();
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let bytes = records.iter().map(|record| record.len()).sum::<usize>();
    let bytes = bytes + texts.iter().map(|(_, text)| text.len()).sum::<usize>();
    rules.fits("what the call stores", bytes)?;
    let texts: Vec<StoredText<'_>> = texts
        .iter()
        .map(|(id, text)| StoredText { id, text })
        .collect();
    let appended = storage.append(key, length, &records, &texts);
    appended.map_err(|error| Error::storage("append", error))?;
    Ok(chain)
}
