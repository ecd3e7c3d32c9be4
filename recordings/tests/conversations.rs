//! The conversations that the importers find: who said what, where turns begin, which calls a reply
//! made, and before which reply a request went.
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

/// System prompt and names of tools of the first context.
fn prefix(session: &Session) -> (Vec<&str>, Vec<&str>) {
    let settings = &session.contexts[0].settings;
    let sources = settings.prompt.sources.iter();
    let tools = settings.tools.iter().map(|tool| tool.name.as_str());
    (
        sources.map(|source| source.text.as_str()).collect(),
        tools.collect(),
    )
}

#[test]
fn openai_messages() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}});
    let tool = json!({"type": "function", "function":
        {"name": "ls", "description": "lists", "parameters": {"type": "object"}}});
    let session = only(&json!({"tools": [tool, tool], "messages": [
        {"role": "system", "content": "be"},
        {"role": "developer", "content": "brief"},
        {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:"}}]},
        {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [call("a"), call("b")]},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
        {"role": "user", "content": "and quickly"},
        {"role": "tool", "tool_call_id": "a", "content": "first"},
        {"role": "assistant", "content": "done"},
        {"role": "system", "content": "a note"},
        {"role": "user", "content": " "},
        {"role": "assistant", "content": "ok", "tool_calls": [call("c")]},
    ]}).to_string());
    assert_eq!(prefix(&session), (vec!["be\n\nbrief"], vec!["ls"]));
    assert_eq!(
        session.contexts[0].settings.tools[0].parameters,
        r#"{"type":"object"}"#
    );
    assert_eq!(
        talk(&session),
        [
            r#"main: person "look\n[image]""#,
            "main: request",
            r#"main: reply thinks "hm" [a] [b]"#,
            r#"main: b ls output "second""#,
            r#"main: a ls output "first""#,
            r#"main: person+ "and quickly""#,
            "main: request",
            r#"main: reply "done""#,
            r#"main: machine "a note""#,
            "main: request",
            r#"main: reply "ok" [c]"#,
        ]
    );
    assert!(session.about.lacks.is_empty());
}

#[test]
fn anthropic_messages() {
    let session = only(&json!({"system": [{"type": "text", "text": "be"}],
        "tools": [{"name": "bash", "input_schema": {}}], "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "I look"},
            {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "a.rs"}, {"type": "text", "text": "hurry"}]},
        {"role": "assistant", "content": "done"},
        {"role": "user", "isSummary": true, "content": "all of it, in short"},
        {"role": "user", "content": [{"type": "image", "source": {}}]},
        {"role": "assistant", "content": "nice"},
    ]}).to_string());
    assert_eq!(prefix(&session), (vec!["be"], vec!["bash"]));
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [t1]"#,
            r#"main: t1 bash output "a.rs""#,
            r#"main: person+ "hurry""#,
            "main: request",
            r#"main: reply "done""#,
            r#"main after compaction 1: machine "all of it, in short""#,
            r#"main after compaction 1: person "[image]""#,
            "main after compaction 1: request",
            r#"main after compaction 1: reply "nice""#,
        ]
    );
}

/// A record of Claude Code, whose parent is the record before.
fn cc(kind: &str, number: u32, content: Value, more: Value) -> Value {
    let mut record = json!({"type": kind, "uuid": number.to_string(), "cwd": "/w",
        "parentUuid": (number > 1).then(|| (number - 1).to_string()),
        "message": {"id": format!("m{number}"), "role": kind, "content": content}});
    for (key, value) in more.as_object().unwrap() {
        match key.as_str() {
            "id" | "model" => record["message"][key] = value.clone(),
            _ => record[key] = value.clone(),
        }
    }
    record
}

fn attached(number: u32, attachment: Value) -> Value {
    let attachment = json!({"attachment": attachment});
    cc("attachment", number, Value::Null, attachment)
}

