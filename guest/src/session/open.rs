//! Beginning a session, and carrying one on.

use std::collections::BTreeMap;

use serde_json::Value;

use super::change::check_tools;
use super::{Session, Settings, append};
use crate::canon;
use crate::error::Error;
use crate::json;
use crate::notes::Change;
use crate::path::Base;
use crate::ports::{FileSystem, Storage};
use crate::prompt::{Place, Prompt};
use crate::record::{Dialect, Event, Kind, Opened, OpenedConversation};
use crate::rules;
use crate::state::{GivenPrompt, State};
use crate::tools::Filter;

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
            None => begin(key, &mut storage, settings, &given)?,
            Some(Event::Opened(opened)) => {
                let mut state = State::begin(*opened)?;
                for event in records {
                    state.apply(event?)?;
                }
                agree(&state, settings, &given)?;
                state
            }
            Some(_) => return Err(Error::damaged(0, "does not begin a session")),
        };
        let mut session = Self {
            key: key.to_owned(),
            storage,
            files,
            state,
            start: given.start,
            recall: settings.recall,
            body: None,
            handed_out: false,
            fresh: BTreeMap::new(),
        };
        session.move_to(settings, &given.base, &given.prompt)?;
        Ok(session)
    }

    /// Where the project lies, and what the prompt is made of, may change from one open to the next.
    fn move_to(
        &mut self,
        settings: &Settings,
        base: &Base,
        prompt: &GivenPrompt,
    ) -> Result<(), Error> {
        let mut events = Vec::new();
        if *base != self.state.base {
            events.push(Event::Moved {
                root: settings.root.clone(),
                home: settings.home.clone(),
            });
        }
        let talk = self.state.talk.as_ref();
        if talk.is_some_and(|talk| talk.given_at_open != *prompt) {
            events.push(Event::PromptGiven {
                system: prompt.system.clone(),
                told: prompt.told.clone(),
                at_open: true,
            });
        }
        self.commit(events, &[])
    }

    /// The system prompt that `prompt` makes.
    pub(super) fn given_prompt(
        &self,
        argument: &str,
        prompt: &Prompt,
    ) -> Result<GivenPrompt, Error> {
        make_prompt(
            self.place(),
            argument,
            prompt,
            self.start.as_deref(),
            self.recall,
        )
    }
}

/// Settings that passed their check.
struct Given {
    base: Base,
    overrides: Value,
    /// Relative to the root; none for the root itself.
    start: Option<String>,
    prompt: GivenPrompt,
}

impl Given {
    fn check(settings: &Settings) -> Result<Self, Error> {
        let base = Base::new(&settings.root, settings.home.as_deref()).map_err(|name| {
            Error::argument(format!("settings.{name}"), "must be an absolute path")
        })?;
        let overrides = match settings.overrides.trim() {
            "" => "{}",
            text => text,
        };
        let overrides = json::object(overrides)
            .map_err(|problem| Error::argument("settings.overrides", problem))?;
        let overrides = Value::Object(overrides);
        let (_, rules) = rules::with_overrides(&overrides)?;
        let place = Place {
            rules: &rules,
            base: &base,
            kind: settings.kind,
        };
        let argument = "settings.prompt";
        let mut start = None;
        let prompt = match settings.dialect {
            None => GivenPrompt::default(),
            Some(_) => {
                check_tools("settings.tools", &settings.tools)?;
                start = start_below(settings, &base)?;
                make_prompt(
                    place,
                    argument,
                    &settings.prompt,
                    start.as_deref(),
                    settings.recall,
                )?
            }
        };
        Ok(Self {
            base,
            overrides,
            start,
            prompt,
        })
    }
}

fn start_below(settings: &Settings, base: &Base) -> Result<Option<String>, Error> {
    let Some(start) = settings.start.as_deref() else {
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

fn make_prompt(
    place: Place<'_>,
    argument: &str,
    prompt: &Prompt,
    start: Option<&str>,
    recall: bool,
) -> Result<GivenPrompt, Error> {
    let system = place.assemble(argument, prompt, start, recall)?;
    let told = prompt.told.iter().enumerate();
    let told = told.map(|(at, change)| place.change(&format!("{argument}.told[{at}]"), change));
    Ok(GivenPrompt {
        system,
        told: told.collect::<Result<Vec<Change>, Error>>()?,
    })
}

fn begin(
    key: &str,
    storage: &mut impl Storage,
    settings: &Settings,
    given: &Given,
) -> Result<State, Error> {
    let (rules, _) = rules::with_overrides(&given.overrides)?;
    let opened = Opened {
        kind: settings.kind,
        root: settings.root.clone(),
        home: settings.home.clone(),
        overrides: given.overrides.clone(),
        rules,
        conversation: settings
            .dialect
            .map(|dialect| conversation(dialect, settings, &given.prompt)),
    };
    let state = State::begin(opened.clone())?;
    append(key, storage, 0, &[Event::Opened(Box::new(opened))], &[])?;
    Ok(state)
}

fn conversation(dialect: Dialect, settings: &Settings, prompt: &GivenPrompt) -> OpenedConversation {
    let filter = Filter {
        kind: settings.kind,
        vision: settings.vision,
        only: settings.only_tools.clone(),
        without: settings.without_tools.clone(),
    };
    OpenedConversation {
        dialect,
        system: prompt.system.clone(),
        told: prompt.told.clone(),
        tools: filter.offered(&settings.tools, settings.recall),
        filter,
        conditions: settings.conditions.clone(),
    }
}

/// A session keeps the kind, the dialect and the overrides that it began with.
fn agree(state: &State, settings: &Settings, given: &Given) -> Result<(), Error> {
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
