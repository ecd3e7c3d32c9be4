//! What a part of a request is, and what people call it.

use serde::{Deserialize, Serialize};

use super::ContextPart;

/// What a part of a request is, in the contract's order and with its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub enum ContextKind {
    System,
    Front,
    Tools,
    Skills,
    Summary,
    Person,
    Machine,
    Subagent,
    Notes,
    Replies,
    Reasoning,
    Calls,
    Results,
    Framing,
}

impl ContextKind {
    /// As a heading.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::System => "System prompt",
            Self::Front => "In front of the conversation",
            Self::Tools => "Tools",
            Self::Skills => "Skills",
            Self::Summary => "Summary",
            Self::Person => "Person",
            Self::Machine => "Harness",
            Self::Subagent => "Subagents",
            Self::Notes => "Notes",
            Self::Replies => "Replies",
            Self::Reasoning => "Reasoning",
            Self::Calls => "Calls",
            Self::Results => "Results",
            Self::Framing => "JSON around everything",
        }
    }

    /// Whose it is: what its bar's colour stands for. The class in the page's styles.
    pub(super) fn group(self) -> &'static str {
        match self {
            Self::System | Self::Front | Self::Tools | Self::Skills => "prompt",
            Self::Summary | Self::Person | Self::Machine | Self::Subagent | Self::Notes => "told",
            Self::Replies | Self::Reasoning | Self::Calls => "model",
            Self::Results => "results",
            Self::Framing => "framing",
        }
    }
}

impl ContextPart {
    /// `Results: grep`. Control characters of a name are shown as one that no terminal obeys.
    pub(super) fn label(&self) -> String {
        match shown(&self.name).as_str() {
            "" => self.kind.label().to_owned(),
            name => format!("{}: {name}", self.kind.label()),
        }
    }
}

/// A text that is not the component's own, in one line that a terminal only shows.
pub(super) fn shown(text: &str) -> String {
    let shown = |letter: char| {
        if letter.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            letter
        }
    };
    text.chars().map(shown).collect()
}
