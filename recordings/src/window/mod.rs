//! A replay with a window: what a plan's sessions are opened with, and what they are compacted with.
//! The rules are those of `docs/replay.md`, "With a window".

mod counts;
mod stand_in;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{ImportError, Options};

pub use counts::WindowCounts;
pub(crate) use stand_in::stand_in;

/// The defaults of every setting.
const LOOP: &str = include_str!("../../../conformance/loop.json");

/// The presets, the default first.
const PRESETS: [&str; 2] = ["context-hygiene", "steiner"];
const WINDOWS: std::ops::RangeInclusive<u32> = 4_000..=10_000_000;
/// The most is the least that a stage's limit may be (`compaction.emergency_least`), so that either
/// stage takes any summary.
const SUMMARIES: std::ops::RangeInclusive<u32> = 1..=3072;
const SUMMARY: u32 = 800;
/// A token's characters, as the policies count them.
const CHARACTERS: u32 = 4;
/// The most that a model writes. In a small window it is this part of it.
const OUTPUT: u32 = 4096;
const OUTPUT_SHARE: u32 = 16;

/// With less room, less is read at once.
const WHOLE_READS: u64 = 512_000;
/// The least room: a tail is one line then, and head and tail fit into what is shown.
const LEAST_ROOM: u64 = 5_120;
/// The settings that shrink with the window, in `context`.
const READS: [(&str, &[&str]); 3] = [
    ("reads", &["window"]),
    ("recall", &["window"]),
    (
        "cap",
        &[
            "max_lines",
            "max_chars",
            "head_lines",
            "head_chars",
            "tail_lines",
            "tail_chars",
        ],
    ),
];

/// A window's numbers, as the report shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// In tokens.
    pub window: u32,
    /// `context-hygiene` or `steiner`.
    pub preset: String,
    /// What is kept free for a reply, in tokens.
    pub max_output: u32,
    /// How long a stand-in summary is, in tokens.
    pub summary_tokens: u32,
}

impl Window {
    /// None without a window.
    ///
    /// # Errors
    ///
    /// A number is out of its range, the preset is none, or there is no window for it.
    pub(crate) fn of(options: &Options) -> Result<Option<Self>, ImportError> {
        let Some(window) = options.window else {
            let needless = options.preset.is_some() || options.summary_tokens.is_some();
            let problem = || ImportError::new("a preset and a summary's length need a window");
            return if needless { Err(problem()) } else { Ok(None) };
        };
        within("the window", window, &WINDOWS)?;
        let summary_tokens = options.summary_tokens.unwrap_or(SUMMARY);
        within("the summary", summary_tokens, &SUMMARIES)?;
        Ok(Some(Self {
            window,
            preset: preset(options.preset.as_deref())?.to_owned(),
            max_output: OUTPUT.min(window / OUTPUT_SHARE),
            summary_tokens,
        }))
    }

    /// What a session with this window is opened with, beside the settings in `context`.
    pub(crate) fn overrides(&self) -> Map<String, Value> {
        let mut overrides = Map::new();
        if self.preset != PRESETS[0] {
            overrides.insert("preset".to_owned(), json!(self.preset));
        }
        let budget = json!({"window": self.window, "max_output": self.max_output});
        overrides.insert("budget".to_owned(), budget);
        overrides
    }

    /// The settings in `context` of a conversation that begins with so many characters of tools and
    /// system prompt; none where there is room enough for the defaults.
    pub(crate) fn context(&self, prompt: u64) -> Map<String, Value> {
        let window = u64::from(self.window);
        let room = window.saturating_sub(prompt / u64::from(CHARACTERS));
        let room = room.max(LEAST_ROOM);
        let setting = |group, name: &&str| {
            let value = default_of(group, name) * room / WHOLE_READS;
            ((*name).to_owned(), json!(value))
        };
        let groups = READS.into_iter().filter(|_| room < WHOLE_READS);
        let groups = groups.map(|(group, names)| {
            let settings = names.iter().map(|name| setting(group, name));
            (group.to_owned(), Value::Object(settings.collect()))
        });
        groups.collect()
    }

    /// How long a summary may be, in tokens: three quarters of what either stage takes, since the count
    /// is a rough one.
    pub(crate) fn longest_summary(&self) -> u32 {
        self.max_output.min(*SUMMARIES.end()) / 4 * 3
    }
}

fn preset(given: Option<&str>) -> Result<&str, ImportError> {
    let given = given.unwrap_or(PRESETS[0]);
    if PRESETS.contains(&given) {
        return Ok(given);
    }
    let known = PRESETS.join(" or ");
    Err(ImportError::new(format!(
        "the preset is `{given}`, must be {known}"
    )))
}

fn within(
    what: &str,
    tokens: u32,
    range: &std::ops::RangeInclusive<u32>,
) -> Result<(), ImportError> {
    if range.contains(&tokens) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    Err(ImportError::new(format!(
        "{what} is {tokens} tokens, must be {least} to {most}"
    )))
}

/// A number of `context` in loop.json.
fn default_of(group: &str, name: &str) -> u64 {
    let settings: Value = serde_json::from_str(LOOP).unwrap_or_default();
    let default = settings.pointer(&format!("/context/{group}/{name}"));
    default.and_then(Value::as_u64).unwrap_or_default()
}

#[cfg(test)]
mod tests;
