//! The prompt: made when a session begins, after a compaction and at a change of model (§10.1,
//! docs/assembly.md).

use super::Session;
use crate::assembly::{self, Assembly, Found, Made, PromptBlock};
use crate::error::Error;
use crate::ports::{FileSystem, Storage};
use crate::prompt::Prompt;
use crate::record::Event;
use crate::request::Parameters;

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// What the system prompt is to be made of when it is next made again.
    ///
    /// # Errors
    ///
    /// As `set-prompt` in `wit/context.wit`.
    pub fn set_prompt(&mut self, prompt: &Prompt) -> Result<(), Error> {
        self.talk()?;
        let told = self.place().check_prompt("prompt", prompt)?;
        let prompt = prompt.kept();
        let talk = self.talk()?;
        let as_it_is = told.iter().all(|change| !talk.notes.is_news(change, false));
        if prompt == talk.given && as_it_is {
            return Ok(());
        }
        let event = Event::PromptGiven {
            prompt,
            told,
            at_open: false,
        };
        self.commit(vec![event], &[])
    }

    /// What is to be read when the prompt is next made again.
    ///
    /// # Errors
    ///
    /// As `set-assembly` in `wit/context.wit`.
    pub fn set_assembly(&mut self, assembly: &Assembly) -> Result<(), Error> {
        self.talk()?;
        assembly.check("assembly", &self.state.base)?;
        if *assembly == self.talk()?.assembly {
            return Ok(());
        }
        let event = Event::AssemblyGiven {
            assembly: assembly.clone(),
            at_open: false,
        };
        self.commit(vec![event], &[])
    }

    /// The blocks of the prompt, as they were made.
    pub fn prompt_report(&self) -> Vec<PromptBlock> {
        let talk = self.state.talk.as_ref();
        talk.map(|talk| talk.made.blocks.clone())
            .unwrap_or_default()
    }

    /// The prompt, if a request for another model makes it again.
    pub(super) fn prompt_for(&mut self, parameters: &Parameters) -> Result<Option<Made>, Error> {
        let previous = self.talk()?.previous.as_ref();
        let other = previous.is_some_and(|previous| previous.model() != parameters.model);
        other.then(|| self.made_again()).transpose()
    }

    /// The prompt, made of what was given last.
    pub(super) fn made_again(&mut self) -> Result<Made, Error> {
        let Some(talk) = &self.state.talk else {
            return Ok(Made::default());
        };
        let rules = &self.state.rules.assembly;
        let base = &self.state.base;
        let (files, given) = (&mut self.files, &talk.given);
        let start = self.start.as_deref();
        let found = Found::read(files, base, start, &talk.assembly, given, rules)?;
        let place = self.place();
        let (dialect, recall) = (talk.dialect, talk.recall);
        Ok(assembly::made(place, dialect, given, &found, start, recall))
    }
}
