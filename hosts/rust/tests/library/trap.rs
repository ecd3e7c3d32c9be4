//! A component that stops in the middle of a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use waybread::{
    Cause, Limits, MemoryStorage, MemoryTree, Outcome, RecallWindow, Session, Storage,
    StorageError, StoredText,
};

use crate::support::{call, output, settings};

const LIMIT: usize = 8 << 20;

fn limited(storage: impl Storage + 'static) -> Session {
    let limits = Limits::default().memory_bytes(LIMIT);
    Session::open_with_limits("s", settings(), storage, MemoryTree::new(), limits).unwrap()
}

fn too_much(session: &mut Session) -> waybread::Error {
    let huge = "0123456789\n".repeat(LIMIT / 8);
    session
        .insert_result(&call("huge"), Outcome::output(huge))
        .unwrap_err()
}

#[test]
fn a_session_outlives_the_memory_that_it_may_not_have() {
    let storage = MemoryStorage::new();
    let mut session = limited(storage.clone());
    output(&mut session, "c1", "one");
    for round in 2..5 {
        let error = too_much(&mut session);
        let Cause::Trapped { problem } = error.cause() else {
            panic!("{error:?}");
        };
        assert!(problem.contains("bytes of memory"), "{problem}");
        let inserted = output(&mut session, &format!("c{round}"), "more");
        assert_eq!(inserted.id, format!("#000{round}"));
    }
    assert_eq!(session.stored_text("1").unwrap(), "one");
    // The call that failed has no result: it may be answered still.
    assert_eq!(output(&mut session, "huge", "small").id, "#0005");
    let recalled = session
        .recall(&call("r"), "4", RecallWindow::default())
        .unwrap();
    assert_eq!(recalled.text, "[#0006 recall #0004 lines 1-1 of 1]\nmore");
}

#[test]
fn without_a_limit_the_same_output_is_capped() {
    let mut session = crate::support::on(MemoryStorage::new());
    let huge = "0123456789\n".repeat(LIMIT / 8);
    let capped = session
        .insert_result(&call("huge"), Outcome::output(huge.clone()))
        .unwrap();
    assert_eq!(capped.treatment, waybread::Treatment::Capped);
    assert_eq!(session.stored_text("1").unwrap(), huge);
}

#[test]
fn limits_too_low_to_open_are_an_error() {
    let limits = Limits::default().memory_bytes(64 << 10);
    let storage = MemoryStorage::new();
    let opened = Session::open_with_limits("s", settings(), storage, MemoryTree::new(), limits);
    assert_eq!(opened.unwrap_err().cause().name(), "trapped");
}

/// Refuses to read while it is told to.
#[derive(Clone, Default)]
struct Offline {
    storage: MemoryStorage,
    offline: Arc<AtomicBool>,
}

impl Storage for Offline {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<StoredText>,
    ) -> Result<(), StorageError> {
        self.storage
            .append(session, expected_length, records, texts)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        if self.offline.load(Ordering::Relaxed) {
            return Err(StorageError::Other("offline".to_owned()));
        }
        self.storage.read_log(session, start)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, StorageError> {
        self.storage.read_text(session, id)
    }
}

#[test]
fn a_session_that_cannot_open_again_at_once_does_so_later() {
    let storage = Offline::default();
    let mut session = limited(storage.clone());
    output(&mut session, "c1", "one");
    storage.offline.store(true, Ordering::Relaxed);
    assert_eq!(too_much(&mut session).cause().name(), "trapped");
    let error = session.stored_text("1").unwrap_err();
    assert!(error.to_string().contains("offline"), "{error}");
    storage.offline.store(false, Ordering::Relaxed);
    assert_eq!(session.stored_text("1").unwrap(), "one");
    assert_eq!(output(&mut session, "c2", "two").id, "#0002");
}
