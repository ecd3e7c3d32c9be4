//! The two calls of a compaction: what they leave alone, and what is carried on after them.

use sha2::{Digest, Sha256};
use waybread::{
    Cause, Compacted, Compaction, CompactionEnd, CompactionStart, DifferenceCause, MemoryStorage,
    NotAppliedReason, Outcome, PendingSubagent, PressureAction, Session, Speaker, SqliteStorage,
    Stage, SummaryRequest, SummaryResult, UserMessage,
};

use crate::support::{PARAMETERS, conversing, output, person, reply, reply_with_call};

pub fn begin(session: &mut Session) -> SummaryRequest {
    match session.compact_begin(&Compaction::new(PARAMETERS)) {
        Ok(CompactionStart::Request(request)) => request,
        other => panic!("{other:?}"),
    }
}

pub fn finish(session: &mut Session, summary: &str) -> Compacted {
    match session.compact_finish(SummaryResult::reply(reply(summary).json)) {
        Ok(CompactionEnd::Applied(compacted)) => compacted,
        other => panic!("{other:?}"),
    }
}

/// A turn with one call, and its answer.
pub fn turn(session: &mut Session, id: &str) {
    session.add_message(person(&format!("Ask {id}."))).unwrap();
    session.build_request(PARAMETERS).unwrap();
    session.add_message(reply_with_call(id)).unwrap();
    // Enough to be worth a summary beside the prompt and the tools.
    let result = format!("result of {id}\n{}", "more\n".repeat(100));
    output(session, id, &result);
    session.build_request(PARAMETERS).unwrap();
    session
        .add_message(reply(&format!("Answer {id}.")))
        .unwrap();
}

fn speakers(session: &mut Session) -> Vec<Speaker> {
    let conversation = session.conversation().unwrap();
    conversation.iter().map(|message| message.speaker).collect()
}

#[test]
fn a_request_for_a_summary_stands_beside_the_last_body() {
    let (mut session, mut other) = (
        conversing(MemoryStorage::new()),
        conversing(MemoryStorage::new()),
    );
    for session in [&mut session, &mut other] {
        turn(session, "c1");
        session.add_message(person("And now?")).unwrap();
    }
    let sent = session.build_request(PARAMETERS).unwrap().body;
    drop(other.build_request(PARAMETERS).unwrap());
    session.add_message(reply("This.")).unwrap();
    other.add_message(reply("This.")).unwrap();
    let asked = begin(&mut session);
    // All that was sent stands, to the end of the messages.
    let stands = sent.strip_suffix("]}").unwrap();
    assert_eq!(asked.keep as usize, stands.len());
    assert!(asked.body.starts_with(stands), "{}", asked.body);
    assert_eq!(asked.sha256, format!("{:x}", Sha256::digest(&asked.body)));
    assert_eq!((asked.stage, asked.on_fallback), (Stage::Normal, false));
    assert_eq!((asked.covers, asked.retains), (5, 0));
    // Asked again, it is the same.
    assert_eq!(begin(&mut session), asked);
    let next = session.build_request(PARAMETERS).unwrap();
    let expected = other.build_request(PARAMETERS).unwrap();
    assert_eq!(next, expected);
    assert_ne!(next.keep, 0);
}

