//! A log that nobody but another program could have written is refused, and never trusted.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod support;

use waybread_guest::{Error, LineWindow, Outcome, ReadRequest, Session, ToolCall};

use support::{Files, Memory, open};

/// The log of a session with two reads of one file, the second a stub.
fn log() -> Vec<String> {
    let (memory, files) = (Memory::default(), Files::default());
    files.write("/work/app/a.ts", "x\ny\n");
    let mut session = open("", &memory, &files);
    for id in ["one", "two"] {
        let call = ToolCall {
            id: id.to_owned(),
            name: "read".to_owned(),
            arguments: "{}".to_owned(),
        };
        let request = ReadRequest {
            path: "a.ts".to_owned(),
            window: LineWindow::default(),
            force: false,
        };
        session
            .insert_result(&call, Outcome::Read(request))
            .unwrap();
    }
    memory.0.take().records
}

fn opened_with(position: usize, from: &str, to: &str) -> Result<(), Error> {
    let memory = Memory::default();
    let mut records = log();
    let changed = records[position].replacen(from, to, 1);
    assert_ne!(changed, records[position], "`{from}` is not in the record");
    records[position] = changed;
    memory.0.borrow_mut().records = records;
    Session::open("s", &support::settings(""), memory, Files::default()).map(drop)
}

#[test]
fn a_record_that_cannot_be_is_damaged() {
    for (position, from, to) in [
        (0, r#""digits":4"#, r#""digits":4000000000"#),
        (0, r#""sha_digits":8"#, r#""sha_digits":99"#),
        (0, r#""root":"/work/app""#, r#""root":"app""#),
        (1, r#""v":1"#, r#""v":0"#),
        (1, r#""v":1"#, r#""v":"1""#),
        (1, r#""number":1"#, r#""number":2"#),
        (1, r#""first":1"#, r#""first":3"#),
        (1, r#""last":2"#, r#""last":4294967295"#),
        (2, r#""call":"two""#, r#""call":"one""#),
        (2, r#""stub_of":1"#, r#""stub_of":77"#),
        (2, r#""stub_of":1"#, r#""stub_of":0"#),
    ] {
        let opened = opened_with(position, from, to);
        let at = u32::try_from(position).unwrap();
        assert!(
            matches!(&opened, Err(Error::DamagedRecord { position, .. }) if *position == at),
            "{to}: {opened:?}"
        );
    }
}

#[test]
fn a_newer_record_is_refused() {
    for version in ["2", "1099511627776"] {
        let opened = opened_with(1, r#""v":1"#, &format!(r#""v":{version}"#));
        assert!(
            matches!(opened, Err(Error::NewerRecord { position: 1, .. })),
            "{version}: {opened:?}"
        );
    }
}

#[test]
fn a_log_that_does_not_begin_a_session_is_damaged() {
    let memory = Memory::default();
    memory.0.borrow_mut().records = log().split_off(1);
    let opened = Session::open("s", &support::settings(""), memory, Files::default());
    assert!(matches!(
        opened,
        Err(Error::DamagedRecord { position: 0, .. })
    ));
}
