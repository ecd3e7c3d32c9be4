//! What a user's storage and file system may answer, and what becomes of it.

use std::sync::{Arc, Mutex};

use waybread::{
    Cause, Directory, File, FileError, FileSystem, MemoryStorage, MemoryTree, Outcome, Session,
    Storage, StorageError, StoredText,
};

use crate::support::{call, on, output, read, settings, with};

/// Does to the next call what it is told, then works again.
#[derive(Clone, Default)]
struct Moody {
    storage: MemoryStorage,
    mood: Arc<Mutex<Mood>>,
}

#[derive(Default)]
enum Mood {
    #[default]
    Fine,
    Panics,
    Fails(StorageError),
}

impl Moody {
    fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn meet(&self) -> Result<(), StorageError> {
        let mood = std::mem::take(&mut *self.mood.lock().unwrap());
        match mood {
            Mood::Fine => Ok(()),
            Mood::Panics => panic!("the disk is on fire"),
            Mood::Fails(error) => Err(error),
        }
    }
}

impl Storage for Moody {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        self.meet()?;
        self.storage
            .append(session, expected_length, records, texts)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        self.meet()?;
        self.storage.read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        self.meet()?;
        self.storage.read_text(session, id)
    }
}

#[test]
fn a_panic_in_storage_is_an_error_and_the_session_goes_on() {
    let storage = Moody::default();
    let mut session = on(storage.clone());
    output(&mut session, "c1", "one");
    storage.set(Mood::Panics);
    let error = session
        .insert_result(&call("c2"), Outcome::output("two"))
        .unwrap_err();
    let words = "it panicked: the disk is on fire".to_owned();
    let expected = Cause::Storage {
        operation: "append".to_owned(),
        error: StorageError::Uncertain(words),
    };
    assert_eq!(*error.cause(), expected);
    storage.set(Mood::Panics);
    assert_eq!(
        session.stored_text("1").unwrap_err().cause().name(),
        "storage"
    );
    assert_eq!(output(&mut session, "c2", "two").id, "#0002");
    assert_eq!(session.stored_text("1").unwrap(), "one");
}

#[test]
fn a_panic_while_opening_is_an_error() {
    let storage = Moody::default();
    storage.set(Mood::Panics);
    let error = Session::open("s", settings(), storage, MemoryTree::new()).unwrap_err();
    assert!(error.to_string().contains("read-log"), "{error}");
}

#[test]
fn storage_errors_arrive_as_they_were() {
    let storage = Moody::default();
    let mut session = on(storage.clone());
    for failed in [
        StorageError::Denied,
        StorageError::Full,
        StorageError::Other("no network".to_owned()),
    ] {
        storage.set(Mood::Fails(failed.clone()));
        let error = session
            .insert_result(&call("c1"), Outcome::output("x"))
            .unwrap_err();
        let expected = Cause::Storage {
            operation: "append".to_owned(),
            error: failed,
        };
        assert_eq!(*error.cause(), expected);
    }
    storage.set(Mood::Fails(StorageError::Conflict(7)));
    let error = session
        .insert_result(&call("c1"), Outcome::output("x"))
        .unwrap_err();
    assert_eq!(*error.cause(), Cause::Conflict { length: 7 });
    assert_eq!(output(&mut session, "c1", "x").id, "#0001");
}

/// Answers whatever it was made with.
struct Fixed(Result<File, FileError>);

impl FileSystem for Fixed {
    fn identify(&mut self, _path: &str) -> Result<String, FileError> {
        self.0.clone().map(|file| file.identity)
    }

    fn read(&mut self, _path: &str) -> Result<File, FileError> {
        self.0.clone()
    }
}

struct Panics;

impl FileSystem for Panics {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        panic!("no {path}")
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        panic!("no {path}")
    }
}

#[test]
fn file_errors_are_the_models_or_the_callers() {
    for (error, sentence) in [
        (FileError::NotFound, "No such file: /work/app/a"),
        (FileError::Denied, "Not allowed to read /work/app/a"),
        (
            FileError::IsDirectory,
            "/work/app/a is a directory, not a file.",
        ),
        (
            FileError::NotAFile,
            "/work/app/a is neither a file nor a directory.",
        ),
        (
            FileError::Unreadable("it is 9 TB large".to_owned()),
            "/work/app/a cannot be read: it is 9 TB large.",
        ),
    ] {
        let mut session = with(Fixed(Err(error)));
        assert_eq!(
            read(&mut session, "c1", "a").text,
            format!("[#0001] {sentence}")
        );
    }
    let mut session = with(Fixed(Err(FileError::Other("bad sector".to_owned()))));
    let error = session
        .insert_result(&call("c1"), Outcome::read("a"))
        .unwrap_err();
    let (path, problem) = ("/work/app/a".to_owned(), "bad sector".to_owned());
    assert_eq!(*error.cause(), Cause::FileSystem { path, problem });
}

#[test]
fn a_panic_in_a_file_system_is_an_error_and_the_session_goes_on() {
    let mut session = with(Panics);
    for _ in 0..2 {
        let error = session
            .insert_result(&call("c1"), Outcome::read("a"))
            .unwrap_err();
        assert!(
            error.to_string().contains("it panicked: no /work/app/a"),
            "{error}"
        );
        assert_eq!(
            session.last_read("a").unwrap_err().cause().name(),
            "filesystem"
        );
    }
    assert_eq!(output(&mut session, "c1", "x").id, "#0001");
}

#[test]
fn what_reads_is_what_identifies() {
    let file = File {
        identity: "anything at all".to_owned(),
        bytes: b"x\n".to_vec(),
    };
    let mut session = with(Fixed(Ok(file)));
    read(&mut session, "c1", "one name");
    let stub = read(&mut session, "c2", "another");
    assert_eq!(stub.refers_to.as_deref(), Some("#0001"));
}

/// A file of 5 GiB that takes no room on most disks.
#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge");
    std::fs::File::create(&path)
        .unwrap()
        .set_len(5 << 30)
        .unwrap();
    let mut directory = Directory::confined(folder.path()).unwrap();
    let Err(FileError::Unreadable(words)) = directory.read(path.to_str().unwrap()) else {
        panic!("read 5 GiB");
    };
    assert_eq!(
        words,
        "it has 5368709120 bytes, and at most 4294967295 can be read"
    );
}
