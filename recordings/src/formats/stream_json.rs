//! Claude Code's stream-json, as its SDK prints it: no tree, no structured results.

use serde_json::Value;

use crate::formats::blocks::{answers, calls};
use crate::formats::claude_tools::{SEARCHES, understand};
use crate::formats::speech::{reply, spoken};
use crate::formats::threads::Threads;
use crate::json::{text, text_at};
use crate::model::{Recorded, Reply, Said, Sender};
use crate::pairing::Pairing;

/// Reads a stream.
pub(crate) fn read(content: &str) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        ..Recorded::default()
    };
    let pairing = Threads::read(content, &mut session, event);
    pairing.finish(&mut session, understand);
    vec![session]
}

fn event(
    line: u32,
    value: &Value,
    session: &mut Recorded,
    threads: &mut Threads,
    pairing: &mut Pairing,
) {
    let message = value.get("message").unwrap_or(&Value::Null);
    let directory = text(value, "cwd").or_else(|| text(message, "cwd"));
    session.root = session.root.take().or_else(|| directory.map(str::to_owned));
    let parent = text(value, "parent_tool_use_id");
    match text(value, "type") {
        Some("system") => {
            let subtype = text(value, "subtype").or_else(|| text(message, "subtype"));
            if subtype == Some("compact_boundary") {
                threads.compacted();
            }
        }
        Some("assistant") => {
            pairing.reply(Reply {
                key: text_at(value, &["message", "id"]).map(str::to_owned),
                ..reply(message, threads.of_reply(parent))
            });
            calls(message, None, Some(line), pairing);
        }
        Some("user") => {
            let context = threads.of(parent);
            answers(message, context, &Value::Null, Some(line), pairing);
            // A subagent hears from the one that started it.
            let sender = match parent {
                Some(_) => Sender::Machine,
                None => Sender::Person,
            };
            pairing.said(Said {
                context,
                sender,
                text: spoken(message.get("content").unwrap_or(&Value::Null)),
                ..Said::default()
            });
        }
        _ => {}
    }
}
