//! Where the files lie that the prompt is made of.

use super::Assembly;
use crate::error::Error;
use crate::path::Base;
use crate::ports::{Content, FileError, FileSystem};
use crate::prompt::{Prompt, PromptPart, PromptSource};
use crate::rules::{AssemblyRules, is_looked_for};

/// The instruction files to look for: the global one, and for each folder the names in their order, up to
/// one that the caller has read and given itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionPaths {
    global: Option<String>,
    folders: Vec<Vec<String>>,
}

impl InstructionPaths {
    /// Those of a project, outermost folder first; `start` is where the person started below the root.
    pub fn of(base: &Base, start: Option<&str>, rules: &AssemblyRules, prompt: &Prompt) -> Self {
        let global = Some(rules.global_instructions.trim()).filter(|path| !path.is_empty());
        let given = prompt.sources.iter().filter(|source| {
            matches!(
                source.part,
                PromptPart::GlobalInstructions | PromptPart::ProjectInstructions
            )
        });
        let given: Vec<String> = given.map(|source| base.resolve(&source.name)).collect();
        let is_open = |path: &String| !given.contains(path);
        let names = |folder: String| {
            let in_project = base.below_root(&folder).is_some();
            let names = rules.instruction_files.iter();
            let names = names.filter(|name| is_looked_for(name, in_project));
            let paths = names.map(|name| base.join(&folder, name));
            paths.take_while(is_open).collect()
        };
        let global = global.and_then(|path| base.in_home_folder(path));
        Self {
            global: global.filter(is_open),
            folders: base.folders_to(start).into_iter().map(names).collect(),
        }
    }

    /// Reads them.
    ///
    /// # Errors
    ///
    /// `filesystem`.
    pub fn read(&self, files: &mut impl FileSystem) -> Result<Vec<PromptSource>, Error> {
        let mut found = Vec::new();
        let global = self.global.iter().map(std::slice::from_ref);
        let global = global.map(|path| (PromptPart::GlobalInstructions, path));
        let project = self.folders.iter().map(Vec::as_slice);
        let project = project.map(|paths| (PromptPart::ProjectInstructions, paths));
        for (part, paths) in global.chain(project) {
            for path in paths {
                if let Some(text) = text_of(files, path)? {
                    found.push(source(part, path, text));
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// The context files: relative to the root, each once, without what is ignored.
pub fn context_paths(base: &Base, assembly: &Assembly) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for path in &assembly.context_files {
        let Some(path) = base.below_root(path).filter(|path| !path.is_empty()) else {
            continue;
        };
        if !paths.contains(&path) && !is_ignored(base, &path, &assembly.ignore) {
            paths.push(path);
        }
    }
    paths
}

fn is_ignored(base: &Base, path: &str, ignore: &[String]) -> bool {
    let cleaned = |name: &String| base.below_root(name).unwrap_or_else(|| name.clone());
    let mut ignored = ignore.iter().map(cleaned).filter(|name| !name.is_empty());
    ignored.any(|name| {
        let before = path.strip_suffix(name.as_str());
        before.is_some_and(|before| before.is_empty() || before.ends_with(base.separators()))
    })
}

/// Reads context files.
///
/// # Errors
///
/// `filesystem`.
pub fn read_context(
    files: &mut impl FileSystem,
    base: &Base,
    paths: &[String],
) -> Result<Vec<PromptSource>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if let Some(text) = text_of(files, &base.resolve(path))? {
            found.push(source(PromptPart::ProjectContext, path, text));
        }
    }
    Ok(found)
}

/// Reads skills that are in the prompt.
///
/// # Errors
///
/// `filesystem`.
pub fn read_skills(
    files: &mut impl FileSystem,
    base: &Base,
    assembly: &Assembly,
    rules: &AssemblyRules,
) -> Result<Vec<PromptSource>, Error> {
    let mut found = Vec::new();
    for name in &assembly.skills {
        if let Some(text) = skill_text(files, base, &assembly.skill_roots, name)? {
            let block = rules.skill_block.fill(&[("name", name), ("text", &text)]);
            found.push(source(PromptPart::Skill, name, block));
        }
    }
    Ok(found)
}

/// A skill's text, of the first root that has it.
///
/// # Errors
///
/// `filesystem`.
pub fn skill_text(
    files: &mut impl FileSystem,
    base: &Base,
    roots: &[String],
    name: &str,
) -> Result<Option<String>, Error> {
    for root in roots {
        let folder = base.join(&base.resolve(root), name);
        let text = text_of(files, &base.join(&folder, "SKILL.md"))?;
        if text.is_some() {
            return Ok(text);
        }
    }
    Ok(None)
}

fn source(part: PromptPart, name: &str, text: String) -> PromptSource {
    PromptSource {
        part,
        name: name.to_owned(),
        text,
    }
}

/// A file's text; none for what is not there or cannot be read as a text.
fn text_of(files: &mut impl FileSystem, path: &str) -> Result<Option<String>, Error> {
    match files.read(path) {
        Ok(file) => Ok(match file.hashed.content {
            Content::Text(text) => Some(text),
            Content::Binary(_) => None,
        }),
        Err(error @ FileError::Other(_)) => Err(Error::filesystem(path, error)),
        Err(_) => Ok(None),
    }
}
