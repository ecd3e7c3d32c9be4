//! What the importers of Claude Code and Codex make of the oddities of their formats, and what
//! is no recording.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use common::{failed, lines, only, reasons, short};
use serde_json::{Value, json};
use waybread_recordings::{Options, plan};

#[test]
fn what_is_no_recording_is_said_so() {
    for (content, part) in [
        ("", "the file is empty"),
        (" \n\t", "the file is empty"),
        ("# aider chat started at 2025-01-01", "aider"),
        ("PK\u{3}\u{4}…", "zip archive"),
        (
            "{\"version\":2,\"width\":80,\"height\":24}\n[0.1,\"o\",\"x\"]",
            "terminal recording",
        ),
        ("{\"a\":1}", "claude-code, claude-code-stream-json, codex"),
        ("[1,2]\n[3]", "not a format that is read"),
        ("plain text", "not JSON"),
        (
            "[{\"role\":\"user\",\"content\":\"hi\"}]",
            "nothing to replay",
        ),
    ] {
        let error = failed(content);
        assert!(error.message.contains(part), "{content}: {}", error.message);
    }
}

#[test]
fn a_broken_document_names_its_line() {
    let error = failed("[\n{\"role\": \"user\",\n\"content\": }\n]");
    assert_eq!(error.line, Some(3));
}

fn cc(kind: &str, uuid: &str, parent: &str, content: Value) -> Value {
    let parent = if parent.is_empty() {
        Value::Null
    } else {
        json!(parent)
    };
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w",
           "message": {"id": uuid, "role": kind, "content": content}})
}

fn cc_call(uuid: &str, parent: &str, id: &str, tool: &str, input: Value) -> Value {
    cc(
        "assistant",
        uuid,
        parent,
        json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
    )
}

fn cc_result(uuid: &str, parent: &str, id: &str, text: &str) -> Value {
    cc(
        "user",
        uuid,
        parent,
        json!([{"type": "tool_result", "tool_use_id": id, "content": text}]),
    )
}

#[test]
fn claude_code_follows_the_last_leaf() {
    let session = only(&lines(&[
        cc("user", "1", "", json!("go")),
        cc_call("2", "1", "t1", "Bash", json!({"command": "ls"})),
        cc_result("3", "2", "t1", "left behind"),
        cc_call("4", "1", "t2", "Bash", json!({"command": "ls"})),
        cc_call("5", "4", "t3", "Bash", json!({"command": "ls"})),
        cc_result("6", "4", "t2", "parallel"),
        cc_result("7", "5", "t3", "kept"),
    ]));
    assert_eq!(
        short(&session),
        [
            "main: t2 Bash output \"parallel\"",
            "main: t3 Bash output \"kept\""
        ]
    );
    let abandoned = "a record with calls or results on an abandoned branch";
    assert_eq!(reasons(&session), [(abandoned.into(), 2, Some(2))]);
}

#[test]
fn claude_code_reads_edit_and_write() {
    let result = |uuid: &str, id: &str, extra: Value| {
        let mut result = cc_result(uuid, "", id, "done");
        result["toolUseResult"] = extra;
        result["parentUuid"] = json!(format!("{}", uuid.parse::<u32>().unwrap() - 1));
        result
    };
    let file = |start: u32, content: &str, total: u32| {
        json!({"type": "text", "file": {"filePath": "/w/a", "content": content, "startLine": start,
               "numLines": content.split('\n').count(), "totalLines": total}})
    };
    let path = json!({"file_path": "/w/a"});
    let edit = json!({"file_path": "/w/a", "old_string": "y", "new_string": "z"});
    let session = only(&lines(&[
        cc_call("1", "", "t1", "Read", path.clone()),
        result("2", "t1", file(1, "x\ny\n", 3)),
        cc_call("3", "2", "t2", "Read", path.clone()),
        result("4", "t2", file(2, "y", 3)),
        cc_call("5", "4", "t3", "Edit", edit),
        result("6", "t3", json!({"originalFile": "x\ny\n"})),
        cc_call("7", "6", "t4", "Read", path),
        result("8", "t4", file(1, "x\nz\n", 3)),
        cc_call(
            "9",
            "8",
            "t5",
            "Write",
            json!({"file_path": "/w/b", "content": "new"}),
        ),
        result("10", "t5", json!({"type": "create"})),
    ]));
    assert_eq!(
        short(&session),
        [
            r#"main: write /w/a "x\ny\n""#,
            "main: t1 Read read /w/a - -",
            "main: t2 Read read /w/a 2 -",
            r#"main: t3 Edit changes /w/a Some("x\ny\n") Some("x\nz\n")"#,
            r#"main: write /w/a "x\nz\n""#,
            "main: t4 Read read /w/a - -",
            r#"main: t5 Write changes /w/b None Some("new")"#,
        ]
    );
    assert!(reasons(&session).is_empty());
}

