//! `waybread audit`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use waybread::audit::{audit, audit_json};

use super::{Folder, code, stderr, stdout, waybread};

/// Two bodies, between which a date changed.
fn bodies() -> (String, String) {
    let pairs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recordings/tests/audit");
    let pair = fs::read_to_string(pairs.join("chat-date.pair")).unwrap();
    let parts: Vec<&str> = pair.split("\n---\n").collect();
    (parts[1].to_owned(), parts[2].to_owned())
}

fn files(folder: &Folder) -> (PathBuf, PathBuf) {
    let (before, now) = bodies();
    (folder.write("a.json", before), folder.write("b.json", now))
}

#[test]
fn two_bodies_are_compared() {
    let folder = Folder::new();
    let (before, now) = files(&folder);
    let bodies = bodies();
    let output = waybread(&["audit"], &[&before, &now]);
    assert_eq!((code(&output), stderr(&output)), (1, ""));
    assert_eq!(
        stdout(&output),
        format!("{}\n", audit(&bodies.0, &bodies.1).unwrap())
    );
    assert!(stdout(&output).starts_with("cause        date: a date or a time changed\n"));
    let output = waybread(&["audit", "--json"], &[&before, &now]);
    assert_eq!(
        stdout(&output),
        audit_json(&bodies.0, &bodies.1).unwrap() + "\n"
    );
    assert_eq!(code(&waybread(&["audit"], &[&before, &before])), 0);
}

#[test]
fn a_list_is_compared_one_by_one() {
    let folder = Folder::new();
    let (before, now) = bodies();
    let list = folder.write("list.json", format!("[{before},{now},{now},{{}}]"));
    let output = waybread(&["audit", "--json"], &[&list]);
    assert_eq!(code(&output), 1);
    let answer: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(answer["total"]["compared"], 2);
    assert_eq!(answer["skipped"][0]["request"], 3);
    let output = waybread(&["audit"], &[&list]);
    assert!(
        stdout(&output).starts_with("Request  Cause"),
        "{}",
        stdout(&output)
    );
    let unbroken = folder.write("same.json", format!("[{before},{before}]"));
    assert_eq!(code(&waybread(&["audit"], &[&unbroken])), 0);
}

#[test]
fn standard_input_is_one_of_them() {
    let folder = Folder::new();
    let (before, now) = files(&folder);
    for (given, expected) in [(["-", "b.json"], 1), (["a.json", "-"], 0)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_waybread"))
            .arg("audit")
            .args(given)
            .current_dir(before.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(bodies().0.as_bytes())
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{given:?}");
    }
    drop(now);
}

#[test]
fn what_can_not_be_compared_is_named() {
    let folder = Folder::new();
    let (before, _) = files(&folder);
    let latin = folder.write("latin.json", b"\"\xe9\"");
    let broken = folder.write("broken.json", "{");
    let absent = folder.path("absent.json");
    for (given, problem) in [
        (
            vec![&absent, &before],
            "absent.json: cannot be read: No such file or directory",
        ),
        (vec![&before, &latin], "latin.json: is not UTF-8"),
        (
            vec![&before, &broken],
            "broken.json: the body is not JSON: ",
        ),
        (
            vec![&broken, &before],
            "broken.json: the body is not JSON: ",
        ),
        (
            vec![&before],
            "a.json: one request among 1 record, and it takes two to compare",
        ),
    ] {
        let given: Vec<&Path> = given.into_iter().map(PathBuf::as_path).collect();
        let output = waybread(&["audit"], &given);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        assert!(stderr(&output).contains(problem), "{}", stderr(&output));
    }
    for wrong in [
        &["audit"][..],
        &["audit", "-", "-"],
        &["audit", "a", "b", "c"],
    ] {
        assert_eq!(code(&waybread(wrong, &[])), 2, "{wrong:?}");
    }
}
