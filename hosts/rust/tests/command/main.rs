//! The command, run as a person or a program runs it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics has failed"
)]

mod audit;
mod context;
mod window;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use waybread::replay::{Options, replay};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }
}

/// A recording in the format of OpenAI's chat API: the same search twice, and a long output.
fn recording() -> String {
    let mut messages = vec![r#"{"role":"user","content":"go"}"#.to_owned()];
    let long = "line\\n".repeat(500);
    for (number, tool, result) in [
        (1, "grep", "a:1: x"),
        (2, "grep", "a:1: x"),
        (3, "bash", long.as_str()),
    ] {
        messages.push(format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{number}","type":"function","function":{{"name":"{tool}","arguments":"{{}}"}}}}]}}"#
        ));
        messages.push(format!(
            r#"{{"role":"tool","tool_call_id":"c{number}","content":"{result}"}}"#
        ));
    }
    format!("[{}]", messages.join(","))
}

fn waybread(arguments: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_waybread"))
        .args(arguments)
        .args(files)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("killed")
}

#[test]
fn a_replay_prints_a_table_and_what_it_means() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    let output = waybread(&["replay"], &[&file]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(
        lines.iter().all(|line| line.chars().count() <= 100),
        "{lines:#?}"
    );
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let row = lines
        .iter()
        .find(|line| line.starts_with(" tiny "))
        .unwrap();
    let total = lines
        .iter()
        .find(|line| line.starts_with(" 1 session "))
        .unwrap();
    assert_eq!(words(row)[1..6], ["3", "0", "0", "1", "1"]);
    assert_eq!(words(total)[2..], words(row)[1..]);
    assert!(stdout(&output).contains(" characters would have gone to the model: "));
}

#[test]
fn a_replay_builds_every_request_under_every_policy() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    let report = replay(&[&file], &Options::default(), &mut |_| {}).unwrap();
    let names: Vec<&str> = report
        .policies
        .iter()
        .map(|policy| policy.policy.as_str())
        .collect();
    let expected = [
        "full-history",
        "waybread",
        "prune-old-outputs",
        "sliding-window",
        "clear-tool-uses",
    ];
    assert_eq!(names, expected);
    assert_eq!(report.sessions[0].policies, report.policies);
    for policy in &report.policies {
        assert_eq!(policy.requests, 3, "{policy:?}");
        assert_eq!(policy.sent, policy.kept + policy.reread, "{policy:?}");
        // Nothing that was sent is rewritten.
        assert_eq!((policy.again, policy.breaks), (0, 0), "{policy:?}");
    }
    let output = waybread(&["replay"], &[&file]);
    for name in expected {
        assert!(stdout(&output).contains(&format!("\n {name} ")), "{name}");
    }
}

#[test]
fn long_sentences_are_wrapped_like_the_table() {
    let folder = Folder::new();
    let call = |name: &str| {
        let arguments = r#"{\"command\":\"cat a.txt\"}"#;
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{name}","type":"function","function":{{"name":"bash","arguments":"{arguments}"}}}}]}}"#
        )
    };
    let unanswered = call("c1");
    let answered = format!(
        r#"{},{{"role":"tool","tool_call_id":"c2","content":"x"}}"#,
        call("c2")
    );
    let name = format!("{}.json", "long-name-".repeat(9));
    let file = folder.write(&name, format!("[{unanswered},{answered}]"));
    let output = waybread(&["replay"], &[&file]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let text = stdout(&output);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert!(
        text.contains("\n      1 × a call without a result (first in\n          long-name-"),
        "{text}"
    );
    assert!(text.contains("plain shell read"), "{text}");
}

#[test]
fn json_is_the_report_and_nothing_else() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    let output = waybread(&["replay", "--json"], &[&file]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let report = replay(&[&file], &Options::default(), &mut |_| {}).unwrap();
    assert_eq!(
        stdout(&output),
        serde_json::to_string(&report).unwrap() + "\n"
    );
    assert_eq!(
        (
            report.total.same_search,
            report.total.capped,
            report.total.errors
        ),
        (1, 1, 0)
    );
    assert!(report.total.chars_out < report.total.chars_in);
}

