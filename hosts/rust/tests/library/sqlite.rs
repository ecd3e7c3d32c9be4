//! Sessions in an SQLite file.

use std::path::Path;
use std::sync::{Arc, Barrier};

use rusqlite::Connection;
use tempfile::TempDir;
use waybread::{
    Cause, MemoryTree, Outcome, Session, SqliteStorage, Storage, StorageError, StoredText,
};

use crate::support::{awkward_texts, call, on, output, settings};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(path: &Path) -> SqliteStorage {
    SqliteStorage::open(path).unwrap()
}

fn texts(id: &str, text: &str) -> Vec<StoredText> {
    vec![StoredText {
        id: id.to_owned(),
        text: text.to_owned(),
    }]
}

#[test]
fn the_schema_is_the_one_that_every_host_has() {
    let ours = include_str!("../../src/storage/sqlite.sql");
    let shared = include_str!("../../../sqlite.sql");
    assert_eq!(ours, shared);
}

#[test]
fn a_session_is_carried_on_from_its_file() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    let mut session = on(open(&path));
    for (text, number) in awkward_texts().iter().zip(1..) {
        output(&mut session, &format!("c{number}"), text);
    }
    drop(session);
    let mut session = on(open(&path));
    for (text, number) in awkward_texts().iter().zip(1..) {
        assert_eq!(session.stored_text(&format!("{number:x}")).unwrap(), *text);
    }
    assert_eq!(output(&mut session, "next", "x").id, "#000a");
}

#[test]
fn keys_may_be_anything() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    for key in ["a", "A", "a\0", "ä", "%", "'"] {
        let files = MemoryTree::new();
        let mut session = Session::open(key, settings(), open(&path), files).unwrap();
        assert_eq!(output(&mut session, "c1", key).id, "#0001", "{key:?}");
    }
    let mut session = Session::open("a\0", settings(), open(&path), MemoryTree::new()).unwrap();
    assert_eq!(session.stored_text("1").unwrap(), "a\0");
}

#[test]
fn the_log_is_read_from_any_position() {
    let folder = folder();
    let mut storage = open(&folder.path().join("sessions.db"));
    let records = ["a".to_owned(), "\0".to_owned(), "c".to_owned()];
    storage
        .append("s", 0, records.to_vec(), texts("#0001", ""))
        .unwrap();
    assert_eq!(storage.read_log("s", 1).unwrap(), ["\0", "c"]);
    assert_eq!(storage.read_log("s", 3).unwrap(), [""; 0]);
    assert_eq!(storage.read_log("s", u32::MAX).unwrap(), [""; 0]);
    assert_eq!(storage.read_log("other", 0).unwrap(), [""; 0]);
    assert_eq!(storage.read_text("s", "#0001").unwrap(), "");
    assert_eq!(storage.read_text("s", "#0002"), Err(StorageError::NotFound));
    assert_eq!(
        storage.read_text("other", "#0001"),
        Err(StorageError::NotFound)
    );
}

#[test]
fn an_append_is_all_or_nothing() {
    let folder = folder();
    let mut storage = open(&folder.path().join("sessions.db"));
    storage
        .append("s", 0, vec!["a".to_owned()], texts("#0001", "one"))
        .unwrap();
    let wrong = storage.append("s", 0, vec!["b".to_owned()], texts("#0002", "two"));
    assert_eq!(wrong, Err(StorageError::Conflict(1)));
    let again = storage.append("s", 1, vec!["b".to_owned()], texts("#0001", "two"));
    assert!(matches!(again, Err(StorageError::Other(_))), "{again:?}");
    assert_eq!(storage.read_log("s", 0).unwrap(), ["a"]);
    assert_eq!(storage.read_text("s", "#0001").unwrap(), "one");
    assert_eq!(storage.read_text("s", "#0002"), Err(StorageError::NotFound));
}

#[test]
fn of_two_writers_one_gets_a_conflict_and_nothing_is_lost() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    drop(on(open(&path)));
    let opened = Arc::new(Barrier::new(2));
    let writers: Vec<_> = ["left", "right"]
        .map(|name| {
            let (path, opened) = (path.clone(), Arc::clone(&opened));
            std::thread::spawn(move || write_fifty(name, &path, &opened))
        })
        .into_iter()
        .collect();
    let conflicts: usize = writers
        .into_iter()
        .map(|writer| writer.join().unwrap())
        .sum();
    // Both have opened the session before either writes.
    assert!(conflicts > 0);
    let mut session = on(open(&path));
    let mut stored: Vec<String> = (1..=100)
        .map(|number| session.stored_text(&format!("{number:x}")).unwrap())
        .collect();
    stored.sort();
    let mut expected: Vec<String> = (0..50)
        .flat_map(|at| [format!("left {at}"), format!("right {at}")])
        .collect();
    expected.sort();
    assert_eq!(stored, expected);
}

/// Writes fifty results, opening the session again after each conflict. Says how many there were.
fn write_fifty(name: &str, path: &Path, opened: &Barrier) -> usize {
    let mut session = on(open(path));
    opened.wait();
    let mut conflicts = 0;
    for at in 0..50 {
        let (call, text) = (call(&format!("{name}-{at}")), format!("{name} {at}"));
        while let Err(error) = session.insert_result(&call, Outcome::output(&text)) {
            assert!(matches!(error.cause(), Cause::Conflict { .. }), "{error}");
            conflicts += 1;
            session.reopen().unwrap();
        }
    }
    conflicts
}

#[test]
fn a_newer_schema_is_refused() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    drop(open(&path));
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 2)
        .unwrap();
    let error = SqliteStorage::open(&path).unwrap_err();
    assert!(error.to_string().contains("version 2"), "{error}");
}

