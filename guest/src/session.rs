//! One conversation's context: the state machine, and the only caller of the ports.
//!
//! Every call does the same four steps: check the arguments, decide the events, append them to
//! storage in one atomic call that names the log length it expects, apply them to the state. If the
//! append fails, the state is what it was.

use serde_json::Value;

use crate::canon;
use crate::changes::{self, ChangeSet};
use crate::draft::{Draft, Inserted};
use crate::error::Error;
use crate::id::ResultNumber;
use crate::output;
use crate::path::Base;
use crate::ports::{FileError, FileSystem, Storage, StoredText};
use crate::read::{self, ReadRequest};
use crate::recall;
use crate::record::{Event, Kind, Opened, ResultRecord};
use crate::rules;
use crate::state::State;
use crate::window::LineWindow;

/// What is fixed when a session begins. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Settings {
    pub kind: Kind,
    pub root: String,
    pub home: Option<String>,
    pub overrides: String,
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
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Begins the session `key`, or carries it on.
    ///
    /// # Errors
    ///
    /// As `open` in `wit/context.wit`.
    pub fn open(key: &str, settings: &Settings, mut storage: S, files: F) -> Result<Self, Error> {
        if key.is_empty() {
            return Err(Error::argument("key", "is empty, must name the session"));
        }
        let given = Given::check(settings)?;
        let log = storage
            .read_log(key, 0)
            .map_err(|error| Error::storage("read-log", error))?;
        let mut records = log
            .iter()
            .zip(0..)
            .map(|(record, at)| Event::read(at, record));
        let first = records.next().transpose()?;
        let state = match first {
            None => begin(key, &mut storage, settings.kind, given)?,
            Some(Event::Opened(opened)) => {
                let mut state = State::begin(opened)?;
                for event in records {
                    state.apply(event?)?;
                }
                carry_on(key, &mut storage, state, settings.kind, &given)?
            }
            Some(_) => return Err(Error::damaged(0, "does not begin a session")),
        };
        Ok(Self {
            key: key.to_owned(),
            storage,
            files,
            state,
        })
    }

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
    ) -> Result<Inserted, Error> {
        let id = self.id_for(call)?;
        let draft = recall::draft(
            &self.state,
            &mut self.storage,
            &self.key,
            &id,
            asked,
            window,
        )?;
        self.insert(call, id, draft)
    }

    /// A stored result in full, for programs.
    ///
    /// # Errors
    ///
    /// `unknown-id`, `storage`.
    pub fn stored_text(&mut self, asked: &str) -> Result<String, Error> {
        let number =
            recall::known(&self.state, asked).ok_or_else(|| Error::UnknownId(asked.to_owned()))?;
        let id = number.show(self.state.rules.ids.digits);
        self.storage
            .read_text(&self.key, &id)
            .map_err(|error| Error::storage("read-text", error))
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
        let digits = self.state.rules.ids.digits;
        Ok(self.state.last_read(&identity).map(|last| LastReadFile {
            id: ResultNumber(last.number).show(digits),
            path: last.read.path.clone(),
            first_line: last.read.first,
            last_line: last.read.last,
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

    /// The id of the next result, if `call` may have one.
    fn id_for(&self, call: &ToolCall) -> Result<String, Error> {
        if call.id.is_empty() {
            let problem = "is empty, must be the provider's id of the call";
            return Err(Error::argument("call.id", problem));
        }
        let digits = self.state.rules.ids.digits;
        if let Some(number) = self.state.answer_of(&call.id) {
            return Err(Error::CallAnswered {
                call: call.id.clone(),
                id: ResultNumber(number).show(digits),
            });
        }
        let number = self.state.next_number().ok_or_else(|| {
            Error::argument("call", "comes after the last id that a session can give")
        })?;
        Ok(ResultNumber(number).show(digits))
    }

    fn insert(&mut self, call: &ToolCall, id: String, draft: Draft) -> Result<Inserted, Error> {
        let (inserted, body) = draft.show(id, &self.state.rules);
        let event = Event::Result(Box::new(ResultRecord {
            number: self.state.next_number().unwrap_or_default(),
            call: call.id.clone(),
            tool: call.name.clone(),
            head: draft.head,
            body,
            fact: draft.fact,
        }));
        let text = StoredText {
            id: &inserted.id,
            text: &draft.stored,
        };
        append(
            &self.key,
            &mut self.storage,
            self.state.length,
            &event,
            &[text],
        )?;
        self.state.apply(event)?;
        Ok(inserted)
    }
}

/// Settings that passed their check.
struct Given {
    root: String,
    home: Option<String>,
    overrides: Value,
}

impl Given {
    fn check(settings: &Settings) -> Result<Self, Error> {
        Base::new(&settings.root, settings.home.as_deref()).map_err(|name| {
            Error::argument(format!("settings.{name}"), "must be an absolute path")
        })?;
        let problem = |problem| Error::argument("settings.overrides", problem);
        let overrides = match settings.overrides.trim() {
            "" => Value::Object(serde_json::Map::new()),
            text => serde_json::from_str(text)
                .map_err(|error| problem(format!("is no JSON: {error}")))?,
        };
        if !overrides.is_object() {
            return Err(problem("is no JSON object".to_owned()));
        }
        Ok(Self {
            root: settings.root.clone(),
            home: settings.home.clone(),
            overrides,
        })
    }
}

fn begin(key: &str, storage: &mut impl Storage, kind: Kind, given: Given) -> Result<State, Error> {
    let (rules, _) = rules::with_overrides(&given.overrides)?;
    let opened = Opened {
        kind,
        root: given.root,
        home: given.home,
        overrides: given.overrides,
        rules,
    };
    let state = State::begin(opened.clone())?;
    append(key, storage, 0, &Event::Opened(opened), &[])?;
    Ok(state)
}

/// A session keeps the kind and the overrides that it began with; where the project lies may change.
fn carry_on(
    key: &str,
    storage: &mut impl Storage,
    mut state: State,
    kind: Kind,
    given: &Given,
) -> Result<State, Error> {
    if kind != state.opened.kind {
        let name = |kind| if kind == Kind::Agent { "agent" } else { "chat" };
        return Err(Error::SettingsDiffer {
            name: "kind",
            kept: name(state.opened.kind).to_owned(),
            given: name(kind).to_owned(),
        });
    }
    let kept = &state.opened.overrides;
    if !means_the_same(kept, &given.overrides) {
        return Err(Error::SettingsDiffer {
            name: "overrides",
            kept: canon::canonical(&kept.to_string()),
            given: canon::canonical(&given.overrides.to_string()),
        });
    }
    let base = Base::new(&given.root, given.home.as_deref());
    if base.as_ref() != Ok(&state.base) {
        let event = Event::Moved {
            root: given.root.clone(),
            home: given.home.clone(),
        };
        append(key, storage, state.length, &event, &[])?;
        state.apply(event)?;
    }
    Ok(state)
}

/// Whether overrides given later are none, or come to the same rules as those that were kept.
fn means_the_same(kept: &Value, given: &Value) -> bool {
    let rules = |overrides| rules::with_overrides(overrides).map(|(merged, _)| merged);
    given.as_object().is_some_and(serde_json::Map::is_empty)
        || matches!((rules(kept), rules(given)), (Ok(kept), Ok(given)) if kept == given)
}

fn append(
    key: &str,
    storage: &mut impl Storage,
    length: u32,
    event: &Event,
    texts: &[StoredText<'_>],
) -> Result<(), Error> {
    storage
        .append(key, length, &[&event.write()], texts)
        .map_err(|error| Error::storage("append", error))
}
