//! The records of a session's log. A record is one event, as JSON, with the version of its form.

mod chain;
mod compacted;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assembly::{Assembly, Made};
use crate::fallback::MainRequest;
use crate::message::{Part, Sender};
use crate::notes::Change;
use crate::prompt::Prompt;
use crate::request::Difference;
use crate::tokens::Estimate;
use crate::tools::{Filter, Tool};

pub use chain::{Chain, text_hash};
pub use compacted::{
    CompactedRecord, PlacedMessage, ShortenedRecord, Stage, StrippedMessage, SummaryMessage,
};

/// The newest form, which this code writes. It reads the earlier ones: what a record of theirs lacks has a default,
/// with which the session goes on as it was (conformance/stores).
pub const VERSION: u32 = 2;

/// A record of the first form.
#[derive(Deserialize)]
struct Record {
    event: Event,
}

#[derive(Deserialize)]
struct Version {
    v: u64,
}

/// What happened in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The session began.
    Opened(Box<Opened>),
    /// The session was carried on with another root or home.
    Moved {
        /// The project root.
        root: String,
        /// The home directory.
        home: Option<String>,
    },
    /// A result was inserted. Boxed: it is the largest by far.
    Result(Box<ResultRecord>),
    /// A text of the message that follows is kept in full, and shown shorter there.
    Kept(Box<ResultRecord>),
    /// A message was added.
    Message(Box<MessageRecord>),
    /// A summary took the place of messages (§7).
    Compacted(Box<CompactedRecord>),
    /// A stage of a compaction failed.
    NotCompacted {
        /// The stage; none if it was cancelled.
        stage: Option<Stage>,
        /// Whether the provider's own state of the conversation went with it.
        state_cleared: bool,
    },
    /// What a generation's summary stands for was added to the history archive, as a text.
    Archived {
        /// The generation that began with the summary.
        generation: u32,
        /// The text's hash; none in records of the first form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The main model answered a request.
    MainRequest(MainRequest),
    /// Messages were taken back, with their results.
    TakenBack {
        /// The first message's number.
        first: u32,
        /// The last one's.
        last: u32,
    },
    /// Something that is told in notes has another value.
    Changed {
        /// The value.
        change: Change,
        /// Whether the model made the change itself.
        by_model: bool,
    },
    /// What the system prompt is to be made of next.
    PromptGiven {
        /// As it was given.
        prompt: Prompt,
        /// What it tells, as it is shown.
        told: Vec<Change>,
        /// Whether an `open` gave it.
        at_open: bool,
    },
    /// The system prompt was made again, of what was given last.
    PromptMade {
        /// As it is sent.
        prompt: Made,
    },
    /// What is to be read when the prompt is next made again.
    AssemblyGiven {
        /// As it was given.
        assembly: Assembly,
        /// Whether an `open` gave it.
        at_open: bool,
    },
    /// A skill was switched on, or given another text.
    SkillEnabled {
        /// Its name.
        name: String,
        /// What is told of it.
        text: String,
    },
    /// A skill was switched off.
    SkillDisabled {
        /// Its name.
        name: String,
    },
    /// A part of the work was given to a subagent, for the first time or again.
    Delegated {
        /// The key of its session.
        key: String,
        /// What kind of subagent it is.
        kind: String,
    },
    /// How far a subagent is.
    DelegateProgress {
        /// The key of its session.
        key: String,
        /// Its state.
        state: String,
    },
    /// A condition of tools came or went.
    Condition {
        /// Its name.
        name: String,
        /// Whether it is met.
        met: bool,
    },
    /// A tool was withdrawn.
    Withdrawn {
        /// Its name.
        name: String,
        /// What its calls are answered.
        refusal: String,
    },
    /// An MCP server connected.
    Connected {
        /// Its name.
        name: String,
        /// The tools that were appended.
        tools: Vec<Tool>,
        /// What it says of its use.
        instructions: Option<String>,
    },
    /// There was no room: results are shown shorter, and stubs of them in full.
    Shortened(ShortenedRecord),
    /// A request was built.
    Requested(Box<RequestRecord>),
    /// The provider reported a request's usage.
    Used {
        /// The request.
        number: u32,
        /// What was understood of it.
        usage: Usage,
        /// As it was given.
        given: String,
    },
}

