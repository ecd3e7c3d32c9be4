//! Stores that earlier versions wrote: each session opens, and goes on with the bytes that it had.

use std::fs;
use std::path::Path;

use serde_json::Value;
use waybread::{Dialect, MemoryTree, Session, Settings, SqliteStorage};

use crate::support::{person, read};

fn dialect(name: &str) -> Option<Dialect> {
    let all = [
        Dialect::OpenaiChat,
        Dialect::AnthropicMessages,
        Dialect::OpenaiResponses,
    ];
    all.into_iter().find(|dialect| dialect.to_string() == name)
}

fn goes_on(store: &Path, key: &str, told: &Value) {
    let settings = match told["kind"].as_str() {
        Some("chat") => Settings::chat("/work/app"),
        _ => Settings::agent("/work/app"),
    };
    let dialect = told["dialect"].as_str().and_then(dialect);
    let tree = MemoryTree::new();
    let lines: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    tree.write("/work/app/a.ts", lines);
    let storage = SqliteStorage::open(store).unwrap();
    let mut session = Session::open(key, settings.dialect(dialect), storage, tree).unwrap();
    if dialect.is_none() {
        let mut text = read(&mut session, "again", "a.ts").text;
        text = text.replace("#0003", "#0002").replace("1-300", "1-5");
        assert!(text.starts_with("[#0002 a.ts lines 1-5 of 300"), "{text}");
        return;
    }
    let messages = told["messages"].as_array().unwrap();
    let said = session.conversation().unwrap();
    assert_eq!(said.len(), messages.len(), "{key}");
    for (message, was) in said.iter().zip(messages) {
        assert_eq!(Some(message.text.as_str()), was[2].as_str(), "{key}");
    }
    let parameters = told["parameters"].as_str().unwrap();
    let request = session.build_request(parameters).unwrap();
    assert_eq!(
        Some(request.body.to_string().as_str()),
        told["body"].as_str(),
        "{key}"
    );
    assert_eq!(request.difference, None, "{key}");
    session.add_message(person("Go on.")).unwrap();
    let next = session.build_request(parameters).unwrap();
    assert_eq!(
        Some(next.body.to_string().as_str()),
        told["next"].as_str(),
        "{key}"
    );
}

#[test]
fn stored_sessions_go_on_as_they_were() {
    let stores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/stores");
    for entry in fs::read_dir(stores).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let told: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for (key, told) in told.as_object().unwrap() {
            let folder = tempfile::tempdir().unwrap();
            let copy = folder.path().join("sessions.sqlite");
            fs::copy(path.with_extension("sqlite"), &copy).unwrap();
            goes_on(&copy, key, told);
        }
    }
}