#[test]
fn claude_code_counts_what_the_harness_did() {
    let mut stub = cc_result(
        "2",
        "1",
        "t1",
        "Wasted call — file unchanged since your last Read.",
    );
    stub["toolUseResult"] = json!({"type": "file_unchanged"});
    let session = only(&lines(&[
        cc_call("1", "", "t1", "Read", json!({"file_path": "/w/a"})),
        stub,
        cc_call("3", "2", "t2", "Bash", json!({"command": "x"})),
        cc_result(
            "4",
            "3",
            "t2",
            "<persisted-output>\nOutput too large (56KB).",
        ),
    ]));
    let measures: Vec<_> = session
        .about
        .harness_measures
        .iter()
        .map(|m| (m.measure.as_str(), m.count))
        .collect();
    let expected = [
        ("unchanged re-read answered by the harness", 1),
        ("output moved to a file by the harness", 1),
    ];
    assert_eq!(measures, expected);
    assert!(short(&session).iter().all(|step| step.contains(" output ")));
}

#[test]
fn broken_lines_are_left_out_and_the_rest_goes_on() {
    let good = lines(&[
        cc_call("1", "", "t1", "Bash", json!({"command": "ls"})),
        cc_result("2", "1", "t1", "X"),
    ]);
    let content = good
        .replace("\"X\"", r#""lone \ud83d and \person""#)
        .replacen('\n', "\n{\"half\": \n", 1);
    let session = only(&content);
    assert_eq!(
        short(&session),
        ["main: t1 Bash output \"lone \u{fffd} and \\\\person\""]
    );
    let (not_json, repaired) = (
        "a line, or the rest of one, that is not JSON",
        "a line with escapes that are not JSON, read as plain characters",
    );
    assert_eq!(
        reasons(&session),
        [(not_json.into(), 1, Some(2)), (repaired.into(), 1, Some(3))]
    );
}

fn codex(call: &str, command: &str, output: &str) -> [Value; 2] {
    let arguments = json!({"cmd": command, "workdir": "/w"}).to_string();
    let text = format!("Chunk ID: 1\nProcess exited with code 0\nOutput:\n{output}");
    [
        json!({"timestamp": "t", "type": "response_item", "payload":
            {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call}}),
        json!({"timestamp": "t", "type": "response_item", "payload":
            {"type": "function_call_output", "call_id": call, "output": text}}),
    ]
}

#[test]
fn shell_reads_are_reads_where_that_is_asked_for() {
    let mut all = vec![json!({"type": "session_meta", "payload": {"cwd": "/w"}})];
    all.extend(codex("c1", "cat a.go", "x\ny\n"));
    all.extend(codex("c2", "sed -n '2,2p' a.go", "y\n"));
    all.extend(codex("c3", "go fmt ./...", ""));
    all.extend(codex("c4", "sed -n '2,2p' a.go", "y\n"));
    let content = lines(&all);
    let plain = only(&content);
    assert_eq!((plain.about.shell_reads, plain.about.shell_rereads), (3, 1));
    assert!(short(&plain).iter().all(|step| step.contains(" output ")));
    let mut reads = plan(
        "x",
        &content,
        &Options {
            shell_reads: true,
            ..Options::default()
        },
    )
    .unwrap();
    let unknown = "[not in the recording: state 2 of this file]";
    assert_eq!(
        short(&reads.sessions.remove(0)),
        [
            r#"main: write /w/a.go "x\ny\n""#.to_owned(),
            "main: c1 exec_command read a.go - -".to_owned(),
            "main: c2 exec_command read a.go 2 -".to_owned(),
            r#"main: c3 exec_command output "Chunk ID: 1\nProcess exited with code 0\nOutput:\n""#
                .to_owned(),
            format!(r#"main: write /w/a.go "{unknown}\ny\n{unknown}""#),
            "main: c4 exec_command read a.go 2 1".to_owned(),
        ]
    );
}

#[test]
fn a_patch_of_known_files_is_a_change() {
    let patch =
        "*** Begin Patch\n*** Update File: a.go\n@@\n-y\n+z\n*** Add File: b.go\n+b\n*** End Patch";
    let mut all = vec![json!({"type": "session_meta", "payload": {"cwd": "/w"}})];
    all.extend(codex("c1", "cat a.go", "x\ny\n"));
    for call in ["c2", "c3"] {
        all.push(json!({"timestamp": "t", "type": "response_item", "payload":
            {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": call}}));
        all.push(json!({"timestamp": "t", "type": "response_item", "payload":
            {"type": "custom_tool_call_output", "call_id": call,
             "output": "{\"output\":\"Success. Updated\"}"}}));
    }
    let session = only(&lines(&all));
    let steps = short(&session);
    assert_eq!(
        steps[1],
        r#"main: c2 apply_patch changes a.go Some("x\ny\n") Some("x\nz\n"), b.go None Some("b\n")"#
    );
    assert_eq!(
        steps[2],
        r#"main: c3 apply_patch output "Success. Updated""#
    );
    assert_eq!(
        reasons(&session),
        [("an edit without the file's content".into(), 1, Some(7))]
    );
}

#[test]
fn a_search_is_left_to_the_rules() {
    let session = only(&lines(&[
        cc_call("1", "", "t1", "Grep", json!({"pattern": "x"})),
        cc_result("2", "1", "t1", "hit"),
    ]));
    let overrides = &session.contexts[0].settings.overrides;
    assert_eq!(
        overrides,
        &json!({"context": {"dedupe": {"by_result": ["Grep", "Glob", "LS"]}}})
    );
}

/// How many contents a file has whose second line is read before and after something.
fn contents_around(between: &[Value]) -> usize {
    let read = |at: &str, parent: &str| {
        let file = json!({"content": "y", "startLine": 2, "numLines": 1, "totalLines": 3});
        let mut result = cc_result(&format!("{at}b"), &format!("{at}a"), at, "     2\ty");
        result["toolUseResult"] = json!({"type": "text", "file": file});
        let path = json!({"file_path": "/w/a"});
        [cc_call(&format!("{at}a"), parent, at, "Read", path), result]
    };
    let last = between
        .last()
        .map_or("1b", |last| last["uuid"].as_str().unwrap());
    let mut all = read("1", "").to_vec();
    all.extend_from_slice(between);
    all.extend(read("9", last));
    let steps = short(&only(&lines(&all)));
    steps
        .iter()
        .filter(|step| step.starts_with("main: write "))
        .count()
}

#[test]
fn a_file_may_have_changed_without_a_result_that_says_so() {
    let call = |tool: &str, input: Value| cc_call("2", "1b", "t", tool, input);
    let answered = |tool: &str, failed: bool| {
        let mut result = cc_result("3", "2", "t", "done");
        result["message"]["content"][0]["is_error"] = json!(failed);
        [call(tool, json!({})), result]
    };
    let typed = |command: &str| {
        let content = format!("<bash-input>{command}</bash-input>");
        [cc("user", "2", "1b", json!(content))]
    };
    assert_eq!(contents_around(&[]), 1);
    assert_eq!(contents_around(&[call("Grep", json!({}))]), 1);
    assert_eq!(contents_around(&[call("Edit", json!({}))]), 2);
    assert_eq!(contents_around(&answered("Edit", true)), 1);
    assert_eq!(contents_around(&answered("Task", true)), 2);
    assert_eq!(contents_around(&typed("git log")), 1);
    assert_eq!(contents_around(&typed("git pull")), 2);
}

#[test]
fn a_command_that_runs_on_may_write_on() {
    let poll = |command: &str| {
        let mut all = codex("c2", "", "");
        all[0]["payload"]["name"] = json!("write_stdin");
        all[0]["payload"]["arguments"] = json!("{\"session_id\":1,\"chars\":\"\"}");
        all[1]["payload"]["output"] = json!(format!("{command}Chunk ID: 2\nOutput:\n"));
        all
    };
    for (command, rereads) in [
        ("Command: /bin/zsh -lc 'go test ./...'\n", 1),
        ("Command: /bin/zsh -lc 'make fmt'\n", 0),
        ("", 0),
    ] {
        let mut all = vec![json!({"type": "session_meta", "payload": {"cwd": "/w"}})];
        all.extend(codex("c1", "cat a.go", "x\n"));
        all.extend(poll(command));
        all.extend(codex("c3", "cat a.go", "x\n"));
        assert_eq!(only(&lines(&all)).about.shell_rereads, rereads, "{command}");
    }
}
