//! OpenAI chat messages: a list, several lists (tau-bench), a list a line; and inspect_ai logs,
//! whose messages are nearly the same.

use serde_json::Value;

use crate::formats::generic::{SEARCHES, understand};
use crate::formats::speech::{reply, spoken};
use crate::json::{arguments, content_text, list, text, text_at};
use crate::lines;
use crate::model::{Recorded, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};

/// Reads a list of messages, `{messages}`, or a list of `{traj}`.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    match &value {
        Value::Array(items) if items.iter().any(|item| item.get("traj").is_some()) => {
            items.iter().map(task).collect()
        }
        Value::Array(messages) => vec![conversation(None, messages, None)],
        object if object.get("traj").is_some() => vec![task(object)],
        object => {
            let mut session = conversation(None, list(object, "messages"), None);
            session.prompt.add_tools(list(object, "tools"));
            vec![session]
        }
    }
}

/// Reads a conversation a line.
pub(crate) fn read_lines(content: &str) -> Vec<Recorded> {
    let mut sessions = Vec::new();
    let faults = lines::read_lines(content, |line, value| {
        let key = if value.get("traj").is_some() {
            "traj"
        } else {
            "messages"
        };
        let name = task_name(&value).unwrap_or_else(|| format!("line-{line}"));
        let mut session = conversation(Some(name), list(&value, key), Some(line));
        session.prompt.add_tools(list(&value, "tools"));
        sessions.push(session);
        true
    });
    if let Some(first) = sessions.first_mut() {
        first.about.skipped.extend(faults);
    }
    sessions
}

/// Reads an inspect_ai log: one session a sample.
pub(crate) fn read_inspect(value: Value) -> Vec<Recorded> {
    list(&value, "samples").iter().map(sample).collect()
}

fn sample(sample: &Value) -> Recorded {
    let id = sample.get("id").map(content_text).unwrap_or_default();
    let epoch = sample
        .get("epoch")
        .map(content_text)
        .unwrap_or_else(|| "1".to_owned());
    let mut messages = list(sample, "messages").to_vec();
    for message in &mut messages {
        resolve(message, sample.get("attachments").unwrap_or(&Value::Null));
    }
    conversation(Some(format!("{id}-epoch-{epoch}")), &messages, None)
}

/// Puts attached texts in the places that name them.
fn resolve(message: &mut Value, attachments: &Value) {
    match message {
        Value::String(string) => {
            let attached = string
                .strip_prefix("attachment://")
                .and_then(|hash| text(attachments, hash));
            if let Some(attached) = attached {
                *string = attached.to_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| resolve(item, attachments)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| resolve(field, attachments)),
        _ => {}
    }
}

fn task(task: &Value) -> Recorded {
    conversation(task_name(task), list(task, "traj"), None)
}

fn task_name(task: &Value) -> Option<String> {
    task.get("task_id")
        .map(|id| format!("task-{}", content_text(id)))
}

fn conversation(name: Option<String>, messages: &[Value], line: Option<u32>) -> Recorded {
    let contexts = vec!["main".to_owned()];
    let mut session = Recorded {
        name,
        searches: SEARCHES,
        contexts,
        ..Recorded::default()
    };
    let mut pairing = Pairing::default();
    // Past the system prompt, which may be several messages.
    let mut begun = false;
    for message in messages {
        match text(message, "role") {
            Some("system" | "developer") => {
                let content = spoken(message.get("content").unwrap_or(&Value::Null));
                if begun {
                    pairing.said(said(content, Sender::Machine));
                } else {
                    session.prompt.add_system(&content);
                }
                continue;
            }
            Some("user") => {
                let content = spoken(message.get("content").unwrap_or(&Value::Null));
                pairing.said(said(content, Sender::Person));
            }
            Some("assistant") => {
                pairing.reply(reply(message, 0));
                calls(message, line, &mut pairing);
            }
            Some("tool" | "function") => pairing.answer(answer(message, line)),
            _ => {}
        }
        begun = true;
    }
    pairing.finish(&mut session, understand);
    session
}

fn said(text: String, sender: Sender) -> Said {
    Said {
        sender,
        text,
        ..Said::default()
    }
}

fn calls(message: &Value, line: Option<u32>, pairing: &mut Pairing) {
    let old = message.get("function_call").filter(|call| call.is_object());
    for call in list(message, "tool_calls").iter().chain(old) {
        // inspect_ai has the function's name where OpenAI has an object.
        let function = call
            .get("function")
            .filter(|function| function.is_object())
            .unwrap_or(call);
        let name = text(function, "name").or_else(|| text(call, "function"));
        pairing.call(Call {
            id: text(call, "id").map(str::to_owned),
            tool: name.unwrap_or("unknown").to_owned(),
            arguments: arguments(function.get("arguments")),
            line,
            directory: None,
        });
    }
}

fn answer(message: &Value, line: Option<u32>) -> Answer {
    let error = text_at(message, &["error", "message"]);
    let id = text(message, "tool_call_id").map(|id| Of::Id(id.to_owned()));
    let tool = text(message, "name")
        .or_else(|| text(message, "function"))
        .unwrap_or_default();
    let content = message.get("content").map(content_text).unwrap_or_default();
    Answer {
        of: id.unwrap_or_else(|| Of::Tool(tool.to_owned())),
        text: error.map_or(content, str::to_owned),
        failed: error.is_some(),
        line,
        ..Answer::default()
    }
}
