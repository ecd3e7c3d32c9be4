//! What the tests share.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use waybread_recordings::{Context, ImportError, Options, Outcome, Plan, Session, Step, plan};

/// `tests/`
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Names and contents of all recordings, sorted by name.
pub fn fixtures() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder().join("fixtures"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "md"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    assert!(all.len() > 20);
    all
}

/// One recording's content.
pub fn fixture(name: &str) -> String {
    std::fs::read_to_string(folder().join("fixtures").join(name)).unwrap()
}

/// Checks that a host can perform the steps.
pub fn check_performable(name: &str, context: &Context) {
    let mut tree: HashMap<&str, &str> = HashMap::new();
    let mut calls = HashSet::new();
    for step in &context.steps {
        match step {
            Step::WriteFile { path, content } => drop(tree.insert(path, content)),
            Step::DeleteFile { path } => drop(tree.remove(path.as_str())),
            Step::InsertResult(insert) => {
                assert!(!insert.call.is_empty() && !insert.tool.is_empty(), "{name}");
                assert!(
                    calls.insert(insert.call.as_str()),
                    "{name}: {}",
                    insert.call
                );
                if let Outcome::Read(read) = &insert.outcome {
                    let end = read.path.rsplit(['/', '\\']).next().unwrap();
                    let file = tree.iter().find(|(path, _)| path.ends_with(end));
                    let (_, content) =
                        file.unwrap_or_else(|| panic!("{name}: {} is not there", read.path));
                    let lines = content.lines().count();
                    let first = read.offset.unwrap_or(1) as usize;
                    assert!(
                        first <= lines.max(1),
                        "{name}: {} {first} {lines}",
                        read.path
                    );
                }
            }
        }
    }
}

/// The plan of a hand-made recording.
pub fn planned(content: &str) -> Plan {
    plan("x.json", content, &Options::default()).unwrap()
}

/// Its only session.
pub fn only(content: &str) -> Session {
    let mut plan = planned(content);
    assert_eq!(plan.sessions.len(), 1);
    plan.sessions.remove(0)
}

/// Why there is no plan.
pub fn failed(content: &str) -> ImportError {
    plan("x.json", content, &Options::default()).unwrap_err()
}

/// JSON lines.
pub fn lines(values: &[Value]) -> String {
    values
        .iter()
        .map(|value| value.to_string() + "\n")
        .collect()
}

/// The steps in short: `main: write /w/a`, `main: c1 Read read a 2 1`, …
pub fn short(session: &Session) -> Vec<String> {
    let mut all = Vec::new();
    for context in &session.contexts {
        for step in &context.steps {
            all.push(format!("{}: {}", context.name, short_step(step)));
        }
    }
    all
}

fn short_step(step: &Step) -> String {
    let insert = match step {
        Step::WriteFile { path, content } => return format!("write {path} {content:?}"),
        Step::DeleteFile { path } => return format!("delete {path}"),
        Step::InsertResult(insert) => insert,
    };
    let outcome = match &insert.outcome {
        Outcome::Read(read) => {
            let number = |number: Option<u32>| number.map_or("-".into(), |n| n.to_string());
            format!(
                "read {} {} {}",
                read.path,
                number(read.offset),
                number(read.limit)
            )
        }
        Outcome::Changes(changes) => {
            let change = |c: &waybread_recordings::FileChange| {
                format!("{} {:?} {:?}", c.path, c.before, c.after)
            };
            format!(
                "changes {}",
                changes
                    .files
                    .iter()
                    .map(change)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        Outcome::Output(text) => format!("output {text:?}"),
        Outcome::Failure(text) => format!("failure {text:?}"),
    };
    format!("{} {} {outcome}", insert.call, insert.tool)
}

/// Why something was not replayed as it happened, how often, and from which line.
pub fn reasons(session: &Session) -> Vec<(String, u64, Option<u32>)> {
    let about = &session.about;
    let all = about.not_replayed.iter().chain(&about.skipped);
    all.map(|reason| (reason.reason.clone(), reason.count, reason.first_line))
        .collect()
}
