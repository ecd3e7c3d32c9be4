//! When and how a conversation is summarised, and who does it (docs/compaction.md, "What a stage
//! covers" to "Escalation").

use super::Section;
use crate::error::Error;
use crate::template::Template;
use crate::tokens::bare_name;

/// The texts that ask for a summary, where the settings name no others.
const PROMPT: &str = include_str!("../../../conformance/prompts/tasks/compact.md");
const EMERGENCY_PROMPT: &str =
    include_str!("../../../conformance/prompts/tasks/compact-emergency.md");

/// `compaction`, and `context.compaction`: the table of reads.
#[derive(Clone, Debug)]
pub struct CompactionRules {
    pub threshold_tokens: u32,
    pub threshold_percent: u32,
    pub retain: u32,
    pub retain_emergency: u32,
    pub retain_by: RetainBy,
    /// Whose last message is retained, if that is possible.
    pub anchor: Anchor,
    /// Whether the request for a summary holds only what is covered, not every message.
    pub older: bool,
    pub omit_images: bool,
    pub image_omitted: String,
    /// Whether the summary is a message of the system role.
    pub system_role: bool,
    pub least_freed_percent: u32,
    pub normal: SummaryLimit,
    pub emergency: SummaryLimit,
    pub summary_max: u32,
    /// What the names of models begin with that are told the limit of a chat as `max_completion_tokens`.
    pub completion_models: Vec<String>,
    pub over_percent: u32,
    /// What asks for a summary: the setting, or the text that stands for a blank one.
    pub prompt: String,
    pub emergency_prompt: String,
    pub steering: Template,
    pub summary: Template,
    pub rows: u32,
    pub table: Template,
    pub row: Template,
    pub lines: Template,
    pub part: Template,
    pub empty: String,
}

/// What is counted of what is retained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetainBy {
    Turns,
    /// Chunks of one reply each.
    Steps,
}

/// Which message a normal stage retains beside the last turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    None,
    /// The last one of the person.
    Person,
    /// That, or the last one of a machine that starts a turn.
    Task,
}

/// How long a summary may be, as a share of the window and in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SummaryLimit {
    pub percent: u32,
    pub least: u32,
    pub most: u32,
}

/// `fallback`: why a cheaper model is asked, or is not.
#[derive(Clone, Debug)]
pub struct FallbackTexts {
    pub no_request: String,
    pub idle: Template,
    pub failed: Template,
    pub too_large: Template,
}

/// `escalation`: what a session is told that was summarised again and again.
#[derive(Clone, Debug)]
pub struct EscalationRules {
    pub warning: u32,
    pub critical: u32,
    pub fragile_percent: u32,
    pub guidance_info: String,
    pub guidance_warning: String,
    pub guidance_critical: String,
}

impl CompactionRules {
    /// `section` is `compaction`, `reads` is `context.compaction`.
    pub(super) fn read(section: Section<'_>, reads: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            threshold_tokens: section.number("threshold_tokens")?,
            threshold_percent: section.number("threshold_percent")?,
            retain: section.number("retain")?,
            retain_emergency: section.number("retain_emergency")?,
            retain_by: match section.text("retain_by")? {
                "steps" => RetainBy::Steps,
                _ => RetainBy::Turns,
            },
            anchor: match section.text("anchor")? {
                "person" => Anchor::Person,
                "task" => Anchor::Task,
                _ => Anchor::None,
            },
            older: section.text("source")? == "older",
            omit_images: section.text("images")? == "omit",
            image_omitted: section.owned("image_omitted")?,
            system_role: section.text("summary_role")? == "system",
            least_freed_percent: section.number("least_freed_percent")?,
            normal: SummaryLimit::read(section, "summary")?,
            emergency: SummaryLimit::read(section, "emergency")?,
            summary_max: section.number("summary_max")?,
            completion_models: section.names("completion_models")?,
            over_percent: section.number("over_percent")?,
            prompt: unless_blank(section.text("prompt")?, PROMPT),
            emergency_prompt: unless_blank(section.text("emergency_prompt")?, EMERGENCY_PROMPT),
            steering: section.template("steering")?,
            summary: section.template("summary")?,
            rows: reads.number("rows")?,
            table: reads.template("table")?,
            row: reads.template("row")?,
            lines: reads.template("lines")?,
            part: reads.template("part")?,
            empty: reads.owned("empty")?,
        })
    }
}

impl CompactionRules {
    /// Whether a model is told the limit of a chat as `max_completion_tokens`.
    pub fn counts_completion(&self, model: &str) -> bool {
        let name = bare_name(model);
        let mut known = self.completion_models.iter();
        known.any(|prefix| name.starts_with(prefix.as_str()))
    }
}

/// The setting, or what a prompt file says without a transcript and without the newline at its end.
fn unless_blank(setting: &str, file: &str) -> String {
    if setting.trim().is_empty() {
        let file = file.strip_suffix('\n').unwrap_or(file);
        Template::parse(file).fill(&[])
    } else {
        setting.to_owned()
    }
}

impl SummaryLimit {
    fn read(section: Section<'_>, stage: &str) -> Result<Self, Error> {
        Ok(Self {
            percent: section.number(&format!("{stage}_percent"))?,
            least: section.number(&format!("{stage}_least"))?,
            most: section.number(&format!("{stage}_most"))?,
        })
    }
}

impl FallbackTexts {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            no_request: section.owned("no_request")?,
            idle: section.template("idle")?,
            failed: section.template("failed")?,
            too_large: section.template("too_large")?,
        })
    }
}

impl EscalationRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        let guidance = section.section("guidance")?;
        Ok(Self {
            warning: section.number("warning")?,
            critical: section.number("critical")?,
            fragile_percent: section.number("fragile_percent")?,
            guidance_info: guidance.owned("info")?,
            guidance_warning: guidance.owned("warning")?,
            guidance_critical: guidance.owned("critical")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_prompt_is_the_file_without_its_placeholders() {
        for file in [PROMPT, EMERGENCY_PROMPT] {
            let text = unless_blank(" \n", file);
            assert!(file.contains("{{transcript}}") && file.ends_with(".\n"));
            assert!(!text.contains("{{") && text.ends_with('.'));
            assert_eq!(text.lines().count(), file.lines().count());
        }
        assert_eq!(unless_blank(" Sum up. \n", PROMPT), " Sum up. \n");
    }
}
