//! The steps of the prompt, of skills and subagents, and those that look at a request.

use serde::Deserialize;
use serde_json::Value;
use waybread::{Assembly, Delegation};

use crate::settings::PromptFields;
use crate::step::{BuildRequest, Nothing};
use crate::text::{Text, fields};

/// A step, as it is performed.
pub enum AssemblyStep {
    SetAssembly(SetAssembly),
    PromptReport,
    EnableSkill(EnableSkill),
    DisableSkill(Name),
    Skills,
    Delegate(Delegate),
    DelegateProgress(DelegateProgress),
    Delegates,
    Snapshot,
    Diagnose(Diagnose),
    ContextReport(BuildRequest),
    FileReads,
}

impl AssemblyStep {
    pub fn of(kind: &str, given: Value) -> Result<Self, String> {
        Ok(match kind {
            "set-assembly" => Self::SetAssembly(fields(given)?),
            "prompt-report" => fields(given).map(|Nothing {}| Self::PromptReport)?,
            "enable-skill" => Self::EnableSkill(fields(given)?),
            "disable-skill" => Self::DisableSkill(fields(given)?),
            "skills" => fields(given).map(|Nothing {}| Self::Skills)?,
            "delegate" => Self::Delegate(fields(given)?),
            "delegate-progress" => Self::DelegateProgress(fields(given)?),
            "delegates" => fields(given).map(|Nothing {}| Self::Delegates)?,
            "snapshot" => fields(given).map(|Nothing {}| Self::Snapshot)?,
            "diagnose" => Self::Diagnose(fields(given)?),
            "context-report" => Self::ContextReport(fields(given)?),
            "file-reads" => fields(given).map(|Nothing {}| Self::FileReads)?,
            other => return Err(format!("`{other}` is nothing that a step can `do`")),
        })
    }
}

/// What is read for the prompt.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AssemblyFields {
    scope: String,
    instructions: bool,
    context_files: Vec<String>,
    ignore: Vec<String>,
    skill_roots: Vec<String>,
    skills: Vec<String>,
}

impl AssemblyFields {
    /// As the library takes it.
    pub fn build(self) -> Assembly {
        Assembly::new()
            .scope(self.scope)
            .instructions(self.instructions)
            .context_files(self.context_files)
            .ignore(self.ignore)
            .skill_roots(self.skill_roots)
            .skills(self.skills)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetAssembly {
    pub assembly: AssemblyFields,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnableSkill {
    pub name: String,
    pub text: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    pub name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Delegate {
    pub key: String,
    kind: String,
    #[serde(default)]
    prompt: PromptFields,
    #[serde(default)]
    assembly: AssemblyFields,
    only_tools: Option<Vec<String>>,
}

impl Delegate {
    /// As the library takes it.
    pub fn delegation(self) -> Delegation {
        let mut delegation = Delegation::new(self.key, self.kind)
            .prompt(self.prompt.build())
            .assembly(self.assembly.build());
        delegation.only_tools = self.only_tools;
        delegation
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelegateProgress {
    pub key: String,
    pub state: String,
}

/// Steps by their positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnose {
    pub earlier: Option<usize>,
    pub later: usize,
}
