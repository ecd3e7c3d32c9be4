//! The same for the other formats, and what recordings hold that no session could take as it is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use common::{lines, only, talk};
use serde_json::{Value, json};
use waybread_recordings::Session;

fn system(session: &Session) -> &str {
    &session.contexts[0].settings.prompt.sources[0].text
}

#[test]
fn opencode_parts() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let tool = |id: &str| {
        json!({"type": "tool", "tool": "bash", "callID": id,
               "state": {"status": "completed", "input": {}, "output": "out"}})
    };
    let message = |role: &str, id: &str, parts: Value, more: Value| {
        let mut info = json!({"role": role, "id": id});
        for (key, value) in more.as_object().unwrap() {
            info[key] = value.clone();
        }
        json!({"info": info, "parts": parts})
    };
    let session = only(&json!({"info": {"directory": "/w"}, "messages": [
        message("user", "1", json!([text("go"), {"type": "text", "synthetic": true, "text": "<file>"},
            {"type": "file", "mime": "image/png"}, {"type": "text", "ignored": true, "text": "no"}]), json!({})),
        message("assistant", "2", json!([{"type": "step-start"}, {"type": "reasoning", "text": "hm"},
            text("I look"), tool("a"), tool("b"), {"type": "step-finish"},
            {"type": "step-start"}, text("so"), tool("c")]), json!({})),
        message("assistant", "3", json!([text("and f")]), json!({"error": {"name": "MessageAbortedError"}})),
        message("user", "4", json!([{"type": "compaction"}]), json!({})),
        message("assistant", "5", json!([text("in short")]), json!({"summary": true})),
        message("user", "6", json!([{"type": "text", "synthetic": true, "text": "Continue"}]), json!({})),
        message("assistant", "7", json!([text("on")]), json!({})),
    ]}).to_string());
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go\n<file>\n[image]""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [a] [b]"#,
            r#"main: a bash output "out""#,
            r#"main: b bash output "out""#,
            "main: request",
            r#"main: reply "so" [c]"#,
            r#"main: c bash output "out""#,
            "main: request",
            r#"main: reply "and f" broken off"#,
            r#"main after compaction 1: machine "in short""#,
            r#"main after compaction 1: machine "Continue""#,
            "main after compaction 1: request",
            r#"main after compaction 1: reply "on""#,
        ]
    );
}

#[test]
fn pi_records() {
    let message = |message: Value| json!({"type": "message", "message": message});
    let call = json!({"type": "toolCall", "id": "t", "name": "bash", "arguments": {}});
    let session = only(&lines(&[
        json!({"type": "session", "cwd": "/w"}),
        message(json!({"role": "user", "content": [{"type": "text", "text": "go"}]})),
        message(
            json!({"role": "assistant", "stopReason": "toolUse", "content":
            [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look"}, call]}),
        ),
        message(
            json!({"role": "toolResult", "toolCallId": "t", "content": [{"type": "text", "text": "out"}]}),
        ),
        message(json!({"role": "assistant", "stopReason": "aborted", "content": []})),
        message(json!({"role": "bashExecution", "command": "ls", "output": "a\n"})),
        message(
            json!({"role": "bashExecution", "command": "pwd", "output": "/w", "excludeFromContext": true}),
        ),
        json!({"type": "compaction", "summary": "in short"}),
        message(json!({"role": "user", "content": "on"})),
    ]));
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [t]"#,
            r#"main: t bash output "out""#,
            "main: request",
            "main: reply broken off",
            r#"main: person "ls\na\n""#,
            r#"main after compaction 1: machine "in short""#,
            r#"main after compaction 1: person "on""#,
        ]
    );
}

#[test]
fn gemini_contents_and_logs() {
    let session = only(&json!({"systemInstruction": {"parts": [{"text": "be"}]},
        "tools": [{"functionDeclarations": [{"name": "ls", "parameters": {}}]}], "contents": [
        {"role": "user", "parts": [{"text": "<session_context>here"}]},
        {"role": "user", "parts": [{"text": "go"}, {"inlineData": {}}]},
        {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "I look"},
            {"functionCall": {"id": "a", "name": "ls", "args": {}}}, {"functionCall": {"id": "b", "name": "ls"}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "a", "name": "ls", "response": {"output": "1"}}},
            {"functionResponse": {"id": "b", "name": "ls", "response": {"output": "2"}}}]},
        {"role": "model", "parts": [{"text": "done"}]},
    ]}).to_string());
    assert_eq!(system(&session), "be");
    assert_eq!(session.contexts[0].settings.tools[0].name, "ls");
    assert_eq!(
        talk(&session),
        [
            r#"main: machine "<session_context>here""#,
            r#"main: person "go\n[image]""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [a] [b]"#,
            r#"main: a ls output "1""#,
            r#"main: b ls output "2""#,
            "main: request",
            r#"main: reply "done""#,
        ]
    );
    let session = only(&json!({"sessionId": "s", "projectHash": "p", "messages": [
        {"type": "user", "content": "go"},
        {"type": "gemini", "content": "I look", "thoughts": [{"subject": "s", "description": "hm"}],
         "toolCalls": [{"id": "a", "name": "ls", "args": {},
            "result": [{"functionResponse": {"response": {"output": "1"}}}]}]},
        {"type": "info", "content": "cancelled"},
    ]}).to_string());
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [a]"#,
            r#"main: a ls output "1""#,
        ]
    );
}

