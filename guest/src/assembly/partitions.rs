//! What was read is kept until what it was read by changes (docs/assembly.md, "Static partitions").

use super::files::{InstructionPaths, context_paths, read_context, read_skills};
use super::{Assembly, Found};
use crate::error::Error;
use crate::path::Base;
use crate::ports::FileSystem;
use crate::prompt::{Prompt, PromptSource};
use crate::rules::AssemblyRules;

/// A text that was read, and what it was read by.
#[derive(Debug)]
struct Partition<K> {
    read: Option<(K, Vec<PromptSource>)>,
}

/// Instruction files, context files and skills.
#[derive(Debug, Default)]
pub struct Partitions {
    scope: Option<String>,
    instructions: Partition<InstructionPaths>,
    context: Partition<ContextKey>,
    skills: Partition<SkillKey>,
}

/// Root, budget, files and ignored names.
type ContextKey = (String, u32, Vec<String>, Vec<String>);

/// Root, roots and names.
type SkillKey = (String, Vec<String>, Vec<String>);

impl<K> Default for Partition<K> {
    fn default() -> Self {
        Self { read: None }
    }
}

impl<K: PartialEq> Partition<K> {
    fn get(
        &mut self,
        key: K,
        read: impl FnOnce(&K) -> Result<Vec<PromptSource>, Error>,
    ) -> Result<Vec<PromptSource>, Error> {
        if let Some((known, found)) = &self.read
            && *known == key
        {
            return Ok(found.clone());
        }
        // One that fails is not kept.
        self.read = None;
        let found = read(&key)?;
        self.read = Some((key, found.clone()));
        Ok(found)
    }
}

impl Partitions {
    /// What an assembly finds.
    ///
    /// # Errors
    ///
    /// `filesystem`.
    pub fn found(
        &mut self,
        files: &mut impl FileSystem,
        base: &Base,
        start: Option<&str>,
        assembly: &Assembly,
        prompt: &Prompt,
        rules: &AssemblyRules,
    ) -> Result<Found, Error> {
        if self.scope.as_ref() != Some(&assembly.scope) {
            *self = Self {
                scope: Some(assembly.scope.clone()),
                ..Self::default()
            };
        }
        let instructions = if assembly.instructions {
            let paths = InstructionPaths::of(base, start, rules, prompt);
            self.instructions.get(paths, |paths| paths.read(files))?
        } else {
            Vec::new()
        };
        let paths = context_paths(base, assembly);
        let budget = rules.project_context_bytes;
        let root = || base.root().to_owned();
        let key = (
            root(),
            budget,
            assembly.context_files.clone(),
            assembly.ignore.clone(),
        );
        let context = self
            .context
            .get(key, |_| read_context(files, base, &paths))?;
        let key = (
            root(),
            assembly.skill_roots.clone(),
            assembly.skills.clone(),
        );
        let read = |_: &SkillKey| read_skills(files, base, assembly, rules);
        Ok(Found {
            instructions,
            context,
            skills: self.skills.get(key, read)?,
        })
    }
}
