//! Conversations: what a harness hands over and gets back.

use std::thread;

use serde_json::{Value, json};
use waybread::{
    Cause, Change, Dialect, MemoryStorage, MemoryTree, Message, Prompt, Session, Settings, Speaker,
    Tool, UserMessage,
};

use crate::support::{
    PARAMETERS, call, conversing, output, person, reply, reply_with_call, settings,
};

fn with(settings: Settings) -> Session {
    Session::open("s", settings, MemoryStorage::new(), MemoryTree::new()).unwrap()
}

fn agent(dialect: Dialect) -> Settings {
    settings().dialect(dialect).recall(false)
}

/// What another JSON parser reads from the next body.
fn body(session: &mut Session) -> Value {
    serde_json::from_str(&session.build_request(PARAMETERS).unwrap().body).unwrap()
}

#[test]
fn a_whole_turn() {
    let mut session = conversing(MemoryStorage::new());
    session
        .add_message(person("What is in a?").date("2026-11-30"))
        .unwrap();
    let first = session.build_request(PARAMETERS).unwrap();
    assert_eq!(
        (first.number, first.keep, first.tail()),
        (1, 0, &*first.body)
    );
    let added = session.add_message(reply_with_call("c1")).unwrap();
    let open: Vec<_> = added.open_calls().collect();
    assert_eq!(open, [&call("c1")]);
    output(&mut session, "c1", "x");
    let second = session.build_request(PARAMETERS).unwrap();
    let stands = first.body.strip_suffix("]}").unwrap();
    assert_eq!(second.body.get(..second.keep as usize), Some(stands));
    assert_eq!(format!("{stands}{}", second.tail()), second.body.as_str());
    assert!(second.tail().contains("[#0001]\\nx"), "{}", second.tail());
    assert_eq!((second.shared, second.difference), (second.keep, None));
}