#[test]
fn trajectories_whose_calls_are_text() {
    let session = only(&json!({"environment": "e", "history": [
            {"role": "system", "content": "be"}, {"role": "user", "content": "the issue"},
            {"role": "assistant", "content": "I look\n```\nls\n```"}],
        "trajectory": [{"thought": "I look\n", "action": "ls\n", "observation": "out", "state": {"working_dir": "/w"}}],
    }).to_string());
    assert_eq!(system(&session), "be");
    let expected = [
        r#"main: person "the issue""#,
        "main: request",
        r#"main: reply "I look" [call-1]"#,
        r#"main: call-1 bash output "out""#,
    ];
    assert_eq!(talk(&session), expected);

    let session = only(
        &json!([
            {"role": "system", "content": "be"},
            {"role": "user", "content": "the issue"},
            {"role": "assistant", "content": "I look\n\n```bash\nls\n```\n\nfor files"},
            {"role": "user", "content": "<returncode>0</returncode>\n<output>\nout</output>"},
            {"role": "assistant", "content": "no command"},
            {"role": "user", "content": "Please give one command"},
        ])
        .to_string(),
    );
    assert_eq!(system(&session), "be");
    assert_eq!(
        talk(&session),
        [
            r#"main: person "the issue""#,
            "main: request",
            r#"main: reply "I look\n\nfor files" [call-1]"#,
            r#"main: call-1 bash output "<returncode>0</returncode>\n<output>\nout</output>""#,
            "main: request",
            r#"main: reply "no command""#,
            r#"main: machine "Please give one command""#,
        ]
    );

    let texts = |texts: &[&str]| -> Value {
        texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect()
    };
    let details = "<environment_details>\n</environment_details>";
    let session = only(&json!([
        {"role": "user", "content": texts(&["<task>go</task>", details])},
        {"role": "assistant", "content": texts(&["I look.\n\n<list_files>\n<path>.</path>\n</list_files>"])},
        {"role": "user", "content": texts(&["[list_files for '.'] Result:", "a.rs", details])},
        {"role": "assistant", "content": texts(&["I ask"])},
        {"role": "user", "content": texts(&["[ERROR] You did not use a tool", details])},
    ]).to_string());
    let details = format!("{details:?}");
    assert_eq!(
        talk(&session),
        [
            r#"main: person "<task>go</task>""#.to_owned(),
            format!("main: machine {details}"),
            "main: request".to_owned(),
            r#"main: reply "I look." [call-1]"#.to_owned(),
            r#"main: call-1 list_files output "a.rs""#.to_owned(),
            format!("main: machine+ {details}"),
            "main: request".to_owned(),
            r#"main: reply "I ask""#.to_owned(),
            r#"main: person "[ERROR] You did not use a tool""#.to_owned(),
            format!("main: machine {details}"),
        ]
    );
}

