//! Whatever is in a file: a plan or an error, never a panic, and the same one twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use std::sync::LazyLock;

use common::{check_performable, fixtures};
use proptest::prelude::*;
use waybread_recordings::{Options, plan, plan_json, report_json};

/// Small enough to be planned many times.
static SMALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    fixtures()
        .into_iter()
        .map(|(_, content)| content)
        .filter(|content| content.len() < 70_000)
        .collect()
});

/// Plans, performs in thought, and plans again.
fn check(content: &str, shell_reads: bool) {
    let options = Options {
        shell_reads,
        ..Options::default()
    };
    let first = plan_json("x.json", content, &options);
    assert_eq!(first, plan_json("x.json", content, &options));
    match plan("x.json", content, &options) {
        Ok(plan) => {
            assert!(!plan.sessions.is_empty());
            for context in plan.sessions.iter().flat_map(|session| &session.contexts) {
                check_performable("x.json", context);
            }
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// Keys and values that the formats are made of, so that random documents reach their importers.
fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "type",
        "role",
        "content",
        "messages",
        "parts",
        "user",
        "assistant",
        "tool",
        "tool_use",
        "tool_result",
        "tool_calls",
        "id",
        "tool_use_id",
        "tool_call_id",
        "name",
        "input",
        "arguments",
        "function",
        "uuid",
        "parentUuid",
        "message",
        "toolUseResult",
        "file",
        "startLine",
        "totalLines",
        "payload",
        "response_item",
        "function_call",
        "function_call_output",
        "call_id",
        "output",
        "session",
        "cwd",
        "toolCall",
        "toolResult",
        "toolCallId",
        "history",
        "action",
        "observation",
        "cause",
        "trajectory",
        "environment",
        "schema_version",
        "ATIF-v1",
        "steps",
        "results",
        "functionCall",
        "functionResponse",
        "response",
        "Read",
        "bash",
        "read",
        "file_path",
        "path",
        "offset",
        "limit",
        "command",
        "text",
        "data",
        "traj",
        "sessionId",
        "system",
        "event_msg",
        "cat a.rs",
        "1\u{2192}x",
        "1: x",
        "*** Begin Patch",
        "compaction",
        "compacted",
        "state",
        "callID",
        "info",
    ])
    .prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        4 => word().prop_map(serde_json::Value::from),
        1 => any::<i64>().prop_map(serde_json::Value::from),
        1 => (0u32..400_000).prop_map(serde_json::Value::from),
        1 => any::<bool>().prop_map(serde_json::Value::from),
        1 => "\\PC{0,12}".prop_map(serde_json::Value::from),
        1 => Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(content in "\\PC{0,200}", shell_reads: bool) {
        check(&content, shell_reads);
    }

    #[test]
    fn any_document(value in value(), shell_reads: bool) {
        check(&value.to_string(), shell_reads);
    }

    #[test]
    fn any_lines(values in prop::collection::vec(value(), 0..6), shell_reads: bool) {
        let lines: Vec<String> = values.iter().map(ToString::to_string).collect();
        check(&lines.join("\n"), shell_reads);
    }

    #[test]
    fn any_report(value in value()) {
        let text = value.to_string();
        prop_assert_eq!(report_json(&text), report_json(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_truncation(which: prop::sample::Index, cut: prop::sample::Index, shell_reads: bool) {
        let content = which.get(&SMALL);
        let mut end = cut.index(content.len());
        while !content.is_char_boundary(end) {
            end -= 1;
        }
        check(&content[..end], shell_reads);
    }

    #[test]
    fn any_changed_bytes(
        which: prop::sample::Index,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..12),
        shell_reads: bool,
    ) {
        let mut bytes = which.get(&SMALL).clone().into_bytes();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        check(&String::from_utf8_lossy(&bytes), shell_reads);
    }

    #[test]
    fn any_order_of_lines(which: prop::sample::Index, seed: u64) {
        let content = which.get(&SMALL);
        let mut lines: Vec<&str> = content.lines().collect();
        let count = lines.len();
        let mut state = seed | 1;
        for at in (1..count).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            lines.swap(at, (state >> 33) as usize % (at + 1));
        }
        check(&lines.join("\n"), true);
    }
}

/// Depth and size are bounded by the parser and by `Files`, not by the stack or the memory.
#[test]
fn deep_and_huge_things_end() {
    for open in ["[", "{\"a\":", "[{\"content\":["] {
        check(&open.repeat(200_000), false);
    }
    let many = "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"x\"}}\n";
    check(
        &format!(
            "{{\"type\":\"session_meta\",\"payload\":{{}}}}\n{}",
            many.repeat(3000)
        ),
        false,
    );
}
