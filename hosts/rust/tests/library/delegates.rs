//! A session and its subagents on one storage: each lives on when the other ends or stops.

use std::thread;

use waybread::{
    Cause, Compaction, CompactionStart, Delegation, Dialect, Limits, MemoryStorage, MemoryTree,
    Outcome, Prompt, PromptPart, Session, Settings, Storage, SummaryResult, Tool, UserMessage,
};

use crate::support::{call, output, person, reply, reply_with_call};

const CHILD: &str = "s/explore-1";
const LIMIT: usize = 16 << 20;

fn settings() -> Settings {
    Settings::agent("/work/app")
        .dialect(Dialect::OpenaiChat)
        .prompt(Prompt::new().session_date("2026-11-30"))
        .tools([Tool::new("tool", "Does something.")])
}

fn parent(storage: MemoryStorage, files: MemoryTree) -> Session {
    let limits = Limits::default().memory_bytes(LIMIT);
    let mut session = Session::open_with_limits("s", settings(), storage, files, limits).unwrap();
    session.add_message(person("Where is it?")).unwrap();
    session.add_message(reply_with_call("c1")).unwrap();
    session
}

fn parent_again(storage: MemoryStorage) -> Session {
    Session::open("s", settings(), storage, MemoryTree::new()).unwrap()
}

fn delegated(parent: &mut Session) -> Session {
    let mut child = parent.delegate(&Delegation::new(CHILD, "explore")).unwrap();
    child.add_message(UserMessage::machine("Find it.")).unwrap();
    child
}

/// Stops the component in the middle of a call.
fn stop(session: &mut Session, id: &str) {
    let huge = "0123456789\n".repeat(LIMIT / 8);
    let error = session.insert_result(&call(id), Outcome::output(huge));
    assert!(matches!(error.unwrap_err().cause(), Cause::Trapped { .. }));
}

#[test]
fn both_are_used_at_once_and_neither_has_the_others_words() {
    let files = MemoryTree::new();
    files.write("/work/app/a.ts", "let x = 1\n");
    let mut parent = parent(MemoryStorage::new(), files);
    let mut child = delegated(&mut parent);
    child.add_message(reply_with_call("k1")).unwrap();
    let read = child
        .insert_result(&call("k1"), Outcome::read("a.ts"))
        .unwrap();
    assert!(read.text.ends_with("1: let x = 1"), "{}", read.text);
    let brought = Outcome::delegated(CHILD, "It is in a.ts.");
    let inserted = parent.insert_result(&call("c1"), brought).unwrap();
    assert_eq!(
        inserted.text,
        format!("[#0001 explore {CHILD}]\nIt is in a.ts.")
    );
    let (of_child, of_parent) = (
        child.build_request("").unwrap().body,
        parent.build_request("").unwrap().body,
    );
    assert!(of_child.contains("Find it.") && !of_child.contains("Where is it?"));
    assert!(of_parent.contains("Where is it?") && !of_parent.contains("Find it."));
    assert!(of_child.contains("Current date: 2026-11-30"), "{of_child}");
}

/// What the component opened and what is opened here is the same: the log has no word of it.
#[test]
fn the_subagent_is_opened_once() {
    let mut storage = MemoryStorage::new();
    let mut parent = parent(storage.clone(), MemoryTree::new());
    for round in 0..2 {
        let delegation = Delegation::new(CHILD, "explore")
            .prompt(Prompt::new().preamble("explore", "You explore."))
            .only_tools(["recall"]);
        let mut child = parent.delegate(&delegation).unwrap();
        assert_eq!(storage.read_log(CHILD, 0).unwrap().len(), 1, "{round}");
        let tools = child.prefix().unwrap().tools;
        assert!(
            tools.contains("recall") && !tools.contains("Does something."),
            "{tools}"
        );
        child.reopen().unwrap();
        assert_eq!(storage.read_log(CHILD, 0).unwrap().len(), 1, "{round}");
    }
    assert_eq!(parent.delegates().unwrap().len(), 1);
}

