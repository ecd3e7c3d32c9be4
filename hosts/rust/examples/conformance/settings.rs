//! The settings of a case, and what prompts, notes and tools are made of.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use waybread::{Change, ChangeKind, Dialect, Kind, Prompt, PromptPart, PromptSource, Tool};

use crate::assembly::AssemblyFields;
use crate::text::{Text, verbatim};

/// Settings; what is left out is the default, or what the case has.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    kind: Option<KindName>,
    #[serde(default, deserialize_with = "given")]
    dialect: Option<Option<DialectName>>,
    root: Option<String>,
    #[serde(default, deserialize_with = "given")]
    home: Option<Option<String>>,
    overrides: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    start: Option<Option<String>>,
    prompt: Option<PromptFields>,
    assembly: Option<AssemblyFields>,
    tools: Option<Vec<ToolFields>>,
    recall: Option<bool>,
    vision: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    only_tools: Option<Option<Vec<String>>>,
    without_tools: Option<Vec<String>>,
    conditions: Option<Vec<String>>,
}

impl Settings {
    /// These where they are given, else the others.
    pub fn or(self, others: &Self) -> Self {
        let others = others.clone();
        Self {
            kind: self.kind.or(others.kind),
            dialect: self.dialect.or(others.dialect),
            root: self.root.or(others.root),
            home: self.home.or(others.home),
            overrides: self.overrides.or(others.overrides),
            start: self.start.or(others.start),
            prompt: self.prompt.or(others.prompt),
            assembly: self.assembly.or(others.assembly),
            tools: self.tools.or(others.tools),
            recall: self.recall.or(others.recall),
            vision: self.vision.or(others.vision),
            only_tools: self.only_tools.or(others.only_tools),
            without_tools: self.without_tools.or(others.without_tools),
            conditions: self.conditions.or(others.conditions),
        }
    }

    /// As the library takes them.
    pub fn build(&self) -> waybread::Settings {
        let kind = self.kind.map_or(Kind::Agent, Into::into);
        let root = self.root.as_deref().unwrap_or("/work/app");
        let mut settings = waybread::Settings::new(kind, root);
        settings.dialect = self.dialect.flatten().map(Into::into);
        settings.home = self.home.clone().flatten();
        settings.overrides = verbatim_or(self.overrides.as_ref(), "{}");
        settings.start = self.start.clone().flatten();
        settings.prompt = self.prompt.clone().unwrap_or_default().build();
        settings.assembly = self.assembly.clone().unwrap_or_default().build();
        settings.tools = tools(self.tools.clone().unwrap_or_default());
        settings.recall = self.recall.unwrap_or(false);
        settings.vision = self.vision.unwrap_or(true);
        settings.only_tools = self.only_tools.clone().flatten();
        settings.without_tools = self.without_tools.clone().unwrap_or_default();
        settings.conditions = self.conditions.clone().unwrap_or_default();
        settings
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KindName {
    Agent,
    Chat,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Agent => Self::Agent,
            KindName::Chat => Self::Chat,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DialectName {
    OpenaiChat,
    AnthropicMessages,
    OpenaiResponses,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::OpenaiChat => Self::OpenaiChat,
            DialectName::AnthropicMessages => Self::AnthropicMessages,
            DialectName::OpenaiResponses => Self::OpenaiResponses,
        }
    }
}

/// What the system prompt is made of.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptFields {
    #[serde(default)]
    sources: Vec<SourceFields>,
    #[serde(default)]
    told: Vec<ChangeFields>,
}

impl PromptFields {
    pub fn build(self) -> Prompt {
        let mut prompt = Prompt::new();
        prompt.sources = self.sources.into_iter().map(SourceFields::build).collect();
        prompt.told = self.told.into_iter().map(ChangeFields::build).collect();
        prompt
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFields {
    part: PartName,
    #[serde(default)]
    name: String,
    text: Text,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PartName {
    Preamble,
    GlobalInstructions,
    ProjectInstructions,
    ProjectContext,
    Skill,
    PhasePrompt,
    SessionDate,
}

impl SourceFields {
    fn build(self) -> PromptSource {
        let part = match self.part {
            PartName::Preamble => PromptPart::Preamble,
            PartName::GlobalInstructions => PromptPart::GlobalInstructions,
            PartName::ProjectInstructions => PromptPart::ProjectInstructions,
            PartName::ProjectContext => PromptPart::ProjectContext,
            PartName::Skill => PromptPart::Skill,
            PartName::PhasePrompt => PromptPart::PhasePrompt,
            PartName::SessionDate => PromptPart::SessionDate,
        };
        PromptSource::new(part, self.name, self.text.0)
    }
}

/// The value that something has.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeFields {
    kind: ChangeName,
    #[serde(default)]
    name: String,
    #[serde(default)]
    text: Text,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeName {
    Mode,
    Plan,
    Memory,
    Instructions,
    Personality,
    McpInstructions,
}

impl From<ChangeName> for ChangeKind {
    fn from(name: ChangeName) -> Self {
        match name {
            ChangeName::Mode => Self::Mode,
            ChangeName::Plan => Self::Plan,
            ChangeName::Memory => Self::Memory,
            ChangeName::Instructions => Self::Instructions,
            ChangeName::Personality => Self::Personality,
            ChangeName::McpInstructions => Self::McpInstructions,
        }
    }
}

impl ChangeFields {
    fn build(self) -> Change {
        Change::new(self.kind.into(), self.name, self.text.0)
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolFields {
    name: String,
    #[serde(default)]
    description: String,
    parameters: Option<Value>,
    definition: Option<Value>,
    #[serde(default)]
    requires: Vec<String>,
    unavailable: Option<String>,
    #[serde(default)]
    kinds: Vec<KindName>,
    #[serde(default)]
    vision: bool,
}

/// Tools as the library takes them.
pub fn tools(fields: Vec<ToolFields>) -> Vec<Tool> {
    fields.into_iter().map(ToolFields::build).collect()
}

impl ToolFields {
    fn build(self) -> Tool {
        let mut tool = Tool::new(self.name, self.description);
        tool.parameters = verbatim_or(self.parameters.as_ref(), "");
        tool.definition = self.definition.as_ref().map(verbatim);
        tool.requires = self.requires;
        tool.unavailable = self.unavailable;
        tool.kinds = self.kinds.into_iter().map(Into::into).collect();
        tool.vision = self.vision;
        tool
    }
}

fn verbatim_or(value: Option<&Value>, default: &str) -> String {
    value.map_or_else(|| default.to_owned(), verbatim)
}

/// Tells a field that is null from one that is left out.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}
