//! The steps whose answers are results.

use serde::Deserialize;
use serde_json::Value;
use waybread::{Changes, FileChange, Outcome, Read};

use crate::text::{Content, Text, verbatim};

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
    delegated: Option<DelegatedFields>,
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
            self.delegated.map(DelegatedFields::build),
        ];
        let mut given = outcomes.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(outcome), None) => Ok(outcome),
            _ => Err(
                "exactly one of `read`, `output`, `failure`, `changes` and `delegated` is given"
                    .to_owned(),
            ),
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
struct DelegatedFields {
    key: String,
    text: Text,
}

impl DelegatedFields {
    fn build(self) -> Outcome {
        Outcome::delegated(self.key, self.text.0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recall {
    pub call: Option<String>,
    pub id: String,
    pub offset: Option<u32>,
    pub limit: Option<u32>,
    pub char_offset: Option<u32>,
    pub char_limit: Option<u32>,
}
