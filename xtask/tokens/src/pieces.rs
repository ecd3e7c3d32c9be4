//! The pieces that a session holds of a recording: its messages, arguments and results, each
//! estimated by itself. A text's pieces are its parts between two empty lines.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;
use waybread_recordings::{Context, InsertResult, Message, Options, Outcome, Read, Step, plan};

/// As many lines of a changed file make one piece.
const LINES: usize = 400;

/// As many lines a read shows at most.
const WINDOW: usize = 2000;

/// A text that is estimated by itself.
pub struct Piece {
    /// The recorded session; the file of a text.
    pub session: String,
    /// `code`, `JSON`, `prose`, `output`; the file's stem of a text.
    pub kind: String,
    /// It is of a text that was written or fetched for this, not of a recording.
    pub written: bool,
    /// The weights are fitted to it.
    pub fitted: bool,
    /// An earlier piece has the same text.
    pub repeated: bool,
    pub text: String,
}

/// The pieces of all files, but empty ones.
pub fn of(files: &[PathBuf]) -> Result<Vec<Piece>> {
    let mut seen = HashSet::new();
    let mut pieces = Vec::new();
    for file in files {
        pieces.extend(of_file(file)?);
    }
    pieces.retain(|piece| !piece.text.is_empty());
    for piece in &mut pieces {
        piece.repeated = !seen.insert(piece.text.clone());
    }
    Ok(pieces)
}

fn of_file(file: &Path) -> Result<Vec<Piece>> {
    let bytes = fs::read(file).with_context(|| format!("no {}", file.display()))?;
    let content = String::from_utf8_lossy(&bytes);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    if name.ends_with(".txt") {
        return Ok(of_text(stem, &content));
    }
    let plan = plan(&name, &content, &Options::default())
        .with_context(|| format!("{}", file.display()))?;
    let mut pieces = Vec::new();
    for session in &plan.sessions {
        let mut held = Held::default();
        session
            .contexts
            .iter()
            .for_each(|context| held.context(context));
        pieces.extend(held.texts.into_iter().map(|(kind, text)| Piece {
            session: session.name.clone(),
            kind: kind.to_owned(),
            written: false,
            fitted: is_fitted(stem),
            repeated: false,
            text,
        }));
    }
    Ok(pieces)
}

/// Half of the recordings, by their names' first two parts: an excerpt goes with the whole.
fn is_fitted(stem: &str) -> bool {
    let parts: Vec<&str> = stem.split('-').take(2).collect();
    parts.join("-").bytes().map(u32::from).sum::<u32>() % 2 == 0
}

/// Texts beside the recordings: `fit-…` are fitted to, the others only reported.
fn of_text(stem: &str, content: &str) -> Vec<Piece> {
    let piece = |text: &str| Piece {
        session: stem.to_owned(),
        kind: stem.to_owned(),
        written: true,
        fitted: stem.starts_with("fit-"),
        repeated: false,
        text: text.trim_end_matches('\n').to_owned(),
    };
    content.split("\n\n\n").map(piece).collect()
}

/// What a session holds, with the files as the recording has them so far.
#[derive(Default)]
struct Held {
    texts: Vec<(&'static str, String)>,
    tree: BTreeMap<String, String>,
}

impl Held {
    fn context(&mut self, context: &Context) {
        for source in &context.settings.prompt.sources {
            self.add("prose", &source.text);
        }
        for tool in &context.settings.tools {
            self.add("JSON", &serde_json::json!(tool).to_string());
        }
        context.steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::WriteFile { path, content } => {
                self.tree.insert(path.clone(), content.clone());
            }
            Step::DeleteFile { path } => {
                self.tree.remove(path);
            }
            Step::AddMessage(Message::User(message)) => self.add("prose", &message.text),
            Step::AddMessage(Message::Reply(reply)) => self.reply(&reply.json),
            Step::InsertResult(result) => self.result(result),
            Step::BuildRequest => {}
        }
    }

    fn reply(&mut self, json: &str) {
        let reply: Value = serde_json::from_str(json).unwrap_or_default();
        for key in ["content", "reasoning_content", "reasoning"] {
            self.add(
                "prose",
                reply.get(key).and_then(Value::as_str).unwrap_or_default(),
            );
        }
        let calls = reply.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str);
            self.add("JSON", arguments.unwrap_or_default());
        }
    }

    fn result(&mut self, result: &InsertResult) {
        match &result.outcome {
            Outcome::Read(read) => self.read(read),
            Outcome::Output(text) | Outcome::Failure(text) => {
                let json = serde_json::from_str::<Value>(text)
                    .is_ok_and(|value| value.is_object() || value.is_array());
                self.add(if json { "JSON" } else { "output" }, text);
            }
            Outcome::Changes(changes) => {
                for after in changes
                    .files
                    .iter()
                    .filter_map(|file| file.after.as_deref())
                {
                    let lines: Vec<&str> = after.lines().collect();
                    lines
                        .chunks(LINES)
                        .for_each(|part| self.add("code", &part.join("\n")));
                }
            }
        }
    }

    /// The lines as a read shows them, numbered.
    fn read(&mut self, read: &Read) {
        let found = self
            .tree
            .iter()
            .find(|(path, _)| path.ends_with(&read.path));
        let Some((_, content)) = found else { return };
        let first = read.offset.unwrap_or(1).max(1) as usize;
        let limit = (read.limit.unwrap_or(u32::MAX) as usize).min(WINDOW);
        let lines = content.lines().enumerate().skip(first - 1).take(limit);
        let shown: Vec<String> = lines
            .map(|(at, line)| format!("{}: {line}", at + 1))
            .collect();
        self.add("code", &shown.join("\n"));
    }

    fn add(&mut self, kind: &'static str, text: &str) {
        self.texts.push((kind, text.to_owned()));
    }
}
