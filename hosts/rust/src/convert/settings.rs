//! What a session begins with: prompts, changes and tools.

use super::assembly::with_assembly;
use crate::bindings::exports::waybread::context::context as wit;
use crate::note::{Change, ChangeKind};
use crate::prompt::{Prefix, Prompt, PromptSource};
use crate::settings::{Dialect, Kind, Settings};
use crate::tool::Tool;

/// Settings, and the lists that they borrow.
pub(crate) fn with_settings<T>(settings: &Settings, go: impl FnOnce(wit::Settings<'_>) -> T) -> T {
    let only_tools = settings.only_tools.as_deref().map(names);
    let (without_tools, conditions) = (names(&settings.without_tools), names(&settings.conditions));
    with_beginning(settings, |prompt, assembly, tools| {
        go(wit::Settings {
            kind: kind(settings.kind),
            dialect: settings.dialect.map(dialect),
            root: &settings.root,
            home: settings.home.as_deref(),
            overrides: &settings.overrides,
            start: settings.start.as_deref(),
            prompt,
            assembly,
            tools,
            recall: settings.recall,
            vision: settings.vision,
            only_tools: only_tools.as_deref(),
            without_tools: &without_tools,
            conditions: &conditions,
        })
    })
}

/// What stands at the front of a session's requests.
fn with_beginning<T>(
    settings: &Settings,
    go: impl FnOnce(wit::Prompt<'_>, wit::Assembly<'_>, &[wit::Tool<'_>]) -> T,
) -> T {
    with_prompt(&settings.prompt, |prompt| {
        with_assembly(&settings.assembly, |assembly| {
            with_tools(&settings.tools, |tools| go(prompt, assembly, tools))
        })
    })
}

/// A prompt, and the lists that it borrows.
pub(crate) fn with_prompt<T>(prompt: &Prompt, go: impl FnOnce(wit::Prompt<'_>) -> T) -> T {
    let sources: Vec<wit::PromptSource<'_>> = prompt.sources.iter().map(source).collect();
    let told: Vec<wit::Change<'_>> = prompt.told.iter().map(change).collect();
    go(wit::Prompt {
        sources: &sources,
        told: &told,
    })
}

/// Tools, and the lists that they borrow.
pub(crate) fn with_tools<T>(tools: &[Tool], go: impl FnOnce(&[wit::Tool<'_>]) -> T) -> T {
    let lists: Vec<_> = tools.iter().map(lists).collect();
    let tools = tools.iter().zip(&lists);
    let tools = tools.map(|(tool, (requires, kinds))| wit::Tool {
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
        definition: tool.definition.as_deref(),
        requires,
        unavailable: tool.unavailable.as_deref(),
        kinds,
        vision: tool.vision,
    });
    go(&tools.collect::<Vec<_>>())
}

fn lists(tool: &Tool) -> (Vec<&str>, Vec<wit::Kind>) {
    let kinds = tool.kinds.iter().copied().map(kind).collect();
    (names(&tool.requires), kinds)
}

pub(crate) fn change(change: &Change) -> wit::Change<'_> {
    wit::Change {
        kind: match change.kind {
            ChangeKind::Mode => wit::ChangeKind::Mode,
            ChangeKind::Plan => wit::ChangeKind::Plan,
            ChangeKind::Memory => wit::ChangeKind::Memory,
            ChangeKind::Instructions => wit::ChangeKind::Instructions,
            ChangeKind::Personality => wit::ChangeKind::Personality,
            ChangeKind::McpInstructions => wit::ChangeKind::McpInstructions,
        },
        name: &change.name,
        text: &change.text,
    }
}

fn source(source: &PromptSource) -> wit::PromptSource<'_> {
    wit::PromptSource {
        part: source.part.into(),
        name: &source.name,
        text: &source.text,
    }
}

fn kind(kind: Kind) -> wit::Kind {
    match kind {
        Kind::Agent => wit::Kind::Agent,
        Kind::Chat => wit::Kind::Chat,
    }
}

fn dialect(dialect: Dialect) -> wit::Dialect {
    match dialect {
        Dialect::OpenaiChat => wit::Dialect::OpenaiChat,
        Dialect::AnthropicMessages => wit::Dialect::AnthropicMessages,
        Dialect::OpenaiResponses => wit::Dialect::OpenaiResponses,
    }
}

pub(super) fn names(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

impl From<wit::Prefix> for Prefix {
    fn from(prefix: wit::Prefix) -> Self {
        Self {
            system: prefix.system,
            tools: prefix.tools,
        }
    }
}
