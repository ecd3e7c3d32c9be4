//! Beginning a session, and carrying one on.

use std::collections::BTreeMap;

use serde_json::Value;

use super::change::check_tools;
use super::{Session, Settings, append};
use crate::assembly::{self, Assembly, Found};
use crate::budget::Tally;
use crate::canon;
use crate::error::Error;
use crate::id::IdPrefix;
use crate::json;
use crate::notes::Change;
use crate::path::Base;
use crate::ports::{FileSystem, Storage};
use crate::prompt::{self, Place, Prompt};
use crate::record::{Chain, Dialect, Event, Kind, Opened, OpenedConversation};
use crate::rules::{self, Rules};
use crate::state::State;
use crate::tools;

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Begins the session `key`, or carries it on.
    ///
    /// # Errors
    ///
    /// As `open` in `wit/context.wit`.
    pub fn open(key: &str, settings: &Settings, storage: S, files: F) -> Result<Self, Error> {
        Self::open_as(None, key, settings, storage, files)
    }

    /// Begins a session, a subagent's of a parent, or carries one on, which keeps its own prefix of ids.
    pub(super) fn open_as(
        parent: Option<&Parent>,
        key: &str,
        settings: &Settings,
        mut storage: S,
        mut files: F,
    ) -> Result<Self, Error> {
        if key.is_empty() {
            return Err(Error::argument("key", "is empty, must name the session"));
        }
        let given = Given::check(settings, parent)?;
        let log = storage
            .read_log(key, 0)
            .map_err(|error| Error::storage("read-log", error))?;
        let mut chain = Chain::default();
        let mut records = log
            .iter()
            .zip(0..)
            .map(|(record, at)| chain.read(at, record));
        let first = records.next().transpose()?;
        let state = match first {
            None => {
                let conversation = beginning(&mut files, settings, &given)?;
                begin(key, &mut storage, settings, &given, conversation)?
            }
            Some(Event::Opened(opened)) => {
                let mut state = State::begin(*opened)?;
                for event in records {
                    state.apply(event?)?;
                }
                state.chain = chain;
                agree(&state, settings, &given)?;
                let opener = given.rules()?.1.assembly.global_instructions;
                state.rules.assembly.hold_to(&opener);
                state
            }
            Some(_) => return Err(Error::damaged(0, "does not begin a session")),
        };
        let mut session = Self {
            key: key.to_owned(),
            storage,
            files,
            start: start_below(settings, &given.base)?,
            state,
            body: None,
            handed_out: false,
            fresh: BTreeMap::new(),
            tally: Tally::default(),
            begun: None,
            skipped: None,
        };
        session.carry_on(settings, given.base)?;
        Ok(session)
    }

    /// Where the project lies, and what the prompt is made of, may change from one open to the next. One that
    /// says nothing of the prompt keeps it.
    fn carry_on(&mut self, settings: &Settings, base: Base) -> Result<(), Error> {
        let mut events = Vec::new();
        let place = Place {
            base: &base,
            ..self.place()
        };
        if let Some(talk) = &self.state.talk {
            let told = place.check_prompt("settings.prompt", &settings.prompt)?;
            let prompt = settings.prompt.kept();
            if prompt != Prompt::default() && talk.given_at_open != prompt {
                events.push(Event::PromptGiven {
                    prompt,
                    told,
                    at_open: true,
                });
            }
        }
        if let Some(talk) = &self.state.talk {
            settings.assembly.check("settings.assembly", &base)?;
            let given = &settings.assembly;
            if *given != Assembly::default() && talk.assembly_at_open != *given {
                events.push(Event::AssemblyGiven {
                    assembly: settings.assembly.clone(),
                    at_open: true,
                });
            }
        }
        if base != self.state.base {
            events.push(Event::Moved {
                root: settings.root.clone(),
                home: settings.home.clone(),
            });
        }
        self.commit(events, &[])
    }
}

/// What a subagent has of the session that delegated it.
pub(super) struct Parent {
    pub prefix: IdPrefix,
    /// What its parent's opener allows.
    pub global_instructions: String,
}

/// Settings that passed their check.
struct Given<'a> {
    base: Base,
    overrides: Value,
    parent: Option<&'a Parent>,
}

impl<'a> Given<'a> {
    fn check(settings: &Settings, parent: Option<&'a Parent>) -> Result<Self, Error> {
        let base = Base::new(&settings.root, settings.home.as_deref()).map_err(|name| {
            Error::argument(format!("settings.{name}"), "must be an absolute path")
        })?;
        let overrides = match settings.overrides.trim() {
            "" => "{}",
            text => text,
        };
        let overrides = json::object(overrides)
            .map_err(|problem| Error::argument("settings.overrides", problem))?;
        Ok(Self {
            base,
            overrides: Value::Object(overrides),
            parent,
        })
    }

    fn rules(&self) -> Result<(Value, Rules), Error> {
        let (merged, mut rules) = rules::with_overrides(&self.overrides)?;
        if let Some(parent) = self.parent {
            rules.assembly.hold_to(&parent.global_instructions);
        }
        Ok((merged, rules))
    }
}

