//! What is larger than crosses to a host is refused before anything is stored (docs/rulings.md, "Sizes").

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{
    Dialect, Error, Message, Outcome, ReadRequest, Sender, Session, Settings, ToolCall, UserMessage,
};

use support::{Files, Memory, settings};

/// Over what a session's first record takes.
const MOST: usize = 60_000;

fn open(dialect: Option<Dialect>, memory: &Memory, files: &Files) -> Session<Memory, Files> {
    let settings = Settings {
        dialect,
        ..settings(&format!(r#"{{"context": {{"max_bytes": {MOST}}}}}"#))
    };
    Session::open("s", &settings, memory.clone(), files.clone()).unwrap()
}

fn call(id: usize) -> ToolCall {
    ToolCall {
        id: id.to_string(),
        name: "bash".to_owned(),
        arguments: "{}".to_owned(),
    }
}

fn says_the_limit<T>(answer: Result<T, Error>) {
    let message = answer.err().unwrap().to_string();
    assert!(
        message.contains("60000 at most (`context.max_bytes`)"),
        "{message}"
    );
}

fn message(text: String) -> Message {
    Message::User(UserMessage {
        sender: Sender::Person,
        starts_turn: true,
        text,
        parts: Vec::new(),
        date: None,
    })
}

#[test]
fn a_result_that_cannot_be_stored_or_shown_is_refused_and_leaves_its_call_open() {
    let (memory, files) = (Memory::default(), Files::default());
    // NUL is shown as three bytes.
    files.write("/work/app/z", &"\0".repeat(MOST / 2));
    let mut session = open(None, &memory, &files);
    let read = ReadRequest {
        path: "z".to_owned(),
        ..ReadRequest::default()
    };
    let outcomes = [
        Outcome::Output("x".repeat(MOST)),
        Outcome::Failure("x".repeat(MOST)),
        Outcome::Read(read),
    ];
    for outcome in outcomes {
        says_the_limit(session.insert_result(&call(1), outcome));
        assert_eq!(memory.0.borrow().records.len(), 1);
    }
    let small = session.insert_result(&call(1), Outcome::Output("x".to_owned()));
    assert_eq!(small.unwrap().text, "[#0001]\nx");
}

#[test]
fn a_message_and_a_body_are_refused_and_leave_the_session_as_it_was() {
    let (memory, files) = (Memory::default(), Files::default());
    let mut session = open(Some(Dialect::OpenaiChat), &memory, &files);
    says_the_limit(session.add_message(message("x".repeat(MOST))));
    let first = session.add_message(message("x".repeat(MOST / 2))).unwrap();
    session.build_request("").unwrap();
    let second = session.add_message(message("x".repeat(MOST / 2))).unwrap();
    let length = memory.0.borrow().records.len();
    says_the_limit(session.build_request(""));
    assert_eq!(memory.0.borrow().records.len(), length);
    session.rewind(second.number, None).unwrap();
    assert_eq!(session.build_request("").unwrap().number, 2);
    assert_eq!(first.number, 1);
}
