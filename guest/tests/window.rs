//! What fills the window, part by part, and what a request held.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{
    ContextKind, ContextReport, Dialect, Error, Image, Kind, Message, Outcome, Part, Prompt,
    PromptPart, PromptSource, Sender, Session, Settings, ToolCall, UserMessage, diagnose,
};

use support::{Files, Memory};

const PARAMETERS: &str = r#"{"model":"m","max_tokens":1000}"#;

fn session(dialect: Dialect, kind: Kind, overrides: &str) -> Session<Memory, Files> {
    let preamble = PromptSource {
        part: PromptPart::Preamble,
        name: "preamble".to_owned(),
        text: "You \"help\".".to_owned(),
    };
    let settings = Settings {
        dialect: Some(dialect),
        overrides: overrides.to_owned(),
        prompt: Prompt {
            sources: vec![preamble],
            told: Vec::new(),
        },
        recall: false,
        ..Settings::new(kind, "/work/app")
    };
    Session::open("s", &settings, Memory::default(), Files::default()).unwrap()
}

fn say(session: &mut Session<Memory, Files>, sender: Sender, text: &str, parts: Vec<Part>) {
    let message = UserMessage {
        sender,
        starts_turn: sender == Sender::Person,
        text: text.to_owned(),
        parts,
        date: Some("2026-11-30".to_owned()),
    };
    session.add_message(Message::User(message)).unwrap();
}

fn reply(session: &mut Session<Memory, Files>, json: &str) {
    let json = json.to_owned();
    let incomplete = false;
    session
        .add_message(Message::Reply { json, incomplete })
        .unwrap();
}

fn answer(session: &mut Session<Memory, Files>, id: &str, name: &str, text: &str) {
    let call = ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: "{}".to_owned(),
    };
    session
        .insert_result(&call, Outcome::Output(text.to_owned()))
        .unwrap();
}

