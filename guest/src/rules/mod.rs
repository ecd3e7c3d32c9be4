//! The texts and numbers of the rules: `conformance/loop.json`, and what a session changes of it.

mod archive;
mod assembly;
mod budget;
mod by_model;
mod compaction;
mod conversation;
mod section;

use serde_json::Value;

use crate::error::Error;
use crate::id::{IdPrefix, Ids};
use crate::overrides;
use crate::template::Template;
use section::Section;

pub use archive::{ArchiveRules, DelegationTexts, SkillRules, StateRules};
pub use assembly::{AssemblyRules, is_looked_for};
pub use budget::{BudgetRules, LimitTable, TokenRules, parse_parameters};
pub use by_model::{ByModel, CarryEarlier, ReasoningTable};
pub use compaction::{
    Anchor, CompactionRules, EscalationRules, FallbackTexts, RetainBy, SummaryLimit,
};
pub use conversation::{
    ArgumentTexts, Carry, Env, NoteTexts, PromptRules, Reasoning, Replies, Requests, WrapUp,
};

/// The one copy of every text and number.
const LOOP_JSON: &str = include_str!("../../../conformance/loop.json");

/// `loop.json` with a session's overrides.
#[derive(Clone, Debug)]
pub struct Rules {
    pub ids: Ids,
    pub sha_digits: u32,
    pub max_bytes: u32,
    pub reads: Reads,
    pub cap: Cap,
    pub recall: Recall,
    pub edits: Edits,
    pub dedupe: Dedupe,
    pub bracket: Template,
    pub repeated_chars: u32,
    pub nul: String,
    pub env: Env,
    pub note: NoteTexts,
    pub prompt: PromptRules,
    pub unavailable: Template,
    pub replies: Replies,
    pub wrap_up: WrapUp,
    pub reasoning: Reasoning,
    pub requests: Requests,
    pub budget: BudgetRules,
    pub compaction: CompactionRules,
    pub fallback: FallbackTexts,
    pub escalation: EscalationRules,
    pub archive: ArchiveRules,
    pub assembly: AssemblyRules,
    pub snapshots_go: bool,
    pub biggest: u32,
    pub skills: SkillRules,
    pub delegation: DelegationTexts,
    pub state: StateRules,
    pub tokens: TokenRules,
}

/// §1 and §2.
#[derive(Clone, Debug)]
pub struct Reads {
    pub window: u32,
    pub max_chars: u32,
    pub full_after_stubs: u32,
    /// Whether a stub names a read of exactly the same lines only.
    pub exact_ranges: bool,
    pub bracket: Template,
    pub part: Template,
    pub empty: Template,
    pub line: Template,
    pub stub: Template,
    pub more: Template,
    pub cut: Template,
    pub past_end: Template,
    pub not_found: Template,
    pub denied: Template,
    pub is_directory: Template,
    pub not_a_file: Template,
    pub unreadable: Template,
    pub binary: Template,
}

/// §3.
#[derive(Clone, Debug)]
pub struct Cap {
    pub max_lines: u32,
    pub max_chars: u32,
    pub head_lines: u32,
    pub head_chars: u32,
    pub tail_lines: u32,
    pub tail_chars: u32,
    pub head: Template,
    pub elided: Template,
    pub elided_characters: Template,
    pub elided_both: Template,
    pub cut: String,
}

/// §4.
#[derive(Clone, Debug)]
pub struct Recall {
    pub window: u32,
    pub max_chars: u32,
    pub bracket: Template,
    pub part: Template,
    pub empty: Template,
    pub unknown: Template,
    pub past_end: Template,
    pub past_line_end: Template,
    pub more: Template,
    pub cut: Template,
}

/// §5.
#[derive(Clone, Debug)]
pub struct Edits {
    pub answer: EditAnswer,
    pub context_lines: u32,
    pub bracket: Template,
    pub deleted: Template,
    pub file_bracket: Template,
    pub file_deleted: Template,
    pub created: Template,
    pub no_change: Template,
    pub binary: Template,
    pub summary: Template,
    pub no_newline: String,
}

/// What an edit answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditAnswer {
    Diff,
    Summary,
}

/// §6.
#[derive(Clone, Debug)]
pub struct Dedupe {
    pub by_result: Vec<String>,
    pub stub: Template,
}

/// `loop.json` with a session's overrides, as JSON and as rules.
///
/// # Errors
///
/// `invalid-setting` with the key's dotted name.
pub fn with_overrides(given: &Value) -> Result<(Value, Rules), Error> {
    let merged = overrides::merge(&defaults()?, given)?;
    let rules = Rules::read(&merged)?;
    Ok((merged, rules))
}

/// The rules that a session began with, as its log has them.
///
/// # Errors
///
/// `invalid-setting` with the key's dotted name.
pub fn kept(rules: &Value) -> Result<(Value, Rules), Error> {
    let merged = overrides::merge_kept(&defaults()?, rules)?;
    let rules = Rules::read(&merged)?;
    Ok((merged, rules))
}

/// The file of a history archive is that of the session at the top: a subagent has none.
pub fn without_archive(merged: &mut Value) {
    if let Some(keep) = merged.pointer_mut("/archive/keep") {
        *keep = Value::from("none");
    }
}

