//! A scenario of `../scenarios`, played through the loop that every session has.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use waybread::{MemoryTree, Outcome, Prompt, Session, Settings, SqliteStorage, Tool, ToolCall};

use crate::agent::{Agent, Tools};
use crate::model::Model;
use crate::tools;

/// Plays it to its end.
pub async fn play(path: &Path, url: &str, storage: SqliteStorage) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    let given: Value = serde_json::from_str(&text)?;
    let word = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
    let list = |name: &str| {
        given
            .get(name)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let dialect = crate::dialect(word("dialect"))?;
    let settings = match word("kind") {
        "chat" => Settings::chat(word("root")),
        _ => Settings::agent(word("root")),
    };
    let settings = settings
        .dialect(dialect)
        .prompt(Prompt::new().preamble("", word("prompt")))
        .tools(list("tools").iter().map(tool));
    let files = MemoryTree::new();
    for (path, content) in given
        .get("files")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        files.write(path, content.as_str().unwrap_or_default());
    }
    let session = Session::open("scenario", settings, storage, files)?;
    let parameters = given
        .get("parameters")
        .context("no parameters")?
        .to_string();
    let answers = Answers::of(given.get("results").unwrap_or(&Value::Null));
    let mut agent = Agent::new(session, Model::new(url, dialect, None), parameters, answers);
    for words in list("turns") {
        agent
            .turn(words.as_str().unwrap_or_default(), Some(word("date")))
            .await?;
    }
    Ok(())
}

fn tool(given: &Value) -> Tool {
    let word = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
    let parameters = given.get("parameters").unwrap_or(&Value::Null);
    Tool::new(word("name"), word("description")).parameters(parameters.to_string())
}

/// What tools other than `read` answer, in order.
struct Answers(BTreeMap<String, Vec<Value>>);

impl Answers {
    fn of(results: &Value) -> Self {
        let tools = results.as_object().into_iter().flatten();
        let answers = tools.map(|(name, texts)| {
            let texts = texts.as_array().cloned().unwrap_or_default();
            (name.clone(), texts.into_iter().rev().collect())
        });
        Self(answers.collect())
    }
}

impl Tools for Answers {
    async fn run(&mut self, call: &ToolCall, arguments: &Value) -> Outcome {
        if call.name == "read" {
            return tools::read(arguments);
        }
        let answer = self.0.get_mut(&call.name).and_then(Vec::pop);
        match answer.as_ref().and_then(Value::as_str) {
            Some(text) => Outcome::output(text),
            None => Outcome::failure(format!("no tool {}", call.name)),
        }
    }
}
