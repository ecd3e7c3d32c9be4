//! What fills the window.

use crate::bindings::exports::waybread::context::context as wit;
use crate::report::{BigResult, ContextKind, ContextPart, ContextReport};

impl From<wit::ContextReport> for ContextReport {
    fn from(report: wit::ContextReport) -> Self {
        Self {
            bytes: report.bytes,
            pressure: report.pressure.into(),
            parts: report.parts.into_iter().map(Into::into).collect(),
            biggest: report.biggest.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<wit::ContextPart> for ContextPart {
    fn from(part: wit::ContextPart) -> Self {
        Self {
            kind: part.kind.into(),
            name: part.name,
            count: part.count,
            bytes: part.bytes,
            tokens: part.tokens,
        }
    }
}

impl From<wit::ContextKind> for ContextKind {
    fn from(kind: wit::ContextKind) -> Self {
        match kind {
            wit::ContextKind::System => Self::System,
            wit::ContextKind::Front => Self::Front,
            wit::ContextKind::Tools => Self::Tools,
            wit::ContextKind::Skills => Self::Skills,
            wit::ContextKind::Summary => Self::Summary,
            wit::ContextKind::Person => Self::Person,
            wit::ContextKind::Machine => Self::Machine,
            wit::ContextKind::Subagent => Self::Subagent,
            wit::ContextKind::Notes => Self::Notes,
            wit::ContextKind::Replies => Self::Replies,
            wit::ContextKind::Reasoning => Self::Reasoning,
            wit::ContextKind::Calls => Self::Calls,
            wit::ContextKind::Results => Self::Results,
            wit::ContextKind::Framing => Self::Framing,
        }
    }
}

impl From<wit::BigResult> for BigResult {
    fn from(result: wit::BigResult) -> Self {
        Self {
            id: result.id,
            tool: result.tool,
            bytes: result.bytes,
            tokens: result.tokens,
        }
    }
}
