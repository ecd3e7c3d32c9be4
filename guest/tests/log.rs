//! A log that nobody but another program could have written is refused, and never trusted.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{
    Dialect, Error, LineWindow, Message, Outcome, Part, ReadRequest, Sender, Session, Settings,
    Tool, ToolCall, UserMessage,
};

use support::{Files, Memory, open};

/// The log of a session with two reads of one file, the second a stub.
fn log() -> Vec<String> {
    let (memory, files) = (Memory::default(), Files::default());
    files.write("/work/app/a.ts", "x\ny\n");
    let mut session = open("", &memory, &files);
    for id in ["one", "two"] {
        let call = ToolCall {
            id: id.to_owned(),
            name: "read".to_owned(),
            arguments: "{}".to_owned(),
        };
        let request = ReadRequest {
            path: "a.ts".to_owned(),
            window: LineWindow::default(),
            force: false,
        };
        session
            .insert_result(&call, Outcome::Read(request))
            .unwrap();
    }
    memory.0.take().records
}

/// The log of a conversation: a message, a request, a reply with a call, its result, usage, a server,
/// a message taken back.
fn conversation() -> Vec<String> {
    let memory = Memory::default();
    let settings = talking();
    let mut session = Session::open("s", &settings, memory.clone(), Files::default()).unwrap();
    let say = |text: &str| {
        Message::User(UserMessage {
            sender: Sender::Person,
            starts_turn: true,
            text: text.to_owned(),
            parts: vec![Part::Block(r#"{"type":"text","text":"more"}"#.to_owned())],
            date: None,
        })
    };
    session.add_message(say("one")).unwrap();
    session.build_request("{}").unwrap();
    let json =
        r#"{"content":null,"tool_calls":[{"id":"c1","function":{"name":"bash"}}]}"#.to_owned();
    let incomplete = false;
    session
        .add_message(Message::Reply { json, incomplete })
        .unwrap();
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "bash".to_owned(),
        arguments: "{}".to_owned(),
    };
    session
        .insert_result(&call, Outcome::Output("ok".to_owned()))
        .unwrap();
    session.record_usage(1, r#"{"prompt_tokens":7}"#).unwrap();
    session
        .connect_server("git", &[tool("commit")], None)
        .unwrap();
    session.add_message(say("two")).unwrap();
    session.rewind(3, None).unwrap();
    memory.0.take().records
}

fn talking() -> Settings {
    Settings {
        dialect: Some(Dialect::OpenaiChat),
        tools: vec![tool("bash")],
        ..support::settings("")
    }
}

fn tool(name: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        description: String::new(),
        parameters: r#"{"type":"object"}"#.to_owned(),
        definition: None,
        requires: Vec::new(),
        unavailable: None,
        kinds: Vec::new(),
        vision: false,
    }
}

fn opened_with(position: usize, from: &str, to: &str) -> Result<(), Error> {
    let records = log();
    opened_changed(records, &support::settings(""), position, from, to)
}

fn opened_changed(
    mut records: Vec<String>,
    settings: &Settings,
    position: usize,
    from: &str,
    to: &str,
) -> Result<(), Error> {
    let memory = Memory::default();
    let changed = records[position].replacen(from, to, 1);
    assert_ne!(changed, records[position], "`{from}` is not in the record");
    records[position] = changed;
    memory.0.borrow_mut().records = records;
    Session::open("s", settings, memory, Files::default()).map(drop)
}

#[test]
fn a_record_that_cannot_be_is_damaged() {
    for (position, from, to) in [
        (0, r#""digits":4"#, r#""digits":4000000000"#),
        (0, r#""sha_digits":8"#, r#""sha_digits":99"#),
        (0, r#""root":"/work/app""#, r#""root":"app""#),
        (1, r#""v":2"#, r#""v":0"#),
        (1, r#""v":2"#, r#""v":"1""#),
        (1, r#""number":1"#, r#""number":2"#),
        (1, r#""first":1"#, r#""first":3"#),
        (1, r#""last":2"#, r#""last":4294967295"#),
        (2, r#""call":"two""#, r#""call":"one""#),
        (2, r#""stub_of":1"#, r#""stub_of":77"#),
        (2, r#""stub_of":1"#, r#""stub_of":0"#),
    ] {
        let opened = opened_with(position, from, to);
        let at = u32::try_from(position).unwrap();
        assert!(
            matches!(&opened, Err(Error::DamagedRecord { position, .. }) if *position == at),
            "{to}: {opened:?}"
        );
    }
}

#[test]
fn a_record_of_a_conversation_that_cannot_be_is_damaged() {
    let records = conversation();
    let opened = Session::open("s", &talking(), stored(&records), Files::default());
    opened.unwrap();
    for (position, from, to) in [
        (0, r#""parameters":"{\"type"#, r#""parameters":"{\"type\":"#),
        (0, r#""dialect":"openai-chat""#, r#""dialect":"telegraph""#),
        (1, r#""number":1"#, r#""number":2"#),
        (1, r#"{\"type\":"#, r#"{\"type\","#),
        (2, r#""number":1"#, r#""number":3"#),
        (2, r#""parameters":"{}""#, r#""parameters":null"#),
        (3, r#"\"content\":"#, r#"\"content\""#),
        (3, r#"\"id\":\"c1\""#, r#"\"id\":\"\""#),
        (4, r#""call":"c1""#, r#""call":"c2""#),
        (5, r#""number":1"#, r#""number":2"#),
        (6, r#""name":"commit""#, r#""name":"""#),
        (8, r#""last":3"#, r#""last":4"#),
    ] {
        let opened = opened_changed(records.clone(), &talking(), position, from, to);
        let at = u32::try_from(position).unwrap();
        assert!(
            matches!(&opened, Err(Error::DamagedRecord { position, .. }) if *position == at),
            "{to}: {opened:?}"
        );
    }
}

#[test]
fn a_conversation_in_a_log_of_results_only_is_damaged() {
    let mut records = log();
    records.truncate(1);
    records.push(conversation()[1].clone());
    let opened = Session::open(
        "s",
        &support::settings(""),
        stored(&records),
        Files::default(),
    );
    assert!(
        matches!(opened, Err(Error::DamagedRecord { position: 1, .. })),
        "{opened:?}"
    );
}

fn stored(records: &[String]) -> Memory {
    let memory = Memory::default();
    memory.0.borrow_mut().records = records.to_vec();
    memory
}

#[test]
fn a_newer_record_is_refused() {
    for version in ["3", "1099511627776"] {
        let opened = opened_with(1, r#""v":2"#, &format!(r#""v":{version}"#));
        assert!(
            matches!(opened, Err(Error::NewerRecord { position: 1, .. })),
            "{version}: {opened:?}"
        );
    }
}

#[test]
fn a_log_that_does_not_begin_a_session_is_damaged() {
    let memory = Memory::default();
    memory.0.borrow_mut().records = log().split_off(1);
    let opened = Session::open("s", &support::settings(""), memory, Files::default());
    assert!(matches!(
        opened,
        Err(Error::DamagedRecord { position: 0, .. })
    ));
}
