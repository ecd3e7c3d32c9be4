//! The blocks of the prompt, in their order, in two zones (docs/assembly.md, "Sources and zones").

use serde::{Deserialize, Serialize};

use super::Found;
use super::budget::Remainder;
use crate::notes::{Change, ChangeKind};
use crate::prompt::{Place, Prompt, PromptPart, PromptSource};
use crate::record::Dialect;

/// Whose words a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// The harness's and the person's standing instructions.
    System,
    /// What a user's message holds.
    User,
}

impl Zone {
    /// The role that its messages have, where the settings name no other.
    pub fn role(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
        }
    }

    /// What stands between its blocks in one message.
    pub fn separator(self) -> &'static str {
        match self {
            Self::System => "\n\n",
            Self::User => "\n",
        }
    }
}

/// A block as it was made. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct PromptBlock {
    pub part: Option<PromptPart>,
    pub name: String,
    pub zone: Zone,
    pub bytes: u32,
    pub given_bytes: u32,
    pub truncated: bool,
}

/// A message that the prompt puts in front of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontMessage {
    /// Who speaks.
    pub zone: Zone,
    /// The text.
    pub text: String,
}

/// The prompt as it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The whole system zone.
    pub system: String,
    /// The messages in front, the system prompt among them where the dialect has it there.
    pub front: Vec<FrontMessage>,
    /// What they were made of.
    pub blocks: Vec<PromptBlock>,
    /// The instruction files in it that the session read itself. Not known of a prompt of before it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Change>,
}

/// A block with its text.
struct Block {
    block: PromptBlock,
    text: String,
}

/// Makes the prompt. `start` is where the person started, below the root; `recall` is whether the model
/// is told of it.
pub fn made(
    place: Place<'_>,
    dialect: Dialect,
    prompt: &Prompt,
    found: &Found,
    start: Option<&str>,
    recall: bool,
) -> Made {
    let maker = Maker {
        place,
        prompt,
        found,
    };
    let mut blocks = maker.system(PromptPart::Preamble);
    blocks.extend(own("environment", place.environment(start)));
    blocks.extend(own("context", recall.then(|| place.context_block())));
    blocks.extend(maker.system(PromptPart::GlobalInstructions));
    blocks.extend(maker.system(PromptPart::ProjectInstructions));
    let rules = &place.rules.assembly;
    let budget = Remainder::new(rules.project_context_bytes);
    blocks.extend(maker.budgeted(PromptPart::ProjectContext, budget, ""));
    let budget = Remainder::new(rules.skill_bytes);
    blocks.extend(maker.budgeted(PromptPart::Skill, budget, &rules.skill_frame));
    blocks.extend(maker.system(PromptPart::PhasePrompt));
    blocks.extend(maker.date());
    Made {
        told: maker.told(),
        ..rendered(blocks, dialect)
    }
}

struct Maker<'a> {
    place: Place<'a>,
    prompt: &'a Prompt,
    found: &'a Found,
}

impl Maker<'_> {
    /// The sources of a part: the caller's, then what was read.
    fn sources(&self, part: PromptPart) -> impl Iterator<Item = &PromptSource> {
        let found = match part {
            PromptPart::GlobalInstructions | PromptPart::ProjectInstructions => {
                self.found.instructions.as_slice()
            }
            PromptPart::ProjectContext => self.found.context.as_slice(),
            PromptPart::Skill => self.found.skills.as_slice(),
            PromptPart::Preamble | PromptPart::PhasePrompt | PromptPart::SessionDate => &[],
        };
        let given = self.prompt.sources.iter().chain(found);
        given.filter(move |source| source.part == part)
    }

    fn system(&self, part: PromptPart) -> Vec<Block> {
        let sources = self.sources(part);
        let blocks = sources.map(|source| {
            let text = self.place.block(source);
            let name = match part {
                PromptPart::Preamble | PromptPart::PhasePrompt => source.name.clone(),
                _ => self.place.name(&source.name),
            };
            block(Some(part), name, Zone::System, text.len(), false, text)
        });
        blocks.filter(|block| !block.text.is_empty()).collect()
    }

    /// The instruction files that were read, as a note tells them.
    fn told(&self) -> Vec<Change> {
        let read = self.found.instructions.iter().map(|source| Change {
            kind: ChangeKind::Instructions,
            name: self.place.name(&source.name),
            text: source.text.trim_end_matches('\n').to_owned(),
        });
        read.filter(|change| !change.text.is_empty()).collect()
    }

    /// Blocks that share a budget, with a frame before the first.
    fn budgeted(&self, part: PromptPart, mut left: Remainder, frame: &str) -> Vec<Block> {
        let sources = self.sources(part).filter(|source| !source.text.is_empty());
        let mut blocks = Vec::new();
        for source in sources {
            if blocks.is_empty() && !frame.trim().is_empty() {
                let (text, cut) = left.take(frame);
                let text = text.to_owned();
                let name = "skills".to_owned();
                blocks.push(block(None, name, Zone::User, frame.len(), cut, text));
            }
            let (text, cut) = left.take(&source.text);
            let (name, text) = (source.name.clone(), text.to_owned());
            let given = source.text.len();
            blocks.push(block(Some(part), name, Zone::User, given, cut, text));
        }
        blocks
    }

    fn date(&self) -> Option<Block> {
        let date = self.sources(PromptPart::SessionDate).next()?;
        let said = date.text.trim();
        if said.is_empty() {
            return None;
        }
        let template = &self.place.rules.assembly.session_date;
        let text = template.fill(&[("date", said)]);
        let part = Some(PromptPart::SessionDate);
        let name = date.name.clone();
        Some(block(part, name, Zone::User, text.len(), false, text))
    }
}

fn own(name: &str, text: Option<String>) -> Option<Block> {
    let text = text.filter(|text| !text.is_empty())?;
    let name = name.to_owned();
    Some(block(None, name, Zone::System, text.len(), false, text))
}

fn block(
    part: Option<PromptPart>,
    name: String,
    zone: Zone,
    given: usize,
    truncated: bool,
    text: String,
) -> Block {
    let size = crate::draft::size;
    Block {
        block: PromptBlock {
            part,
            name,
            zone,
            bytes: size(text.len()),
            given_bytes: size(given),
            truncated,
        },
        text,
    }
}

/// Consecutive blocks of one zone are one message. A dialect with one system prompt has all of its zone
/// there.
fn rendered(blocks: Vec<Block>, dialect: Dialect) -> Made {
    let said = |zone: Option<Zone>| {
        let blocks = blocks.iter().filter(|block| !block.text.is_empty());
        blocks.filter(move |block| zone.is_none_or(|zone| block.block.zone == zone))
    };
    let system: Vec<&str> = said(Some(Zone::System))
        .map(|block| block.text.as_str())
        .collect();
    let zone = match dialect {
        Dialect::OpenaiChat => None,
        Dialect::AnthropicMessages | Dialect::OpenaiResponses => Some(Zone::User),
    };
    let mut front: Vec<FrontMessage> = Vec::new();
    for block in said(zone) {
        match front
            .last_mut()
            .filter(|last| last.zone == block.block.zone)
        {
            Some(last) => {
                last.text.push_str(last.zone.separator());
                last.text.push_str(&block.text);
            }
            None => front.push(FrontMessage {
                zone: block.block.zone,
                text: block.text.clone(),
            }),
        }
    }
    Made {
        system: system.join(Zone::System.separator()),
        front,
        blocks: blocks.into_iter().map(|block| block.block).collect(),
        told: Vec::new(),
    }
}
