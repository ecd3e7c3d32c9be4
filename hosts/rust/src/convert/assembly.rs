//! The prompt's assembly, its parts and blocks, and skills.

use super::settings::names;
use crate::assembly::{Assembly, PromptBlock, Zone};
use crate::bindings::exports::waybread::context::context as wit;
use crate::prompt::PromptPart;
use crate::skill::{SkillChange, SkillState, SkillTruncated};

/// An assembly, and the lists that it borrows.
pub(crate) fn with_assembly<T>(assembly: &Assembly, go: impl FnOnce(wit::Assembly<'_>) -> T) -> T {
    let context_files = names(&assembly.context_files);
    let ignore = names(&assembly.ignore);
    let skill_roots = names(&assembly.skill_roots);
    let skills = names(&assembly.skills);
    go(wit::Assembly {
        scope: &assembly.scope,
        instructions: assembly.instructions,
        context_files: &context_files,
        ignore: &ignore,
        skill_roots: &skill_roots,
        skills: &skills,
    })
}

impl From<PromptPart> for wit::PromptPart {
    fn from(part: PromptPart) -> Self {
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

impl From<wit::PromptPart> for PromptPart {
    fn from(part: wit::PromptPart) -> Self {
        match part {
            wit::PromptPart::Preamble => Self::Preamble,
            wit::PromptPart::GlobalInstructions => Self::GlobalInstructions,
            wit::PromptPart::ProjectInstructions => Self::ProjectInstructions,
            wit::PromptPart::ProjectContext => Self::ProjectContext,
            wit::PromptPart::Skill => Self::Skill,
            wit::PromptPart::PhasePrompt => Self::PhasePrompt,
            wit::PromptPart::SessionDate => Self::SessionDate,
        }
    }
}

impl From<wit::PromptBlock> for PromptBlock {
    fn from(block: wit::PromptBlock) -> Self {
        Self {
            part: block.part.map(Into::into),
            name: block.name,
            zone: match block.zone {
                wit::Zone::System => Zone::System,
                wit::Zone::User => Zone::User,
            },
            bytes: block.bytes,
            given_bytes: block.given_bytes,
            truncated: block.truncated,
        }
    }
}

impl From<wit::SkillChange> for SkillChange {
    fn from(change: wit::SkillChange) -> Self {
        Self {
            name: change.name,
            active: change.active,
        }
    }
}

impl From<wit::SkillState> for SkillState {
    fn from(skill: wit::SkillState) -> Self {
        Self {
            name: skill.name,
            enabled: skill.enabled,
            active: skill.active,
        }
    }
}

impl From<wit::SkillTruncated> for SkillTruncated {
    fn from(truncated: wit::SkillTruncated) -> Self {
        Self {
            bytes: truncated.bytes,
            cap: truncated.cap,
        }
    }
}
