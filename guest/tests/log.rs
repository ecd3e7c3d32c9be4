//! A log that nobody but another program could have written is refused, and never trusted.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{
    CharWindow, Dialect, Error, LineWindow, Message, Outcome, Part, ReadRequest, Sender, Session,
    Settings, Tool, ToolCall, UserMessage,
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

/// As the first version wrote it, without a chain: what else is checked of a record shows.
fn unchained(record: &str) -> String {
    let (_, event) = record.split_once(r#""event":"#).unwrap();
    format!(r#"{{"v":1,"event":{event}"#)
}

fn opened_changed(
    mut records: Vec<String>,
    settings: &Settings,
    position: usize,
    from: &str,
    to: &str,
) -> Result<(), Error> {
    records = records.iter().map(|record| unchained(record)).collect();
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
        (1, r#""v":1"#, r#""v":0"#),
        (1, r#""v":1"#, r#""v":"1""#),
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
        (3, r#"\"name\":"#, r#"\"named\":"#),
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
        let opened = opened_with(1, r#""v":1"#, &format!(r#""v":{version}"#));
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

/// Opens a log that was changed where it lies.
fn opened(records: Vec<String>) -> Result<(), Error> {
    let memory = Memory::default();
    memory.0.borrow_mut().records = records;
    Session::open("s", &talking(), memory, Files::default()).map(drop)
}

#[test]
fn a_record_that_was_changed_moved_or_lost_is_found() {
    let records = conversation();
    opened(records.clone()).unwrap();
    for at in 1..records.len() {
        for bit in 0..records[at].len() {
            let mut changed = records.clone();
            let mut bytes = changed[at].clone().into_bytes();
            bytes[bit] ^= 1;
            changed[at] = String::from_utf8(bytes).unwrap();
            assert!(opened(changed).is_err(), "record {at}, byte {bit}");
        }
        let mut twice = records.clone();
        twice.insert(at, records[at].clone());
        let mut swapped = records.clone();
        swapped.swap(at - 1, at);
        let mut first_form = records.clone();
        first_form[at] = unchained(&records[at]);
        for changed in [twice, swapped, first_form] {
            assert!(matches!(opened(changed), Err(Error::DamagedRecord { .. })));
        }
        let mut lost = records.clone();
        lost.remove(at);
        let found = opened(lost);
        // The tail that a log lost nobody misses.
        if at + 1 < records.len() {
            let position = at as u32;
            assert!(
                matches!(found, Err(Error::DamagedRecord { position: there, .. }) if there == position),
                "{found:?}"
            );
        }
    }
}

#[test]
fn a_log_of_the_first_form_is_chained_from_its_next_record_on() {
    let memory = Memory::default();
    let mut records: Vec<String> = conversation()
        .iter()
        .map(|record| unchained(record))
        .collect();
    memory.0.borrow_mut().records.clone_from(&records);
    let mut session = Session::open("s", &talking(), memory.clone(), Files::default()).unwrap();
    session.rewind(1, None).unwrap();
    drop(session);
    records = memory.0.take().records;
    opened(records.clone()).unwrap();
    // What was there before is chained with it.
    records[2] = records[2].replace(r#""tokens":"#, r#""tokens":1"#);
    assert!(opened(records).is_err());
}

#[test]
fn a_text_that_was_changed_is_not_taken_for_the_one_that_was_stored() {
    let memory = Memory::default();
    let mut session = Session::open(
        "s",
        &support::settings(""),
        memory.clone(),
        Files::default(),
    );
    let session = session.as_mut().unwrap();
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "grep".to_owned(),
        arguments: "{}".to_owned(),
    };
    let output = || Outcome::Output("found".to_owned());
    session.insert_result(&call("1"), output()).unwrap();
    let text = memory
        .0
        .borrow_mut()
        .texts
        .insert("#0001".to_owned(), "fount".to_owned());
    for error in [
        session.stored_text("1").err(),
        session
            .recall(
                &call("2"),
                "1",
                LineWindow::default(),
                CharWindow::default(),
            )
            .err(),
        session.insert_result(&call("2"), output()).err(),
        session.fork("f", None).err(),
    ] {
        let message = error.unwrap().to_string();
        assert!(
            message.contains("the text of #0001 is not the one that was stored"),
            "{message}"
        );
    }
    memory
        .0
        .borrow_mut()
        .texts
        .insert("#0001".to_owned(), text.unwrap());
    assert_eq!(session.stored_text("1").unwrap(), "found");
}
