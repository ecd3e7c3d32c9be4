//! What fills the window (`docs/assembly.md`, "What fills the window").

use crate::pressure::Pressure;

/// What the next request would hold, part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextReport {
    /// The body's length in bytes.
    pub bytes: u32,
    /// How full the window would be.
    pub pressure: Pressure,
    /// The parts. Their bytes add up to `bytes`.
    pub parts: Vec<ContextPart>,
    /// The largest results first, at most the setting `report.biggest` of them.
    pub biggest: Vec<BigResult>,
}

/// A part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextPart {
    /// What it is.
    pub kind: ContextKind,
    /// A source's, a tool's or a skill's name; empty for the others.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// Bytes in the body.
    pub bytes: u32,
    /// Estimated tokens, calibrated like the request's. Those of all parts may differ from it by
    /// rounding.
    pub tokens: u32,
}

/// What a part of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContextKind {
    /// A block of the system prompt.
    System,
    /// A block of the user zone that the prompt put in front.
    Front,
    /// A tool as it is listed.
    Tools,
    /// A skill's envelopes.
    Skills,
    /// The summary of a compaction.
    Summary,
    /// Messages of the person.
    Person,
    /// Messages of the harness, a job or a team.
    Machine,
    /// What subagents brought as messages.
    Subagent,
    /// Notes on what changed.
    Notes,
    /// The model's words.
    Replies,
    /// The model's reasoning.
    Reasoning,
    /// Arguments of one tool's calls.
    Calls,
    /// Results of one tool.
    Results,
    /// Model, parameters and the JSON around everything.
    Framing,
}

impl ContextKind {
    /// The name that the contract gives it: `results`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Front => "front",
            Self::Tools => "tools",
            Self::Skills => "skills",
            Self::Summary => "summary",
            Self::Person => "person",
            Self::Machine => "machine",
            Self::Subagent => "subagent",
            Self::Notes => "notes",
            Self::Replies => "replies",
            Self::Reasoning => "reasoning",
            Self::Calls => "calls",
            Self::Results => "results",
            Self::Framing => "framing",
        }
    }
}

/// One of the largest results in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BigResult {
    /// `#0012`.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// Bytes in the body.
    pub bytes: u32,
    /// Estimated tokens.
    pub tokens: u32,
}
