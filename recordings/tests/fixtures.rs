//! Real recordings, planned: what each plan holds is what `tests/plans.json` says.
//!
//! `UPDATE_PLANS=1 cargo test --test fixtures` writes that file anew, to be read before it is
//! committed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod common;

use std::collections::BTreeMap;

use common::{fixtures, folder};
use serde_json::{Value, json};
use waybread_recordings::{
    Context, Message, Options, Outcome, Plan, Session, Step, plan, plan_json,
};

fn summary(plan: &Plan) -> Value {
    let sessions: Vec<Value> = plan.sessions.iter().map(session_summary).collect();
    json!({"format": plan.format, "sessions": sessions})
}

fn session_summary(session: &Session) -> Value {
    let contexts: Vec<Value> = session.contexts.iter().map(context_summary).collect();
    let policies = session.policies.iter().map(|policy| {
        let counts = policy.counts;
        format!(
            "{} sent {} kept {} again {} breaks {}",
            policy.policy, counts.sent, counts.kept, counts.again, counts.breaks
        )
    });
    let policies: Vec<String> = policies.collect();
    json!({"name": session.name, "about": session.about, "policies": policies, "contexts": contexts})
}

fn context_summary(context: &Context) -> Value {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut reads = Vec::new();
    for step in &context.steps {
        let kind = match step {
            Step::WriteFile { .. } => "write-file".to_owned(),
            Step::DeleteFile { .. } => "delete-file".to_owned(),
            Step::BuildRequest => "build-request".to_owned(),
            Step::AddMessage(Message::User(_)) => "message".to_owned(),
            Step::AddMessage(Message::Reply(_)) => "reply".to_owned(),
            Step::InsertResult(insert) => {
                if let Outcome::Read(read) = &insert.outcome {
                    let number = |number: Option<u32>| number.map_or("-".into(), |n| n.to_string());
                    let (offset, limit) = (number(read.offset), number(read.limit));
                    reads.push(format!("{} {offset} {limit}", read.path));
                }
                json!(insert.counted).as_str().unwrap().to_owned()
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
    let root = &context.settings.root;
    json!({"name": context.name, "root": root, "steps": counts, "reads": reads})
}

#[test]
fn plans_are_as_written_down() {
    let mut all = BTreeMap::new();
    for (name, content) in fixtures() {
        for shell_reads in [false, true] {
            let plan = plan(
                &name,
                &content,
                &Options {
                    shell_reads,
                    ..Options::default()
                },
            )
            .expect(&name);
            let shell = plan
                .sessions
                .iter()
                .any(|session| session.about.shell_reads > 0);
            if shell_reads && !shell {
                continue;
            }
            let ending = if shell_reads { " with shell reads" } else { "" };
            all.insert(format!("{name}{ending}"), summary(&plan));
        }
    }
    let text = serde_json::to_string_pretty(&all).unwrap() + "\n";
    let file = folder().join("plans.json");
    if std::env::var_os("UPDATE_PLANS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let expected: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    for (name, summary) in &all {
        assert_eq!(Some(summary), expected.get(name), "{name}");
    }
    assert_eq!(all.len(), expected.len());
}

#[test]
fn every_format_has_a_fixture() {
    let formats: std::collections::BTreeSet<String> = fixtures()
        .into_iter()
        .map(|(name, content)| plan(&name, &content, &Options::default()).unwrap().format)
        .collect();
    let expected = [
        "anthropic-messages",
        "atif",
        "claude-code",
        "claude-code-stream-json",
        "codex",
        "copilot-cli",
        "gemini",
        "mini-swe-agent",
        "openai-chat",
        "opencode",
        "openhands",
        "pi",
        "swe-agent",
    ];
    assert_eq!(
        formats.iter().map(String::as_str).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_files_name_does_not_matter_and_planning_twice_gives_the_same_bytes() {
    for (name, content) in fixtures() {
        let options = Options {
            shell_reads: true,
            ..Options::default()
        };
        let first = plan_json(&name, &content, &options).unwrap();
        assert_eq!(
            first,
            plan_json(&name, &content, &options).unwrap(),
            "{name}"
        );
        let renamed = plan("x.txt", &content, &options).unwrap();
        let original = plan(&name, &content, &options).unwrap();
        assert_eq!(renamed.format, original.format);
        assert_eq!(renamed.sessions.len(), original.sessions.len());
        let marked = format!("\u{feff}{content}");
        assert_eq!(
            plan_json(&name, &marked, &options).unwrap(),
            first,
            "{name}"
        );
    }
}

/// Ids are unique in a context, a read's file is in the tree, and it holds the lines asked for.
#[test]
fn plans_can_be_performed() {
    for (name, content) in fixtures() {
        let plan = plan(
            &name,
            &content,
            &Options {
                shell_reads: true,
                ..Options::default()
            },
        )
        .unwrap();
        for context in plan.sessions.iter().flat_map(|session| &session.contexts) {
            common::check_performable(&name, context);
        }
    }
}

#[test]
fn results_are_neither_lost_nor_made_up() {
    for (name, content) in fixtures() {
        let plan = plan(&name, &content, &Options::default()).unwrap();
        for session in &plan.sessions {
            let steps = session.contexts.iter().flat_map(|context| &context.steps);
            let inserted = steps
                .filter(|step| matches!(step, Step::InsertResult(_)))
                .count();
            assert_eq!(inserted as u64, session.about.results, "{name}");
        }
    }
}