/// What `open` and `set_prompt` give counts when the parent's prompt is made again, and not before.
#[test]
fn a_subagent_has_the_date_that_its_parents_prompt_tells() {
    let storage = MemoryStorage::new();
    parent(storage.clone(), MemoryTree::new())
        .set_prompt(&Prompt::new().session_date("2027-01-01"))
        .unwrap();
    let mut parent = parent_again(storage);
    let mut child = delegated(&mut parent);
    for model in ["m", "z"] {
        let parameters = format!(r#"{{"model":"{model}"}}"#);
        let body = child.build_request(&parameters).unwrap().body;
        assert!(body.contains("Current date: 2026-11-30"), "{model}: {body}");
        assert!(!body.contains("2027"), "{model}: {body}");
    }
}

#[test]
fn a_follow_up_keeps_the_subagents_prompt_and_tools() {
    let mut parent = parent(MemoryStorage::new(), MemoryTree::new());
    let delegation =
        Delegation::new(CHILD, "explore").prompt(Prompt::new().preamble("explore", "You explore."));
    drop(parent.delegate(&delegation).unwrap());
    let mut child = delegated(&mut parent);
    for model in ["m", "z"] {
        let parameters = format!(r#"{{"model":"{model}"}}"#);
        let body = child.build_request(&parameters).unwrap().body;
        assert!(body.contains("You explore."), "{model}: {body}");
    }
    let fewer = Delegation::new(CHILD, "explore").only_tools(["recall"]);
    let error = parent.delegate(&fewer).unwrap_err();
    assert!(error.message().contains("leave out `tool`"), "{error}");
}

#[test]
fn a_parent_that_stops_leaves_its_subagent() {
    let mut parent = parent(MemoryStorage::new(), MemoryTree::new());
    let mut child = delegated(&mut parent);
    stop(&mut parent, "c1");
    child.add_message(reply("Found.")).unwrap();
    parent.delegate_progress(CHILD, "finished").unwrap();
    assert_eq!(parent.delegates().unwrap()[0].state, "finished");
    let inserted = output(&mut parent, "c1", "small");
    assert_eq!(inserted.id, "#0001");
    assert_eq!(child.conversation().unwrap().len(), 2);
}

#[test]
fn a_subagent_that_stops_leaves_its_parent_and_goes_on_itself() {
    let mut storage = MemoryStorage::new();
    let mut parent = parent(storage.clone(), MemoryTree::new());
    let mut child = delegated(&mut parent);
    child.add_message(reply_with_call("k1")).unwrap();
    let length = storage.read_log(CHILD, 0).unwrap().len();
    stop(&mut child, "k1");
    assert_eq!(storage.read_log(CHILD, 0).unwrap().len(), length);
    output(&mut parent, "c1", "from the parent");
    assert_eq!(output(&mut child, "k1", "from the subagent").id, "#1-0001");
    assert_eq!(parent.stored_text("1").unwrap(), "from the parent");
    assert_eq!(child.stored_text("1-1").unwrap(), "from the subagent");
}

#[test]
fn a_parent_that_ended_leaves_its_subagent_and_its_storage() {
    let mut parent = parent(MemoryStorage::new(), MemoryTree::new());
    let mut child = delegated(&mut parent);
    let (mut storage, files) = parent.into_parts();
    child.add_message(reply_with_call("k1")).unwrap();
    output(&mut child, "k1", "one");
    assert_eq!(storage.read_text(CHILD, "#1-0001").unwrap(), "one");
    drop(child);
    let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
    let mut again = Session::open("s", settings, storage, files).unwrap();
    assert_eq!(again.delegates().unwrap()[0].state, "running");
}

#[test]
fn subagents_work_in_threads_of_their_own() {
    let mut parent = parent(MemoryStorage::new(), MemoryTree::new());
    let work = |number: u32| {
        let key = format!("s/{number}");
        let mut child = parent.delegate(&Delegation::new(&key, "count")).unwrap();
        thread::spawn(move || {
            child.add_message(UserMessage::machine("Count.")).unwrap();
            for step in 0..20 {
                let id = format!("k{step}");
                child.add_message(reply_with_call(&id)).unwrap();
                output(&mut child, &id, &key);
            }
            // The ids of each count for themselves, in sixteens, behind its prefix.
            let id = format!("#{:x}-0014", number + 1);
            child.stored_text(&id).unwrap()
        })
    };
    let threads: Vec<_> = (0..4).map(work).collect();
    parent.note(&waybread::Change::plan("Wait.")).unwrap();
    for (thread, number) in threads.into_iter().zip(0..) {
        assert_eq!(thread.join().unwrap(), format!("s/{number}"));
    }
    assert_eq!(parent.delegates().unwrap().len(), 4);
}

/// The prompt of a subagent is made again with the date that it began with.
#[test]
fn a_subagent_keeps_its_date_across_a_compaction() {
    let mut parent = parent(MemoryStorage::new(), MemoryTree::new());
    parent
        .set_prompt(&Prompt::new().session_date("2026-12-01"))
        .unwrap();
    let mut child = delegated(&mut parent);
    child.reopen().unwrap();
    child.add_message(reply(&"word ".repeat(3000))).unwrap();
    child.add_message(person("And now?")).unwrap();
    child.add_message(reply("Done.")).unwrap();
    let start = child.compact_begin(&Compaction::new("")).unwrap();
    assert!(matches!(start, CompactionStart::Request(_)), "{start:?}");
    let summary = r#"{"role":"assistant","content":"It went on."}"#;
    let end = child.compact_finish(SummaryResult::reply(summary)).unwrap();
    assert!(
        matches!(end, waybread::CompactionEnd::Applied(_)),
        "{end:?}"
    );
    let report = child.prompt_report().unwrap();
    assert!(
        report
            .iter()
            .any(|block| block.part == Some(PromptPart::SessionDate))
    );
    assert!(
        child
            .build_request("")
            .unwrap()
            .body
            .contains("Current date: 2026-11-30")
    );
}

#[test]
fn the_key_of_another_session_is_refused_and_nothing_is_left() {
    let mut storage = MemoryStorage::new();
    let mut other = crate::support::conversing(storage.clone());
    other.add_message(person("Hello.")).unwrap();
    drop(other);
    let settings = Settings::agent("/work/app").dialect(Dialect::OpenaiChat);
    let mut session =
        Session::open("parent", settings, storage.clone(), MemoryTree::new()).unwrap();
    let length = storage.read_log("s", 0).unwrap().len();
    for key in ["s", "parent", " ", "a;b"] {
        let error = session
            .delegate(&Delegation::new(key, "explore"))
            .unwrap_err();
        let Cause::InvalidArgument { argument, .. } = error.cause() else {
            panic!("{error:?}");
        };
        assert_eq!(argument, "delegation.key");
    }
    assert_eq!(storage.read_log("s", 0).unwrap().len(), length);
    assert_eq!(session.delegates().unwrap(), []);
}
