//! OpenHands events: actions and the observations that they caused.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::editor::{self, changed};
use crate::formats::speech;
use crate::json::{at, flag, list, parsed, text, text_at};
use crate::lines;
use crate::model::{Place, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};

const SEARCHES: &[&str] = &["grep", "glob"];

/// Actions that no tool runs.
const NO_TOOL: &[&str] = &[
    "change_agent_state",
    "condensation",
    "condensation_request",
    "finish",
    "message",
    "null",
    "pause",
    "recall",
    "start",
    "stop",
    "system",
];

/// Observations that answer no tool call.
const NO_RESULT: &[&str] = &[
    "agent_state_changed",
    "condense",
    "null",
    "recall",
    "user_rejected",
];

/// Reads a list of events, or one instance of an evaluation.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    match &value {
        Value::Array(events) => vec![session(None, events, None)],
        instance => vec![instance_session(instance, None)],
    }
}

/// Reads an evaluation's output: one instance a line.
pub(crate) fn read_lines(content: &str) -> Vec<Recorded> {
    let mut sessions = Vec::new();
    let faults = lines::read_lines(content, |line, value| {
        sessions.push(instance_session(&value, Some(line)));
        true
    });
    if let Some(first) = sessions.first_mut() {
        first.about.skipped.extend(faults);
    }
    sessions
}

fn instance_session(instance: &Value, line: Option<u32>) -> Recorded {
    let name = text(instance, "instance_id").map(str::to_owned);
    let number = line.map(|line| format!("line-{line}"));
    session(name.or(number), list(instance, "history"), line)
}

fn session(name: Option<String>, events: &[Value], line: Option<u32>) -> Recorded {
    let contexts = vec!["main".to_owned()];
    let mut session = Recorded {
        name,
        searches: SEARCHES,
        contexts,
        ..Recorded::default()
    };
    let mut events_reader = Events {
        line,
        ..Events::default()
    };
    for event in events {
        // Old evaluations nest an action and its observation.
        match event.as_array() {
            Some(pair) => pair
                .iter()
                .for_each(|event| events_reader.take(event, &mut session)),
            None => events_reader.take(event, &mut session),
        }
    }
    events_reader.pairing.finish(&mut session, understand);
    session
}

#[derive(Default)]
struct Events {
    pairing: Pairing,
    line: Option<u32>,
    /// Calls by their event's id.
    calls: HashMap<u64, usize>,
    /// Events that are no tool's, by their id.
    silent: HashSet<u64>,
    /// The newest call, for events without ids.
    last: Option<usize>,
    /// The id of the newest reply.
    response: Option<String>,
}

impl Events {
    fn take(&mut self, event: &Value, session: &mut Recorded) {
        let directory = text_at(event, &["extras", "metadata", "working_dir"]);
        session.root = session.root.take().or_else(|| directory.map(str::to_owned));
        if let Some(action) = text(event, "action") {
            self.action(action, event, session);
        } else if let Some(observation) = text(event, "observation") {
            self.observation(observation, event, session);
        }
    }

    fn action(&mut self, action: &str, event: &Value, session: &mut Recorded) {
        let id = event.get("id").and_then(Value::as_u64);
        self.speech(action, event, session);
        if NO_TOOL.contains(&action) || text(event, "source") == Some("user") {
            self.silent.extend(id);
            return;
        }
        let metadata = event.get("tool_call_metadata").unwrap_or(&Value::Null);
        let call = self.pairing.call(Call {
            id: text(metadata, "tool_call_id").map(str::to_owned),
            tool: text(metadata, "function_name").unwrap_or(action).to_owned(),
            arguments: arguments(event, metadata),
            line: self.line,
            directory: None,
        });
        self.last = Some(call);
        if let Some(id) = id {
            self.calls.insert(id, call);
        }
    }

    /// What an action says: the prompt, a message, or the reply that made a call.
    fn speech(&mut self, action: &str, event: &Value, session: &mut Recorded) {
        let args = event.get("args").unwrap_or(&Value::Null);
        let said = text(args, "content").or_else(|| text(event, "message"));
        match (action, text(event, "source")) {
            ("condensation", _) => {
                session.compacted();
                self.pairing.said(Said {
                    context: session.contexts.len() - 1,
                    sender: Sender::Machine,
                    place: Place::StartsTurn,
                    text: text(args, "summary").unwrap_or_default().to_owned(),
                });
            }
            ("system", _) => {
                session.prompt.add_system(said.unwrap_or_default());
                session.prompt.add_tools(list(args, "tools"));
            }
            ("message", Some("user")) => {
                let images = list(args, "image_urls").iter();
                let said = said.unwrap_or_default().to_owned();
                self.pairing.said(Said {
                    context: session.contexts.len() - 1,
                    text: images.fold(said, |said, _| said + "\n[image]"),
                    ..Said::default()
                });
            }
            ("message" | "finish", _) => self.reply(event, session),
            _ if NO_TOOL.contains(&action) || text(event, "source") == Some("user") => {}
            _ => self.reply(event, session),
        }
    }