#[test]
fn openhands_events() {
    let response = |id: &str, text: &str| {
        json!({"function_name": "execute_bash", "tool_call_id": format!("t{id}"),
               "model_response": {"id": text, "choices": [{"message": {"content": text, "reasoning_content": "hm",
                   "tool_calls": []}}]}})
    };
    let run = |id: u64, text: &str| {
        json!({"id": id, "source": "agent", "action": "run", "args": {"command": "ls"},
               "tool_call_metadata": response(&id.to_string(), text)})
    };
    let ran = |cause: u64| json!({"id": cause + 100, "source": "agent", "observation": "run", "cause": cause, "content": "out"});
    let session = only(&json!([
        {"id": 1, "source": "agent", "action": "system", "args": {"content": "be",
            "tools": [{"type": "function", "function": {"name": "execute_bash"}}]}},
        {"id": 2, "source": "user", "action": "message", "args": {"content": "go", "image_urls": ["data:"]}},
        {"id": 3, "source": "user", "action": "recall", "args": {}},
        run(4, "I look"),
        ran(4),
        run(5, "I look"),
        ran(5),
        {"id": 6, "source": "agent", "action": "condensation", "args": {"summary": "in short"}},
        {"id": 7, "source": "agent", "action": "finish", "args": {"final_thought": "done"}},
    ]).to_string());
    assert_eq!(system(&session), "be");
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go\n[image]""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [t4] [t5]"#,
            r#"main: t4 execute_bash output "out""#,
            r#"main: t5 execute_bash output "out""#,
            r#"main after compaction 1: machine "in short""#,
            "main after compaction 1: request",
            r#"main after compaction 1: reply "done""#,
        ]
    );
}

#[test]
fn atif_steps() {
    let session = only(&json!({"schema_version": "ATIF-v1.5",
        "agent": {"tool_definitions": [{"type": "function", "function": {"name": "bash"}}]}, "steps": [
        {"source": "system", "message": "be"},
        {"source": "user", "message": "go"},
        {"source": "agent", "message": "I look", "reasoning_content": "hm",
         "tool_calls": [{"tool_call_id": "a", "function_name": "bash", "arguments": {}}],
         "observation": {"results": [{"source_call_id": "a", "content": "out"}]}},
        {"source": "system", "message": "a note"},
        {"source": "agent", "message": "done"},
    ]}).to_string());
    assert_eq!(system(&session), "be");
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [a]"#,
            r#"main: a bash output "out""#,
            r#"main: machine+ "a note""#,
            "main: request",
            r#"main: reply "done""#,
        ]
    );
}

/// A result's call is open where the result stands, wherever the recording has either.
#[test]
fn results_without_their_place() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}});
    let reply = |text: &str, ids: &[&str]| -> Value {
        let calls: Vec<Value> = ids.iter().map(|id| call(id)).collect();
        json!({"role": "assistant", "content": text, "tool_calls": calls})
    };
    let result =
        |id: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "content": text});
    let session = only(
        &json!([
            result("early", "1"),
            reply("a", &["early", "late", "twice", "never"]),
            result("twice", "2"),
            result("twice", "3"),
            result("lost", "4"),
            reply("b", &["own"]),
            result("late", "5"),
            result("own", "6"),
        ])
        .to_string(),
    );
    assert_eq!(
        talk(&session),
        [
            r#"main: machine "[What came before is not in the recording.]""#,
            "main: reply [early]",
            r#"main: early ls output "1""#,
            "main: request",
            r#"main: reply "a" [twice] [twice~2] [never] [lost]"#,
            r#"main: twice ls output "2""#,
            r#"main: twice~2 ls output "3""#,
            r#"main: lost unknown output "4""#,
            "main: request",
            r#"main: reply "b" [own] [late]"#,
            r#"main: late ls output "5""#,
            r#"main: own ls output "6""#,
        ]
    );
}

/// A call that read several files is a call for each of them.
#[test]
fn a_call_with_several_results() {
    let numbered = |text: &str| json!({"result": format!("1 | {text}\n2 | "), "success": true});
    let session = only(&json!([
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "read_files",
            "input": {"files": [{"path": "/a"}, {"path": "/b"}]}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [numbered("x"), numbered("y")]}]},
    ]).to_string());
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            "main: reply [t] [t~2]",
            "main: t read_files read /a - -",
            "main: t~2 read_files read /b - -",
        ]
    );
}
