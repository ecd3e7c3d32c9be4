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
use waybread_recordings::{
    Context, ImportError, Message, Options, Outcome, Plan, Session, Step, plan,
};

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
    // Calls of the last reply that have no result yet.
    let mut open: Vec<String> = Vec::new();
    let mut spoken = false;
    for step in &context.steps {
        match step {
            Step::WriteFile { path, content } => drop(tree.insert(path, content)),
            Step::DeleteFile { path } => drop(tree.remove(path.as_str())),
            Step::BuildRequest => assert!(spoken, "{name}: a request without a message"),
            Step::AddMessage(message) => {
                spoken |= matches!(message, Message::User(_));
                assert!(spoken, "{name}: a reply to nothing");
                open = check_message(name, message);
            }
            Step::InsertResult(insert) => {
                let asked = open.iter().position(|id| *id == insert.call);
                let asked = asked.unwrap_or_else(|| panic!("{name}: {} is not open", insert.call));
                open.remove(asked);
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

/// The ids of a reply's calls.
fn check_message(name: &str, message: &Message) -> Vec<String> {
    let reply = match message {
        Message::User(said) => {
            assert!(!said.text.trim().is_empty(), "{name}");
            return Vec::new();
        }
        Message::Reply(reply) => reply,
    };
    let json: Value = serde_json::from_str(&reply.json).unwrap();
    let calls = json["tool_calls"].as_array().cloned().unwrap_or_default();
    let ids = calls.iter().map(|call| {
        assert!(
            !call["function"]["name"].as_str().unwrap().is_empty(),
            "{name}"
        );
        assert!(call["function"]["arguments"].is_string(), "{name}");
        call["id"].as_str().unwrap().to_owned()
    });
    let ids: Vec<String> = ids.collect();
    let different: HashSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "{name}: {ids:?}");
    assert!(!ids.contains(&String::new()), "{name}");
    if reply.incomplete { Vec::new() } else { ids }
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

/// The steps of results in short: `main: write /w/a`, `main: c1 Read read a 2 1`, …
pub fn short(session: &Session) -> Vec<String> {
    let speech = |step: &Step| matches!(step, Step::AddMessage(_) | Step::BuildRequest);
    all_short(session, |step| !speech(step))
}

/// The messages and requests in short: `main: person "go"`, `main: request`,
/// `main: reply "text" [c1]`, …; a message at a step boundary has a `+`.
pub fn talk(session: &Session) -> Vec<String> {
    all_short(session, |step| {
        !matches!(step, Step::WriteFile { .. } | Step::DeleteFile { .. })
    })
}

fn all_short(session: &Session, wanted: impl Fn(&Step) -> bool) -> Vec<String> {
    let mut all = Vec::new();
    for context in &session.contexts {
        for step in context.steps.iter().filter(|step| wanted(step)) {
            all.push(format!("{}: {}", context.name, short_step(step)));
        }
    }
    all
}

fn short_message(message: &Message) -> String {
    match message {
        Message::User(said) => {
            let sender = serde_json::json!(said.sender).as_str().unwrap().to_owned();
            let boundary = said.delivery == waybread_recordings::Delivery::StepBoundary;
            format!(
                "{sender}{} {:?}",
                if boundary { "+" } else { "" },
                said.text
            )
        }
        Message::Reply(reply) => {
            let json: Value = serde_json::from_str(&reply.json).unwrap();
            let mut short = "reply".to_owned();
            for (key, before) in [("reasoning_content", " thinks "), ("content", " ")] {
                if let Some(text) = json[key].as_str().filter(|text| !text.is_empty()) {
                    short += &format!("{before}{text:?}");
                }
            }
            for call in json["tool_calls"].as_array().into_iter().flatten() {
                short += &format!(" [{}]", call["id"].as_str().unwrap());
            }
            if reply.incomplete {
                short += " broken off";
            }
            short
        }
    }
}

fn short_step(step: &Step) -> String {
    let insert = match step {
        Step::WriteFile { path, content } => return format!("write {path} {content:?}"),
        Step::DeleteFile { path } => return format!("delete {path}"),
        Step::BuildRequest => return "request".to_owned(),
        Step::AddMessage(message) => return short_message(message),
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