    fn reply(&mut self, event: &Value, session: &Recorded) {
        let args = event.get("args").unwrap_or(&Value::Null);
        let response = at(event, &["tool_call_metadata", "model_response"]);
        let message = response.and_then(|response| response.get("choices")?.get(0)?.get("message"));
        let context = session.contexts.len() - 1;
        let key = response.and_then(|response| text(response, "id"));
        // The calls of one response are actions of their own: its text counts once.
        let first = key.is_none() || self.response.as_deref() != key;
        self.response = key.map(str::to_owned);
        let thought = ["thought", "final_thought", "content"];
        let thought = thought.iter().find_map(|key| text(args, key));
        let reply = match message {
            Some(message) => speech::reply(message, context),
            None => Reply {
                context,
                text: thought.unwrap_or_default().to_owned(),
                ..Reply::default()
            },
        };
        let part = if first {
            reply
        } else {
            Reply {
                context,
                ..Reply::default()
            }
        };
        self.pairing.reply(Reply {
            key: self.response.clone(),
            ..part
        });
    }

    fn observation(&mut self, observation: &str, event: &Value, session: &Recorded) {
        let cause = event.get("cause").and_then(Value::as_u64);
        let silent = cause.is_some_and(|cause| self.silent.contains(&cause));
        if NO_RESULT.contains(&observation) || silent {
            return;
        }
        let of = match cause {
            Some(cause) => self.calls.get(&cause).copied(),
            None if event.get("id").is_none() => self.last.take(),
            None => None,
        };
        self.pairing.answer(Answer {
            of: of.map_or(Of::Nothing, Of::Call),
            context: session.contexts.len() - 1,
            text: text(event, "content").unwrap_or_default().to_owned(),
            failed: observation == "error",
            extra: serde_json::json!({"observation": observation, "extras": event.get("extras")}),
            line: self.line,
        });
    }
}

/// The arguments as the model wrote them, where the event keeps its reply; else the action's.
fn arguments(event: &Value, metadata: &Value) -> String {
    let id = text(metadata, "tool_call_id");
    let choices = at(metadata, &["model_response", "choices"]).and_then(Value::as_array);
    let calls = choices
        .into_iter()
        .flatten()
        .filter_map(|choice| choice.get("message"));
    let mut calls = calls.flat_map(|message| list(message, "tool_calls"));
    let written = calls.find(|call| id.is_some() && text(call, "id") == id);
    let written = written.and_then(|call| text_at(call, &["function", "arguments"]));
    match written {
        Some(written) => written.to_owned(),
        None => crate::json::arguments(event.get("args")),
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let extras = answer.extra.get("extras").unwrap_or(&Value::Null);
    let given = parsed(&call.arguments);
    let path = text(extras, "path")
        .or_else(|| text(&given, "path"))
        .unwrap_or_default();
    match text(&answer.extra, "observation") {
        Some("run") => Act::Shell(shell(&given, extras, recorded, shaped)),
        _ if answer.failed => Act::Failure(recorded),
        _ if SEARCHES.contains(&call.tool.as_str()) => Act::Search(recorded),
        Some("read") => read_file(path, &given, recorded),
        Some("edit" | "write") if recorded.starts_with("ERROR:") => Act::Failure(recorded),
        Some("edit") => changed(path, edit(&given, extras), recorded),
        Some("write") => {
            let content = text(&given, "content").map(str::to_owned);
            changed(path, content.map_or(Edit::Opaque, Edit::Write), recorded)
        }
        _ => Act::Unknown(recorded),
    }
}

fn read_file(path: &str, given: &Value, recorded: String) -> Act {
    if recorded.starts_with("ERROR:") {
        return Act::Failure(recorded);
    }
    let bare = !recorded.starts_with("Here's the ");
    if bare
        && given
            .get("start")
            .is_some_and(|start| start.as_u64() == Some(0))
    {
        let shown = Shown::whole(path, &recorded);
        return Act::read(Some(shown), recorded);
    }
    editor::view(path, given, recorded)
}

/// Some versions record the whole file before and after, others only the strings that the call
/// replaced, under the same names.
fn edit(given: &Value, extras: &Value) -> Edit {
    let old = text(given, "old_str");
    let contents = (text(extras, "old_content"), text(extras, "new_content"));
    if let (Some(before), Some(after)) = contents
        && flag(extras, "prev_exist")
        && old != Some(before)
    {
        return Edit::Known {
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
        };
    }
    match (text(given, "command"), old, text(given, "file_text")) {
        (Some("create"), _, Some(content)) => Edit::Known {
            before: None,
            after: Some(content.to_owned()),
        },
        (Some("str_replace"), Some(old), _) => Edit::Replace(vec![Replacement {
            old: old.to_owned(),
            new: text(given, "new_str").unwrap_or_default().to_owned(),
            all: false,
        }]),
        _ => Edit::Opaque,
    }
}

fn shell(given: &Value, extras: &Value, recorded: String, cut: bool) -> Shell {
    let exit = at(extras, &["metadata", "exit_code"]).or(extras.get("exit_code"));
    let well = exit.and_then(Value::as_i64) == Some(0);
    let input = matches!(text(given, "is_input"), Some("true")) || flag(given, "is_input");
    let command = text(given, "command")
        .or_else(|| text(extras, "command"))
        .unwrap_or_default();
    Shell {
        // Input for a program that runs already is no command.
        command: if input {
            "input".to_owned()
        } else {
            command.to_owned()
        },
        output: (well && !cut).then(|| recorded.replace("\r\n", "\n")),
        text: recorded,
        ..Shell::default()
    }
}