#[test]
fn a_bad_file_is_named_with_its_line_and_the_rest_goes_on() {
    let folder = Folder::new();
    let files = [
        folder.write("good.json", recording()),
        folder.write("words.jsonl", "these are\nno records\n"),
        folder.write("bytes.jsonl", b"{}\n{}\n\xff\n"),
        folder.path("missing.jsonl"),
        folder.write("empty.jsonl", ""),
    ];
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let output = waybread(&["replay", "--json"], &paths);
    assert_eq!(code(&output), 1);
    let errors: Vec<&str> = stderr(&output).lines().collect();
    assert_eq!(errors.len(), 4, "{errors:#?}");
    assert!(
        errors[0].starts_with("waybread: words.jsonl:1: "),
        "{}",
        errors[0]
    );
    assert_eq!(errors[1], "waybread: bytes.jsonl:3: is not UTF-8");
    assert_eq!(
        errors[2],
        "waybread: missing.jsonl: cannot be read: No such file or directory"
    );
    assert_eq!(errors[3], "waybread: empty.jsonl: the file is empty");
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["files"].to_string(), "5");
    assert_eq!(report["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(report["failed_files"].as_array().unwrap().len(), 4);
    let output = waybread(&["replay"], &paths);
    assert!(stdout(&output).contains("4 files of 5 could not be replayed."));
}

#[test]
fn a_folder_is_searched_in_order_and_names_are_told_apart() {
    let folder = Folder::new();
    for name in [
        "b/one.json",
        "a/one.json",
        "a/two.jsonl",
        "z.traj",
        "a/notes.txt",
    ] {
        folder.write(name, recording());
    }
    let report = replay(&[folder.0.path()], &Options::default(), &mut |_| {}).unwrap();
    let names: Vec<&str> = report
        .sessions
        .iter()
        .map(|session| session.file.as_str())
        .collect();
    assert_eq!(names, ["one.json", "two.jsonl", "2~one.json", "z.traj"]);
    fs::create_dir(folder.path("a/none")).unwrap();
    let output = waybread(&["replay"], &[&folder.path("a/none")]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    let expected =
        "waybread: none: the folder holds no recording (.json, .jsonl, .ndjson, .traj)\n";
    assert_eq!(stderr(&output), expected);
}

#[test]
fn out_holds_what_the_model_would_have_been_shown() {
    let folder = Folder::new();
    let one = folder.write("a/tiny.json", recording());
    let two = folder.write("b/tiny.json", recording());
    let three = folder.write("b/tiny.jsonl", recording());
    let out = folder.path("shown/here");
    let out_text = out.to_str().unwrap();
    let output = waybread(
        &["replay", "--quiet", "--out", out_text],
        &[&one, &two, &three],
    );
    assert_eq!(
        (code(&output), stdout(&output), stderr(&output)),
        (0, "", "")
    );
    let shown = fs::read_to_string(out.join("tiny.jsonl")).unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[1],
        r##"{"context":"main","id":"#0002","call":"c2","treatment":"same-result","text":"[#0002] Same result as #0001."}"##
    );
    let capped: Value = serde_json::from_str(lines[2]).unwrap();
    assert!(
        capped["text"]
            .as_str()
            .unwrap()
            .contains("\n[200 lines elided, full output #0003]\n")
    );
    let mut names: Vec<_> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["2~tiny.jsonl", "3~tiny.jsonl", "tiny.jsonl"]);
}

#[test]
fn an_out_that_cannot_be_written_is_named() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    let out = file.join("below-a-file");
    let output = waybread(&["replay", "--out", out.to_str().unwrap()], &[&file]);
    assert_eq!((code(&output), stdout(&output)), (1, ""));
    assert!(
        stderr(&output).starts_with("waybread: "),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("tiny.json/below-a-file: "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn shell_reads_become_reads_where_they_are_asked_for() {
    let folder = Folder::new();
    let call = |id: &str| {
        let function = r#"{"name":"bash","arguments":"{\"command\":\"cat notes.txt\"}"}"#;
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{function}}}]}},{{"role":"tool","tool_call_id":"{id}","content":"one\ntwo\n"}}"#
        )
    };
    let file = folder.write("shell.json", format!("[{},{}]", call("c1"), call("c2")));
    let reads = |shell_reads| {
        let options = Options::default().shell_reads(shell_reads);
        let total = replay(&[&file], &options, &mut |_| {}).unwrap().total;
        (total.shell_reads, total.reads, total.unchanged)
    };
    assert_eq!(reads(false), (2, 0, 0));
    assert_eq!(reads(true), (2, 2, 1));
    let output = waybread(&["replay", "--shell-reads", "--json"], &[&file]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["total"]["unchanged"].to_string(), "1");
    let output = waybread(&["replay", "--shell-reads"], &[&file]);
    let text = stdout(&output).replace('\n', " ");
    assert!(
        text.contains("they went through the rules as reads"),
        "{text}"
    );
}

#[test]
fn wrong_usage_ends_with_two() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    for arguments in [&[][..], &["replay"], &["play"], &["replay", "--jsn"]] {
        assert_eq!(code(&waybread(arguments, &[])), 2, "{arguments:?}");
    }
    let output = waybread(&["replay", "--out"], &[&file]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("Usage:"), "{}", stderr(&output));
    assert_eq!(code(&waybread(&["--version"], &[])), 0);
}

#[test]
fn whoever_stops_reading_is_no_failure() {
    let folder = Folder::new();
    let file = folder.write("tiny.json", recording());
    let files: Vec<&Path> = (0..2000).map(|_| file.as_path()).collect();
    for arguments in [&["replay"][..], &["replay", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_waybread"))
            .args(arguments)
            .args(&files)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output)), (0, ""));
    }
}

#[test]
fn progress_comes_in_order() {
    let folder = Folder::new();
    let files = [
        folder.write("a.json", recording()),
        folder.write("b.json", recording()),
    ];
    let mut seen = Vec::new();
    let report = replay(&files, &Options::default(), &mut |progress| {
        assert_eq!(progress.files, 2);
        seen.push((
            progress.files_done,
            progress.file.to_owned(),
            progress.steps_done,
            progress.steps,
        ));
    })
    .unwrap();
    assert_eq!(report.files, 2);
    // A message; three times a request, a reply and a result; and the reading of the file.
    assert_eq!(seen.len(), 2 * (1 + 3 * 3 + 1));
    assert!(seen.is_sorted(), "{seen:?}");
    assert_eq!(seen[3], (0, "a.json".to_owned(), 2, 10));
}