/// What is fixed when a session begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// What requests carry of earlier results.
    pub kind: Kind,
    /// What stands before the numbers in a subagent's ids; empty at the top, and in sessions of before there was one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// The project root.
    pub root: String,
    /// The home directory.
    pub home: Option<String>,
    /// The changes to `loop.json`, as they were given.
    pub overrides: Value,
    /// `loop.json` with those changes: a newer version's defaults don't change an old session.
    pub rules: Value,
    /// What requests are built of; none in a session of results only.
    pub conversation: Option<OpenedConversation>,
}

/// What requests are built of, as a session begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedConversation {
    /// The provider's API.
    pub dialect: Dialect,
    /// What the system prompt was made of, as it was given.
    pub prompt: Prompt,
    /// What it tells, as it is shown.
    pub told: Vec<Change>,
    /// What is read beside it.
    pub assembly: Assembly,
    /// The prompt as it is sent.
    pub made: Made,
    /// The tools that are offered.
    pub tools: Vec<Tool>,
    /// What leaves tools out, also of those that come later.
    pub filter: Filter,
    /// The conditions that are met.
    pub conditions: Vec<String>,
    /// Whether the model is told of recall.
    pub recall: bool,
}

/// The provider's API that requests are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// OpenAI chat completions.
    OpenaiChat,
    /// Anthropic messages.
    AnthropicMessages,
    /// OpenAI responses.
    OpenaiResponses,
}

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// Its number in the session.
    pub number: u32,
    /// How many open calls were closed with it, and texts of it kept, by the records just before this.
    pub closed: u32,
    /// The message.
    pub body: MessageBody,
}

/// What a message is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageBody {
    /// To the model.
    User(UserRecord),
    /// From the model: JSON as the provider gave it.
    Reply {
        /// The JSON.
        given: String,
        /// From a stream that broke off.
        incomplete: bool,
    },
}

/// A message to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserRecord {
    /// Who speaks.
    pub sender: Sender,
    /// Whether it starts a turn.
    pub starts_turn: bool,
    /// Whether it asks for a last answer without tools.
    pub wrap_up: bool,
    /// The text.
    pub text: String,
    /// What follows it.
    pub parts: Vec<Part>,
    /// The note that went with it.
    pub note: Option<NoteRecord>,
    /// How many bytes of the text, after a notice, the session put ahead of what was given: envelopes of
    /// skills.
    pub ahead: u32,
}

/// A note on a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteRecord {
    /// As the model reads it.
    pub text: String,
    /// What it tells.
    pub told: Vec<Change>,
    /// The date, if it tells it.
    pub date: Option<String>,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestRecord {
    /// Its number in the session.
    pub number: u32,
    /// The caller's parameters; none where they are the previous request's.
    pub parameters: Option<String>,
    /// The body's length in bytes.
    pub length: u32,
    /// How many of them equal the previous request's.
    pub shared: u32,
    /// Where the first difference is.
    pub difference: Option<Difference>,
    /// Its tokens as estimated, uncorrected, for its model.
    pub tokens: u32,
    /// The first reply from which on thinking was made behind something else than what it stands behind now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unbound: Option<u32>,
}

/// What a provider reported of a request, in tokens. `wit/context.wit` explains each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Usage {
    pub input: u32,
    pub cached: Option<u32>,
    pub written: Option<u32>,
    pub output: Option<u32>,
}

/// What a session's requests carry of earlier results (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every result is sent again.
    Agent,
    /// No earlier reply's results are sent.
    Chat,
}

