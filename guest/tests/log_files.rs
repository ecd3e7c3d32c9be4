//! Files that a stored log names are read only where whoever opens it allows them.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{
    Assembly, Delegation, Dialect, Message, Prompt, Sender, Session, Settings, UserMessage,
};

use support::{Files, Memory};

/// As the first version wrote it, without a chain: what else is checked of a record shows.
fn unchained(record: &str) -> String {
    let (_, event) = record.split_once(r#""event":"#).unwrap();
    format!(r#"{{"v":1,"event":{event}"#)
}

/// An agent's session that reads instruction files, with a home, in a log whose rules were changed.
fn named(files: &Files, changes: &[(&str, &str)]) -> (Memory, Settings) {
    let settings = Settings {
        dialect: Some(Dialect::OpenaiChat),
        home: Some("/home/me".to_owned()),
        assembly: Assembly {
            instructions: true,
            ..Assembly::default()
        },
        ..support::settings("")
    };
    let memory = Memory::default();
    Session::open("s", &settings, memory.clone(), files.clone()).unwrap();
    let mut record = unchained(&memory.0.borrow().records[0]);
    for (from, to) in changes {
        assert!(record.contains(from), "`{from}` is not in {record}");
        record = record.replace(from, to);
    }
    memory.0.borrow_mut().records[0] = record;
    let assembly = Assembly::default();
    (
        memory,
        Settings {
            assembly,
            ..settings
        },
    )
}

/// What a prompt that is made again tells, after a change of model.
fn made_again(memory: &Memory, settings: &Settings, files: &Files) -> String {
    let mut session = Session::open("s", settings, memory.clone(), files.clone()).unwrap();
    let say = |text: &str| {
        Message::User(UserMessage {
            sender: Sender::Person,
            starts_turn: true,
            text: text.to_owned(),
            parts: Vec::new(),
            date: None,
        })
    };
    session.add_message(say("one")).unwrap();
    session.build_request(r#"{"model":"a"}"#).unwrap();
    let json = r#"{"role":"assistant","content":"Yes."}"#.to_owned();
    let incomplete = false;
    session
        .add_message(Message::Reply { json, incomplete })
        .unwrap();
    session.add_message(say("two")).unwrap();
    session.build_request(r#"{"model":"b"}"#).unwrap().tail
}

#[test]
fn a_log_that_names_instruction_files_by_paths_opens_and_reads_those_of_the_project_alone() {
    let files = Files::default();
    for path in [
        "/etc/passwd",
        "/work/secret",
        "/work/app/docs/AGENTS.md",
        "/work/docs/AGENTS.md",
        "/work/NAME.md",
    ] {
        files.write(path, &format!("text of {path}"));
    }
    for (name, told) in [
        ("docs/AGENTS.md", vec!["/work/app/docs/AGENTS.md"]),
        ("./docs/../docs/AGENTS.md", vec![]),
        ("NAME.md", vec!["/work/NAME.md"]),
        ("etc/passwd", vec![]),
        ("/etc/passwd", vec![]),
        ("../secret", vec![]),
        ("..", vec![]),
        ("", vec![]),
        ("C:secret", vec![]),
        (r"\\\\etc\\\\passwd", vec![]),
        (r"docs/\u0000", vec![]),
    ] {
        let to = format!(r#""instruction_files":["{name}"]"#);
        let (memory, settings) = named(&files, &[(r#""instruction_files":["AGENTS.md"]"#, &to)]);
        let body = made_again(&memory, &settings, &files);
        let found = files.0.borrow().clone();
        for (path, text) in found {
            assert_eq!(
                body.contains(&text),
                told.contains(&path.as_str()),
                "{name} {path}"
            );
        }
    }
}

#[test]
fn global_instructions_of_a_log_are_read_where_whoever_opens_it_has_the_same() {
    let files = Files::default();
    files.write("/home/me/.ssh/id_rsa", "a key");
    let overrides = r#"{"assembly":{"global_instructions":".ssh/id_rsa"}}"#;
    let kept = [
        (
            r#""global_instructions":"""#,
            r#""global_instructions":".ssh/id_rsa""#,
        ),
        (r#""overrides":{}"#, &format!(r#""overrides":{overrides}"#)),
    ];
    let (memory, settings) = named(&files, &kept);
    assert!(!made_again(&memory, &settings, &files).contains("a key"));
    let (memory, settings) = named(&files, &kept[..1]);
    assert!(!made_again(&memory, &settings, &files).contains("a key"));
    let (memory, settings) = named(&files, &kept);
    let overrides = overrides.to_owned();
    let given = Settings {
        overrides,
        ..settings
    };
    assert!(made_again(&memory, &given, &files).contains("a key"));
}

#[test]
fn a_subagent_of_such_a_log_reads_no_more_than_its_parent() {
    let files = Files::default();
    files.write("/home/me/.ssh/id_rsa", "a key");
    files.write("/etc/passwd", "accounts");
    files.write("/work/app/docs/AGENTS.md", "instructions");
    let overrides = r#"{"assembly":{"global_instructions":".ssh/id_rsa","instruction_files":["/etc/passwd","etc/passwd","docs/AGENTS.md"]}}"#;
    let (memory, settings) = named(
        &files,
        &[(r#""overrides":{}"#, &format!(r#""overrides":{overrides}"#))],
    );
    let mut session = Session::open("s", &settings, memory, files.clone()).unwrap();
    let assembly = Assembly {
        instructions: true,
        ..Assembly::default()
    };
    let delegation = Delegation {
        key: "s/1".to_owned(),
        kind: "task".to_owned(),
        prompt: Prompt::default(),
        assembly,
        only_tools: None,
    };
    let mut child = session
        .delegate(&delegation, Memory::default(), files)
        .unwrap();
    let text = "Go.".to_owned();
    let message = UserMessage {
        sender: Sender::Person,
        starts_turn: true,
        text,
        parts: Vec::new(),
        date: None,
    };
    child.add_message(Message::User(message)).unwrap();
    let body = child.build_request("{}").unwrap().tail;
    assert!(
        body.contains("instructions") && !body.contains("a key") && !body.contains("accounts"),
        "{body}"
    );
}