fn calls(calls: &[(&str, &str)]) -> String {
    let calls = calls.iter().map(|(id, name)| {
        format!(r#"{{"id":"{id}","function":{{"name":"{name}","arguments":"{{\"a\": 1}}"}}}}"#)
    });
    let calls: Vec<String> = calls.collect();
    format!(
        r#"{{"role":"assistant","content":"Looking.","reasoning":"hm","tool_calls":[{}]}}"#,
        calls.join(",")
    )
}

/// Kind, name, count and bytes of each part but the prompt, the notes and what is framing.
fn told(report: &ContextReport) -> Vec<(ContextKind, &str, u32, u32)> {
    use ContextKind::{Framing, Notes, System};
    let parts = report.parts.iter();
    let parts = parts.filter(|part| ![System, Notes, Framing].contains(&part.kind));
    parts
        .map(|part| (part.kind, &*part.name, part.count, part.bytes))
        .collect()
}

#[test]
fn every_text_is_counted_where_it_belongs() {
    let words = r#"{"skills":{"active":"{{name}}\n{{text}}"}}"#;
    let mut session = session(Dialect::OpenaiChat, Kind::Agent, words);
    let skill = |name: &str| {
        let bytes = name.len() + 4;
        format!(
            "<session-skill name=\"{name}\" state=\"active\" bytes=\"{bytes}\">\n{name}\nabc\n</session-skill>"
        )
    };
    for name in ["tea", "milk"] {
        session.enable_skill(name, Some("abc".to_owned())).unwrap();
    }
    say(&mut session, Sender::Person, "Brew \"it\".", Vec::new());
    let calls = calls(&[("1", "grep"), ("2", "bash"), ("3", "grep")]);
    reply(&mut session, &calls);
    answer(&mut session, "1", "grep", "found");
    answer(&mut session, "2", "bash", "out\nput");
    answer(&mut session, "3", "grep", "fount");
    let image = Image {
        media_type: "image/png".to_owned(),
        base64: "aGk=".to_owned(),
    };
    let parts = vec![Part::Text(" ".to_owned()), Part::Image(image)];
    say(&mut session, Sender::Machine, "Done.", parts);
    say(&mut session, Sender::Subagent, "Mine too.", Vec::new());
    let report = session.context_report(PARAMETERS).unwrap();
    // A quote and a newline are two bytes in JSON.
    let envelope = |name: &str| (skill(name).len() + 9) as u32;
    let url = r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}"#;
    let id = "[#0001] ".len() as u32;
    use ContextKind::{Calls, Machine, Person, Reasoning, Replies, Results, Skills, Subagent};
    assert_eq!(
        told(&report),
        [
            (Skills, "tea", 1, envelope("tea")),
            (Skills, "milk", 1, envelope("milk")),
            (Person, "", 1, "Brew \\\"it\\\".".len() as u32),
            (Machine, "", 1, ("Done.".len() + url.len()) as u32),
            (Subagent, "", 1, "Mine too.".len() as u32),
            (Replies, "", 1, "Looking.".len() as u32),
            (Reasoning, "", 1, "hm".len() as u32),
            (Calls, "grep", 2, 2 * r#"{\"a\": 1}"#.len() as u32),
            (Calls, "bash", 1, r#"{\"a\": 1}"#.len() as u32),
            (Results, "grep", 2, 2 * (id + 1 + "found".len() as u32)),
            (Results, "bash", 1, id + 1 + r"out\nput".len() as u32),
        ]
    );
    let system = &report.parts[0];
    assert_eq!((system.kind, system.count), (ContextKind::System, 1));
    let biggest = report.biggest.iter().map(|result| &*result.id);
    assert_eq!(biggest.collect::<Vec<_>>(), ["#0002", "#0001", "#0003"]);
    let body = session.build_request(PARAMETERS).unwrap().tail;
    assert_eq!(body.len(), report.bytes as usize);
    assert!(body.contains(url));
    let bytes: u32 = report.parts.iter().map(|part| part.bytes).sum();
    assert_eq!(bytes, report.bytes);
}

#[test]
fn open_calls_count_with_the_results_that_they_would_be_given() {
    let mut session = session(Dialect::OpenaiChat, Kind::Agent, "");
    say(&mut session, Sender::Person, "Hi.", Vec::new());
    reply(&mut session, &calls(&[("1", "grep"), ("2", "bash")]));
    let report = session.context_report(PARAMETERS).unwrap();
    let results = report.biggest.iter();
    let results = results.map(|result| (&*result.id, &*result.tool));
    assert_eq!(
        results.collect::<Vec<_>>(),
        [("#0001", "grep"), ("#0002", "bash")]
    );
    let built = session.build_request(PARAMETERS).unwrap();
    assert_eq!((built.closed.len(), built.length), (2, report.bytes));
    assert_eq!(built.pressure, report.pressure);
}

#[test]
fn the_biggest_results_are_as_many_as_is_set() {
    let mut session = session(
        Dialect::OpenaiChat,
        Kind::Agent,
        r#"{"report":{"biggest":1}}"#,
    );
    say(&mut session, Sender::Person, "Hi.", Vec::new());
    reply(&mut session, &calls(&[("1", "grep"), ("2", "bash")]));
    answer(&mut session, "1", "grep", "short");
    answer(&mut session, "2", "bash", "longer than that");
    let report = session.context_report(PARAMETERS).unwrap();
    assert_eq!(report.biggest.len(), 1);
    assert_eq!(report.biggest[0].id, "#0002");
}

#[test]
fn a_snapshot_is_of_the_newest_request() {
    let mut session = session(Dialect::OpenaiChat, Kind::Agent, "");
    let out_of_order = |error: Error| assert!(matches!(error, Error::OutOfOrder(_)), "{error}");
    out_of_order(session.snapshot().unwrap_err());
    say(&mut session, Sender::Person, "Hi.", Vec::new());
    out_of_order(session.snapshot().unwrap_err());
    session.build_request(PARAMETERS).unwrap();
    let first = session.snapshot().unwrap();
    assert_eq!((first.request, first.max_tokens), (1, Some(1000)));
    let roles = first.messages.iter();
    let roles = roles.map(|message| (message.message, &*message.role));
    assert_eq!(
        roles.collect::<Vec<_>>(),
        [(None, "system"), (Some(1), "user")]
    );
    // Preamble and environment, with a blank line between them.
    let system = session.prefix().system.len() as u32;
    assert_eq!(first.blocks_bytes, system - 2);
    let front = "system".len() as u32 + system;
    assert_eq!(first.prompt_bytes, front + text_bytes(&session));
    assert_eq!(first.tools_bytes, 0);

    reply(&mut session, &calls(&[("1", "grep")]));
    answer(&mut session, "1", "grep", "found");
    assert_eq!(session.snapshot().unwrap(), first);
    session.build_request("").unwrap();
    let second = session.snapshot().unwrap();
    assert_eq!((second.request, second.max_tokens), (2, None));
    let diagnosis = diagnose(Some(&first), &second);
    assert_eq!((diagnosis.shared, diagnosis.earlier), (2, 2));
    assert_eq!(diagnosis.differs_at, None);
    let added = second.messages[2..].iter();
    let added = added.map(|message| (message.message, &*message.role));
    assert_eq!(
        added.collect::<Vec<_>>(),
        [(Some(2), "assistant"), (Some(2), "tool")]
    );

    session.rewind(2, None).unwrap();
    out_of_order(session.snapshot().unwrap_err());
    session.build_request("").unwrap();
    let third = session.snapshot().unwrap();
    assert_eq!(diagnose(Some(&second), &third).shared, 2);
    assert_eq!(third.messages, first.messages);
}

#[test]
fn reasoning_that_a_turn_drops_changes_its_message() {
    let mut session = session(Dialect::OpenaiChat, Kind::Agent, "");
    say(&mut session, Sender::Person, "Hi.", Vec::new());
    reply(&mut session, r#"{"content":"Yes?","reasoning":"hm"}"#);
    session.build_request("").unwrap();
    let first = session.snapshot().unwrap();
    say(&mut session, Sender::Person, "Go on.", Vec::new());
    session.build_request("").unwrap();
    let second = session.snapshot().unwrap();
    let diagnosis = diagnose(Some(&first), &second);
    assert_eq!((diagnosis.shared, diagnosis.differs_at), (2, Some(2)));
    assert_eq!(
        second.prompt_bytes,
        first.prompt_bytes + text_bytes(&session)
    );
}

/// Bytes of the newest message's role and content.
fn text_bytes(session: &Session<Memory, Files>) -> u32 {
    let conversation = session.conversation();
    let newest = conversation.last().unwrap();
    let note = newest.note.as_ref().map_or(0, |note| note.len() + 1);
    ("user".len() + newest.text.len() + note) as u32
}