/// One result: enough to show it again from its stored text, and what the rules need to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// Its number in the session.
    pub number: u32,
    /// The id of the call that it answers.
    pub call: String,
    /// The tool's name.
    pub tool: String,
    /// The first line as it was sent, bracket and sentence; that it is capped is not part of it.
    pub head: String,
    /// What was sent below it.
    pub body: Body,
    /// What the rules need to know of it later.
    pub fact: Fact,
    /// The tokens of its text as it is shown.
    pub tokens: Estimate,
    /// The stored text's hash; none in records of the first form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The most characters that are shown of it, where there was no room for more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// What of the stored text was sent below a result's first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Nothing.
    None,
    /// The text from this byte on.
    Whole(u32),
    /// The text from this byte on, capped.
    Capped(u32),
    /// The text from this byte on, held to what a subagent may bring.
    Bounded(u32),
    /// The text before a byte, held to what a read or a recall may show.
    Part {
        /// The byte.
        until: u32,
        /// Whether the last line is cut there.
        cut: bool,
    },
}

/// What a result was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// A file's lines, in full or as a stub.
    Read(ReadFact),
    /// Text that is deduplicated by its tool's name and arguments.
    Search(SearchFact),
    /// A change of files.
    Changes,
    /// A stored result, shown again.
    Recall,
    /// Other text.
    Output,
    /// A subagent's answer.
    Delegated(DelegatedFact),
    /// A failure or a refusal.
    Failed,
}

/// A subagent's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DelegatedFact {
    /// The key of its session.
    pub key: String,
}

/// A read that showed a file, or a stub in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFact {
    /// The path as the call gave it.
    pub path: String,
    /// The file's identity.
    pub file: String,
    /// The first line shown; 0 in an empty file.
    pub first: u32,
    /// The last line shown; 0 in an empty file.
    pub last: u32,
    /// The file's length in lines.
    pub total: u32,
    /// The content's SHA-256.
    pub sha256: String,
    /// The earlier read that a stub names.
    pub stub_of: Option<u32>,
    /// Whether the one line is cut: it counts as not shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl ReadFact {
    /// The lines shown whole, first and last; 0 and 0 for none.
    pub fn shown(&self) -> (u32, u32) {
        match self.cut {
            true => (0, 0),
            false => (self.first, self.last),
        }
    }
}

/// A search or listing, in full or as a stub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchFact {
    /// The arguments in canonical form.
    pub arguments: String,
    /// XXH64 of the text, in hex: texts with another one need not be compared.
    pub xxh64: String,
    /// The earlier result that a stub names.
    pub stub_of: Option<u32>,
}

impl Fact {
    /// The earlier result that a stub names.
    pub fn stub_of(&self) -> Option<u32> {
        match self {
            Self::Read(read) => read.stub_of,
            Self::Search(search) => search.stub_of,
            Self::Changes | Self::Recall | Self::Output | Self::Delegated(_) | Self::Failed => None,
        }
    }

    /// Why this cannot be a fact of result `number`.
    pub fn problem(&self, number: u32) -> Option<&'static str> {
        let lines = match self {
            Self::Read(read) => Some((read.first, read.last, read.total)),
            _ => None,
        };
        if self
            .stub_of()
            .is_some_and(|earlier| earlier == 0 || earlier >= number)
        {
            return Some("is a stub of no earlier result");
        }
        let (first, last, total) = lines?;
        let empty = (first, last, total) == (0, 0, 0);
        let some = 1 <= first && first <= last && last <= total;
        let cut = matches!(self, Self::Read(read) if read.cut);
        if cut && (first != last || self.stub_of().is_some()) {
            return Some("cuts a line beside others");
        }
        (!empty && !some).then_some("shows lines that the file does not have")
    }
}

impl Event {
    /// The generation that begins with it.
    pub fn begins(&self) -> Option<u32> {
        match self {
            Self::Compacted(record) => Some(record.generation),
            Self::Shortened(record) => record.generation,
            _ => None,
        }
    }
}
