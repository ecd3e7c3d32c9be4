//! Claude Code's stream-json, as its SDK prints it: no tree, no structured results.

use serde_json::Value;
use std::collections::HashMap;

use crate::formats::blocks::{answers, calls};
use crate::formats::claude_tools::{SEARCHES, understand};
use crate::json::{text, text_at};
use crate::lines::read_lines;
use crate::model::Recorded;
use crate::pairing::Pairing;

/// Reads a stream.
pub(crate) fn read(content: &str) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        ..Recorded::default()
    };
    let mut pairing = Pairing::default();
    let mut contexts = Contexts {
        names: vec!["main".to_owned()],
        ..Contexts::default()
    };
    let faults = read_lines(content, |line, value| {
        let message = value.get("message").unwrap_or(&Value::Null);
        let directory = text(&value, "cwd").or_else(|| text(message, "cwd"));
        session.root = session.root.take().or_else(|| directory.map(str::to_owned));
        match text(&value, "type") {
            Some("system") => contexts.system(&value),
            Some("assistant") => {
                contexts.used |= contexts.of(&value) == contexts.main;
                calls(message, None, Some(line), &mut pairing);
            }
            Some("user") => {
                let context = contexts.of(&value);
                answers(message, context, &Value::Null, Some(line), &mut pairing);
            }
            _ => {}
        }
        true
    });
    session.about.skipped.extend(faults);
    session.contexts = contexts.names;
    pairing.finish(&mut session, understand);
    vec![session]
}

#[derive(Default)]
struct Contexts {
    names: Vec<String>,
    main: usize,
    /// The main context has had a reply.
    used: bool,
    compactions: u32,
    /// By the call that started the subagent.
    subagents: HashMap<String, usize>,
}

impl Contexts {
    fn system(&mut self, value: &Value) {
        let subtype = text(value, "subtype").or_else(|| text_at(value, &["message", "subtype"]));
        if subtype == Some("compact_boundary") && std::mem::take(&mut self.used) {
            self.compactions += 1;
            self.main = self.names.len();
            self.names
                .push(format!("main after compaction {}", self.compactions));
        }
    }

    fn of(&mut self, value: &Value) -> usize {
        let Some(parent) = text(value, "parent_tool_use_id") else {
            return self.main;
        };
        if let Some(context) = self.subagents.get(parent) {
            return *context;
        }
        let context = self.names.len();
        self.subagents.insert(parent.to_owned(), context);
        self.names
            .push(format!("subagent {}", self.subagents.len()));
        context
    }
}
