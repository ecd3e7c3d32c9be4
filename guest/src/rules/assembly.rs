//! What is put into the prompt, and what is told of it (docs/assembly.md).

use super::Section;
use crate::error::Error;
use crate::template::Template;

/// `assembly`: budgets, names and frames of what the prompt is made of.
#[derive(Clone, Debug)]
pub struct AssemblyRules {
    pub project_context_bytes: u32,
    pub skill_bytes: u32,
    pub global_instructions: String,
    pub instruction_files: Vec<String>,
    pub session_date: Template,
    pub skill_frame: String,
    pub skill_block: Template,
}

impl AssemblyRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        let global = section.text("global_instructions")?;
        if !is_below(global) {
            let problem = format!(
                "is `{global}`, must be a path below the person's home and relative to it, such as `.config/AGENTS.md`"
            );
            return Err(section.fault("global_instructions", problem));
        }
        Ok(Self {
            project_context_bytes: section.number("project_context_bytes")?,
            skill_bytes: section.number("skill_bytes")?,
            global_instructions: global.to_owned(),
            instruction_files: section.names("instruction_files")?,
            session_date: section.template("session_date")?,
            skill_frame: section.owned("skill_frame")?,
            skill_block: section.template("skill_block")?,
        })
    }

    /// A session that begins names instruction files, and no paths. A log that has some opens: what is read of
    /// them is decided where they are looked for.
    ///
    /// # Errors
    ///
    /// `invalid-setting`.
    pub fn check_new(&self) -> Result<(), Error> {
        let names = &self.instruction_files;
        match names.iter().position(|name| !is_file_name(name)) {
            None => Ok(()),
            Some(at) => {
                let name = names.get(at).map(String::as_str).unwrap_or_default();
                Err(Error::setting(
                    &format!("assembly.instruction_files[{at}]"),
                    format!("is `{name}`, must be the name of a file, such as `AGENTS.md`"),
                ))
            }
        }
    }

    /// Leaves out the global instructions of a log if whoever opens it does not have the same: it may come from
    /// somebody else, and what they name below home would be sent.
    pub fn hold_to(&mut self, opener: &str) {
        if self.global_instructions != opener {
            self.global_instructions.clear();
        }
    }
}

/// Whether a name of an instruction file is looked for. A log may have paths: those that stay below the folder are
/// looked for in the project alone, no other.
pub fn is_looked_for(name: &str, in_project: bool) -> bool {
    is_file_name(name) || (in_project && is_below(name) && !name.contains('\0'))
}

/// Whether a path is a relative one that stays where it begins, on any system.
fn is_below(path: &str) -> bool {
    let path = path.trim();
    let mut names = path.split(['/', '\\']);
    let drive = path.as_bytes().get(1) == Some(&b':');
    !drive && !path.starts_with(['/', '\\', '~']) && names.all(|name| name != "..")
}

/// The name of a file in whatever folder it is looked for, on any system.
fn is_file_name(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    !drive && !["", ".", ".."].contains(&name.trim()) && !name.contains(['/', '\\', '\0'])
}
