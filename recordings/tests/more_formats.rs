//! What the other importers make of the oddities of their formats.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use common::{lines, only, planned, reasons, short};
use serde_json::{Value, json};

#[test]
fn pi_version_3_is_a_tree() {
    let record = |id: &str, parent: Value, message: Value| json!({"type": "message", "id": id, "parentId": parent, "message": message});
    let call = |id: &str| {
        json!({"role": "assistant", "content":
            [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": "a", "offset": 2}}]})
    };
    let result = |id: &str, text: &str| {
        json!({"role": "toolResult", "toolCallId": id, "toolName": "read", "isError": false,
               "content": [{"type": "text", "text": text}]})
    };
    let session = only(&lines(&[
        json!({"type": "session", "version": 3, "cwd": "/w"}),
        record("1", Value::Null, call("t1")),
        record("2", json!("1"), result("t1", "left")),
        record("3", Value::Null, call("t2")),
        record(
            "4",
            json!("3"),
            result(
                "t2",
                "b\nc\n\n[3 more lines in file. Use offset=4 to continue]",
            ),
        ),
        json!({"type": "compaction", "id": "5", "parentId": "4", "summary": "s"}),
        record("6", json!("5"), call("t3")),
        record(
            "7",
            json!("6"),
            result(
                "t3",
                "b\nc\n\n[3 more lines in file. Use offset=4 to continue]",
            ),
        ),
    ]));
    let contexts: Vec<_> = session
        .contexts
        .iter()
        .map(|context| context.name.as_str())
        .collect();
    assert_eq!(contexts, ["main", "main after compaction 1"]);
    let steps = short(&session);
    assert!(
        steps.contains(&"main: t2 read read a 2 2".to_owned()),
        "{steps:?}"
    );
    assert!(
        steps.contains(&"main after compaction 1: t3 read read a 2 2".to_owned()),
        "{steps:?}"
    );
}

#[test]
fn opencode_reads_older_numbers_and_directories() {
    let part = |id: &str, output: &str| {
        json!({"type": "tool", "callID": id, "tool": "read",
               "state": {"status": "completed", "input": {"filePath": "a"}, "output": output}})
    };
    let session = only(
        &json!({"info": {"id": "ses_1", "directory": "/w"}, "messages": [{"info": {}, "parts": [
            part("t1", "<file>\n00001| x\n00002| y\n\n(End of file - total 2 lines)\n</file>"),
            part("t2", "<path>/w</path>\n<type>directory</type>\n<entries>\na\n</entries>"),
            part("t3", "something else"),
        ]}]})
        .to_string(),
    );
    assert_eq!(
        short(&session)[..2],
        [r#"main: write /w/a "x\ny\n""#, "main: t1 read read a - -"]
    );
    assert_eq!(
        reasons(&session),
        [("a read whose text is not a file's lines".into(), 1, None)]
    );
}

#[test]
fn gemini_joins_by_name_without_ids_and_reads_chat_logs() {
    let call = |name: &str| json!({"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}}]});
    let response = |name: &str, response: Value| json!({"role": "user", "parts": [{"functionResponse": {"name": name, "response": response}}]});
    let session = only(
        &json!([
            call("glob"),
            call("list"),
            response("list", json!({"output": "l"})),
            response("glob", json!({"error": "no"})),
            response("list", json!({"output": "lost"})),
        ])
        .to_string(),
    );
    let expected = [
        r#"main: call-2 list output "l""#,
        r#"main: call-1 glob failure "no""#,
        r#"main: result list output "lost""#,
    ];
    assert_eq!(short(&session), expected);
    let log = only(
        &json!({"sessionId": "s", "projectHash": "h", "messages": [{"type": "gemini", "toolCalls": [
            {"id": "r1", "name": "read_file", "args": {"file_path": "/a"},
             "result": [{"functionResponse": {"response": {"output": "x\n"}}}]},
        ]}]})
        .to_string(),
    );
    assert_eq!(
        short(&log),
        [r#"main: write /a "x\n""#, "main: r1 read_file read /a - -"]
    );
}

#[test]
fn openhands_without_ids_goes_by_order() {
    let pair = |n: u32| {
        json!([
            {"source": "agent", "action": "run", "args": {"command": format!("echo {n}")}},
            {"source": "agent", "observation": "run", "content": format!("{n}"), "extras": {"exit_code": 0}},
        ])
    };
    let session = only(&json!([pair(1), pair(2)]).to_string());
    let expected = [
        r#"main: call-1 run output "1""#,
        r#"main: call-2 run output "2""#,
    ];
    assert_eq!(short(&session), expected);
}

#[test]
fn openhands_knows_when_the_old_content_is_only_the_replaced_string() {
    let events = |prev_exist: bool, before: &str, after: &str| {
        json!([
            {"id": 1, "source": "agent", "action": "edit",
             "args": {"path": "/w/a", "command": "str_replace", "old_str": "y", "new_str": "z"}},
            {"id": 2, "source": "agent", "observation": "edit", "cause": 1, "content": "edited",
             "extras": {"path": "/w/a", "prev_exist": prev_exist, "old_content": before, "new_content": after}},
        ])
        .to_string()
    };
    let whole = only(&events(true, "x\ny\n", "x\nz\n"));
    assert_eq!(
        short(&whole),
        [r#"main: call-1 edit changes /w/a Some("x\ny\n") Some("x\nz\n")"#]
    );
    for session in [
        only(&events(false, "y", "z")),
        only(&events(true, "y", "z")),
    ] {
        assert_eq!(short(&session), [r#"main: call-1 edit output "edited""#]);
    }
}

#[test]
fn atif_gives_one_result_for_several_calls_to_the_first() {
    let session = only(
        &json!({"schema_version": "ATIF-v1.4", "session_id": "s", "steps": [{"step_id": 1, "source": "agent",
            "tool_calls": [
                {"tool_call_id": "a", "function_name": "bash_command", "arguments": {"keystrokes": "ls\n"}},
                {"tool_call_id": "b", "function_name": "bash_command", "arguments": {"keystrokes": "pwd\n"}}],
            "observation": {"results": [{"content": "both"}]}}]})
        .to_string(),
    );
    assert_eq!(short(&session), [r#"main: a bash_command output "both""#]);
    assert_eq!(
        reasons(&session),
        [("a call without a result".into(), 1, None)]
    );
}

#[test]
fn roo_reads_xml_and_a_file_in_several_parts() {
    let user = |texts: &[&str]| {
        let blocks: Vec<Value> = texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect();
        json!({"role": "user", "content": blocks})
    };
    let assistant =
        |text: &str| json!({"role": "assistant", "content": [{"type": "text", "text": text}]});
    let session = only(
        &json!([
            user(&["<task>go</task>", "<environment_details>\n# Current Workspace Directory (c:/dev/x) Files\n</environment_details>"]),
            assistant("I read.\n<read_file>\n<args><file><path>src/a.ts</path></file><file><path>b.ts</path></file></args>\n</read_file>"),
            user(&[
                "[read_file for 'src/a.ts'] Result:",
                "<files>\n<file><path>src/a.ts</path>\n<content lines=\"1-2\">\n1 | x\n2 | y\n</content>\n</file>\n<file><path>b.ts</path>\n<content lines=\"1-1\">\n1 | z\n</content>\n</file>\n</files>",
                "<environment_details>\nlater\n</environment_details>",
            ]),
            assistant("<execute_command>\n<command>git log"),
            user(&["[execute_command for 'undefined'] Result:", "The tool execution failed with the following error:\n<error>no</error>"]),
        ])
        .to_string(),
    );
    assert_eq!(session.contexts[0].settings.root, r"C:\dev\x");
    assert_eq!(
        short(&session)[..4],
        [
            r#"main: write C:\dev\x\src\a.ts "x\ny\n""#,
            r#"main: write C:\dev\x\b.ts "z\n""#,
            "main: call-1 read_file read src/a.ts - -",
            "main: call-1~2 read_file read b.ts - -",
        ]
    );
    assert!(short(&session)[4].contains("call-2 execute_command failure"));
}

#[test]
fn openai_has_old_functions_and_a_conversation_a_line() {
    let old = json!({"messages": [
        {"role": "assistant", "content": null, "function_call": {"name": "grep", "arguments": "{\"q\":1}"}},
        {"role": "function", "name": "grep", "content": "hit"},
    ]});
    let session = only(&old.to_string());
    assert_eq!(short(&session), [r#"main: call-1 grep output "hit""#]);
    let plan = planned(&lines(&[old.clone(), old]));
    let names: Vec<_> = plan
        .sessions
        .iter()
        .map(|session| session.name.as_str())
        .collect();
    assert_eq!(names, ["x-line-1", "x-line-2"]);
}

#[test]
fn inspect_logs_resolve_their_attachments() {
    let session = only(
        &json!({"version": 2, "eval": {}, "samples": [{"id": "a/b", "epoch": 1,
            "attachments": {"h": "the text"},
            "messages": [
                {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": "bash", "arguments": {"cmd": "ls"}}]},
                {"role": "tool", "tool_call_id": "1", "function": "bash", "content": "attachment://h"}]}]})
        .to_string(),
    );
    assert_eq!(session.name, "x-a-b-epoch-1");
    assert_eq!(short(&session), [r#"main: 1 bash output "the text""#]);
}

#[test]
fn names_are_unique_and_safe() {
    let task = |id: Value| {
        json!({"task_id": id, "traj": [
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": "r"}]})
    };
    let plan = planned(&json!([task(json!(1)), task(json!(1)), task(json!("../x"))]).to_string());
    let names: Vec<_> = plan
        .sessions
        .iter()
        .map(|session| session.name.as_str())
        .collect();
    assert_eq!(names, ["x-task-1", "x-task-1~2", "x-task-..-x"]);
}

#[test]
fn what_is_whole_of_a_broken_document_is_read() {
    let call = |n: u32| json!({"role": "assistant", "tool_calls": [{"id": n.to_string(), "function": {"name": "f", "arguments": "{}"}}]});
    let result =
        |n: u32| json!({"role": "tool", "tool_call_id": n.to_string(), "content": format!("r{n}")});
    let whole =
        serde_json::to_string_pretty(&json!([call(1), result(1), call(2), result(2)])).unwrap();
    let cut = &whole[..whole.len() - 20];
    let session = only(cut);
    assert_eq!(short(&session), [r#"main: 1 f output "r1""#]);
    let lost = "the rest of a document that breaks off".to_owned();
    let last_line = u32::try_from(cut.lines().count()).unwrap();
    let unanswered = "a call without a result".to_owned();
    assert_eq!(
        reasons(&session),
        [(unanswered, 1, None), (lost, 1, Some(last_line))]
    );
    let more = only(&(whole + "\nstray"));
    assert_eq!(short(&more).len(), 2);
}

#[test]
fn what_the_person_ran_in_pi_may_have_written() {
    let message = |message: Value| json!({"type": "message", "message": message});
    let read = |id: &str| {
        [
            message(json!({"role": "assistant", "content":
                [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": "a", "offset": 2}}]})),
            message(
                json!({"role": "toolResult", "toolCallId": id, "toolName": "read",
                "content": [{"type": "text", "text": "y"}]}),
            ),
        ]
    };
    for (command, contents) in [("ls", 1), ("git pull", 2)] {
        let mut all = vec![json!({"type": "session", "cwd": "/w"})];
        all.extend(read("t1"));
        all.push(message(
            json!({"role": "bashExecution", "command": command}),
        ));
        all.extend(read("t2"));
        let steps = short(&only(&lines(&all)));
        let writes = steps.iter().filter(|step| step.contains(": write "));
        assert_eq!(writes.count(), contents, "{command}: {steps:?}");
    }
}
