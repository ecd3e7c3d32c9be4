//! What the component reads for the prompt, and the blocks that the prompt is made of.

use crate::prompt::PromptPart;

/// What the session itself looks for and reads, through its [`FileSystem`](crate::FileSystem), when the
/// prompt is made (`docs/assembly.md`). By default nothing.
///
/// ```
/// use waybread::Assembly;
///
/// let assembly = Assembly::new()
///     .instructions(true)
///     .context_files(["README.md", "docs/style.md"])
///     .skill_roots([".skills", "~/.skills"])
///     .skills(["review"]);
/// # assert_eq!(assembly.context_files.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assembly {
    /// A name for it, which changes nothing.
    pub scope: String,
    /// Whether instruction files are looked for (the setting `assembly.instruction_files`).
    pub instructions: bool,
    /// Files of the project that go into the prompt, in this order: relative to the root, not out of it.
    pub context_files: Vec<String>,
    /// Of those, what is left out: a whole relative path, its end, or a name.
    pub ignore: Vec<String>,
    /// Folders that skills are looked for in, the first that has one counts. Relative to the root,
    /// absolute, or `~/…`.
    pub skill_roots: Vec<String>,
    /// Skills that are in the prompt for the whole session.
    pub skills: Vec<String>,
}

impl Assembly {
    /// Nothing to read.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another scope.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = scope.into();
        self
    }

    /// The same with instruction files looked for, or not.
    #[must_use]
    pub fn instructions(mut self, instructions: bool) -> Self {
        self.instructions = instructions;
        self
    }

    /// The same with these files of the project.
    #[must_use]
    pub fn context_files<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.context_files = strings(paths);
        self
    }

    /// The same without these of the files.
    #[must_use]
    pub fn ignore<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.ignore = strings(paths);
        self
    }

    /// The same with these folders of skills.
    #[must_use]
    pub fn skill_roots<P: Into<String>>(mut self, folders: impl IntoIterator<Item = P>) -> Self {
        self.skill_roots = strings(folders);
        self
    }

    /// The same with these skills for the whole session.
    #[must_use]
    pub fn skills<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.skills = strings(names);
        self
    }
}

fn strings<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Vec<String> {
    names.into_iter().map(Into::into).collect()
}

/// Whose words a block of the prompt is (`docs/assembly.md`, "Sources and zones").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Zone {
    /// The system prompt.
    System,
    /// A user's message in front of the conversation.
    User,
}

impl Zone {
    /// The name that the contract gives it: `system`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
        }
    }
}

/// A block of the prompt as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptBlock {
    /// None: a block of the component's own (environment, context, the frame of skills).
    pub part: Option<PromptPart>,
    /// As the prompt names it; the own blocks are `environment`, `context`, `skills`.
    pub name: String,
    /// Whose words it is.
    pub zone: Zone,
    /// Bytes of its text in the prompt.
    pub bytes: u32,
    /// Bytes as it was given or read.
    pub given_bytes: u32,
    /// Whether its budget cut it; 0 bytes: there was nothing left of the budget.
    pub truncated: bool,
}
