//! What is kept of a session beside its conversation (docs/compaction.md, "Skill envelopes", "The
//! history archive", "State beside the conversation").

use super::{Cap, Section};
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
    /// What an answer is held to, as an output is to the cap (§3).
    pub cap: Cap,
    pub bracket: Template,
    /// The states in which nothing is to come any more.
    pub ended: Vec<String>,
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
    /// `cap` is that of outputs, whose words an answer that is too long has too.
    pub(super) fn read(section: Section<'_>, cap: &Cap) -> Result<Self, Error> {
        let most = section.number("max_chars")?;
        let cap = Cap {
            max_lines: u32::MAX,
            max_chars: most,
            head_lines: u32::MAX,
            head_chars: (most / 2).max(1),
            tail_lines: u32::MAX,
            tail_chars: most / 4,
            ..cap.clone()
        };
        Ok(Self {
            cap,
            bracket: section.template("bracket")?,
            ended: section.names("ended")?,
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
