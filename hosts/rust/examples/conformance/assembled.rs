//! Answers of the prompt, of skills and subagents, and of what looks at a request.

use serde_json::{Value, json};
use waybread::{
    BigResult, ContextPart, ContextReport, DelegateState, Diagnosis, MessageHash, PromptBlock,
    PromptPart, SkillChange, SkillState, SkillTruncated, Snapshot,
};

use crate::pressed::pressure;
use crate::transcript::{Answer, list};

impl From<Vec<PromptBlock>> for Answer {
    fn from(blocks: Vec<PromptBlock>) -> Self {
        let block = |block: &PromptBlock| {
            json!({
                "part": block.part.map(PromptPart::name),
                "name": block.name,
                "zone": block.zone.name(),
                "bytes": block.bytes,
                "given-bytes": block.given_bytes,
                "truncated": block.truncated,
            })
        };
        Self::value(list(&blocks, block))
    }
}

/// A skill that an added message told of.
pub fn skill_change(change: &SkillChange) -> Value {
    json!({"name": change.name, "active": change.active})
}

impl From<Option<SkillTruncated>> for Answer {
    fn from(truncated: Option<SkillTruncated>) -> Self {
        let truncated =
            truncated.map(|truncated| json!({"bytes": truncated.bytes, "cap": truncated.cap}));
        Self::value(truncated.into())
    }
}

impl From<Vec<SkillState>> for Answer {
    fn from(skills: Vec<SkillState>) -> Self {
        let skill = |skill: &SkillState| json!({"name": skill.name, "enabled": skill.enabled, "active": skill.active});
        Self::value(list(&skills, skill))
    }
}

impl From<Vec<DelegateState>> for Answer {
    fn from(delegates: Vec<DelegateState>) -> Self {
        let delegate = |delegate: &DelegateState| json!({"key": delegate.key, "kind": delegate.kind, "state": delegate.state});
        Self::value(list(&delegates, delegate))
    }
}

/// What the newest request held.
pub fn snapshot(snapshot: &Snapshot) -> Answer {
    let message = |message: &MessageHash| json!({"message": message.message, "role": message.role, "hash": message.hash});
    let answer = json!({
        "request": snapshot.request,
        "messages": list(&snapshot.messages, message),
        "prompt-bytes": snapshot.prompt_bytes,
        "blocks-bytes": snapshot.blocks_bytes,
        "tools-bytes": snapshot.tools_bytes,
        "max-tokens": snapshot.max_tokens,
    });
    Answer::value(answer)
}

impl From<Diagnosis> for Answer {
    fn from(diagnosis: Diagnosis) -> Self {
        let answer = json!({
            "predecessor-known": diagnosis.predecessor_known,
            "shared": diagnosis.shared,
            "earlier": diagnosis.earlier,
            "differs-at": diagnosis.differs_at,
            "prefix": diagnosis.prefix,
        });
        Self::value(answer)
    }
}

impl From<ContextReport> for Answer {
    fn from(report: ContextReport) -> Self {
        let answer = json!({
            "bytes": report.bytes,
            "pressure": pressure(&report.pressure),
            "parts": list(&report.parts, part),
            "biggest": list(&report.biggest, big_result),
        });
        Self::value(answer)
    }
}

fn part(part: &ContextPart) -> Value {
    json!({
        "kind": part.kind.name(),
        "name": part.name,
        "count": part.count,
        "bytes": part.bytes,
        "tokens": part.tokens,
    })
}

fn big_result(result: &BigResult) -> Value {
    json!({
        "id": result.id,
        "tool": result.tool,
        "bytes": result.bytes,
        "tokens": result.tokens,
    })
}
