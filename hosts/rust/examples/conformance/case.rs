//! The case format of `conformance/README.md`. An unknown field is an error that names it.

use serde::Deserialize;
use serde_json::{Map, Value};
use waybread::{Changes, FileChange, Kind, Outcome, Read, StorageError};

use crate::files::Entry;
use crate::text::{Content, Text, fields};

/// A case file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    #[serde(rename = "area")]
    _area: String,
    pub cases: Vec<Case>,
}

/// One case: a session and what is done to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    pub name: String,
    #[serde(rename = "rule")]
    _rule: String,
    #[serde(default)]
    pub settings: Settings,
    #[serde(default)]
    pub files: std::collections::BTreeMap<String, Entry>,
    #[serde(default)]
    pub steps: Vec<Value>,
    #[serde(rename = "expect-open")]
    _expect_open: Option<Value>,
}

/// Settings; what is left out is the default, or what the case has.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    kind: Option<KindName>,
    root: Option<String>,
    #[serde(default, deserialize_with = "given")]
    home: Option<Option<String>>,
    overrides: Option<Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KindName {
    Agent,
    Chat,
}

impl Settings {
    /// These where they are given, else the others.
    pub fn or(self, others: &Self) -> Self {
        let others = others.clone();
        Self {
            kind: self.kind.or(others.kind),
            root: self.root.or(others.root),
            home: self.home.or(others.home),
            overrides: self.overrides.or(others.overrides),
        }
    }

    /// As the library takes them.
    pub fn build(&self) -> waybread::Settings {
        let kind = match self.kind {
            Some(KindName::Agent) | None => Kind::Agent,
            Some(KindName::Chat) => Kind::Chat,
        };
        let mut settings =
            waybread::Settings::new(kind, self.root.as_deref().unwrap_or("/work/app"));
        settings.home = self.home.clone().flatten();
        settings.overrides = self
            .overrides
            .as_ref()
            .map_or_else(|| "{}".to_owned(), verbatim);
        settings
    }
}

/// A step, as it is performed.
pub enum Step {
    InsertResult(InsertResult),
    Recall(Recall),
    StoredText { id: String },
    LastRead { path: String },
    ResolvePath { path: String },
    Reopen(Settings),
    WriteFile { path: String, content: Entry },
    DeleteFile { path: String },
    FailStorage(StorageError),
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
            "stored-text" => fields(given).map(|Id { id }| Self::StoredText { id })?,
            "last-read" => fields(given).map(|Path { path }| Self::LastRead { path })?,
            "resolve-path" => fields(given).map(|Path { path }| Self::ResolvePath { path })?,
            "reopen" => fields(given).map(|Reopen { settings }| Self::Reopen(settings))?,
            "write-file" => fields(given)
                .map(|WriteFile { path, content }| Self::WriteFile { path, content })?,
            "delete-file" => fields(given).map(|Path { path }| Self::DeleteFile { path })?,
            "fail-storage" => {
                fields(given).map(|Fail { error }| Self::FailStorage(error.into()))?
            }
            other => return Err(format!("`{other}` is nothing that a step can `do`")),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsertResult {
    pub call: Option<String>,
    pub tool: Option<String>,
    arguments: Option<Value>,
    read: Option<ReadFields>,
    output: Option<Text>,
    failure: Option<Text>,
    changes: Option<ChangesFields>,
}

impl InsertResult {
    /// The arguments as the model wrote them.
    pub fn arguments(&self) -> String {
        self.arguments
            .as_ref()
            .map_or_else(|| "{}".to_owned(), verbatim)
    }

    /// The one outcome.
    pub fn outcome(self) -> Result<Outcome, String> {
        let outcomes = [
            self.read.map(ReadFields::build),
            self.output.map(|text| Outcome::output(text.0)),
            self.failure.map(|text| Outcome::failure(text.0)),
            self.changes.map(ChangesFields::build),
        ];
        let mut given = outcomes.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(outcome), None) => Ok(outcome),
            _ => {
                Err("exactly one of `read`, `output`, `failure` and `changes` is given".to_owned())
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadFields {
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
    #[serde(default)]
    force: bool,
}

impl ReadFields {
    fn build(self) -> Outcome {
        Read::new(self.path)
            .offset(self.offset)
            .limit(self.limit)
            .force(self.force)
            .into()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangesFields {
    files: Vec<ChangeFields>,
    note: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeFields {
    path: String,
    before: Option<Content>,
    after: Option<Content>,
}

impl ChangesFields {
    fn build(self) -> Outcome {
        let side = |content: Option<Content>| content.map(|content| content.0);
        let files = self.files.into_iter();
        let files =
            files.map(|file| FileChange::new(file.path, side(file.before), side(file.after)));
        let mut changes = Changes::new(files);
        changes.note = self.note.map(|note| note.0);
        changes.into()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    pub call: Option<String>,
    pub id: String,
    pub offset: Option<u32>,
    pub limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Path {
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reopen {
    #[serde(default)]
    settings: Settings,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteFile {
    path: String,
    content: Entry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fail {
    error: FailWith,
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

/// A string as it is, anything else as compact JSON in the order written.
fn verbatim(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Tells a field that is null from one that is left out.
fn given<'de, D: serde::Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}
