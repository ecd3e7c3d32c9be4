//! What a request held and would hold, of sessions that are open and of stored ones.

use waybread::context::{ContextKind, report, report_on_stored};
use waybread::{
    Assembly, Change, Dialect, Kind, MemoryStorage, MemoryTree, Prompt, Session, Settings,
    Snapshot, Storage, Zone,
};

use crate::support::{output, person, reply, reply_with_call};

const PARAMETERS: &str = r#"{"model":"m","max_tokens":100}"#;
const DIALECTS: [Dialect; 3] = [
    Dialect::OpenaiChat,
    Dialect::AnthropicMessages,
    Dialect::OpenaiResponses,
];

/// A session with something of most kinds.
fn session(settings: Settings, storage: MemoryStorage) -> Session {
    let files = MemoryTree::new();
    files.write("/work/app/AGENTS.md", "Say \"yes\".\n");
    files.write("/work/app/README.md", "ünïcödé\n");
    files.write("/work/app/.skills/review/SKILL.md", "Look twice.");
    let prompt = Prompt::new()
        .preamble("harness", "You are an agent.\n\"Quoted\".")
        .session_date("2026-11-30");
    let assembly = Assembly::new()
        .instructions(true)
        .context_files(["README.md"])
        .skill_roots([".skills"])
        .skills(["review"]);
    let settings = settings.prompt(prompt).assembly(assembly);
    let mut session = Session::open("s", settings, storage, files).unwrap();
    session.enable_skill("review", None).unwrap();
    session.note(&Change::plan("One thing.")).unwrap();
    let added = session.add_message(person("Go on.\t\"Now\".")).unwrap();
    assert_eq!(added.skills[0].name, "review");
    session
}

fn settings(kind: Kind, dialect: Dialect) -> Settings {
    Settings::new(kind, "/work/app").dialect(dialect)
}

#[test]
fn a_stored_session_is_reported_on_without_a_trace() {
    for kind in [Kind::Agent, Kind::Chat] {
        for dialect in DIALECTS {
            let mut storage = MemoryStorage::new();
            let mut session = session(
                settings(kind, dialect).overrides(r#"{"budget":{"window":9000}}"#),
                storage.clone(),
            );
            session.build_request(PARAMETERS).unwrap();
            let before = storage.read_log("s", 0).unwrap();
            for parameters in ["", PARAMETERS] {
                let stored = report_on_stored("s", storage.clone(), parameters).unwrap();
                assert_eq!(stored, report(&mut session, parameters).unwrap());
                assert_eq!(stored.pressure.window, 9000);
                let bytes: u64 = stored.parts.iter().map(|part| part.bytes).sum();
                assert_eq!(bytes, stored.bytes);
            }
            assert_eq!(storage.read_log("s", 0).unwrap(), before);
            let reported = session.context_report(PARAMETERS).unwrap();
            let body = session.build_request(PARAMETERS).unwrap().body;
            assert_eq!(reported.bytes as usize, body.len());
        }
    }
}

#[test]
fn results_are_reported_by_tool_the_largest_by_id() {
    let storage = MemoryStorage::new();
    let mut session = session(settings(Kind::Agent, Dialect::OpenaiChat), storage.clone());
    for (id, text) in [("c1", "small"), ("c2", "a \"long\" line\n")] {
        session.add_message(reply_with_call(id)).unwrap();
        output(&mut session, id, &text.repeat(50));
    }
    session.build_request(PARAMETERS).unwrap();
    drop(session);
    let report = report_on_stored("s", storage, "").unwrap();
    let ids: Vec<&str> = report
        .biggest
        .iter()
        .map(|result| result.id.as_str())
        .collect();
    assert_eq!(ids, ["#0002", "#0001"]);
    let bytes: u64 = report.biggest.iter().map(|result| result.bytes).sum();
    let mut parts = report.parts.iter();
    let results = parts
        .find(|part| part.kind == ContextKind::Results)
        .unwrap();
    assert_eq!(
        (results.name.as_str(), results.count, results.bytes),
        ("tool", 2, bytes)
    );
}

#[test]
fn what_cannot_be_reported_on_is_said() {
    let storage = MemoryStorage::new();
    let unknown = report_on_stored("s", storage.clone(), "").unwrap_err();
    assert_eq!(
        unknown.message(),
        "argument `key` is `s`, which no session has"
    );
    let mut session = session(settings(Kind::Agent, Dialect::OpenaiChat), storage.clone());
    session.build_request(PARAMETERS).unwrap();
    let other = report_on_stored("s", storage.clone(), r#"{"model":"n"}"#).unwrap_err();
    assert!(other.message().contains("another model"), "{other}");
    let results = MemoryStorage::new();
    drop(Session::open("r", Settings::chat("/"), results.clone(), MemoryTree::new()).unwrap());
    let error = report_on_stored("r", results, "").unwrap_err();
    assert_eq!(error.cause().name(), "out-of-order");
}

#[test]
fn a_snapshot_is_a_copy_and_two_of_them_are_compared() {
    let mut session = session(
        settings(Kind::Agent, Dialect::OpenaiChat),
        MemoryStorage::new(),
    );
    session.build_request(PARAMETERS).unwrap();
    let mut first = session.snapshot().unwrap();
    session.add_message(reply("Yes.")).unwrap();
    session.add_message(person("More.")).unwrap();
    session.build_request(PARAMETERS).unwrap();
    let second = session.snapshot().unwrap();
    assert_eq!((first.request, second.request), (1, 2));
    assert_eq!(first.max_tokens, Some(100));
    let found = Snapshot::diagnose(Some(&first), &second).unwrap();
    let all = u32::try_from(first.messages.len()).unwrap();
    assert_eq!(
        (found.shared, found.earlier, found.differs_at),
        (all, all, None)
    );
    assert_eq!(found.prefix.len(), 8);
    // A reader's own copy: the session's next one is not touched by what becomes of it.
    first.messages.last_mut().unwrap().hash = "00000000".to_owned();
    let found = Snapshot::diagnose(Some(&first), &second).unwrap();
    assert_eq!((found.shared, found.differs_at), (all - 1, Some(1)));
    assert_eq!(session.snapshot().unwrap(), second);
    let alone = Snapshot::diagnose(None, &second).unwrap();
    assert_eq!(
        (alone.predecessor_known, alone.shared, alone.prefix.as_str()),
        (false, 0, "")
    );
}

#[test]
fn the_blocks_of_a_prompt_are_told_with_their_zones() {
    let mut session = session(
        settings(Kind::Agent, Dialect::AnthropicMessages),
        MemoryStorage::new(),
    );
    let blocks = session.prompt_report().unwrap();
    let of = |zone: Zone| {
        let blocks = blocks.iter().filter(|block| block.zone == zone);
        blocks.map(|block| block.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(Zone::User), ["README.md", "skills", "review", "date"]);
    assert!(of(Zone::System).contains(&"AGENTS.md"), "{blocks:?}");
    session.disable_skill("review").unwrap();
    let skill = &session.skills().unwrap()[0];
    assert_eq!((skill.enabled, skill.active), (false, true));
    session.set_assembly(&Assembly::new()).unwrap();
    assert_eq!(session.prompt_report().unwrap(), blocks);
}