#[test]
fn claude_code_records() {
    let bash = |id: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {}}]);
    let answer = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": "out"}]);
    let session = only(&lines(&[
        cc(
            "user",
            1,
            json!("<command-name>/x</command-name>"),
            json!({}),
        ),
        cc("user", 2, json!("go"), json!({})),
        cc(
            "assistant",
            3,
            json!([{"type": "thinking", "thinking": "hm"}]),
            json!({"id": "m"}),
        ),
        cc("assistant", 4, bash("t1"), json!({"id": "m"})),
        cc("user", 5, answer("t1"), json!({})),
        cc("assistant", 6, bash("t2"), json!({"id": "m"})),
        cc("user", 7, json!("faster"), json!({})),
        cc("user", 8, answer("t2"), json!({})),
        cc(
            "assistant",
            9,
            json!([{"type": "text", "text": "an error"}]),
            json!({"model": "<synthetic>"}),
        ),
        cc(
            "assistant",
            10,
            json!([{"type": "text", "text": "I thi"}]),
            json!({}),
        ),
        cc(
            "user",
            11,
            json!("[Request interrupted by user]"),
            json!({}),
        ),
        cc("user", 12, json!("no, this"), json!({})),
        cc("assistant", 13, bash("t3"), json!({})),
        cc(
            "user",
            14,
            json!("[Request interrupted by user for tool use]"),
            json!({}),
        ),
        cc("user", 15, json!("stop"), json!({})),
        cc(
            "user",
            16,
            json!("in short"),
            json!({"isCompactSummary": true}),
        ),
        cc("user", 17, json!("a hook says"), json!({"isMeta": true})),
        attached(18, json!({"type": "skill_listing", "content": "skills"})),
        attached(
            19,
            json!({"type": "mcp_instructions_delta", "addedBlocks": ["use", "so"], "addedNames": ["x"]}),
        ),
        attached(
            20,
            json!({"type": "hook_success", "content": "for the person"}),
        ),
        attached(21, json!({"type": "task_reminder", "content": []})),
        attached(22, json!({"type": "unheard_of", "what": 1})),
        attached(23, json!({"type": "queued_command", "prompt": "and this"})),
        cc(
            "assistant",
            24,
            json!([{"type": "text", "text": "right"}]),
            json!({}),
        ),
    ]));
    assert_eq!(
        talk(&session),
        [
            r#"main: machine "<command-name>/x</command-name>""#,
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" [t1] [t2]"#,
            r#"main: t1 Bash output "out""#,
            r#"main: t2 Bash output "out""#,
            r#"main: person+ "faster""#,
            "main: request",
            r#"main: reply "I thi" broken off"#,
            r#"main: machine+ "[Request interrupted by user]""#,
            r#"main: person "no, this""#,
            "main: request",
            "main: reply [t3]",
            r#"main: machine+ "[Request interrupted by user for tool use]""#,
            r#"main: person "stop""#,
            r#"main after compaction 1: machine "in short""#,
            r#"main after compaction 1: machine "a hook says""#,
            r#"main after compaction 1: machine "skills""#,
            r#"main after compaction 1: machine "use\nso""#,
            r#"main after compaction 1: person "and this""#,
            "main after compaction 1: request",
            r#"main after compaction 1: reply "right""#,
        ]
    );
    assert_eq!(
        session.about.lacks,
        ["the system prompt", "the tools' definitions"]
    );
    let skipped = session.about.skipped.iter();
    let skipped: Vec<_> = skipped
        .map(|skip| (skip.reason.as_str(), skip.first_line))
        .collect();
    let expected = [
        ("an attachment whose words are not recorded", Some(22)),
        ("a call without a result", Some(13)),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn stream_json_events() {
    let event = |kind: &str, content: Value, parent: Option<&str>| {
        json!({"type": kind, "parent_tool_use_id": parent,
               "message": {"role": kind, "id": "m", "content": content}})
    };
    let session = only(&lines(&[
        json!({"type": "system", "subtype": "init", "cwd": "/w"}),
        event("user", json!("go"), None),
        event(
            "assistant",
            json!([{"type": "tool_use", "id": "t1", "name": "Task", "input": {}}]),
            None,
        ),
        event(
            "user",
            json!([{"type": "text", "text": "your task"}]),
            Some("t1"),
        ),
        event(
            "assistant",
            json!([{"type": "text", "text": "did it"}]),
            Some("t1"),
        ),
        event(
            "user",
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": "did it"}]),
            None,
        ),
    ]));
    assert_eq!(
        talk(&session),
        [
            r#"main: person "go""#,
            "main: request",
            "main: reply [t1]",
            r#"main: t1 Task output "did it""#,
            r#"subagent 1: machine "your task""#,
            "subagent 1: request",
            r#"subagent 1: reply "did it""#,
        ]
    );
}

#[test]
fn codex_items() {
    let item =
        |payload: Value| json!({"type": "response_item", "timestamp": "", "payload": payload});
    let message = |role: &str, text: &str| {
        item(
            json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}),
        )
    };
    let call = |id: &str| {
        item(
            json!({"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": id}),
        )
    };
    let output =
        |id: &str| item(json!({"type": "function_call_output", "call_id": id, "output": "out"}));
    let session = only(&lines(&[
        json!({"type": "session_meta", "payload": {"cwd": "/w", "base_instructions": {"text": "be"}}}),
        message("developer", "may"),
        message("user", "<environment_context>"),
        message("user", "go"),
        item(json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]})),
        message("assistant", "I look"),
        call("a"),
        call("b"),
        output("b"),
        output("a"),
        call("c"),
        output("c"),
        message("user", "steer"),
        message("assistant", "so f"),
        json!({"type": "event_msg", "payload": {"type": "turn_aborted"}}),
        message("user", "<turn_aborted>"),
        message("user", "again"),
        message("assistant", "done"),
        json!({"type": "compacted", "payload": {"message": "", "replacement_history": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "short"}]}]}}),
        message("assistant", "on"),
    ]));
    assert_eq!(prefix(&session).0, ["be"]);
    assert_eq!(
        talk(&session),
        [
            r#"main: machine "may""#,
            r#"main: machine "<environment_context>""#,
            r#"main: person "go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [a] [b]"#,
            r#"main: b exec_command output "out""#,
            r#"main: a exec_command output "out""#,
            "main: request",
            "main: reply [c]",
            r#"main: c exec_command output "out""#,
            r#"main: person+ "steer""#,
            "main: request",
            r#"main: reply "so f" broken off"#,
            r#"main: machine+ "<turn_aborted>""#,
            r#"main: person "again""#,
            "main: request",
            r#"main: reply "done""#,
            r#"main after compaction 1: machine "go""#,
            r#"main after compaction 1: machine "short""#,
            "main after compaction 1: request",
            r#"main after compaction 1: reply "on""#,
        ]
    );
}

