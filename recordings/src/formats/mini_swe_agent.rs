//! mini-swe-agent trajectories: all is shell.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shell};
use crate::formats::speech::{reply, spoken};
use crate::json::{arguments, content_text, list, parsed, text, text_at};
use crate::model::{Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};

/// Reads a trajectory, or its bare list of messages.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut session = Recorded {
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    let directory = text_at(&value, &["info", "config", "environment", "cwd"]);
    session.root = directory.filter(|path| !path.is_empty()).map(str::to_owned);
    let messages = match &value {
        Value::Array(messages) => messages.as_slice(),
        other => list(other, "messages"),
    };
    let mut pairing = Pairing::default();
    let mut fenced = None;
    let mut begun = false;
    for message in messages {
        match text(message, "role") {
            Some("system") => {
                let content = message.get("content").unwrap_or(&Value::Null);
                session.prompt.add_system(&spoken(content));
            }
            Some("assistant") => {
                begun = true;
                fenced = calls(message, &mut pairing);
            }
            Some("tool") => pairing.answer(answer(message, None)),
            Some("user") => match fenced.take() {
                Some(call) => pairing.answer(answer(message, Some(call))),
                // The task; later the harness's own words.
                None => pairing.said(Said {
                    sender: if begun {
                        Sender::Machine
                    } else {
                        Sender::Person
                    },
                    text: spoken(message.get("content").unwrap_or(&Value::Null)),
                    ..Said::default()
                }),
            },
            _ => {}
        }
    }
    pairing.finish(&mut session, understand);
    vec![session]
}

/// A reply with its calls. Version 1 has a fenced command in the text; its number is returned.
fn calls(message: &Value, pairing: &mut Pairing) -> Option<usize> {
    let made = list(message, "tool_calls");
    let spoken = reply(message, 0);
    let command = if made.is_empty() {
        fenced(&spoken.text)
    } else {
        None
    };
    let Some((command, text)) = command else {
        pairing.reply(spoken);
        structured_calls(made, pairing);
        return None;
    };
    // The command is not sent twice.
    pairing.reply(Reply { text, ..spoken });
    let arguments = serde_json::json!({ "command": command }).to_string();
    Some(pairing.call(Call {
        tool: "bash".to_owned(),
        arguments,
        ..Call::default()
    }))
}

fn structured_calls(made: &[Value], pairing: &mut Pairing) {
    for call in made {
        let function = call.get("function").unwrap_or(&Value::Null);
        pairing.call(Call {
            id: text(call, "id").map(str::to_owned),
            tool: text(function, "name").unwrap_or("bash").to_owned(),
            arguments: arguments(function.get("arguments")),
            ..Call::default()
        });
    }
}

/// The one fenced block of a text, and the text without it: more or fewer are no command.
fn fenced(text: &str) -> Option<(String, String)> {
    let mut blocks = text.split("```").enumerate().skip(1).step_by(2);
    let command = |(at, block): (usize, &str)| {
        let (language, command) = block.split_once('\n')?;
        let shell = ["bash", "mswea_bash_command", "sh"].contains(&language.trim());
        shell.then(|| (at, command.trim().to_owned()))
    };
    let (at, found) = blocks.find_map(command)?;
    if blocks.any(|block| command(block).is_some()) {
        return None;
    }
    let rest = text
        .split("```")
        .enumerate()
        .filter(|(other, _)| *other != at);
    let rest: Vec<&str> = rest.map(|(_, text)| text.trim()).collect();
    Some((found, rest.join("\n\n").trim().to_owned()))
}

fn answer(message: &Value, call: Option<usize>) -> Answer {
    let id = text(message, "tool_call_id").map(|id| Of::Id(id.to_owned()));
    Answer {
        of: call.map(Of::Call).or(id).unwrap_or_default(),
        text: message.get("content").map(content_text).unwrap_or_default(),
        ..Answer::default()
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let output = output(&recorded).filter(|_| !shaped).map(str::to_owned);
    let command = text(&parsed(&call.arguments), "command")
        .unwrap_or_default()
        .to_owned();
    Act::Shell(Shell {
        command,
        output,
        text: recorded,
        ..Shell::default()
    })
}

/// The command's own output, if it ended well.
fn output(recorded: &str) -> Option<&str> {
    let body = recorded.strip_prefix("<returncode>0</returncode>")?;
    let (_, body) = body.split_once("<output>\n")?;
    body.rsplit_once("</output>").map(|(output, _)| output)
}