#[test]
fn a_summary_takes_the_place_of_what_it_covers() {
    let mut session = conversing(MemoryStorage::new());
    turn(&mut session, "c1");
    begin(&mut session);
    session.add_message(person("In the meantime.")).unwrap();
    let pending = PendingSubagent::new("a1", "search", "running");
    let result = SummaryResult::reply(reply("c1 was asked.").json).pending_subagents([pending]);
    let CompactionEnd::Applied(compacted) = session.compact_finish(result).unwrap() else {
        panic!("not applied");
    };
    assert_eq!(compacted.summary, "c1 was asked.");
    assert!(compacted.text.contains("c1 was asked."), "{compacted:?}");
    assert_eq!(
        (compacted.generation, compacted.covered, compacted.retained),
        (2, 3, 1)
    );
    assert_eq!((compacted.fallback, compacted.state_cleared), (None, false));
    assert_eq!(compacted.pressure.action, PressureAction::None);
    assert_eq!(compacted.warnings, [""; 0]);
    let expected = [Speaker::Summary, Speaker::Person, Speaker::Subagent];
    assert_eq!(speakers(&mut session), expected);
    let next = session.build_request(PARAMETERS).unwrap();
    assert_eq!(next.difference.unwrap().cause, DifferenceCause::Compaction);
    assert_eq!(next.pressure.estimate.tokens, compacted.tokens_after);
    assert!(compacted.tokens_before > 0);
    for gone in ["Ask c1.", "Answer c1.", "result of c1"] {
        assert!(!next.body.contains(gone), "{}", next.body);
    }
    // What it stands for is still there to be recalled, and to be listed.
    assert!(
        session
            .stored_text("#0001")
            .unwrap()
            .starts_with("result of c1")
    );
    let lineage = session.lineage().unwrap();
    let facts: Vec<_> = lineage.iter().map(|of| (of.number, of.stage)).collect();
    assert_eq!(facts, [(1, None), (2, Some(Stage::Normal))]);
    assert_eq!(lineage[1].summary.as_deref(), Some("c1 was asked."));
    let before = session.generation(1).unwrap();
    assert_eq!(before[0].text, "Ask c1.");
    assert_eq!(
        session.generation(2).unwrap(),
        session.conversation().unwrap()
    );
    let error = session.generation(3).unwrap_err();
    assert_eq!(*error.cause(), Cause::UnknownGeneration { number: 3 });
}

#[test]
fn a_compacted_session_is_carried_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let open = || conversing(SqliteStorage::open(folder.path().join("sessions.db")).unwrap());
    let mut session = open();
    turn(&mut session, "c1");
    begin(&mut session);
    finish(&mut session, "First.");
    turn(&mut session, "c2");
    let sent = session.build_request(PARAMETERS).unwrap();
    let conversation = session.conversation().unwrap();
    drop(session);
    let mut session = open();
    assert_eq!(session.conversation().unwrap(), conversation);
    let again = session.build_request(PARAMETERS).unwrap();
    assert_eq!((&again.body, again.difference), (&sent.body, None));
    // A compaction in a session that has just been opened knows of no body that this host keeps.
    let mut session = open();
    let asked = begin(&mut session);
    assert_eq!(asked.keep, 0);
    assert!(
        asked
            .body
            .starts_with(sent.body.strip_suffix("]}").unwrap())
    );
    assert_eq!(finish(&mut session, "Second.").generation, 3);
    let state = session.context_state().unwrap();
    assert_eq!((state.recent_calls, state.turns), (Vec::new(), 2));
    let mut session = open();
    let summaries = session.lineage().unwrap();
    let summaries: Vec<_> = summaries.iter().map(|of| of.summary.as_deref()).collect();
    assert_eq!(summaries, [None, Some("First."), Some("Second.")]);
    assert_eq!(session.generation(2).unwrap(), conversation);
}

#[test]
fn what_does_not_come_about_changes_nothing() {
    let (mut session, mut other) = (
        conversing(MemoryStorage::new()),
        conversing(MemoryStorage::new()),
    );
    turn(&mut session, "c1");
    turn(&mut other, "c1");
    for (result, reason) in [
        (SummaryResult::failed("503"), NotAppliedReason::Failed),
        (SummaryResult::cancelled(), NotAppliedReason::Cancelled),
        (
            SummaryResult::reply(reply(" ").json),
            NotAppliedReason::Empty,
        ),
        (
            SummaryResult::reply(reply_with_call("x").json),
            NotAppliedReason::OnlyCalls,
        ),
        (SummaryResult::reply("<html>"), NotAppliedReason::Unreadable),
    ] {
        begin(&mut session);
        let CompactionEnd::NotApplied(not) = session.compact_finish(result).unwrap() else {
            panic!("{reason} was applied");
        };
        assert_eq!((not.reason, not.rerun_on_main), (reason, false));
        assert!(!not.message.is_empty());
    }
    let next = session.build_request(PARAMETERS).unwrap();
    assert_eq!(next, other.build_request(PARAMETERS).unwrap());
    assert_eq!(session.lineage().unwrap().len(), 1);
}

