//! A process that is killed in the middle of a turn: the conversation goes on from its file.

use std::path::Path;

use sha2::{Digest, Sha256};
use waybread::{Outcome, Session, SqliteStorage};

use crate::crash::{given, kill_after};
use crate::support::{PARAMETERS, conversing, person, reply_with_call};

/// What closes a body of these parameters behind the last message.
const CLOSING: &str = "]}";

/// The process that is killed: takes step after step of one turn, and says what it sent. Without its
/// variables it has nothing to do.
#[test]
#[ignore = "run by `a_killed_turn_goes_on_with_every_byte_that_was_sent`"]
fn converses_until_killed() {
    let Some((database, round)) = given() else {
        return;
    };
    let mut session = conversing(SqliteStorage::open(database).unwrap());
    if session.conversation().unwrap().is_empty() {
        session
            .add_message(person("Go on until you are killed."))
            .unwrap();
    }
    for at in 0..100_000 {
        let sent = session.build_request(PARAMETERS).unwrap().body;
        let stands = sent.strip_suffix(CLOSING).unwrap();
        println!("stored {} {}", stands.len(), hash(stands));
        let reply = reply_with_call(&format!("call-{round}-{at}"));
        let added = session.add_message(reply).unwrap();
        let output = Outcome::output(format!("round {round}, step {at}\n").repeat(100));
        session
            .insert_result(added.open_calls().next().unwrap(), output)
            .unwrap();
    }
}

fn hash(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}

#[test]
fn a_killed_turn_goes_on_with_every_byte_that_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sessions.db");
    for round in 0..6 {
        let writer = "crash_conversation::converses_until_killed";
        let reported = kill_after(writer, &database, round, 3 + 2 * round);
        let mut session = conversing(SqliteStorage::open(&database).unwrap());
        check(&mut session, &reported);
        check_pairing(&database, &mut session);
    }
}

/// Each request that was reported as sent stands in the next one.
fn check(session: &mut Session, reported: &[String]) {
    let next = session.build_request(PARAMETERS).unwrap();
    assert_eq!((next.keep, next.difference), (0, None));
    for report in reported {
        let (length, sha256) = report.split_once(' ').unwrap();
        let stands = next.body.get(..length.parse().unwrap());
        assert_eq!(stands.map(hash).as_deref(), Some(sha256));
    }
}

/// A call that got no result before the kill has one now that says so.
fn check_pairing(database: &Path, session: &mut Session) {
    let other = conversing(SqliteStorage::open(database).unwrap()).conversation();
    let conversation = session.conversation().unwrap();
    assert_eq!(other.unwrap(), conversation);
    for reply in conversation.iter().skip(1) {
        let [Some(id)] = reply.results.as_slice() else {
            panic!("{reply:?}");
        };
        let result = session.stored_text(id).unwrap();
        assert!(
            result.starts_with("round ") || result.starts_with("No result"),
            "{result}"
        );
    }
}
