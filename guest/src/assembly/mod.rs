//! What the component itself reads for the prompt (docs/assembly.md): instruction files, context files
//! and skills, through the host's files.

mod blocks;
mod budget;
mod files;
mod partitions;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::path::Base;
use crate::prompt::PromptSource;

pub use blocks::{FrontMessage, Made, PromptBlock, Zone, made};
pub use budget::cut;
pub use files::skill_text;
pub use partitions::Partitions;

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

impl Assembly {
    /// Refuses context files that are not in the project. `argument` is what errors call it.
    ///
    /// # Errors
    ///
    /// `invalid-argument`.
    pub fn check(&self, argument: &str, base: &Base) -> Result<(), Error> {
        let outside = |path: &String| base.below_root(path).is_none_or(|below| below.is_empty());
        match self.context_files.iter().position(outside) {
            None => Ok(()),
            Some(at) => {
                let path = self.context_files.get(at).map_or("", String::as_str);
                let problem = format!("is `{path}`, must be a file below the project root");
                let argument = format!("{argument}.context-files[{at}]");
                Err(Error::argument(argument, problem))
            }
        }
    }
}
