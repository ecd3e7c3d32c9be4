//! What the prompt is assembled of, and the skills that come and go (`docs/assembly.md`).

use super::Session;
use crate::assembly::{Assembly, PromptBlock};
use crate::bindings::exports::waybread::context::context as wit;
use crate::convert;
#[cfg(doc)]
use crate::error::Cause;
use crate::error::Error;
use crate::skill::{SkillState, SkillTruncated};

impl Session {
    /// What is to be read when the prompt is next made again: after a compaction, or at a change of
    /// model (`docs/assembly.md`, "When files are read").
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for a context file out of the project; [`Cause::OutOfOrder`] without a
    /// dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn set_assembly(&mut self, assembly: &Assembly) -> Result<(), Error> {
        convert::with_assembly(assembly, |assembly| {
            self.call(|api, store, session| api.call_set_assembly(store, session, assembly))
        })
    }

    /// The blocks of the prompt, in their order, as they were made.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn prompt_report(&mut self) -> Result<Vec<PromptBlock>, Error> {
        let blocks: Vec<wit::PromptBlock> =
            self.call(|api, store, session| api.call_prompt_report(store, session).map(Ok))?;
        Ok(blocks.into_iter().map(Into::into).collect())
    }

    /// Switches a skill on: its text goes ahead of the next message that starts a turn. Nothing that was
    /// sent changes. Without a text it is read from the skill roots of the assembly. Answers what was
    /// cut of it.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for an empty name or a skill that no root has; [`Cause::FileSystem`];
    /// [`Cause::OutOfOrder`] without a dialect; [`Cause::Conflict`], [`Cause::Storage`].
    pub fn enable_skill(
        &mut self,
        name: &str,
        text: Option<&str>,
    ) -> Result<Option<SkillTruncated>, Error> {
        let truncated: Option<wit::SkillTruncated> =
            self.call(|api, store, session| api.call_enable_skill(store, session, name, text))?;
        Ok(truncated.map(Into::into))
    }

    /// Switches a skill off: the next message that starts a turn says so.
    ///
    /// # Errors
    ///
    /// [`Cause::InvalidArgument`] for one that is not on; [`Cause::OutOfOrder`] without a dialect;
    /// [`Cause::Conflict`], [`Cause::Storage`].
    pub fn disable_skill(&mut self, name: &str) -> Result<(), Error> {
        self.call(|api, store, session| api.call_disable_skill(store, session, name))
    }

    /// The skills that are on, in the order in which they were switched on, then those that are off
    /// and of which the model was not told so yet.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn skills(&mut self) -> Result<Vec<SkillState>, Error> {
        let skills: Vec<wit::SkillState> =
            self.call(|api, store, session| api.call_skills(store, session).map(Ok))?;
        Ok(skills.into_iter().map(Into::into).collect())
    }
}