fn defaults() -> Result<Value, Error> {
    serde_json::from_str(LOOP_JSON)
        .map_err(|problem| Error::setting("loop.json", problem.to_string()))
}

impl Rules {
    fn read(merged: &Value) -> Result<Self, Error> {
        let file = Section::file(merged);
        let context = file.section("context")?;
        let cap = Cap::read(context.section("cap")?)?;
        Ok(Self {
            ids: Ids {
                digits: context.section("ids")?.number("digits")?,
                // Each session has its own.
                prefix: IdPrefix::default(),
            },
            sha_digits: context.number("sha_digits")?,
            max_bytes: context.number("max_bytes")?,
            reads: Reads::read(context.section("reads")?)?,
            cap: cap.clone(),
            recall: Recall::read(context.section("recall")?)?,
            edits: Edits::read(context.section("edits")?)?,
            dedupe: Dedupe::read(context.section("dedupe")?)?,
            bracket: context.template("bracket")?,
            repeated_chars: context.number("repeated_chars")?,
            nul: context.text("nul")?.to_owned(),
            env: Env::read(context.section("env")?)?,
            note: NoteTexts::read(context.section("note")?)?,
            prompt: PromptRules::read(file.section("prompt")?)?,
            unavailable: file.section("tools")?.template("unavailable")?,
            replies: Replies::read(file.section("replies")?)?,
            wrap_up: WrapUp::read(file.section("wrap_up")?)?,
            reasoning: Reasoning::read(file.section("reasoning")?)?,
            requests: Requests::read(file.section("requests")?)?,
            budget: BudgetRules::read(file.section("budget")?)?,
            compaction: CompactionRules::read(
                file.section("compaction")?,
                context.section("compaction")?,
            )?,
            fallback: FallbackTexts::read(file.section("fallback")?)?,
            escalation: EscalationRules::read(file.section("escalation")?)?,
            archive: ArchiveRules::read(file.section("archive")?)?,
            assembly: AssemblyRules::read(file.section("assembly")?)?,
            snapshots_go: file.section("snapshots")?.text("encoding")? == "go",
            biggest: file.section("report")?.number("biggest")?,
            skills: SkillRules::read(file.section("skills")?)?,
            delegation: DelegationTexts::read(file.section("delegation")?, &cap)?,
            state: StateRules::read(file.section("state")?)?,
            tokens: TokenRules::read(file.section("tokens")?)?,
        })
    }
}

impl Rules {
    /// Refuses what is larger than crosses between every host and the component (docs/rulings.md, "Sizes").
    ///
    /// # Errors
    ///
    /// `out-of-order` that says what it is.
    pub fn fits(&self, what: &str, bytes: usize) -> Result<(), Error> {
        let most = self.max_bytes;
        if most == 0 || bytes <= most as usize {
            return Ok(());
        }
        Err(Error::OutOfOrder(format!(
            "{what} would have {bytes} bytes, and may have {most} at most (`context.max_bytes`)"
        )))
    }
}

impl Reads {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            window: section.number("window")?,
            max_chars: section.number("max_chars")?,
            full_after_stubs: section.number("full_after_stubs")?,
            exact_ranges: section.text("stub_ranges")? == "exact",
            bracket: section.template("bracket")?,
            part: section.template("part")?,
            empty: section.template("empty")?,
            line: section.template("line")?,
            stub: section.template("stub")?,
            more: section.template("more")?,
            cut: section.template("cut")?,
            past_end: section.template("past_end")?,
            not_found: section.template("not_found")?,
            denied: section.template("denied")?,
            is_directory: section.template("is_directory")?,
            not_a_file: section.template("not_a_file")?,
            unreadable: section.template("unreadable")?,
            binary: section.template("binary")?,
        })
    }
}

impl Cap {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            max_lines: section.number("max_lines")?,
            max_chars: section.number("max_chars")?,
            head_lines: section.number("head_lines")?,
            head_chars: section.number("head_chars")?,
            tail_lines: section.number("tail_lines")?,
            tail_chars: section.number("tail_chars")?,
            head: section.template("head")?,
            elided: section.template("elided")?,
            elided_characters: section.template("elided_characters")?,
            elided_both: section.template("elided_both")?,
            cut: section.text("cut")?.to_owned(),
        })
    }
}

impl Recall {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            window: section.number("window")?,
            max_chars: section.number("max_chars")?,
            bracket: section.template("bracket")?,
            part: section.template("part")?,
            empty: section.template("empty")?,
            unknown: section.template("unknown")?,
            past_end: section.template("past_end")?,
            past_line_end: section.template("past_line_end")?,
            more: section.template("more")?,
            cut: section.template("cut")?,
        })
    }
}

impl Edits {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            answer: match section.text("answer")? {
                "summary" => EditAnswer::Summary,
                _ => EditAnswer::Diff,
            },
            context_lines: section.number("context_lines")?,
            bracket: section.template("bracket")?,
            deleted: section.template("deleted")?,
            file_bracket: section.template("file_bracket")?,
            file_deleted: section.template("file_deleted")?,
            created: section.template("created")?,
            no_change: section.template("no_change")?,
            binary: section.template("binary")?,
            summary: section.template("summary")?,
            no_newline: section.text("no_newline")?.to_owned(),
        })
    }
}

impl Dedupe {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            by_result: section.names("by_result")?,
            stub: section.template("stub")?,
        })
    }
}
