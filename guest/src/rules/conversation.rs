//! The texts and numbers of conversations and requests (§8–§11, docs/requests.md).

use super::Section;
use super::by_model::{ByModel, CarryEarlier, OTHERS, ReasoningTable};
use crate::error::Error;
use crate::template::Template;

/// §11: the environment block.
#[derive(Clone, Debug)]
pub struct Env {
    pub project: Template,
    pub started: Template,
}

/// §10.3.
#[derive(Clone, Debug)]
pub struct NoteTexts {
    pub frame: Template,
    pub mode: Template,
    pub plan: Template,
    pub memory: Template,
    pub instructions: Template,
    pub personality: Template,
    pub mcp: Template,
    pub date: Template,
    pub empty: String,
}

/// How the system prompt is made (§10.2).
#[derive(Clone, Debug)]
pub struct PromptRules {
    pub refuse_dates: bool,
    pub refuse_paths: bool,
    pub instructions: Template,
}

/// What stands in for what a reply or its calls lack.
#[derive(Clone, Debug)]
pub struct Replies {
    pub unanswered: String,
    pub interrupted: String,
    pub repair: bool,
    pub call_id: String,
    pub arguments: ArgumentTexts,
}

/// What a call is sent and answered whose arguments are no JSON object.
#[derive(Clone, Debug)]
pub struct ArgumentTexts {
    pub key: String,
    pub refused: Template,
    pub ends: Template,
    pub unexpected: Template,
    pub more: Template,
    pub deep: Template,
    pub other: Template,
}

/// §10.4: the request for a last answer without tools.
#[derive(Clone, Debug)]
pub struct WrapUp {
    pub message: String,
    pub refused: String,
}

/// §8.
#[derive(Clone, Debug)]
pub struct Reasoning {
    pub carry: Carry,
    /// For every model; none where that is the model's own.
    pub earlier_turns: Option<CarryEarlier>,
    pub models: ReasoningTable,
    /// Whether calls that a turn answers keep their reply's thinking throughout it, and not until the next reply.
    pub throughout: bool,
    pub fields: Vec<String>,
    pub details: Vec<String>,
    pub blocks: Vec<String>,
    pub tags: Vec<(String, String)>,
}

/// What of reasoning is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// 3.2.0: the current turn's.
    Turn,
    /// 3.1.0: neither stripped nor added.
    AsGiven,
    /// None, for servers that refuse it.
    Never,
}

/// How bodies are spelled.
#[derive(Clone, Debug)]
pub struct Requests {
    pub system_role: String,
    pub not_resent: Vec<String>,
    pub cache_breakpoints: u32,
    pub cache_ttl: String,
    /// What stands for an image, where images are left out.
    pub image_omitted: Option<String>,
}

impl Env {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            project: section.template("project")?,
            started: section.template("started")?,
        })
    }
}

impl NoteTexts {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            frame: section.template("frame")?,
            mode: section.template("mode")?,
            plan: section.template("plan")?,
            memory: section.template("memory")?,
            instructions: section.template("instructions")?,
            personality: section.template("personality")?,
            mcp: section.template("mcp")?,
            date: section.template("date")?,
            empty: section.text("empty")?.to_owned(),
        })
    }
}

impl PromptRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            refuse_dates: section.text("dates")? == "refuse",
            refuse_paths: section.text("paths")? == "refuse",
            instructions: section.template("instructions")?,
        })
    }
}

impl Replies {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            unanswered: section.text("unanswered")?.to_owned(),
            interrupted: section.text("interrupted")?.to_owned(),
            repair: section.text("repair")? == "on",
            call_id: section.text("call_id")?.to_owned(),
            arguments: ArgumentTexts::read(section.section("arguments")?)?,
        })
    }
}

impl ArgumentTexts {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            key: section.text("key")?.to_owned(),
            refused: section.template("refused")?,
            ends: section.template("ends")?,
            unexpected: section.template("unexpected")?,
            more: section.template("more")?,
            deep: section.template("deep")?,
            other: section.template("other")?,
        })
    }
}

impl WrapUp {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            message: section.text("message")?.to_owned(),
            refused: section.text("refused")?.to_owned(),
        })
    }
}

impl Reasoning {
    /// How the requests for a model carry reasoning.
    pub fn of(&self, model: &str) -> ByModel {
        let own = self.models.find(model).unwrap_or(OTHERS);
        let earlier = match self.carry {
            Carry::AsGiven => CarryEarlier::All,
            _ => self.earlier_turns.unwrap_or(own.earlier),
        };
        ByModel {
            earlier,
            empty: own.empty && self.carry == Carry::Turn,
            ..own
        }
    }

    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        let tags = section.names("tags")?;
        let tags = tags.iter().filter_map(|tag| tag.split_once(' '));
        Ok(Self {
            carry: match section.text("carry")? {
                "as-given" => Carry::AsGiven,
                "none" => Carry::Never,
                _ => Carry::Turn,
            },
            earlier_turns: match section.text("earlier_turns")? {
                "all" => Some(CarryEarlier::All),
                "tool-calls" => Some(CarryEarlier::ToolCalls),
                "none" => Some(CarryEarlier::None),
                _ => None,
            },
            models: section.entries("models", ReasoningTable::parse)?,
            throughout: section.text("after_calls")? == "turn",
            fields: section.names("fields")?,
            details: section.names("details")?,
            blocks: section.names("blocks")?,
            tags: tags
                .map(|(opening, closing)| (opening.to_owned(), closing.to_owned()))
                .collect(),
        })
    }
}

impl Requests {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            system_role: section.text("system_role")?.to_owned(),
            not_resent: section.names("not_resent")?,
            cache_breakpoints: section.number("cache_breakpoints")?,
            cache_ttl: section.text("cache_ttl")?.to_owned(),
            image_omitted: match section.text("images_without_vision")? {
                "omit" => Some(section.owned("image_omitted")?),
                _ => None,
            },
        })
    }
}
