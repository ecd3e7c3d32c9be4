//! A process that is killed while it writes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, thread};

use waybread::SqliteStorage;

use crate::support::{on, output};

const DATABASE: &str = "WAYBREAD_TEST_DATABASE";
const ROUND: &str = "WAYBREAD_TEST_ROUND";

/// A result that fills more than a page of the database.
fn text(round: usize, at: usize) -> String {
    format!("round {round}, result {at}\n").repeat(500)
}

/// The process that is killed: writes results and says so, until the end. Without its variables it
/// has nothing to do.
#[test]
#[ignore = "run by `a_killed_process_loses_at_most_the_call_under_way`"]
fn writes_until_killed() {
    let Some((database, round)) = given() else {
        return;
    };
    let mut session = on(SqliteStorage::open(database).unwrap());
    for at in 0..100_000 {
        let inserted = output(&mut session, &format!("r{round}-{at}"), &text(round, at));
        println!("stored {at} {}", inserted.id);
    }
}

#[test]
fn a_killed_process_loses_at_most_the_call_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sessions.db");
    let mut results = 0;
    for round in 0..8 {
        let writer = "crash::writes_until_killed";
        let reported = kill_after(writer, &database, round, 5 + 3 * round);
        results = check(&database, round, results, reported.len());
    }
}

/// Starts the writer of a test, kills it once it has reported some writes, and gives its reports: the
/// lines with `stored `, from there on.
pub fn kill_after(test: &str, database: &Path, round: usize, reports: usize) -> Vec<String> {
    let mut writer = start(test, database, round);
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let lines = lines.map(Result::unwrap);
    let mut stored = lines.filter_map(|line| Some(line.split_once("stored ")?.1.to_owned()));
    let mut reported: Vec<String> = stored.by_ref().take(reports).collect();
    assert_eq!(reported.len(), reports, "the writer stopped by itself");
    // Not always at the same point of a call.
    thread::sleep(Duration::from_micros(137 * round as u64));
    writer.kill().unwrap();
    writer.wait().unwrap();
    reported.extend(stored);
    reported
}

/// What `start` gave, in the process that is killed. None elsewhere.
pub fn given() -> Option<(String, usize)> {
    let (database, round) = (env::var(DATABASE).ok()?, env::var(ROUND).ok()?);
    Some((database, round.parse().unwrap()))
}

fn start(test: &str, database: &Path, round: usize) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(DATABASE, database)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Every result that was reported is there, at most one more is, and the next id is the next.
fn check(database: &Path, round: usize, before: usize, acknowledged: usize) -> usize {
    let mut session = on(SqliteStorage::open(database).unwrap());
    for at in 0..acknowledged {
        let id = format!("{:x}", before + at + 1);
        assert_eq!(session.stored_text(&id).unwrap(), text(round, at));
    }
    let unreported = format!("{:x}", before + acknowledged + 1);
    let more = usize::from(session.stored_text(&unreported).is_ok());
    let results = before + acknowledged + more + 1;
    assert_eq!(
        output(&mut session, &format!("check-{round}"), "x").id,
        format!("#{results:04x}")
    );
    results
}
