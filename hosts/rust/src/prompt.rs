//! What the system prompt is made of.

use crate::note::Change;

/// What the system prompt is made of (§10.1).
///
/// The parts stand in the order of [`PromptPart`], sources of one part in the order in which they
/// were added; the component's own blocks (environment, §11; context, §9) follow the preamble.
///
/// ```
/// use waybread::{Change, Prompt};
///
/// let prompt = Prompt::new()
///     .preamble("harness", "You are a coding agent.")
///     .project_instructions("AGENTS.md", "Run the tests before you answer.")
///     .told(Change::mode("ask", "Every command is confirmed."));
/// # assert_eq!(prompt.sources.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// What is said.
    pub sources: Vec<PromptSource>,
    /// What the sources tell of things that can change: a note is owed only for what differs (§10.3).
    pub told: Vec<Change>,
}

impl Prompt {
    /// A prompt of the component's own blocks only.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with words of the harness's own. `name` is what errors call them.
    #[must_use]
    pub fn preamble(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.source(PromptSource::new(PromptPart::Preamble, name, text))
    }

    /// The same with the person's instruction file for every project, by its path.
    #[must_use]
    pub fn global_instructions(self, path: impl Into<String>, text: impl Into<String>) -> Self {
        let part = PromptPart::GlobalInstructions;
        self.source(PromptSource::new(part, path, text))
    }

    /// The same with an instruction file of the project, by its path.
    #[must_use]
    pub fn project_instructions(self, path: impl Into<String>, text: impl Into<String>) -> Self {
        let part = PromptPart::ProjectInstructions;
        self.source(PromptSource::new(part, path, text))
    }

    /// The same with a text of the project's files, within a budget (`docs/assembly.md`). `name` is what
    /// the report calls it. [`Assembly::context_files`](crate::Assembly::context_files) reads them.
    #[must_use]
    pub fn project_context(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.source(PromptSource::new(PromptPart::ProjectContext, name, text))
    }

    /// The same with a skill for the whole session, within a budget (`docs/assembly.md`).
    /// [`Assembly::skills`](crate::Assembly::skills) reads them;
    /// [`Session::enable_skill`](crate::Session::enable_skill) is for those that come and go.
    #[must_use]
    pub fn skill(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.source(PromptSource::new(PromptPart::Skill, name, text))
    }

    /// The same with the date on which the session began, as the model is to read it. A subagent has
    /// its parent's.
    #[must_use]
    pub fn session_date(self, date: impl Into<String>) -> Self {
        self.source(PromptSource::new(PromptPart::SessionDate, "date", date))
    }

    /// The same with the harness's words for a phase of its work. `name` is what errors call them.
    #[must_use]
    pub fn phase_prompt(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.source(PromptSource::new(PromptPart::PhasePrompt, name, text))
    }

    /// The same with one more source.
    #[must_use]
    pub fn source(mut self, source: PromptSource) -> Self {
        self.sources.push(source);
        self
    }

    /// The same, where the sources tell the value that something has now.
    #[must_use]
    pub fn told(mut self, change: Change) -> Self {
        self.told.push(change);
        self
    }
}

/// Which part of the system prompt a source is. The parts stand in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PromptPart {
    /// The harness's own words: no date or time (§10.2), no absolute path of the machine (§11).
    Preamble,
    /// The person's instruction files for every project.
    GlobalInstructions,
    /// The project's instruction files.
    ProjectInstructions,
    /// Of the project's files: in the user zone, within a budget (`docs/assembly.md`).
    ProjectContext,
    /// A skill that is in the prompt for the whole session: in the user zone, within a budget.
    Skill,
    /// The harness's words for a phase of its work. Checked like the preamble.
    PhasePrompt,
    /// The date on which the session began, as the model is to read it: last, in the user zone.
    SessionDate,
}

impl PromptPart {
    /// The name that the contract gives it: `project-context`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Preamble => "preamble",
            Self::GlobalInstructions => "global-instructions",
            Self::ProjectInstructions => "project-instructions",
            Self::ProjectContext => "project-context",
            Self::Skill => "skill",
            Self::PhasePrompt => "phase-prompt",
            Self::SessionDate => "session-date",
        }
    }
}

/// A source of the system prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptSource {
    /// Which part it is.
    pub part: PromptPart,
    /// Of instructions: the file's path, absolute or relative to the root, which the prompt names as
    /// [`Session::name_path`](crate::Session::name_path) does. Of the other parts: what errors call
    /// it.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl PromptSource {
    /// A source by its part, its name and its text.
    pub fn new(part: PromptPart, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            part,
            name: name.into(),
            text: text.into(),
        }
    }
}

/// What stands at the front of every request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prefix {
    /// The system prompt.
    pub system: String,
    /// The tools as they are sent: a JSON array in the dialect.
    pub tools: String,
}
