//! A part of the work is given to a subagent, which has a session of its own (docs/assembly.md,
//! "Subagents").

use super::open::Parent;
use super::{Session, Settings};
use crate::assembly::Assembly;
use crate::error::Error;
use crate::id::IdPrefix;
use crate::ports::{FileSystem, Storage};
use crate::prompt::Prompt;
use crate::record::{Chain, Event};
use crate::state::DelegateState;

/// A subagent to which work is given. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Delegation {
    pub key: String,
    pub kind: String,
    pub prompt: Prompt,
    pub assembly: Assembly,
    pub only_tools: Option<Vec<String>>,
}

/// What a key, a kind and a state must be: they stand in a list, in a line, in a tag.
pub const ONE_LINE: &str =
    "must be one line that is not blank, without control characters, `<` and `;`";

/// Whether a text is that.
pub fn is_one_line(text: &str) -> bool {
    let odd = |character: char| character.is_control() || "<;".contains(character);
    !text.trim().is_empty() && !text.contains(odd)
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Opens a subagent's session on a storage and files of its own, and says so in this session's log.
    ///
    /// # Errors
    ///
    /// As `delegate` in `wit/context.wit`.
    pub fn delegate(
        &mut self,
        delegation: &Delegation,
        mut storage: S,
        files: F,
    ) -> Result<Self, Error> {
        let delegates = &self.talk()?.delegates;
        let known = delegates.get(&delegation.key).is_some();
        let ordinal = delegates.ordinal_of(&delegation.key);
        let prefix = self.state.rules.ids.prefix.below(ordinal);
        for (field, text) in [("key", &delegation.key), ("kind", &delegation.kind)] {
            if !is_one_line(text) {
                return Err(Error::argument(format!("delegation.{field}"), ONE_LINE));
            }
        }
        if delegation.key == self.key {
            let problem = "is this session's own; a subagent needs another";
            return Err(Error::argument("delegation.key", problem));
        }
        let settings = self.settings_for(delegation)?;
        let log = storage.read_log(&delegation.key, 0);
        let log = log.map_err(|error| Error::storage("read-log", error))?;
        let settings = match log.first() {
            None => settings,
            Some(first) => {
                let begun = Chain::default().read(0, first)?;
                if known {
                    check_follow_up(delegation, &begun)?;
                } else if log.len() > 1 || !begins(&begun, &prefix, &settings) {
                    let problem = format!(
                        "is `{}`, a session that exists and was not delegated here",
                        delegation.key
                    );
                    return Err(Error::argument("delegation.key", problem));
                }
                // Without a prompt of its own, a follow-up goes on with the subagent's.
                let prompt = if delegation.prompt == Prompt::default() {
                    Prompt::default()
                } else {
                    settings.prompt
                };
                Settings { prompt, ..settings }
            }
        };
        let parent = Parent {
            prefix,
            global_instructions: self.state.rules.assembly.global_instructions.clone(),
        };
        let child = Self::open_as(Some(&parent), &delegation.key, &settings, storage, files)?;
        let event = Event::Delegated {
            key: delegation.key.clone(),
            kind: delegation.kind.clone(),
        };
        self.commit(vec![event], &[])?;
        Ok(child)
    }

    /// A subagent has what this session has, but for its messages and its prompt.
    fn settings_for(&self, delegation: &Delegation) -> Result<Settings, Error> {
        let talk = self.talk()?;
        let opened = &self.state.opened;
        let filter = opened.conversation.as_ref().map(|talk| &talk.filter);
        let mut prompt = delegation.prompt.clone();
        if prompt.session_date().is_none() {
            prompt.sources.extend(talk.date.clone());
        }
        Ok(Settings {
            dialect: Some(talk.dialect),
            home: self.state.base.home().map(str::to_owned),
            overrides: opened.overrides.to_string(),
            start: self.start.clone(),
            prompt,
            assembly: delegation.assembly.clone(),
            tools: talk.tools.to_give(),
            recall: talk.recall,
            vision: filter.is_none_or(|filter| filter.vision),
            only_tools: delegation.only_tools.clone(),
            conditions: talk.tools.conditions(),
            ..Settings::new(opened.kind, self.state.base.root())
        })
    }

    /// Says how far a subagent is.
    ///
    /// # Errors
    ///
    /// As `delegate-progress` in `wit/context.wit`.
    pub fn delegate_progress(&mut self, key: &str, state: &str) -> Result<(), Error> {
        let known = self.delegated(key, "key")?;
        if !is_one_line(state) {
            return Err(Error::argument("state", ONE_LINE));
        }
        if known.state == state || known.state.is_empty() {
            return Ok(());
        }
        let (key, state) = (key.to_owned(), state.to_owned());
        self.commit(vec![Event::DelegateProgress { key, state }], &[])
    }

    /// The subagents, in the order in which they were first delegated.
    pub fn delegates(&self) -> Vec<DelegateState> {
        let talk = self.state.talk.as_ref();
        talk.map(|talk| talk.delegates.all().cloned().collect())
            .unwrap_or_default()
    }

    /// A subagent by its key. `argument` is what errors call it.
    pub(super) fn delegated(&self, key: &str, argument: &str) -> Result<&DelegateState, Error> {
        let delegates = &self.talk()?.delegates;
        delegates.get(key).ok_or_else(|| {
            let keys = delegates.all().map(|delegate| delegate.key.as_str());
            let keys: Vec<&str> = keys.collect();
            let problem = format!(
                "is `{key}`, which was not delegated here; delegated were `{}`",
                keys.join("`, `")
            );
            Error::argument(argument, problem)
        })
    }
}

/// Whether a session began as it would with these settings.
fn begins(begun: &Event, prefix: &IdPrefix, settings: &Settings) -> bool {
    let Event::Opened(opened) = begun else {
        return false;
    };
    opened.conversation.as_ref().is_some_and(|talk| {
        let tools = settings.filter().offered(&settings.tools, settings.recall);
        opened.prefix == prefix.to_string()
            && talk.filter == settings.filter()
            && talk.tools == tools
            && talk.prompt == settings.prompt.kept()
            && talk.assembly == settings.assembly
    })
}

/// A follow-up goes on with the tools that the subagent has, and does not seem to take some away.
fn check_follow_up(delegation: &Delegation, begun: &Event) -> Result<(), Error> {
    let (Some(only), Event::Opened(opened)) = (&delegation.only_tools, begun) else {
        return Ok(());
    };
    let talk = opened.conversation.iter();
    let mut names = talk.flat_map(|talk| &talk.tools).map(|tool| &tool.name);
    match names.find(|name| !only.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let problem = format!(
                "leave out `{name}`, with which `{}` began; a follow-up goes on with the subagent's own tools",
                delegation.key
            );
            Err(Error::argument("delegation.only-tools", problem))
        }
    }
}
