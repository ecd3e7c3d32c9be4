//! Prompt assembly, skills and subagents, as the contract says them and as the rules take them.

use super::bindings::exports::waybread::context::context as exported;
use crate as rules;

impl From<exported::Assembly> for rules::Assembly {
    fn from(assembly: exported::Assembly) -> Self {
        Self {
            scope: assembly.scope,
            instructions: assembly.instructions,
            context_files: assembly.context_files,
            ignore: assembly.ignore,
            skill_roots: assembly.skill_roots,
            skills: assembly.skills,
        }
    }
}

impl From<rules::PromptBlock> for exported::PromptBlock {
    fn from(block: rules::PromptBlock) -> Self {
        Self {
            part: block.part.map(Into::into),
            name: block.name,
            zone: match block.zone {
                rules::Zone::System => exported::Zone::System,
                rules::Zone::User => exported::Zone::User,
            },
            bytes: block.bytes,
            given_bytes: block.given_bytes,
            truncated: block.truncated,
        }
    }
}

impl From<exported::PromptPart> for rules::PromptPart {
    fn from(part: exported::PromptPart) -> Self {
        use exported::PromptPart;
        match part {
            PromptPart::Preamble => Self::Preamble,
            PromptPart::GlobalInstructions => Self::GlobalInstructions,
            PromptPart::ProjectInstructions => Self::ProjectInstructions,
            PromptPart::ProjectContext => Self::ProjectContext,
            PromptPart::Skill => Self::Skill,
            PromptPart::PhasePrompt => Self::PhasePrompt,
            PromptPart::SessionDate => Self::SessionDate,
        }
    }
}

impl From<rules::PromptPart> for exported::PromptPart {
    fn from(part: rules::PromptPart) -> Self {
        use rules::PromptPart;
        match part {
            PromptPart::Preamble => Self::Preamble,
            PromptPart::GlobalInstructions => Self::GlobalInstructions,
            PromptPart::ProjectInstructions => Self::ProjectInstructions,
            PromptPart::ProjectContext => Self::ProjectContext,
            PromptPart::Skill => Self::Skill,
            PromptPart::PhasePrompt => Self::PhasePrompt,
            PromptPart::SessionDate => Self::SessionDate,
        }
    }
}

impl From<rules::SkillChange> for exported::SkillChange {
    fn from(change: rules::SkillChange) -> Self {
        Self {
            name: change.name,
            active: change.active,
        }
    }
}

impl From<rules::SkillState> for exported::SkillState {
    fn from(state: rules::SkillState) -> Self {
        Self {
            name: state.name,
            enabled: state.enabled,
            active: state.active,
        }
    }
}

impl From<rules::SkillTruncated> for exported::SkillTruncated {
    fn from(truncated: rules::SkillTruncated) -> Self {
        Self {
            bytes: truncated.bytes,
            cap: truncated.cap,
        }
    }
}

impl From<exported::Delegation> for rules::Delegation {
    fn from(delegation: exported::Delegation) -> Self {
        Self {
            key: delegation.key,
            kind: delegation.kind,
            prompt: delegation.prompt.into(),
            assembly: delegation.assembly.into(),
            only_tools: delegation.only_tools,
        }
    }
}

impl From<rules::DelegateState> for exported::DelegateState {
    fn from(delegate: rules::DelegateState) -> Self {
        Self {
            key: delegate.key,
            kind: delegate.kind,
            state: delegate.state,
        }
    }
}