#[test]
fn copilot_events() {
    let event = |kind: &str, data: Value| json!({"type": kind, "data": data, "id": "x"});
    let session = only(&lines(&[
        event("session.start", json!({"context": {"cwd": "/w"}})),
        event("system.message", json!({"role": "system", "content": "be"})),
        event(
            "user.message",
            json!({"content": "go", "transformedContent": "<now/>go", "delivery": "idle"}),
        ),
        event(
            "assistant.message",
            json!({"messageId": "1", "content": "I look", "reasoningText": "hm",
            "toolRequests": [{"toolCallId": "t", "name": "bash", "arguments": {"command": "ls"}}]}),
        ),
        event(
            "user.message",
            json!({"content": "", "transformedContent": "mind", "source": "system",
            "delivery": "steering"}),
        ),
        event(
            "tool.execution_complete",
            json!({"toolCallId": "t", "success": true, "result": {"content": "out"}}),
        ),
        event(
            "system.message",
            json!({"role": "system", "content": "be new"}),
        ),
        event(
            "assistant.message",
            json!({"messageId": "2", "content": "so f"}),
        ),
        event("abort", json!({"reason": "user initiated"})),
    ]));
    assert_eq!(prefix(&session).0, ["be"]);
    assert_eq!(
        talk(&session),
        [
            r#"main: person "<now/>go""#,
            "main: request",
            r#"main: reply thinks "hm" "I look" [t]"#,
            r#"main: t bash output "out""#,
            r#"main: machine+ "mind""#,
            "main: request",
            r#"main: reply "so f" broken off"#,
        ]
    );
    assert_eq!(
        session.about.skipped[0].reason,
        "a system prompt made again"
    );
}