#[test]
fn calls_of_a_compaction_out_of_order_are_refused() {
    let mut session = conversing(MemoryStorage::new());
    let out_of_order = |error: waybread::Error| {
        assert_eq!(error.cause().name(), "out-of-order", "{error}");
    };
    out_of_order(session.pressure("").unwrap_err());
    out_of_order(session.compact_begin(&Compaction::new("")).unwrap_err());
    out_of_order(
        session
            .compact_finish(SummaryResult::cancelled())
            .unwrap_err(),
    );
    turn(&mut session, "c1");
    let error = session.compact_begin(&Compaction::new("[]")).unwrap_err();
    assert_eq!(error.cause().name(), "invalid-argument");
    begin(&mut session);
    session.reopen().unwrap();
    out_of_order(
        session
            .compact_finish(SummaryResult::reply(reply("Late.").json))
            .unwrap_err(),
    );
    begin(&mut session);
    session.rewind(3, None).unwrap();
    out_of_order(
        session
            .compact_finish(SummaryResult::reply(reply("Late.").json))
            .unwrap_err(),
    );
    session.add_message(reply_with_call("c2")).unwrap();
    out_of_order(session.compact_begin(&Compaction::new("")).unwrap_err());
    assert_eq!(session.lineage().unwrap().len(), 1);
}

#[test]
fn a_session_of_results_only_has_nothing_to_compact() {
    let mut session = crate::support::on(MemoryStorage::new());
    let error = session.compact_begin(&Compaction::new("")).unwrap_err();
    assert_eq!(error.cause().name(), "out-of-order");
    let error = session.pressure("").unwrap_err();
    assert_eq!(error.cause().name(), "out-of-order");
    assert_eq!(session.lineage().unwrap(), []);
    assert_eq!(session.last_main_request().unwrap(), None);
    assert_eq!(session.history().unwrap(), "");
}

#[test]
fn pressure_tells_how_full_the_window_is() {
    let mut session = windowed(r#"{"budget":{"window":20000,"max_output":1000}}"#);
    session.add_message(person("Hello.")).unwrap();
    let pressure = session.pressure(PARAMETERS).unwrap();
    assert_eq!((pressure.window, pressure.soft_limit), (20_000, 14_000));
    assert_eq!((pressure.hard_limit, pressure.margin), (19_744, 256));
    assert_eq!(
        (pressure.reserve, pressure.action),
        (1000, PressureAction::None)
    );
    assert_eq!(pressure.used, pressure.estimate.tokens);
    assert_eq!(
        session.build_request(PARAMETERS).unwrap().pressure,
        pressure
    );
    fill(&mut session);
    let pressure = session.pressure(PARAMETERS).unwrap();
    assert_eq!(pressure.action, PressureAction::Compact);
    let asked = begin(&mut session);
    assert_eq!(asked.max_tokens, 1000);
    assert!(asked.body.ends_with(r#""max_tokens":1000}"#));
    let compacted = finish(&mut session, "It is full of words.");
    assert_eq!(compacted.pressure.action, PressureAction::None);
    assert!(compacted.tokens_after < 1000, "{compacted:?}");
}

/// A session with these overrides.
pub fn windowed(overrides: &str) -> Session {
    let settings = crate::support::settings()
        .dialect(waybread::Dialect::OpenaiChat)
        .overrides(overrides);
    Session::open(
        "s",
        settings,
        MemoryStorage::new(),
        waybread::MemoryTree::new(),
    )
    .unwrap()
}

/// What a window of 20,000 tokens has to be compacted for.
pub fn fill(session: &mut Session) {
    session
        .add_message(person(&"some words ".repeat(7500)))
        .unwrap();
    session.add_message(reply("So many words.")).unwrap();
}

#[test]
fn a_subagent_speaks_for_itself() {
    let mut session = conversing(MemoryStorage::new());
    session.add_message(person("Go.")).unwrap();
    let added = session.add_message(reply_with_call("c1")).unwrap();
    session
        .insert_result(
            added.open_calls().next().unwrap(),
            Outcome::output("started"),
        )
        .unwrap();
    session
        .add_message(UserMessage::subagent("Found it.").step_boundary())
        .unwrap();
    let expected = [Speaker::Person, Speaker::Model, Speaker::Subagent];
    assert_eq!(speakers(&mut session), expected);
}
