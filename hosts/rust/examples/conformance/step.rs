//! The steps of a case.

use serde::Deserialize;
use serde_json::{Map, Value};
use waybread::{Change, Prompt, StorageError};

use crate::assembly::AssemblyStep;
use crate::compaction::{
    CompactBegin, CompactFinish, FallbackDue, GenerationNumber, MainRequestAnswered,
};
use crate::files::Entry;
use crate::message::AddMessage;
use crate::result::{InsertResult, Recall};
use crate::settings::{ChangeName, PromptFields, Settings, ToolFields};
use crate::text::{Text, fields, verbatim};

/// A step, as it is performed.
pub enum Step {
    InsertResult(InsertResult),
    Recall(Recall),
    StoredText(Id),
    LastRead(Path),
    ResolvePath(Path),
    Reopen(Reopen),
    AddMessage(AddMessage),
    BuildRequest(BuildRequest),
    Rewind(Rewind),
    Fork(Fork),
    Note(Note),
    SetPrompt(SetPrompt),
    SetCondition(SetCondition),
    WithdrawTool(WithdrawTool),
    ConnectServer(ConnectServer),
    RecordUsage(RecordUsage),
    Pressure(BuildRequest),
    CompactBegin(CompactBegin),
    CompactFinish(CompactFinish),
    MainRequestAnswered(MainRequestAnswered),
    LastMainRequest,
    FallbackDue(FallbackDue),
    Lineage,
    Generation(GenerationNumber),
    History,
    ContextState,
    CacheReport,
    Conversation,
    Prefix,
    Setting(Key),
    NamePath(Path),
    CheckPaths(CheckPaths),
    WriteFile(WriteFile),
    DeleteFile(Path),
    FailStorage(FailStorage),
    Assembly(AssemblyStep),
}

impl TryFrom<Value> for Step {
    type Error = String;

    fn try_from(step: Value) -> Result<Self, String> {
        let Value::Object(mut given) = step else {
            return Err(format!("`{step}` is no step"));
        };
        // What is expected is compared by whoever reads the transcript.
        given.shift_remove("expect");
        let Some(Value::String(kind)) = given.shift_remove("do") else {
            return Err("`do` is missing".to_owned());
        };
        Self::of(&kind, given)
    }
}

impl Step {
    fn of(kind: &str, given: Map<String, Value>) -> Result<Self, String> {
        let given = Value::Object(given);
        Ok(match kind {
            "insert-result" => Self::InsertResult(fields(given)?),
            "recall" => Self::Recall(fields(given)?),
            "stored-text" => Self::StoredText(fields(given)?),
            "last-read" => Self::LastRead(fields(given)?),
            "resolve-path" => Self::ResolvePath(fields(given)?),
            "reopen" => Self::Reopen(fields(given)?),
            "add-message" => Self::AddMessage(fields(given)?),
            "build-request" => Self::BuildRequest(fields(given)?),
            "rewind" => Self::Rewind(fields(given)?),
            "fork" => Self::Fork(fields(given)?),
            "note" => Self::Note(fields(given)?),
            "set-prompt" => Self::SetPrompt(fields(given)?),
            "set-condition" => Self::SetCondition(fields(given)?),
            "withdraw-tool" => Self::WithdrawTool(fields(given)?),
            "connect-server" => Self::ConnectServer(fields(given)?),
            "record-usage" => Self::RecordUsage(fields(given)?),
            "cache-report" => fields(given).map(|Nothing {}| Self::CacheReport)?,
            "conversation" => fields(given).map(|Nothing {}| Self::Conversation)?,
            "prefix" => fields(given).map(|Nothing {}| Self::Prefix)?,
            "setting" => Self::Setting(fields(given)?),
            "name-path" => Self::NamePath(fields(given)?),
            "check-paths" => Self::CheckPaths(fields(given)?),
            "write-file" => Self::WriteFile(fields(given)?),
            "delete-file" => Self::DeleteFile(fields(given)?),
            "fail-storage" => Self::FailStorage(fields(given)?),
            other => return Self::of_compaction(other, given),
        })
    }

    fn of_compaction(kind: &str, given: Value) -> Result<Self, String> {
        Ok(match kind {
            "pressure" => Self::Pressure(fields(given)?),
            "compact-begin" => Self::CompactBegin(fields(given)?),
            "compact-finish" => Self::CompactFinish(fields(given)?),
            "main-request-answered" => Self::MainRequestAnswered(fields(given)?),
            "last-main-request" => fields(given).map(|Nothing {}| Self::LastMainRequest)?,
            "fallback-due" => Self::FallbackDue(fields(given)?),
            "lineage" => fields(given).map(|Nothing {}| Self::Lineage)?,
            "generation" => Self::Generation(fields(given)?),
            "history" => fields(given).map(|Nothing {}| Self::History)?,
            "context-state" => fields(given).map(|Nothing {}| Self::ContextState)?,
            other => Self::Assembly(AssemblyStep::of(other, given)?),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Id {
    pub id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    pub path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reopen {
    #[serde(default)]
    pub settings: Settings,
    pub key: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    parameters: Option<Value>,
}

impl BuildRequest {
    /// The parameters as JSON.
    pub fn parameters(&self) -> String {
        parameters(self.parameters.as_ref())
    }
}

/// Parameters of a request as JSON; none are an empty object.
pub fn parameters(given: Option<&Value>) -> String {
    given.map_or_else(|| "{}".to_owned(), verbatim)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewind {
    pub first: u32,
    pub last: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    pub key: String,
    pub after: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Note {
    kind: ChangeName,
    #[serde(default)]
    name: String,
    #[serde(default)]
    text: Text,
    #[serde(default)]
    pub by_model: bool,
}

impl Note {
    /// What it says.
    pub fn change(&self) -> Change {
        Change::new(self.kind.into(), &self.name, &self.text.0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetPrompt {
    prompt: PromptFields,
}

impl SetPrompt {
    /// As the library takes it.
    pub fn prompt(self) -> Prompt {
        self.prompt.build()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCondition {
    pub name: String,
    pub met: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithdrawTool {
    pub name: String,
    pub refusal: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectServer {
    pub name: String,
    pub tools: Vec<ToolFields>,
    pub instructions: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordUsage {
    pub number: u32,
    usage: Value,
}

impl RecordUsage {
    /// The usage as JSON.
    pub fn usage(&self) -> String {
        verbatim(&self.usage)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckPaths {
    pub name: String,
    pub text: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteFile {
    pub path: String,
    pub content: Entry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailStorage {
    error: FailWith,
    #[serde(default)]
    pub after: u32,
}

impl FailStorage {
    /// As the storage answers it.
    pub fn error(self) -> StorageError {
        self.error.into()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FailWith {
    Denied,
    Full,
    Other(String),
}

impl From<FailWith> for StorageError {
    fn from(error: FailWith) -> Self {
        match error {
            FailWith::Denied => Self::Denied,
            FailWith::Full => Self::Full,
            FailWith::Other(words) => Self::Other(words),
        }
    }
}
