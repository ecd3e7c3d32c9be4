//! Snapshots and what fills the window, as the contract says them and as the rules take them.

use super::bindings::exports::waybread::context::context as exported;
use crate as rules;

impl From<rules::Snapshot> for exported::Snapshot {
    fn from(snapshot: rules::Snapshot) -> Self {
        let hash = |hash: rules::MessageHash| exported::MessageHash {
            message: hash.message,
            role: hash.role,
            hash: hash.hash,
        };
        Self {
            request: snapshot.request,
            messages: snapshot.messages.into_iter().map(hash).collect(),
            prompt_bytes: snapshot.prompt_bytes,
            blocks_bytes: snapshot.blocks_bytes,
            tools_bytes: snapshot.tools_bytes,
            max_tokens: snapshot.max_tokens,
        }
    }
}

impl From<exported::Snapshot> for rules::Snapshot {
    fn from(snapshot: exported::Snapshot) -> Self {
        let hash = |hash: exported::MessageHash| rules::MessageHash {
            message: hash.message,
            role: hash.role,
            hash: hash.hash,
        };
        Self {
            request: snapshot.request,
            messages: snapshot.messages.into_iter().map(hash).collect(),
            prompt_bytes: snapshot.prompt_bytes,
            blocks_bytes: snapshot.blocks_bytes,
            tools_bytes: snapshot.tools_bytes,
            max_tokens: snapshot.max_tokens,
        }
    }
}

impl From<rules::Diagnosis> for exported::Diagnosis {
    fn from(diagnosis: rules::Diagnosis) -> Self {
        Self {
            predecessor_known: diagnosis.predecessor_known,
            shared: diagnosis.shared,
            earlier: diagnosis.earlier,
            differs_at: diagnosis.differs_at,
            prefix: diagnosis.prefix,
        }
    }
}

impl From<rules::ContextReport> for exported::ContextReport {
    fn from(report: rules::ContextReport) -> Self {
        let part = |part: rules::ContextPart| exported::ContextPart {
            kind: kind(part.kind),
            name: part.name,
            count: part.count,
            bytes: part.bytes,
            tokens: part.tokens,
        };
        let big = |result: rules::BigResult| exported::BigResult {
            id: result.id,
            tool: result.tool,
            bytes: result.bytes,
            tokens: result.tokens,
        };
        Self {
            bytes: report.bytes,
            pressure: report.pressure.into(),
            parts: report.parts.into_iter().map(part).collect(),
            biggest: report.biggest.into_iter().map(big).collect(),
        }
    }
}

fn kind(kind: rules::ContextKind) -> exported::ContextKind {
    use rules::ContextKind;
    match kind {
        ContextKind::System => exported::ContextKind::System,
        ContextKind::Front => exported::ContextKind::Front,
        ContextKind::Tools => exported::ContextKind::Tools,
        ContextKind::Skills => exported::ContextKind::Skills,
        ContextKind::Summary => exported::ContextKind::Summary,
        ContextKind::Person => exported::ContextKind::Person,
        ContextKind::Machine => exported::ContextKind::Machine,
        ContextKind::Subagent => exported::ContextKind::Subagent,
        ContextKind::Notes => exported::ContextKind::Notes,
        ContextKind::Replies => exported::ContextKind::Replies,
        ContextKind::Reasoning => exported::ContextKind::Reasoning,
        ContextKind::Calls => exported::ContextKind::Calls,
        ContextKind::Results => exported::ContextKind::Results,
        ContextKind::Framing => exported::ContextKind::Framing,
    }
}
