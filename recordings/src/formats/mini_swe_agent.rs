//! mini-swe-agent trajectories: all is shell.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Shell};
use crate::json::{arguments, content_text, list, parsed, text, text_at};
use crate::model::Recorded;
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
    for message in messages {
        match text(message, "role") {
            Some("assistant") => fenced = calls(message, &mut pairing),
            Some("tool") => pairing.answer(answer(message, None)),
            Some("user") => {
                if let Some(call) = fenced.take() {
                    pairing.answer(answer(message, Some(call)));
                }
            }
            _ => {}
        }
    }
    pairing.finish(&mut session, understand);
    vec![session]
}

/// The message's calls. Version 1 has a fenced command in the text; its number is returned.
fn calls(message: &Value, pairing: &mut Pairing) -> Option<usize> {
    let made = list(message, "tool_calls");
    for call in made {
        let function = call.get("function").unwrap_or(&Value::Null);
        pairing.call(Call {
            id: text(call, "id").map(str::to_owned),
            tool: text(function, "name").unwrap_or("bash").to_owned(),
            arguments: arguments(function.get("arguments")),
            ..Call::default()
        });
    }
    if !made.is_empty() {
        return None;
    }
    let command = fenced(&content_text(message.get("content")?))?;
    let arguments = serde_json::json!({ "command": command }).to_string();
    Some(pairing.call(Call {
        tool: "bash".to_owned(),
        arguments,
        ..Call::default()
    }))
}

/// The one fenced block of a text: more or fewer are no command.
fn fenced(text: &str) -> Option<String> {
    let mut blocks = text.split("```").skip(1).step_by(2).filter_map(|block| {
        let (language, command) = block.split_once('\n')?;
        ["bash", "mswea_bash_command", "sh"]
            .contains(&language.trim())
            .then_some(command)
    });
    match (blocks.next(), blocks.next()) {
        (Some(command), None) => Some(command.trim().to_owned()),
        _ => None,
    }
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
