//! Requests of a session that is carried on: opened again, forked, after a trap.

use std::path::Path;

use waybread::{
    Cause, Dialect, Limits, MemoryStorage, MemoryTree, Outcome, Session, SqliteStorage, Storage,
};

use crate::support::{
    PARAMETERS, call, conversing, output, person, reply, reply_with_call, settings,
};

fn sqlite(path: &Path) -> SqliteStorage {
    SqliteStorage::open(path).unwrap()
}

/// A turn with one call, which has its result.
fn turn(session: &mut Session, id: &str) {
    session.add_message(person("Go on.")).unwrap();
    session.build_request(PARAMETERS).unwrap();
    session.add_message(reply_with_call(id)).unwrap();
    output(session, id, &format!("result of {id}"));
}

fn forked(key: &str, storage: impl Storage + 'static) -> Session {
    let settings = settings().dialect(Dialect::OpenaiChat);
    Session::open(key, settings, storage, MemoryTree::new()).unwrap()
}

#[test]
fn a_session_opened_again_sends_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let mut session = conversing(sqlite(&path));
    for id in ["c1", "c2"] {
        turn(&mut session, id);
    }
    let sent = session.build_request(PARAMETERS).unwrap();
    drop(session);
    let mut session = conversing(sqlite(&path));
    let again = session.build_request(PARAMETERS).unwrap();
    assert_eq!((&again.body, &again.sha256), (&sent.body, &sent.sha256));
    assert_eq!((again.number, again.keep), (sent.number + 1, 0));
    assert_eq!(
        (again.shared as usize, again.difference),
        (sent.body.len(), None)
    );
    assert_ne!(session.build_request(PARAMETERS).unwrap().keep, 0);
}

#[test]
fn a_fork_sends_what_the_session_would_have_sent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let mut session = conversing(sqlite(&path));
    turn(&mut session, "c1");
    session.fork("all of it", None).unwrap();
    let last = session.conversation().unwrap().len();
    let here = session.build_request(PARAMETERS).unwrap().body;
    session.add_message(reply("Done.")).unwrap();
    session.add_message(person("Another thing.")).unwrap();
    session
        .fork("up to there", u32::try_from(last).ok())
        .unwrap();
    for key in ["all of it", "up to there"] {
        let mut fork = forked(key, sqlite(&path));
        assert_eq!(fork.build_request(PARAMETERS).unwrap().body, here, "{key}");
        assert_eq!(fork.stored_text("#0001").unwrap(), "result of c1");
        let added = fork.add_message(reply("Differently.")).unwrap();
        assert_eq!(added.number as usize, last + 1);
    }
    for wrong in ["", "s", "up to there"] {
        let error = session.fork(wrong, None).unwrap_err();
        let Cause::InvalidArgument { argument, .. } = error.cause() else {
            panic!("{error:?}");
        };
        assert_eq!(argument, "key");
    }
    let error = session.fork("beyond", Some(99)).unwrap_err();
    assert_eq!(*error.cause(), Cause::UnknownMessage { number: 99 });
}

#[test]
fn a_trap_changes_nothing_of_the_next_request() {
    let limit = 8 << 20;
    let settings = || settings().dialect(Dialect::OpenaiChat);
    let open = |limits| {
        let (storage, files) = (MemoryStorage::new(), MemoryTree::new());
        Session::open_with_limits("s", settings(), storage, files, limits).unwrap()
    };
    let mut trapping = open(Limits::default().memory_bytes(limit));
    let mut other = open(Limits::default());
    for session in [&mut trapping, &mut other] {
        turn(session, "c1");
        session.build_request(PARAMETERS).unwrap();
        session.add_message(reply_with_call("c2")).unwrap();
    }
    let huge = Outcome::output("0123456789\n".repeat(limit / 8));
    let error = trapping.insert_result(&call("c2"), huge).unwrap_err();
    assert_eq!(error.cause().name(), "trapped");
    for session in [&mut trapping, &mut other] {
        output(session, "c2", "small");
    }
    let after = trapping.build_request(PARAMETERS).unwrap();
    let expected = other.build_request(PARAMETERS).unwrap();
    assert_eq!(
        (&after.body, &after.sha256),
        (&expected.body, &expected.sha256)
    );
    assert_eq!(
        (after.number, after.shared),
        (expected.number, expected.shared)
    );
    // The new instance knows of no body that this host keeps.
    assert_eq!(after.keep, 0);
    assert_ne!(expected.keep, 0);
}
