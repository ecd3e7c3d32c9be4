//! The system prompt, made once (§10.1), and what may not stand in the harness's own words.

mod clock;
mod machine_path;
mod own_words;
mod top;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::notes::{Change, ChangeKind};
use crate::path::Base;
use crate::record::Kind;
use crate::rules::Rules;

pub use machine_path::check as check_paths;
pub use own_words::check as check_settings;

/// What the model is told of ids, stubs and recall (§9).
const CONTEXT: &str = include_str!("../../../conformance/prompts/blocks/context.md");

/// The source that a problem is about, where it has a name.
fn of_source(name: &str) -> String {
    match name {
        "" => String::new(),
        name => format!("of `{name}` "),
    }
}

/// A part of the system prompt, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptPart {
    /// The harness's own words.
    Preamble,
    /// The person's instruction files for every project.
    GlobalInstructions,
    /// The project's.
    ProjectInstructions,
    /// Of the project's files.
    ProjectContext,
    /// A skill that is in the prompt for the whole session.
    Skill,
    /// The harness's words for a phase.
    PhasePrompt,
    /// The date on which the session began.
    SessionDate,
}

impl PromptPart {
    fn is_instructions(self) -> bool {
        matches!(self, Self::GlobalInstructions | Self::ProjectInstructions)
    }

    /// Whether it is the harness's own words, in which no date and no path of the machine may stand.
    fn is_own_words(self) -> bool {
        matches!(self, Self::Preamble | Self::PhasePrompt)
    }
}

/// A source of the system prompt. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct PromptSource {
    pub part: PromptPart,
    pub name: String,
    pub text: String,
}

/// What the system prompt is made of, as it was given. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Prompt {
    pub sources: Vec<PromptSource>,
    pub told: Vec<Change>,
}

impl Prompt {
    /// The session's date, if a source tells it.
    pub fn session_date(&self) -> Option<&PromptSource> {
        let mut sources = self.sources.iter();
        sources.find(|source| source.part == PromptPart::SessionDate)
    }

    /// The date as the prompt tells it.
    pub fn date_told(&self) -> Option<&str> {
        let date = self.session_date()?.text.trim();
        (!date.is_empty()).then_some(date)
    }

    /// As it is kept and compared: texts without newlines at their end, which nobody reads.
    pub fn kept(&self) -> Self {
        let mut kept = self.clone();
        for change in &mut kept.told {
            change
                .text
                .truncate(change.text.trim_end_matches('\n').len());
        }
        kept
    }
}

/// Where a prompt is made.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Texts and settings.
    pub rules: &'a Rules,
    /// Root and home.
    pub base: &'a Base,
    /// The session's kind.
    pub kind: Kind,
}

impl Place<'_> {
    /// What a prompt tells, as it is shown, if the prompt may be made. `argument` is what errors call it.
    ///
    /// # Errors
    ///
    /// `invalid-argument` for a date or a path that the harness's words may not hold.
    pub fn check_prompt(self, argument: &str, prompt: &Prompt) -> Result<Vec<Change>, Error> {
        for (at, source) in prompt.sources.iter().enumerate() {
            self.check(&format!("{argument}.sources[{at}]"), source)?;
        }
        let told = prompt.told.iter().enumerate();
        let told = told.map(|(at, change)| self.change(&format!("{argument}.told[{at}]"), change));
        told.collect()
    }

    /// What the model is told of ids, stubs and recall (§9).
    pub fn context_block(self) -> String {
        CONTEXT.trim_end_matches('\n').to_owned()
    }

    /// A source of the system zone as it stands there.
    pub fn block(self, source: &PromptSource) -> String {
        let text = source.text.trim_end_matches('\n');
        if text.is_empty() || !source.part.is_instructions() {
            return text.to_owned();
        }
        let name = self.name(&source.name);
        let framed = &self.rules.prompt.instructions;
        framed.fill(&[("name", &name), ("text", text)])
    }

    fn check(self, argument: &str, source: &PromptSource) -> Result<(), Error> {
        if source.part.is_instructions() {
            if source.name.is_empty() {
                let problem = "is empty, must be the file's path";
                return Err(Error::argument(format!("{argument}.name"), problem));
            }
            return Ok(());
        }
        if !source.part.is_own_words() {
            return Ok(());
        }
        let text = format!("{argument}.text");
        if self.rules.prompt.refuse_dates
            && let Some((at, found)) = clock::find(&source.text)
        {
            let of = of_source(&source.name);
            let problem = format!(
                "{of}names a date or time, `{found}`, at character {at}; the date goes in a note, with the \
                 message, or `prompt.dates` allows it"
            );
            return Err(Error::argument(text, problem));
        }
        check_paths(self, &format!("{argument}.name"), "", &source.name)?;
        check_paths(self, &text, &source.name, &source.text)
    }

    /// §11.
    pub fn environment(self, start: Option<&str>) -> Option<String> {
        if self.kind == Kind::Chat {
            return None;
        }
        let env = &self.rules.env;
        let project = env.project.fill(&[("name", self.base.root_name())]);
        Some(match start {
            None => project,
            Some(start) => format!("{project}\n{}", env.started.fill(&[("path", start)])),
        })
    }

    /// How a file is named (§11). A chat's tree has short paths as they are.
    pub fn name(self, path: &str) -> String {
        match self.kind {
            Kind::Agent => self.base.name(path),
            Kind::Chat => self.base.resolve(path),
        }
    }

    /// A change with its name as it is shown.
    ///
    /// # Errors
    ///
    /// `invalid-argument` for a name that is missing, or an absolute path where none may stand.
    pub fn change(self, argument: &str, change: &Change) -> Result<Change, Error> {
        let kind = change.kind;
        let name = format!("{argument}.name");
        if change.name.is_empty() && (kind.is_named() || kind == ChangeKind::Mode) {
            return Err(Error::argument(name, "is empty"));
        }
        if kind == ChangeKind::Mode && change.text.trim().is_empty() {
            let problem = "is empty, must be the mode's description";
            return Err(Error::argument(format!("{argument}.text"), problem));
        }
        if kind == ChangeKind::Mode {
            check_paths(
                self,
                &format!("{argument}.text"),
                &change.name,
                &change.text,
            )?;
        }
        if !kind.is_file() {
            check_paths(self, &name, "", &change.name)?;
        }
        Ok(Change {
            name: match kind {
                kind if kind.is_file() => self.name(&change.name),
                ChangeKind::Plan | ChangeKind::Personality => String::new(),
                _ => change.name.clone(),
            },
            text: change.text.trim_end_matches('\n').to_owned(),
            kind,
        })
    }
}
