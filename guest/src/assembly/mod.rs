//! What the component itself reads for the prompt (docs/assembly.md): instruction files, context files
//! and skills, through the host's files.

mod blocks;
mod budget;
mod files;
pub mod front;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::path::Base;
use crate::ports::FileSystem;
use crate::prompt::{Prompt, PromptSource};
use crate::rules::AssemblyRules;

pub use blocks::{FrontMessage, Made, PromptBlock, Zone, made};
pub use budget::cut;
pub use files::skill_text;
use files::{InstructionPaths, context_paths, read_context, read_skills};

/// What is looked for and read. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Assembly {
    pub scope: String,
    pub instructions: bool,
    pub context_files: Vec<String>,
    pub ignore: Vec<String>,
    pub skill_roots: Vec<String>,
    pub skills: Vec<String>,
}

/// What was read, as sources of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Instruction files.
    pub instructions: Vec<PromptSource>,
    /// Context files.
    pub context: Vec<PromptSource>,
    /// Skills.
    pub skills: Vec<PromptSource>,
}

impl Found {
    /// What an assembly finds, now. `start` is where the person started, below the root.
    ///
    /// # Errors
    ///
    /// `filesystem`.
    pub fn read(
        files: &mut impl FileSystem,
        base: &Base,
        start: Option<&str>,
        assembly: &Assembly,
        prompt: &Prompt,
        rules: &AssemblyRules,
    ) -> Result<Self, Error> {
        let instructions = if assembly.instructions {
            InstructionPaths::of(base, start, rules, prompt).read(files)?
        } else {
            Vec::new()
        };
        let context = context_paths(base, assembly);
        Ok(Self {
            instructions,
            context: read_context(files, base, &context)?,
            skills: read_skills(files, base, assembly, rules)?,
        })
    }
}

impl Assembly {
    /// Refuses context files that are not in the project, and skills that no folder can be named.
    /// `argument` is what errors call it.
    ///
    /// # Errors
    ///
    /// `invalid-argument`.
    pub fn check(&self, argument: &str, base: &Base) -> Result<(), Error> {
        for (at, path) in self.context_files.iter().enumerate() {
            if base.below_root(path).is_none_or(|below| below.is_empty()) {
                let problem = format!("is `{path}`, must be a file below the project root");
                let argument = format!("{argument}.context-files[{at}]");
                return Err(Error::argument(argument, problem));
            }
        }
        for (at, name) in self.skills.iter().enumerate() {
            check_skill(&format!("{argument}.skills[{at}]"), base, name)?;
        }
        Ok(())
    }
}

/// A skill's name is that of a folder in a root.
///
/// # Errors
///
/// `invalid-argument`.
pub fn check_skill(argument: &str, base: &Base, name: &str) -> Result<(), Error> {
    if !["", ".", ".."].contains(&name) && !name.contains(base.separators()) {
        return Ok(());
    }
    let problem = format!("is `{name}`, must be the name of a folder in a skill root");
    Err(Error::argument(argument, problem))
}
