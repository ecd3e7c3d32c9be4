//! The plan: what a host performs, in the JSON of `docs/replay.md`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::About;
use crate::model::{Sender, Tool};
use crate::policies::PolicyCounts;
use crate::window::Window;

/// What an importer may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Put plain shell reads (`cat F`, `sed -n 'A,Bp' F`, …) through the rules as reads, as a
    /// harness with a read tool would have. Off: they are command output.
    pub shell_reads: bool,
    /// Replay with a window of this many tokens, in which sessions are compacted. None: without.
    pub window: Option<u32>,
    /// With a window, `context-hygiene` (none) or `steiner`.
    pub preset: Option<String>,
    /// With a window, how many tokens a stand-in summary has (none: 800).
    pub summary_tokens: Option<u32>,
}

/// A recording, read into steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The format that was recognised, `claude-code`.
    pub format: String,
    /// At least one.
    pub sessions: Vec<Session>,
}

/// One recorded session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Session {
    /// Unique in the plan and safe as a file name.
    pub name: String,
    /// The importer's account, handed back for the report.
    pub about: About,
    /// What the session's requests were under each policy but Waybread's, handed back for the
    /// report.
    pub policies: Vec<PolicyCounts>,
    /// With a window, its numbers, handed back for the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// In the order in which they began. A host opens one Waybread session for each.
    pub contexts: Vec<Context>,
}

/// What one request can hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Context {
    /// Unique in the session.
    pub name: String,
    /// For `session.open`.
    pub settings: Settings,
    /// With a window, the reply to each request for a summary, a response of OpenAI's chat
    /// completions as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
    /// To be performed in order.
    pub steps: Vec<Step>,
}

/// What a Waybread session is opened with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Always `agent`: every result is sent again with every request.
    pub kind: String,
    /// Always `openai-chat`, whatever the recording harness spoke.
    pub dialect: String,
    /// An absolute path; `/` where the recording names none.
    pub root: String,
    /// The home directory, where the root lies in one.
    pub home: Option<String>,
    /// Changes to `loop.json`.
    pub overrides: Value,
    /// What the system prompt is made of.
    pub prompt: Prompt,
    /// The tools that the recording names.
    pub tools: Vec<Tool>,
    /// Always on: what the model is told of recall is counted.
    pub recall: bool,
}

/// What the system prompt is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// The recorded system prompt, or nothing.
    pub sources: Vec<PromptSource>,
    /// Always empty.
    pub told: Vec<Value>,
}

/// A source of the system prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptSource {
    /// Always `global-instructions`: a recorded prompt may hold dates and absolute paths.
    pub part: String,
    /// What the prompt calls it.
    pub name: String,
    /// As recorded.
    pub text: String,
}

/// One step of a host.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Step {
    /// Puts a file into the in-memory tree.
    WriteFile {
        /// Absolute, as the component resolves it.
        path: String,
        /// The whole content.
        content: String,
    },
    /// Takes a file out of the in-memory tree.
    DeleteFile {
        /// Absolute, as the component resolves it.
        path: String,
    },
    /// A call of `session.insert-result`.
    InsertResult(Box<InsertResult>),
    /// A call of `session.add-message`.
    AddMessage(Message),
    /// A call of `session.build-request`, without parameters: the recorded harness made a request
    /// here.
    BuildRequest,
}

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// A person's or a machine's.
    User(UserMessage),
    /// The model's.
    Reply(ReplyMessage),
}

/// What a person or a machine said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UserMessage {
    /// Not blank. An image is noted as `[image]`.
    pub text: String,
    /// Who said it.
    pub sender: Sender,
    /// Where it stands.
    pub delivery: Delivery,
}

/// Where a message stands (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// It starts a turn.
    StartsTurn,
    /// It was delivered at a step boundary of the running turn.
    StepBoundary,
}

/// What the model replied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplyMessage {
    /// A message as OpenAI's chat completions spell one.
    pub json: String,
    /// It was broken off.
    pub incomplete: bool,
}

/// A tool call and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InsertResult {
    /// How the report counts it.
    #[serde(rename = "as")]
    pub counted: As,
    /// The call's id: not empty, unique in the context.
    pub call: String,
    /// The tool's name, as recorded.
    pub tool: String,
    /// The arguments, as recorded.
    pub arguments: String,
    /// One key: `read`, `changes`, `output` or `failure`.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How the report counts a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum As {
    /// A read of a file whose content the recording holds.
    Read,
    /// A read whose equality with an earlier one rests on lines that the recording does not show.
    ReadAssumed,
    /// A change of files, both contents known.
    Change,
    /// A search or listing.
    Search,
    /// Any other output.
    Output,
    /// A call that failed.
    Failure,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The component reads the file from the tree.
    Read(Read),
    /// What an edit did.
    Changes(Changes),
    /// Text.
    Output(String),
    /// The failure's text.
    Failure(String),
}

/// The arguments of a read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// As the call gave it.
    pub path: String,
    /// The first line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// How many lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The files that a tool changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// At least one, in the patch's order.
    pub files: Vec<FileChange>,
}

/// One changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileChange {
    /// As the call gave it.
    pub path: String,
    /// The content before; none for a new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The content after; none for a deleted file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}
