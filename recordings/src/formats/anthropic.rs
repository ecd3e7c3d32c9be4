//! Anthropic messages as Roo and Cline export them: tool blocks, or tools as XML in the text.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shown};
use crate::formats::blocks::{answer, blocks, calls, has_tools};
use crate::formats::editor::changed;
use crate::formats::speech::{reply, spoken};
use crate::formats::{generic, roo};
use crate::json::{flag, list, number, parsed, text};
use crate::lines;
use crate::model::{Place, Recorded, Said, Sender};
use crate::pairing::{Answer, Call, Pairing};
use crate::undecorate::numbered;

/// Reads a list of messages, or `{messages}`.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    match &value {
        Value::Array(messages) => vec![conversation(None, messages, None)],
        object => vec![whole(None, object, None)],
    }
}

/// Reads a conversation a line.
pub(crate) fn read_lines(content: &str) -> Vec<Recorded> {
    let mut sessions = Vec::new();
    let faults = lines::read_lines(content, |line, value| {
        sessions.push(whole(Some(format!("line-{line}")), &value, Some(line)));
        true
    });
    if let Some(first) = sessions.first_mut() {
        first.about.skipped.extend(faults);
    }
    sessions
}

/// A conversation with what its requests begin with.
fn whole(name: Option<String>, object: &Value, line: Option<u32>) -> Recorded {
    let mut session = conversation(name, list(object, "messages"), line);
    for key in ["system", "system_prompt"] {
        let system = object.get(key).unwrap_or(&Value::Null);
        session.prompt.add_system(&spoken(system));
    }
    session.prompt.add_tools(list(object, "tools"));
    session
}

fn conversation(name: Option<String>, messages: &[Value], line: Option<u32>) -> Recorded {
    let contexts = vec!["main".to_owned()];
    let mut session = Recorded {
        name,
        searches: generic::SEARCHES,
        contexts,
        ..Recorded::default()
    };
    if !messages.iter().any(has_tools) {
        roo::read(messages, line, &mut session);
        return session;
    }
    let mut pairing = Pairing::default();
    for message in messages {
        if flag(message, "isSummary") {
            session.compacted();
            pairing.said(summary(message, session.contexts.len() - 1));
            continue;
        }
        let context = session.contexts.len() - 1;
        match text(message, "role") {
            Some("assistant") => {
                pairing.reply(reply(message, context));
                calls(message, None, line, &mut pairing);
            }
            Some("user") => user(message, context, line, &mut pairing),
            _ => {}
        }
    }
    session.root = roo::workspace(messages);
    pairing.finish(&mut session, understand);
    session
}

/// What a compaction left of what was before.
pub(crate) fn summary(message: &Value, context: usize) -> Said {
    Said {
        context,
        sender: Sender::Machine,
        place: Place::StartsTurn,
        text: spoken(message.get("content").unwrap_or(&Value::Null)),
    }
}

fn user(message: &Value, context: usize, line: Option<u32>, pairing: &mut Pairing) {
    let mut said = Vec::new();
    if let Some(plain) = text(message, "content") {
        said.push(plain.to_owned());
    }
    for block in blocks(message) {
        match text(block, "type") {
            Some("tool_result") => {
                let content = block.get("content").unwrap_or(&Value::Null);
                pairing.answer(answer(block, context, content, line));
            }
            // A file that the person put into the message.
            Some("file") => {
                if let (Some(path), Some(content)) = (text(block, "path"), text(block, "content")) {
                    pairing.seen(Shown::whole(path, content));
                    said.push(format!("{path}\n{content}"));
                }
            }
            _ => said.push(spoken(block)),
        }
    }
    pairing.said(Said {
        context,
        text: said.join("\n"),
        ..Said::default()
    });
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    if !["read_files", "editor", "run_commands"].contains(&call.tool.as_str()) {
        return generic::understand(call, answer, about);
    }
    let (recorded, shaped) = answer.take_text(about);
    let given = parsed(&call.arguments);
    let outcomes = outcomes(&answer.extra, &recorded);
    let failed = answer.failed
        || outcomes
            .iter()
            .any(|one| one.get("success") == Some(&Value::Bool(false)));
    match call.tool.as_str() {
        "run_commands" => {
            let mut shell = generic::shell(&given, failed, recorded, shaped);
            shell.output = match outcomes.as_slice() {
                [one] if !shaped => text(one, "result").map(str::to_owned),
                _ => None,
            };
            Act::Shell(shell)
        }
        _ if failed => Act::Failure(recorded),
        "editor" => changed(
            text(&given, "path").unwrap_or_default(),
            edit(&given),
            recorded,
        ),
        _ => read_files(&given, &outcomes, recorded),
    }
}

/// Cline's `{query, result, success}`, one or several, also as JSON in a string.
fn outcomes(content: &Value, recorded: &str) -> Vec<Value> {
    match content {
        Value::Array(items) => items.clone(),
        Value::Object(_) => vec![content.clone()],
        _ => match parsed(recorded) {
            Value::Array(items) => items,
            Value::Object(fields) => vec![Value::Object(fields)],
            _ => Vec::new(),
        },
    }
}

fn edit(given: &Value) -> Edit {
    match (text(given, "old_text"), text(given, "new_text")) {
        (Some(old), Some(new)) if !old.is_empty() => Edit::Replace(vec![Replacement {
            old: old.to_owned(),
            new: new.to_owned(),
            all: false,
        }]),
        (None, Some(new)) if given.get("insert_line").is_none() => Edit::Write(new.to_owned()),
        _ => Edit::Opaque,
    }
}

fn read_files(given: &Value, outcomes: &[Value], recorded: String) -> Act {
    let files = list(given, "files");
    let shown: Option<Vec<Shown>> = files
        .iter()
        .zip(outcomes)
        .map(|(file, one)| shown_file(file, one))
        .collect();
    Act::reads(shown.filter(|_| files.len() == outcomes.len()), recorded)
}

fn shown_file(file: &Value, outcome: &Value) -> Option<Shown> {
    let (start, lines) = numbered(text(outcome, "result")?, " | ")?;
    let shown = Shown::part(text(file, "path")?, start, lines);
    let to_the_end = number(file, "end_line").is_none_or(|last| shown.end() < last);
    Some(if to_the_end {
        shown.ending_here()
    } else {
        shown
    })
}
