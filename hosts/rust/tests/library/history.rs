//! The history archive as a file.

use std::fs;
use std::path::Path;

use waybread::{Cause, Session};

use crate::compaction::{begin, finish, turn, windowed};

const ARCHIVE: &str = r#"{"archive":{"keep":"markdown"}}"#;

fn compacted(session: &mut Session, id: &str) {
    turn(session, id);
    begin(session);
    finish(session, &format!("{id} was asked."));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_history_is_written_whole_in_the_place_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.md");
    let mut session = windowed(ARCHIVE);
    assert!(!session.write_history(&path).unwrap());
    assert_eq!(names(folder.path()), [""; 0]);
    for id in ["c1", "c2"] {
        compacted(&mut session, id);
        assert!(session.write_history(&path).unwrap());
        let history = session.history().unwrap();
        assert!(history.contains(&format!("Ask {id}.")), "{history}");
        assert_eq!(fs::read_to_string(&path).unwrap(), history);
        assert_eq!(names(folder.path()), ["history.md"]);
    }
    assert!(session.history().unwrap().contains("c1 was asked."));
}

#[test]
fn without_an_archive_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.md");
    fs::write(&path, "mine").unwrap();
    let mut session = windowed("{}");
    compacted(&mut session, "c1");
    assert!(!session.write_history(&path).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
}

#[test]
fn a_history_that_cannot_be_written_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = windowed(ARCHIVE);
    compacted(&mut session, "c1");
    let missing = folder.path().join("missing").join("history.md");
    let taken = folder.path().join("folder");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("kept"), "").unwrap();
    for wrong in [&missing, &taken] {
        let error = session.write_history(wrong).unwrap_err();
        let Cause::FileSystem { path, .. } = error.cause() else {
            panic!("{error:?}");
        };
        assert_eq!(Path::new(path), wrong);
        assert!(error.to_string().contains(path), "{error}");
    }
    assert_eq!(names(folder.path()), ["folder"]);
}

#[cfg(unix)]
#[test]
fn a_history_is_read_by_whom_any_new_file_is() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (history, other) = (
        folder.path().join("history.md"),
        folder.path().join("other"),
    );
    let mut session = windowed(ARCHIVE);
    compacted(&mut session, "c1");
    session.write_history(&history).unwrap();
    fs::write(&other, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&history), mode(&other));
}
