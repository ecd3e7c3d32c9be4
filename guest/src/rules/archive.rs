//! What is kept of a session beside its conversation (docs/compaction.md, "Skill envelopes", "The
//! history archive", "State beside the conversation").

use super::Section;
use crate::error::Error;
use crate::template::Template;

/// `archive`: the readable history of what was summarised.
#[derive(Clone, Debug)]
pub struct ArchiveRules {
    /// Whether there is one, in Markdown.
    pub markdown: bool,
    pub path: String,
    pub marker: String,
    pub note: Template,
    pub warning: Template,
    pub omit_tools: Vec<String>,
    pub person: String,
    pub machine: String,
    pub model: String,
    pub summary: String,
    pub call: Template,
    pub ok: String,
    pub failed: String,
    pub image: String,
    pub skill: Template,
    pub subagent: String,
}

/// `skills`: how envelopes are spelled, and what may stand before them.
#[derive(Clone, Debug)]
pub struct SkillRules {
    pub element: String,
    pub notices: Vec<String>,
    pub active: Template,
    pub inactive: Template,
    pub truncated: Template,
}

/// `delegation`: what is told of subagents and of what they bring.
#[derive(Clone, Debug)]
pub struct DelegationTexts {
    pub max_chars: u32,
    pub bracket: Template,
    pub pending: Template,
    pub pending_item: Template,
}

/// `state`: how calls are summarised in a line each.
#[derive(Clone, Debug)]
pub struct StateRules {
    pub calls: u32,
    pub keys: Vec<String>,
    pub value_chars: u32,
    pub commands: Vec<String>,
    pub command_chars: u32,
    pub cut: String,
}

impl ArchiveRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            markdown: section.text("keep")? == "markdown",
            path: section.owned("path")?,
            marker: section.owned("marker")?,
            note: section.template("note")?,
            warning: section.template("warning")?,
            omit_tools: section.names("omit_tools")?,
            person: section.owned("person")?,
            machine: section.owned("machine")?,
            model: section.owned("model")?,
            summary: section.owned("summary")?,
            call: section.template("call")?,
            ok: section.owned("ok")?,
            failed: section.owned("failed")?,
            image: section.owned("image")?,
            skill: section.template("skill")?,
            subagent: section.owned("subagent")?,
        })
    }
}

impl SkillRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            element: section.owned("element")?,
            notices: section.names("notices")?,
            active: section.template("active")?,
            inactive: section.template("inactive")?,
            truncated: section.template("truncated")?,
        })
    }
}

impl DelegationTexts {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            max_chars: section.number("max_chars")?,
            bracket: section.template("bracket")?,
            pending: section.template("pending")?,
            pending_item: section.template("pending_item")?,
        })
    }
}

impl StateRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            calls: section.number("calls")?,
            keys: section.names("keys")?,
            value_chars: section.number("value_chars")?,
            commands: section.names("commands")?,
            command_chars: section.number("command_chars")?,
            cut: section.owned("cut")?,
        })
    }
}
