//! How tokens are counted and what a model takes (docs/compaction.md, "Tokens of a request" to
//! "Pressure").

use super::Section;
use crate::error::Error;
use crate::template::Template;
use crate::tokens::{ModelTable, bare_name};

/// `tokens`: what the pieces of a request add to their texts, in tokens.
#[derive(Clone, Debug)]
pub struct TokenRules {
    pub request: u32,
    pub message: u32,
    pub call: u32,
    pub tool: u32,
    pub image: u32,
    pub image_area: u32,
    pub image_most: u32,
    pub document_page: u32,
    pub document_bytes: u32,
    pub audio_bytes: u32,
    pub data_bytes: u32,
    pub data_least: u32,
    pub smoothing_percent: u32,
    /// From what estimate on a report changes the factor, and in what bounds, in thousandths.
    pub ratio_from: u32,
    pub ratio_least: u32,
    pub ratio_most: u32,
    pub hidden_most: u32,
    pub confident_samples: u32,
    pub models: ModelTable,
}

/// `budget`: windows, what is kept free in them, and what is said when one is full.
#[derive(Clone, Debug)]
pub struct BudgetRules {
    /// Whether the provider keeps the conversation, and its usage tells how full the window is.
    pub stateful: bool,
    pub window: u32,
    pub max_output: u32,
    pub models: LimitTable,
    pub fallback_window: u32,
    pub fallback_output: u32,
    pub max_tokens: u32,
    pub parameters: Vec<(String, u32)>,
    pub default_output: u32,
    pub margin_percent: u32,
    pub margin_least: u32,
    pub margin_most: u32,
    pub cap_percent: u32,
    pub step_percent: u32,
    pub exceeded: Template,
    pub not_reduced: Template,
    pub not_solved: Template,
    pub not_compacted: Template,
    /// Whether results are shown shorter where nothing else makes room, and in how many characters.
    pub shorten: bool,
    pub shorten_most: u32,
    pub shorten_least: u32,
    pub shortened: Template,
    pub both_failed: String,
    pub second_failed: String,
    pub emergency_failed: String,
}

/// The entries of `budget.models`, each `prefix window max_output`, as `gpt-4o 128000 16384`.
#[derive(Clone, Debug)]
pub struct LimitTable(Vec<(String, u32, u32)>);

impl LimitTable {
    /// Reads the entries.
    ///
    /// # Errors
    ///
    /// An entry is not one: its position and what is wrong.
    pub fn parse<S: AsRef<str>>(entries: &[S]) -> Result<Self, (usize, String)> {
        parse_all(entries, |entry| {
            let mut words = entry.split(' ');
            let prefix = words.next().filter(|prefix| !prefix.is_empty());
            let (window, max_output) = (words.next().and_then(whole), words.next().and_then(whole));
            let limits = (prefix?.to_owned(), window?, max_output?);
            words.next().is_none().then_some(limits)
        })
        .map(Self)
        .map_err(|(position, entry)| {
            let problem = format!(
                "is `{entry}`, must be a model's prefix, its window and its largest output in tokens: `gpt-4o 128000 16384`"
            );
            (position, problem)
        })
    }

    /// Window and largest output of the first entry whose prefix `model` begins with, or which is
    /// the one for all models, `*`. White space around the name and what stands before its last `/`
    /// don't count.
    pub fn find(&self, model: &str) -> Option<(u32, u32)> {
        let name = bare_name(model);
        let found = self
            .0
            .iter()
            .find(|(prefix, ..)| prefix == "*" || name.starts_with(prefix.as_str()));
        found.map(|(_, window, max_output)| (*window, *max_output))
    }

    /// The window of every entry, in order.
    pub fn windows(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|(_, window, _)| *window)
    }
}

/// The entries of `budget.parameters`, each `name value`, as `max_tokens 8192`.
///
/// # Errors
///
/// As `LimitTable::parse`.
pub fn parse_parameters<S: AsRef<str>>(
    entries: &[S],
) -> Result<Vec<(String, u32)>, (usize, String)> {
    parse_all(entries, |entry| {
        let (name, value) = entry.split_once(' ')?;
        let value = whole(value)?;
        (!name.is_empty()).then(|| (name.to_owned(), value))
    })
    .map_err(|(position, entry)| {
        let problem = format!(
            "is `{entry}`, must be a parameter's name and a whole number: `max_tokens 8192`"
        );
        (position, problem)
    })
}

/// Every entry as `parse` reads it; else the position and text of the first that it cannot.
fn parse_all<S: AsRef<str>, T>(
    entries: &[S],
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, (usize, String)> {
    let entries = entries.iter().map(AsRef::as_ref).enumerate();
    entries
        .map(|(position, entry)| parse(entry).ok_or_else(|| (position, entry.to_owned())))
        .collect()
}

/// Digits and nothing else, which `parse` alone does not ask for.
fn whole(word: &str) -> Option<u32> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

impl TokenRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            request: section.number("request")?,
            message: section.number("message")?,
            call: section.number("call")?,
            tool: section.number("tool")?,
            image: section.number("image")?,
            image_area: section.number("image_area")?,
            image_most: section.number("image_most")?,
            document_page: section.number("document_page")?,
            document_bytes: section.number("document_bytes")?,
            audio_bytes: section.number("audio_bytes")?,
            data_bytes: section.number("data_bytes")?,
            data_least: section.number("data_least")?,
            smoothing_percent: section.number("smoothing_percent")?,
            ratio_from: section.number("ratio_from")?,
            ratio_least: section.number("ratio_least")?,
            ratio_most: section.number("ratio_most")?,
            hidden_most: section.number("hidden_most")?,
            confident_samples: section.number("confident_samples")?,
            models: section.entries("models", ModelTable::parse)?,
        })
    }
}

impl BudgetRules {
    pub(super) fn read(section: Section<'_>) -> Result<Self, Error> {
        Ok(Self {
            stateful: section.text("provider")? == "stateful",
            window: section.number("window")?,
            max_output: section.number("max_output")?,
            models: section.entries("models", LimitTable::parse)?,
            fallback_window: section.number("fallback_window")?,
            fallback_output: section.number("fallback_output")?,
            max_tokens: section.number("max_tokens")?,
            parameters: section.entries("parameters", parse_parameters)?,
            default_output: section.number("default_output")?,
            margin_percent: section.number("margin_percent")?,
            margin_least: section.number("margin_least")?,
            margin_most: section.number("margin_most")?,
            cap_percent: section.number("cap_percent")?,
            step_percent: section.number("step_percent")?,
            exceeded: section.template("exceeded")?,
            not_reduced: section.template("not_reduced")?,
            not_solved: section.template("not_solved")?,
            not_compacted: section.template("not_compacted")?,
            shorten: section.text("shorten")? == "results",
            shorten_most: section.number("shorten_most")?,
            shorten_least: section.number("shorten_least")?,
            shortened: section.template("shortened")?,
            both_failed: section.owned("both_failed")?,
            second_failed: section.owned("second_failed")?,
            emergency_failed: section.owned("emergency_failed")?,
        })
    }
}
