//! The texts and numbers of the rules: `conformance/loop.json`, and what a session changes of it.

mod conversation;

use serde_json::Value;

use crate::error::Error;
use crate::overrides;
use crate::template::Template;

pub use conversation::{
    Carry, CarryEarlier, Env, NoteTexts, PromptRules, Reasoning, Replies, Requests, WrapUp,
};

/// The one copy of every text and number.
const LOOP_JSON: &str = include_str!("../../../conformance/loop.json");

/// `loop.json` with a session's overrides.
#[derive(Clone, Debug)]
pub struct Rules {
    pub ids: Ids,
    pub sha_digits: u32,
    pub reads: Reads,
    pub cap: Cap,
    pub recall: Recall,
    pub edits: Edits,
    pub dedupe: Dedupe,
    pub bracket: Template,
    pub nul: String,
    pub env: Env,
    pub note: NoteTexts,
    pub prompt: PromptRules,
    pub unavailable: Template,
    pub replies: Replies,
    pub wrap_up: WrapUp,
    pub reasoning: Reasoning,
    pub requests: Requests,
}

/// §1.
#[derive(Clone, Debug)]
pub struct Ids {
    pub digits: u32,
}

/// §1 and §2.
#[derive(Clone, Debug)]
pub struct Reads {
    pub window: u32,
    pub full_after_stubs: u32,
    pub bracket: Template,
    pub empty: Template,
    pub line: Template,
    pub stub: Template,
    pub past_end: Template,
    pub not_found: Template,
    pub denied: Template,
    pub is_directory: Template,
    pub not_a_file: Template,
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
    pub elided: Template,
    pub cut: String,
}

/// §4.
#[derive(Clone, Debug)]
pub struct Recall {
    pub window: u32,
    pub bracket: Template,
    pub empty: Template,
    pub unknown: Template,
    pub past_end: Template,
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
    let defaults = serde_json::from_str(LOOP_JSON)
        .map_err(|problem| Error::setting("loop.json", problem.to_string()))?;
    let merged = overrides::merge(&defaults, given)?;
    let rules = Rules::read(&merged)?;
    Ok((merged, rules))
}

/// A part of merged settings, read by hand: deriving this would be a twelfth of the component.
#[derive(Clone, Copy)]
struct Section<'a> {
    key: &'a str,
    settings: &'a Value,
}

impl<'a> Section<'a> {
    fn section(self, key: &'a str) -> Result<Self, Error> {
        let settings = self.get(key, Some)?;
        Ok(Self { key, settings })
    }

    fn number(self, key: &str) -> Result<u32, Error> {
        self.get(key, |value| {
            value.as_u64().and_then(|number| number.try_into().ok())
        })
    }

    fn text(self, key: &str) -> Result<&'a str, Error> {
        self.get(key, Value::as_str)
    }

    fn template(self, key: &str) -> Result<Template, Error> {
        Ok(Template::parse(self.text(key)?))
    }

    fn names(self, key: &str) -> Result<Vec<String>, Error> {
        self.get(key, |names| {
            let names = names.as_array()?.iter();
            names.map(|name| name.as_str().map(str::to_owned)).collect()
        })
    }

    /// The merge keeps the defaults' keys and types, so only a fault of `loop.json` gets here.
    fn get<T>(self, key: &str, take: impl Fn(&'a Value) -> Option<T>) -> Result<T, Error> {
        let found = self.settings.get(key).and_then(take);
        found.ok_or_else(|| {
            Error::setting(
                &format!("{}.{key}", self.key),
                "is missing or of another type",
            )
        })
    }
}

impl Rules {
    fn read(merged: &Value) -> Result<Self, Error> {
        let file = Section {
            key: "loop.json",
            settings: merged,
        };
        let context = file.section("context")?;
        Ok(Self {
            ids: Ids {
                digits: context.section("ids")?.number("digits")?,
            },
            sha_digits: context.number("sha_digits")?,
            reads: Reads::read(context.section("reads")?)?,
            cap: Cap::read(context.section("cap")?)?,
            recall: Recall::read(context.section("recall")?)?,
            edits: Edits::read(context.section("edits")?)?,
            dedupe: Dedupe::read(context.section("dedupe")?)?,
            bracket: context.template("bracket")?,
            nul: context.text("nul")?.to_owned(),
            env: Env::read(context.section("env")?)?,
            note: NoteTexts::read(context.section("note")?)?,
            prompt: PromptRules::read(file.section("prompt")?)?,
            unavailable: file.section("tools")?.template("unavailable")?,
            replies: Replies::read(file.section("replies")?)?,
            wrap_up: WrapUp::read(file.section("wrap_up")?)?,
            reasoning: Reasoning::read(file.section("reasoning")?)?,
            requests: Requests::read(file.section("requests")?)?,
        })
    }
}

impl Reads {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            window: section.number("window")?,
            full_after_stubs: section.number("full_after_stubs")?,
            bracket: section.template("bracket")?,
            empty: section.template("empty")?,
            line: section.template("line")?,
            stub: section.template("stub")?,
            past_end: section.template("past_end")?,
            not_found: section.template("not_found")?,
            denied: section.template("denied")?,
            is_directory: section.template("is_directory")?,
            not_a_file: section.template("not_a_file")?,
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
            elided: section.template("elided")?,
            cut: section.text("cut")?.to_owned(),
        })
    }
}

impl Recall {
    fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            window: section.number("window")?,
            bracket: section.template("bracket")?,
            empty: section.template("empty")?,
            unknown: section.template("unknown")?,
            past_end: section.template("past_end")?,
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
