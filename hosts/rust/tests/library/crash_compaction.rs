//! A process that is killed in the middle of a compaction: the session is as it was before it.

use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};
use waybread::{Session, SqliteStorage};

use crate::compaction::{begin, finish, turn};
use crate::crash::{given, kill_after};
use crate::support::{PARAMETERS, conversing};

/// The process that is killed: compacts after every turn, and says how far it is. Without its variables
/// it has nothing to do.
#[test]
#[ignore = "run by `a_killed_compaction_leaves_the_session_as_it_was`"]
fn compacts_until_killed() {
    let Some((database, round)) = given() else {
        return;
    };
    let mut session = conversing(SqliteStorage::open(database).unwrap());
    for at in 0..100_000 {
        turn(&mut session, &format!("call-{round}-{at}"));
        let (generations, sent) = standing(&mut session);
        begin(&mut session);
        println!("stored begun {generations} {sent}");
        // While the model writes its summary.
        thread::sleep(Duration::from_millis(100));
        finish(&mut session, &format!("Summary {at} of round {round}."));
        let (generations, sent) = standing(&mut session);
        println!("stored finished {generations} {sent}");
    }
}

/// How many generations there are, and the next request's hash.
fn standing(session: &mut Session) -> (usize, String) {
    let sent = session.build_request(PARAMETERS).unwrap().body;
    let generations = session.lineage().unwrap().len();
    (generations, format!("{:x}", Sha256::digest(&sent)))
}

#[test]
fn a_killed_compaction_leaves_the_session_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sessions.db");
    let mut unfinished = 0;
    for round in 0..6 {
        let writer = "crash_compaction::compacts_until_killed";
        let reported = kill_after(writer, &database, round, 1 + round);
        let last = reported.last().unwrap();
        let [step, generations, sent] = last.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{last}");
        };
        let mut session = conversing(SqliteStorage::open(&database).unwrap());
        let (found, next) = standing(&mut session);
        let before: usize = generations.parse().unwrap();
        match step {
            "begun" if found == before => {
                assert_eq!(next, sent);
                unfinished += 1;
            }
            // It was killed after the summary was stored, and before it could say so.
            "begun" => assert_eq!(found, before + 1),
            _ => assert_eq!(found, before),
        }
        // What is there can be compacted.
        turn(&mut session, &format!("check-{round}"));
        begin(&mut session);
        let compacted = finish(&mut session, "Checked.");
        assert_eq!(compacted.generation as usize, found + 1);
    }
    assert_ne!(unfinished, 0, "no process was killed between the two calls");
}