/// Where the person started, relative to the root; none for the root itself, or if nothing is told of it.
fn start_below(settings: &Settings, base: &Base) -> Result<Option<String>, Error> {
    let start = settings.start.as_deref();
    let Some(start) = start.filter(|_| settings.dialect.is_some()) else {
        return Ok(None);
    };
    match base.below_root(start) {
        Some(below) if below.is_empty() => Ok(None),
        Some(below) => Ok(Some(below)),
        None => {
            let problem = format!("is `{start}`, must be the root or a directory below it");
            Err(Error::argument("settings.start", problem))
        }
    }
}

/// What requests are built of as the session begins; none in a session of results only.
fn beginning(
    files: &mut impl FileSystem,
    settings: &Settings,
    given: &Given<'_>,
) -> Result<Option<OpenedConversation>, Error> {
    let (merged, rules) = given.rules()?;
    if given.parent.is_none() {
        rules.assembly.check_new()?;
    }
    let place = Place {
        rules: &rules,
        base: &given.base,
        kind: settings.kind,
    };
    prompt::check_settings(place, &merged)?;
    let conversation = settings.dialect.map(|dialect| {
        let assembly = &settings.assembly;
        assembly.check("settings.assembly", &given.base)?;
        let prompt = &settings.prompt;
        let told = place.check_prompt("settings.prompt", prompt)?;
        check_tools("settings.tools", &settings.tools)?;
        let rules = &rules.assembly;
        let start = start_below(settings, &given.base)?;
        let start = start.as_deref();
        let found = Found::read(files, &given.base, start, assembly, prompt, rules)?;
        conversation(dialect, settings, place, told, &found)
    });
    conversation.transpose()
}

fn begin(
    key: &str,
    storage: &mut impl Storage,
    settings: &Settings,
    given: &Given<'_>,
    conversation: Option<OpenedConversation>,
) -> Result<State, Error> {
    let (mut merged, rules) = given.rules()?;
    if given.parent.is_some() {
        rules::without_archive(&mut merged);
    }
    let prefix = given.parent.map(|parent| parent.prefix.to_string());
    let opened = Opened {
        kind: settings.kind,
        prefix: prefix.unwrap_or_default(),
        root: settings.root.clone(),
        home: settings.home.clone(),
        overrides: given.overrides.clone(),
        rules: merged,
        conversation,
    };
    let mut state = State::begin(opened.clone())?;
    let opener = rules.assembly.global_instructions;
    state.rules.assembly.hold_to(&opener);
    let events = [Event::Opened(Box::new(opened))];
    let at = (0, Chain::default());
    state.chain = append(&state.rules, key, storage, at, &events, &[])?;
    Ok(state)
}

fn conversation(
    dialect: Dialect,
    settings: &Settings,
    place: Place<'_>,
    told: Vec<Change>,
    found: &Found,
) -> Result<OpenedConversation, Error> {
    let start = start_below(settings, place.base)?;
    let filter = settings.filter();
    let tools = filter.offered(&settings.tools, settings.recall);
    let recall = settings.recall && tools::has_recall(&tools);
    let prompt = &settings.prompt;
    Ok(OpenedConversation {
        dialect,
        made: assembly::made(place, dialect, prompt, found, start.as_deref(), recall),
        assembly: settings.assembly.clone(),
        prompt: prompt.kept(),
        told,
        tools,
        filter,
        conditions: settings.conditions.clone(),
        recall,
    })
}

/// A session keeps the kind, the dialect and the overrides that it began with.
fn agree(state: &State, settings: &Settings, given: &Given<'_>) -> Result<(), Error> {
    let opened = &state.opened;
    let dialect = opened.conversation.as_ref().map(|talk| talk.dialect);
    if settings.kind != opened.kind {
        return Err(differ(
            "kind",
            name_of_kind(opened.kind),
            name_of_kind(settings.kind),
        ));
    }
    if settings.dialect != dialect {
        let (kept, given) = (name_of_dialect(dialect), name_of_dialect(settings.dialect));
        return Err(differ("dialect", kept, given));
    }
    if !means_the_same(&opened.overrides, &given.overrides) {
        let kept = canon::canonical(&opened.overrides.to_string());
        let given = canon::canonical(&given.overrides.to_string());
        return Err(differ("overrides", &kept, &given));
    }
    Ok(())
}

fn differ(name: &'static str, kept: &str, given: &str) -> Error {
    Error::SettingsDiffer {
        name,
        kept: kept.to_owned(),
        given: given.to_owned(),
    }
}

fn name_of_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Agent => "agent",
        Kind::Chat => "chat",
    }
}

fn name_of_dialect(dialect: Option<Dialect>) -> &'static str {
    match dialect {
        None => "none",
        Some(Dialect::OpenaiChat) => "openai-chat",
        Some(Dialect::AnthropicMessages) => "anthropic-messages",
        Some(Dialect::OpenaiResponses) => "openai-responses",
    }
}

/// Whether overrides given later are none, or come to the same rules as those that were kept.
fn means_the_same(kept: &Value, given: &Value) -> bool {
    let rules = |overrides| rules::with_overrides(overrides).map(|(merged, _)| merged);
    given.as_object().is_some_and(serde_json::Map::is_empty)
        || matches!((rules(kept), rules(given)), (Ok(kept), Ok(given)) if kept == given)
}
