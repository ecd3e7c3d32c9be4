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
            instruction_files: section.entries("instruction_files", file_names)?,
            session_date: section.template("session_date")?,
            skill_frame: section.owned("skill_frame")?,
            skill_block: section.template("skill_block")?,
        })
    }
}

/// Whether a path is a relative one that stays where it begins, on any system.
fn is_below(path: &str) -> bool {
    let path = path.trim();
    let mut names = path.split(['/', '\\']);
    let drive = path.as_bytes().get(1) == Some(&b':');
    !drive && !path.starts_with(['/', '\\', '~']) && names.all(|name| name != "..")
}

/// Names of files in whatever folder they are looked for, on any system: a log may come from somebody else, and what
/// it names is read.
fn file_names(names: &[String]) -> Result<Vec<String>, (usize, String)> {
    let is_file_name = |name: &str| {
        let drive = name.as_bytes().get(1) == Some(&b':');
        !drive && !["", ".", ".."].contains(&name.trim()) && !name.contains(['/', '\\', '\0'])
    };
    match names.iter().position(|name| !is_file_name(name)) {
        None => Ok(names.to_vec()),
        Some(at) => {
            let name = names.get(at).map(String::as_str).unwrap_or_default();
            let problem = format!("is `{name}`, must be the name of a file, such as `AGENTS.md`");
            Err((at, problem))
        }
    }
}
