//! What a compaction leaves in the log.

use serde::{Deserialize, Serialize};

use super::{NoteRecord, ResultRecord};

/// A compaction's stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The first attempt.
    Normal,
    /// A shorter summary, and fewer turns retained.
    Emergency,
    /// No summary: results are shown shorter.
    Shorten,
}

/// Results that are shown otherwise from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortenedRecord {
    /// The generation that begins with it, where a request held one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u32>,
    /// As they are shown.
    pub results: Vec<ResultRecord>,
}

/// What a compaction left, as it was decided: what the rules would say later does not matter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompactedRecord {
    /// The generation that begins with it.
    pub generation: u32,
    /// The stage.
    pub stage: Stage,
    /// How many messages it covers, from the first.
    pub covers: u32,
    /// The summary as the model wrote it.
    pub summary: String,
    /// The message that holds it.
    pub message: SummaryMessage,
    /// Active skills, put ahead of what is retained.
    pub skills: Option<PlacedMessage>,
    /// Retained messages in which envelopes were taken out: those left, and those that went.
    pub stripped: Vec<StrippedMessage>,
    /// Retained stubs whose result is gone, as they are shown from now on.
    pub unstubbed: Vec<ResultRecord>,
    /// The line of subagents whose results are still to come.
    pub pending: Option<PlacedMessage>,
    /// `provider/model` of a fallback that wrote the summary.
    pub fallback: Option<String>,
    /// Whether the provider's own state of the conversation went with it.
    pub state_cleared: bool,
}

impl CompactedRecord {
    /// The numbers that it gives, in their order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let placed = [&self.skills, &self.pending];
        let placed = placed.into_iter().flatten();
        std::iter::once(self.message.number).chain(placed.map(|message| message.number))
    }

    /// The last of them.
    pub fn last_number(&self) -> u32 {
        self.numbers().fold(0, u32::max)
    }
}

/// The message that holds a summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SummaryMessage {
    /// Its number.
    pub number: u32,
    /// What the model reads.
    pub text: String,
    /// The note that goes with it.
    pub note: Option<NoteRecord>,
    /// Whether it speaks in the system's role, where the dialect has that.
    pub system: bool,
}

/// A message that a compaction put into the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedMessage {
    /// Its number.
    pub number: u32,
    /// The text.
    pub text: String,
}

/// A retained message without its skill envelopes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrippedMessage {
    /// Its number.
    pub number: u32,
    /// What is left; none if nothing is.
    pub text: Option<String>,
}