#[test]
fn the_builders_say_what_the_model_reads() {
    let prompt = Prompt::new()
        .phase_prompt("phase", "Plan first.")
        .project_instructions("docs/AGENTS.md", "Test.")
        .global_instructions("/home/ada/AGENTS.md", "Be brief.")
        .preamble("harness", "You are an agent.")
        .told(Change::plan("none"));
    let tools = [
        Tool::new("look", "Looks.").vision(true),
        Tool::new("grep", "Searches.").parameters(r#"{"type":"object","x":1e2}"#),
        Tool::defined("web", r#"{"type":"web_20250305","name":"web"}"#),
        Tool::new("chat", "Only there.").kinds([waybread::Kind::Chat]),
        Tool::new("off", "Switched off."),
    ];
    let settings = agent(Dialect::AnthropicMessages)
        .home("/home/ada")
        .start("/work/app/web")
        .prompt(prompt)
        .tools(tools)
        .vision(false)
        .overrides(r#"{"requests":{"images_without_vision":"send"}}"#)
        .without_tools(["off"]);
    let mut session = with(settings);
    let prefix = session.prefix().unwrap();
    let grep =
        r#"{"name":"grep","description":"Searches.","input_schema":{"type":"object","x":1e2}}"#;
    assert_eq!(
        prefix.tools,
        format!(r#"[{grep},{{"type":"web_20250305","name":"web"}}]"#)
    );
    assert_eq!(
        prefix.system,
        "You are an agent.\n\nProject: app (paths are relative to its root)\nStarted in: web \
         (relative to the project root)\n\nInstructions from ~/AGENTS.md:\n\nBe brief.\n\n\
         Instructions from docs/AGENTS.md:\n\nTest.\n\nPlan first."
    );
    session
        .note(&Change::mode("ask", "Commands are confirmed."))
        .unwrap();
    session.note(&Change::plan("none")).unwrap();
    session
        .note_by_model(&Change::memory("/home/ada/m.md", "mine"))
        .unwrap();
    let message = person("Look.")
        .image("image/png", "aGk=")
        .image_url("https://example.org/a.png")
        .block(r#"{"type":"document","n":1.50}"#);
    let added = session.add_message(message).unwrap();
    let note = added.note.unwrap();
    assert!(
        note.contains("mode is now ask: Commands are confirmed."),
        "{note}"
    );
    assert!(!note.contains("plan") && !note.contains("m.md"), "{note}");
    let request = session.build_request("").unwrap();
    assert!(
        request.body.contains(r#"{"type":"document","n":1.50}"#),
        "{}",
        request.body
    );
    assert_eq!(
        body(&mut session)["messages"],
        json!([{"role": "user", "content": [
            {"type": "text", "text": "Look."},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            {"type": "document", "n": serde_json::from_str::<Value>("1.50").unwrap()},
            {"type": "text", "text": note},
        ]}])
    );
}

#[test]
fn tools_that_are_not_there_are_refused_in_the_calls_place() {
    let page = Tool::new("tool", "Needs a page.")
        .requires("page")
        .unavailable("No page is open.");
    let mut session = with(agent(Dialect::OpenaiChat).tools([page]));
    session.add_message(person("Go.")).unwrap();
    let added = session.add_message(reply_with_call("c1")).unwrap();
    assert_eq!(added.open_calls().count(), 0);
    let refused = added.calls[0].refused.as_ref().unwrap();
    assert_eq!(refused.text, "[#0001] No page is open.");
    session.set_condition("page", true).unwrap();
    let added = session.add_message(reply_with_call("c2")).unwrap();
    assert_eq!(added.open_calls().count(), 1);
    session.withdraw_tool("tool", "Withdrawn.").unwrap();
    let added = session.add_message(reply_with_call("c3")).unwrap();
    assert_eq!(added.closed[0].id, "#0002");
    assert_eq!(
        added.calls[0].refused.as_ref().unwrap().text,
        "[#0003] Withdrawn."
    );
    session
        .connect_server(
            "maps",
            &[Tool::new("route", "Finds a way.")],
            Some("Ask first."),
        )
        .unwrap();
    session.add_message(Message::WrapUp).unwrap();
    let added = session.add_message(reply_with_call("c4")).unwrap();
    assert_eq!(added.open_calls().count(), 0);
    let tools = session.prefix().unwrap().tools;
    assert!(
        tools.contains("\"tool\"") && tools.contains("\"route\""),
        "{tools}"
    );
}

#[test]
fn a_conversation_is_told_as_it_is_stored() {
    let mut session = conversing(MemoryStorage::new());
    session
        .add_message(person("One.").date("2026-11-30"))
        .unwrap();
    session.add_message(reply_with_call("c1")).unwrap();
    session
        .add_message(UserMessage::machine("Job done.").step_boundary())
        .unwrap();
    session.add_message(reply_with_call("c2")).unwrap();
    session
        .add_message(reply("Half an ans").incomplete(true))
        .unwrap();
    session.add_message(person("Two.")).unwrap();
    session.rewind(6, None).unwrap();
    let conversation = session.conversation().unwrap();
    let facts: Vec<_> = conversation
        .iter()
        .map(|message| {
            (
                message.number,
                message.speaker,
                message.starts_turn,
                message.incomplete,
            )
        })
        .collect();
    let expected = [
        (1, Speaker::Person, true, false),
        (2, Speaker::Model, false, false),
        (3, Speaker::Machine, false, false),
        (4, Speaker::Model, false, false),
        (5, Speaker::Model, false, true),
    ];
    assert_eq!(facts, expected);
    assert_eq!(conversation[1].results, [Some("#0001".to_owned())]);
    assert_eq!(conversation[4].text, "Half an ans");
    assert_eq!(conversation[4].given, reply("Half an ans").json);
    assert!(
        conversation[0]
            .note
            .as_ref()
            .unwrap()
            .contains("2026-11-30")
    );
    session.add_message(reply_with_call("c3")).unwrap();
    assert_eq!(session.conversation().unwrap()[5].results, [None]);
}

#[test]
fn usage_is_kept_with_its_request() {
    let mut session = conversing(MemoryStorage::new());
    session.add_message(person("Hello.")).unwrap();
    let request = session.build_request(PARAMETERS).unwrap();
    let usage = r#"{"usage":{"prompt_tokens":90,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":64}}}"#;
    let usage = session.record_usage(request.number, usage).unwrap();
    assert_eq!(
        (usage.input, usage.cached, usage.written, usage.output),
        (90, Some(64), None, Some(7))
    );
    let report = session.cache_report().unwrap();
    let [first] = report.as_slice() else {
        panic!("{report:?}");
    };
    assert_eq!(
        (first.number, first.length as usize, first.shared),
        (1, request.body.len(), 0)
    );
    assert_eq!((first.difference, first.usage), (None, Some(usage)));
    let error = session.record_usage(2, "{}").unwrap_err();
    assert_eq!(*error.cause(), Cause::UnknownRequest { number: 2 });
    let error = session.record_usage(1, "{}").unwrap_err();
    assert!(
        matches!(error.cause(), Cause::InvalidArgument { argument, .. } if argument == "usage")
    );
}

#[test]
fn paths_and_settings_are_asked_of_the_session() {
    let mut session = with(agent(Dialect::OpenaiChat).home("/home/ada"));
    assert_eq!(
        session.name_path("/work/app/docs/a.md").unwrap(),
        "docs/a.md"
    );
    assert_eq!(session.name_path("/home/ada/a.md").unwrap(), "~/a.md");
    assert_eq!(session.setting("tools.mcp_wait_ms").unwrap(), "5000");
    let error = session.setting("tools.mcp_wait").unwrap_err();
    assert!(matches!(error.cause(), Cause::InvalidSetting { key, .. } if key == "tools.mcp_wait"));
    session.check_paths("task", "Read docs/a.md").unwrap();
    let error = session
        .check_paths("task", "Read /work/app/docs/a.md")
        .unwrap_err();
    assert!(error.to_string().contains("character 5"), "{error}");
}

#[test]
fn the_slower_of_two_who_speak_gets_a_conflict_and_carries_on() {
    let storage = MemoryStorage::new();
    let (mut one, mut two) = (conversing(storage.clone()), conversing(storage));
    one.add_message(person("first")).unwrap();
    let error = two.add_message(person("second")).unwrap_err();
    assert!(matches!(error.cause(), Cause::Conflict { .. }), "{error}");
    two.reopen().unwrap();
    assert_eq!(two.add_message(person("second")).unwrap().number, 2);
    let error = one.build_request(PARAMETERS).unwrap_err();
    assert!(matches!(error.cause(), Cause::Conflict { .. }), "{error}");
    one.reopen().unwrap();
    assert_eq!(
        body(&mut one)["messages"]
            .as_array()
            .unwrap()
            .iter()
            .rev()
            .take(2)
            .count(),
        2
    );
    assert_eq!(one.conversation().unwrap().len(), 2);
}

#[test]
fn a_request_is_sent_elsewhere_while_the_session_goes_on() {
    let mut session = conversing(MemoryStorage::new());
    session.add_message(person("Hello.")).unwrap();
    let request = session.build_request(PARAMETERS).unwrap();
    let length = request.body.len();
    let sending = thread::spawn(move || String::from(request.body));
    session.add_message(reply("Hello to you.")).unwrap();
    session.add_message(person("And now?")).unwrap();
    let next = session.build_request(PARAMETERS).unwrap();
    let sent = sending.join().unwrap();
    assert_eq!(sent.len(), length);
    assert_eq!(
        sent.get(..next.keep as usize),
        next.body.get(..next.keep as usize)
    );
}