#[test]
fn what_is_no_database_is_refused_and_left_as_it_is() {
    let folder = folder();
    let path = folder.path().join("notes.txt");
    std::fs::write(
        &path,
        "not a database, but longer than a header of a hundred bytes ".repeat(9),
    )
    .unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStorage::open(&path).unwrap_err();
    assert!(error.to_string().contains("not a database"), "{error}");
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let error = SqliteStorage::open(folder.path().join("missing/sessions.db")).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn tables_of_others_are_left_alone() {
    let folder = folder();
    let path = folder.path().join("app.db");
    let app = Connection::open(&path).unwrap();
    app.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        .unwrap();
    output(&mut on(open(&path)), "c1", "x");
    let kept: String = app
        .query_row("SELECT text FROM notes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    let mut session = on(open(&path));
    output(&mut session, "c1", "one");
    drop(session);
    let connection = Connection::open(&path).unwrap();
    connection
        .pragma_update_and_check(None, "max_page_count", 20, |_| Ok(()))
        .unwrap();
    let mut session = on(SqliteStorage::with_connection(connection).unwrap());
    let large = "large ".repeat(100_000);
    let error = session
        .insert_result(&call("c2"), Outcome::output(&large))
        .unwrap_err();
    let full = Cause::Storage {
        operation: "append".to_owned(),
        error: StorageError::Full,
    };
    assert_eq!(*error.cause(), full);
    assert_eq!(output(&mut session, "c2", "small").id, "#0002");
    drop(session);
    let mut session = on(open(&path));
    assert_eq!(session.stored_text("2").unwrap(), "small");
    assert_eq!(
        session
            .insert_result(&call("c3"), Outcome::output(large))
            .unwrap()
            .id,
        "#0003"
    );
}

#[test]
fn a_read_only_database_can_be_read() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    output(&mut on(open(&path)), "c1", "one");
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(&path, flags).unwrap();
    let mut session = on(SqliteStorage::with_connection(connection).unwrap());
    assert_eq!(session.stored_text("1").unwrap(), "one");
    let error = session
        .insert_result(&call("c2"), Outcome::output("two"))
        .unwrap_err();
    let denied = Cause::Storage {
        operation: "append".to_owned(),
        error: StorageError::Denied,
    };
    assert_eq!(*error.cause(), denied);
}

#[test]
fn commits_reach_the_disk() {
    let folder = folder();
    let path = folder.path().join("sessions.db");
    let storage = open(&path);
    let connection = Connection::open(&path).unwrap();
    let mode: String = connection
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .unwrap();
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!((mode.as_str(), version), ("wal", 1));
    drop(storage);
}

#[cfg(unix)]
#[test]
fn a_file_is_written_to_only_while_its_name_leads_to_it() {
    let folder = folder();
    let (path, away) = (folder.path().join("s.db"), folder.path().join("away"));
    let mut storage = open(&path);
    let mut append = |length| storage.append("s", length, vec!["r".to_owned()], Vec::new());
    std::fs::rename(&path, &away).unwrap();
    let removed = append(0);
    std::fs::rename(&away, &path).unwrap();
    append(0).unwrap();
    std::fs::rename(&path, &away).unwrap();
    std::fs::write(&path, "another file").unwrap();
    for refused in [removed, append(1)] {
        let words = refused.unwrap_err().to_string();
        assert!(
            words.contains("was removed or replaced since it was opened"),
            "{words}"
        );
    }
    std::fs::rename(&away, &path).unwrap();
    append(1).unwrap();
    assert_eq!(open(&path).read_log("s", 0).unwrap(), ["r", "r"]);
}

#[cfg(unix)]
#[test]
fn a_new_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path().join("s.db");
    drop(open(&path));
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_commit_that_fails_may_have_been_written() {
    let folder = folder();
    let connection = Connection::open(folder.path().join("s.db")).unwrap();
    let mut storage = SqliteStorage::with_connection(connection).unwrap();
    let other = Connection::open(folder.path().join("s.db")).unwrap();
    // A check that is put off to the commit.
    let checks = "CREATE TABLE p (a PRIMARY KEY);
        CREATE TABLE c (a REFERENCES p DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER t AFTER INSERT ON waybread_log BEGIN INSERT INTO c VALUES ('x'); END";
    other.execute_batch(checks).unwrap();
    let append =
        |storage: &mut SqliteStorage| storage.append("s", 0, vec!["r".to_owned()], Vec::new());
    let failed = append(&mut storage);
    assert!(
        matches!(failed, Err(StorageError::Uncertain(_))),
        "{failed:?}"
    );
    other.execute_batch("DROP TRIGGER t").unwrap();
    append(&mut storage).unwrap();
}

#[test]
fn a_new_file_that_many_open_at_once_waits() {
    for _ in 0..10 {
        let folder = folder();
        let path = folder.path().join("s.db");
        let start = Barrier::new(6);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    open(&path);
                });
            }
        });
    }
}

#[test]
fn a_log_that_lost_a_record_is_refused() {
    let folder = folder();
    let path = folder.path().join("s.db");
    let mut storage = open(&path);
    let records = ["a", "b", "c"].map(str::to_owned).to_vec();
    storage.append("s", 0, records, Vec::new()).unwrap();
    let delete = "DELETE FROM waybread_log WHERE position = 1";
    Connection::open(&path)
        .unwrap()
        .execute_batch(delete)
        .unwrap();
    let words = "the log of `s` lacks record 1: the database is damaged".to_owned();
    assert_eq!(storage.read_log("s", 0), Err(StorageError::Other(words)));
    assert_eq!(storage.read_log("s", 2).unwrap(), ["c"]);
}
