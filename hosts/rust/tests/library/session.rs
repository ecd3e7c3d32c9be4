//! Sessions: carried on, shared, moved.

use std::thread;

use waybread::{
    Cause, Changes, FileChange, Kind, MemoryStorage, MemoryTree, Outcome, Read, Session, Settings,
    Treatment,
};

use crate::support::{awkward_texts, call, on, output, read, settings, with};

fn must_be_send<T: Send>(value: T) -> T {
    value
}

#[test]
fn a_session_moves_to_another_thread() {
    let mut session = must_be_send(on(MemoryStorage::new()));
    output(&mut session, "c1", "here");
    let mut session = thread::spawn(move || {
        output(&mut session, "c2", "there");
        session
    })
    .join()
    .unwrap();
    assert_eq!(output(&mut session, "c3", "here").id, "#0003");
}

#[test]
fn threads_open_sessions_at_the_same_time() {
    let storage = MemoryStorage::new();
    let threads: Vec<_> = (0..8)
        .map(|number| {
            let storage = storage.clone();
            thread::spawn(move || {
                let key = format!("s{number}");
                let mut session =
                    Session::open(key, settings(), storage, MemoryTree::new()).unwrap();
                (0..50)
                    .map(|at| output(&mut session, &format!("c{at}"), "x").id)
                    .last()
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap().unwrap(), "#0032");
    }
}

#[test]
fn a_thousand_sessions_are_open_at_once() {
    let mut sessions: Vec<Session> = (0..1000).map(|_| on(MemoryStorage::new())).collect();
    for session in &mut sessions {
        assert_eq!(output(session, "c1", "x").text, "[#0001]\nx");
    }
}

#[test]
fn another_handle_carries_a_session_on() {
    let storage = MemoryStorage::new();
    let mut first = on(storage.clone());
    output(&mut first, "c1", "one");
    drop(first);
    let mut second = on(storage);
    assert_eq!(output(&mut second, "c2", "two").id, "#0002");
    let error = second
        .insert_result(&call("c1"), Outcome::output("again"))
        .unwrap_err();
    let answered = Cause::CallAnswered {
        call: "c1".to_owned(),
        id: "#0001".to_owned(),
    };
    assert_eq!(*error.cause(), answered);
}

#[test]
fn into_parts_gives_back_what_can_be_opened_again() {
    let files = MemoryTree::new();
    files.write("/work/app/a", "x");
    let mut session = with(files);
    assert_eq!(session.key(), "s");
    output(&mut session, "c1", "one");
    let (storage, filesystem) = session.into_parts();
    let mut session = Session::open("s", settings(), storage, filesystem).unwrap();
    assert!(
        read(&mut session, "c2", "a")
            .text
            .starts_with("[#0002 a lines 1-1 of 1")
    );
}

#[test]
fn the_slower_of_two_writers_gets_a_conflict_and_carries_on() {
    let storage = MemoryStorage::new();
    let (mut one, mut two) = (on(storage.clone()), on(storage));
    output(&mut one, "c1", "first");
    let error = two
        .insert_result(&call("c2"), Outcome::output("second"))
        .unwrap_err();
    assert!(matches!(error.cause(), Cause::Conflict { .. }), "{error}");
    two.reopen().unwrap();
    assert_eq!(output(&mut two, "c2", "second").id, "#0002");
    assert_eq!(two.stored_text("1").unwrap(), "first");
}

#[test]
fn other_settings_are_refused_later() {
    let storage = MemoryStorage::new();
    drop(on(storage.clone()));
    let chat = Settings::new(Kind::Chat, "/work/app");
    let error = Session::open("s", chat, storage.clone(), MemoryTree::new()).unwrap_err();
    let Cause::SettingsDiffer { name, kept, given } = error.cause() else {
        panic!("{error:?}");
    };
    assert_eq!(
        (name.as_str(), kept.as_str(), given.as_str()),
        ("kind", "agent", "chat")
    );
    let overrides = settings().overrides(r#"{"context": {"cap": {"max_line": 3}}}"#);
    let error = Session::open("other", overrides, storage, MemoryTree::new()).unwrap_err();
    let Cause::InvalidSetting { key, .. } = error.cause() else {
        panic!("{error:?}");
    };
    assert_eq!(key, "context.cap.max_line");
    assert!(
        error.to_string().contains("context.cap.max_line"),
        "{error}"
    );
}

#[test]
fn awkward_texts_come_back_as_they_were() {
    let storage = MemoryStorage::new();
    let mut session = on(storage.clone());
    for (text, number) in awkward_texts().iter().zip(1..) {
        output(&mut session, &format!("c{number}"), text);
        assert_eq!(session.stored_text(&number.to_string()).unwrap(), *text);
    }
}

/// Hashes made with `sha256sum`.
#[test]
fn contents_are_hashed_byte_for_byte() {
    let known: [(&str, &[u8], &str); 5] = [
        (
            "empty",
            b"",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
        (
            "bom",
            b"\xef\xbb\xbfx\n",
            "dc79faf9efbee8e42b42346da7a977c74a27581ae8f3465f431176f43e521415",
        ),
        (
            "crlf",
            b"a\r\nb\r\n",
            "58055bdcc73787eb88c78d36f0b4939e9c5dc1c3ad17e25cc85a6833cf1a0cab",
        ),
        (
            "nul",
            b"a\0b",
            "59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138",
        ),
        (
            "plain",
            b"x\n",
            "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac",
        ),
    ];
    let files = MemoryTree::new();
    let mut session = with(files.clone());
    for (name, bytes, sha256) in known {
        files.write(&format!("/work/app/{name}"), bytes);
        read(&mut session, name, name);
        assert_eq!(
            session.last_read(name).unwrap().unwrap().sha256,
            sha256,
            "{name}"
        );
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_named_by_size_and_hash() {
    let files = MemoryTree::new();
    files.write("/work/app/photo", *b"\xff\xd8\xff\xe0 jpeg");
    let mut session = with(files);
    let refused = read(&mut session, "c1", "photo");
    assert_eq!(refused.treatment, Treatment::Failed);
    assert_eq!(
        refused.text,
        "[#0001] /work/app/photo is not UTF-8 text: 9 bytes, sha e56e783e."
    );
    let change = FileChange::edited("photo", *b"\xff", *b"\xff\xfe");
    let changed = session
        .insert_result(&call("c2"), Outcome::change(change))
        .unwrap();
    assert_eq!(
        changed.text,
        "[#0002 photo sha b3d510ef] Binary file, 2 bytes."
    );
}

#[test]
fn outcomes_say_what_the_builders_were_told() {
    let files = MemoryTree::new();
    files.write("/work/app/a", "1\n2\n3\n4\n");
    let mut session = with(files);
    let part = session
        .insert_result(&call("c1"), Read::new("a").offset(2).limit(2))
        .unwrap();
    assert!(part.text.ends_with("]\n2: 2\n3: 3"), "{}", part.text);
    let again = session
        .insert_result(&call("c2"), Read::new("a").offset(2).limit(1))
        .unwrap();
    assert_eq!(again.treatment, Treatment::UnchangedRead);
    assert_eq!(again.refers_to.as_deref(), Some("#0001"));
    assert_eq!(again.treatment.to_string(), "unchanged-read");
    let forced = Read::new("a").offset(2).limit(1).force(true);
    assert_eq!(
        session
            .insert_result(&call("c3"), forced)
            .unwrap()
            .treatment,
        Treatment::Full
    );
    let changes = Changes::new([
        FileChange::created("b", "x\n"),
        FileChange::edited("a", "1\n", "2\n"),
        FileChange::deleted("c", "y\n"),
    ])
    .note("noted");
    let changed = session.insert_result(&call("c4"), changes).unwrap().text;
    assert!(
        changed.starts_with("[#0004]\n[b sha 73cb3858] Created, 1 lines.\n"),
        "{changed}"
    );
    assert!(
        changed.ends_with("@@ -1 +1 @@\n-1\n+2\n[c deleted]\nnoted"),
        "{changed}"
    );
    let failed = session
        .insert_result(&call("c5"), Outcome::failure("no"))
        .unwrap();
    assert_eq!(
        (failed.text.as_str(), failed.treatment),
        ("[#0005]\nno", Treatment::Failed)
    );
}

#[test]
fn arguments_that_are_wrong_are_named() {
    let mut session = on(MemoryStorage::new());
    let error = session
        .insert_result(&call(""), Outcome::output("x"))
        .unwrap_err();
    assert!(
        matches!(error.cause(), Cause::InvalidArgument { argument, .. } if argument == "call.id")
    );
    let error = session.stored_text("#9").unwrap_err();
    assert_eq!(
        *error.cause(),
        Cause::UnknownId {
            id: "#9".to_owned()
        }
    );
    assert_eq!(error.message(), error.to_string());
    let error = Session::open("", settings(), MemoryStorage::new(), MemoryTree::new()).unwrap_err();
    assert!(matches!(error.cause(), Cause::InvalidArgument { argument, .. } if argument == "key"));
    let relative = Settings::agent("app");
    let error = Session::open("s", relative, MemoryStorage::new(), MemoryTree::new()).unwrap_err();
    assert_eq!(error.cause().name(), "invalid-argument");
}

#[test]
fn paths_are_resolved_against_root_and_home() {
    let settings = settings().home("/home/ada");
    let storage = MemoryStorage::new();
    let mut session = Session::open("s", settings, storage, MemoryTree::new()).unwrap();
    assert_eq!(session.resolve_path("../x").unwrap(), "/work/x");
    assert_eq!(session.resolve_path("~/x").unwrap(), "/home/ada/x");
    assert_eq!(session.last_read("x").unwrap(), None);
}
