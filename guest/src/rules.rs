//! The texts and numbers of the rules: `conformance/loop.json`, and what a session changes of it.

use serde::Deserialize;
use serde_json::Value;

use crate::error::Error;
use crate::overrides;
use crate::template::Template;

/// The one copy of every text and number.
const LOOP_JSON: &str = include_str!("../../conformance/loop.json");

/// `loop.json`'s `context`, with a session's overrides.
#[derive(Clone, Debug, Deserialize)]
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
}

/// §1.
#[derive(Clone, Debug, Deserialize)]
pub struct Ids {
    pub digits: u32,
}

/// §1 and §2.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
pub struct Recall {
    pub window: u32,
    pub bracket: Template,
    pub empty: Template,
    pub unknown: Template,
    pub past_end: Template,
}

/// §5.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditAnswer {
    Diff,
    Summary,
}

/// §6.
#[derive(Clone, Debug, Deserialize)]
pub struct Dedupe {
    pub by_result: Vec<String>,
    pub stub: Template,
}

#[derive(Deserialize)]
struct LoopFile {
    context: Rules,
}

/// `loop.json` with a session's overrides, as JSON and as rules.
///
/// # Errors
///
/// `invalid-setting` with the key's dotted name.
pub fn with_overrides(given: &Value) -> Result<(Value, Rules), Error> {
    let defaults = defaults()?;
    let merged = overrides::merge(&defaults, given)?;
    let file = LoopFile::deserialize(&merged)
        .map_err(|problem| Error::setting("loop.json", problem.to_string()))?;
    Ok((merged, file.context))
}

fn defaults() -> Result<Value, Error> {
    serde_json::from_str(LOOP_JSON)
        .map_err(|problem| Error::setting("loop.json", problem.to_string()))
}
