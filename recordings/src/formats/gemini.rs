//! Gemini: the API's list of contents, and Gemini CLI's chat logs.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::editor::changed;
use crate::formats::speech::spoken;
use crate::json::{arguments, content_text, flag, list, number, parsed, text};
use crate::model::{Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::undecorate::{leading_number, range};

const SEARCHES: &[&str] = &[
    "grep_search",
    "search_file_content",
    "glob",
    "list_directory",
];

/// Reads either shape.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    let mut pairing = Pairing::default();
    let contents = match &value {
        Value::Array(contents) => contents.as_slice(),
        other => list(other, "contents"),
    };
    let system = ["systemInstruction", "system_instruction"];
    let system = system.iter().find_map(|key| value.get(key));
    let system = system
        .map(|system| words(system, false))
        .unwrap_or_default();
    session.prompt.add_system(&system);
    session.prompt.add_tools(list(&value, "tools"));
    for content in contents {
        self::content(content, &mut pairing);
        for part in list(content, "parts") {
            self::part(part, &mut session, &mut pairing);
        }
    }
    for message in list(&value, "messages") {
        logged(message, &mut pairing);
        for call in list(message, "toolCalls") {
            logged_call(call, &mut pairing);
        }
    }
    pairing.finish(&mut session, understand);
    vec![session]
}

/// What the harness's own words in a user's message begin with.
const OWN_WORDS: &[&str] = &[
    "<session_context>",
    "<state_snapshot>",
    "This is the Gemini CLI",
];

/// A content of the API, without its calls and results.
fn content(content: &Value, pairing: &mut Pairing) {
    let text = words(content, false);
    if crate::json::text(content, "role") == Some("model") {
        pairing.reply(Reply {
            text,
            reasoning: words(content, true),
            ..Reply::default()
        });
    } else {
        pairing.said(said(text));
    }
}

fn said(text: String) -> Said {
    let own = OWN_WORDS.iter().any(|mark| text.starts_with(mark));
    Said {
        sender: if own { Sender::Machine } else { Sender::Person },
        text,
        ..Said::default()
    }
}

/// The texts of a content's parts, or its thoughts; other data is noted.
fn words(content: &Value, thoughts: bool) -> String {
    let parts = list(content, "parts").iter();
    let words = parts.filter(|part| flag(part, "thought") == thoughts);
    let words = words.filter_map(|part| {
        let image = part.get("inlineData").or(part.get("fileData"));
        text(part, "text").or(image.map(|_| "[image]"))
    });
    words.collect::<Vec<_>>().join("\n")
}

/// A message of a chat log.
fn logged(message: &Value, pairing: &mut Pairing) {
    let text = spoken(message.get("content").unwrap_or(&Value::Null));
    match crate::json::text(message, "type") {
        Some("user") => pairing.said(said(text)),
        Some("gemini") => {
            let thoughts = list(message, "thoughts").iter();
            let thoughts = thoughts.filter_map(|thought| crate::json::text(thought, "description"));
            pairing.reply(Reply {
                text,
                reasoning: thoughts.collect::<Vec<_>>().join("\n"),
                ..Reply::default()
            });
        }
        _ => {}
    }
}

fn part(part: &Value, session: &mut Recorded, pairing: &mut Pairing) {
    if let Some(call) = part.get("functionCall") {
        pairing.call(Call {
            id: text(call, "id").map(str::to_owned),
            tool: text(call, "name").unwrap_or("unknown").to_owned(),
            arguments: arguments(call.get("args")),
            ..Call::default()
        });
    }
    if let Some(response) = part.get("functionResponse") {
        let tool = text(response, "name").unwrap_or_default().to_owned();
        let of = text(response, "id").map_or(Of::Tool(tool), |id| Of::Id(id.to_owned()));
        pairing.answer(answer(of, response.get("response").unwrap_or(&Value::Null)));
    }
    if session.root.is_none() {
        session.root = text(part, "text").and_then(workspace).map(str::to_owned);
    }
}

/// The directory that Gemini CLI's first message names.
fn workspace(text: &str) -> Option<&str> {
    let (_, rest) = text
        .split_once("Workspace Directories:**\n  - ")
        .or_else(|| text.split_once("working in the directory: "))
        .or_else(|| text.split_once("working in the following directory: "))?;
    rest.lines()
        .next()
        .map(str::trim)
        .filter(|path| !path.is_empty())
}

fn answer(of: Of, response: &Value) -> Answer {
    let error = response.get("error").filter(|error| !error.is_null());
    let shown = error.or(response.get("output")).unwrap_or(response);
    Answer {
        of,
        text: content_text(shown),
        failed: error.is_some(),
        ..Answer::default()
    }
}

fn logged_call(call: &Value, pairing: &mut Pairing) {
    let number = pairing.call(Call {
        id: text(call, "id").map(str::to_owned),
        tool: text(call, "name").unwrap_or("unknown").to_owned(),
        arguments: arguments(call.get("args")),
        ..Call::default()
    });
    let response = |part: &Value| part.get("functionResponse")?.get("response").cloned();
    if let Some(response) = list(call, "result").iter().find_map(response) {
        let failed = matches!(text(call, "status"), Some("error" | "cancelled"));
        let answer = answer(Of::Call(number), &response);
        pairing.answer(Answer {
            failed: failed || answer.failed,
            ..answer
        });
    }
}

/// What a result of Gemini CLI's tools means.
pub(crate) fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let given = parsed(&call.arguments);
    let path = ["file_path", "absolute_path", "path"]
        .iter()
        .find_map(|key| text(&given, key));
    let path = path.unwrap_or_default();
    match call.tool.as_str() {
        "run_shell_command" => Act::Shell(shell(&given, answer.failed, recorded, shaped)),
        _ if answer.failed => Act::Failure(recorded),
        "read_file" if shaped => Act::Output(recorded),
        "read_file" => Act::read(shown(path, &given, &recorded), recorded),
        "replace" => changed(path, replaced(&given), recorded),
        "write_file" => {
            let edit = written(&given, recorded.contains("created and wrote to new file"));
            changed(path, edit, recorded)
        }
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn replaced(given: &Value) -> Edit {
    let (Some(old), Some(new)) = (text(given, "old_string"), text(given, "new_string")) else {
        return Edit::Opaque;
    };
    if old.is_empty() {
        return Edit::Write(new.to_owned());
    }
    let several = number(given, "expected_replacements").is_some_and(|count| count > 1);
    let all = several || flag(given, "allow_multiple");
    Edit::Replace(vec![Replacement {
        old: old.to_owned(),
        new: new.to_owned(),
        all,
    }])
}

fn written(given: &Value, created: bool) -> Edit {
    let Some(content) = text(given, "content") else {
        return Edit::Opaque;
    };
    if created {
        return Edit::Known {
            before: None,
            after: Some(content.to_owned()),
        };
    }
    Edit::Write(content.to_owned())
}

/// Bare text; a part of a file has a header that names its lines.
fn shown(path: &str, given: &Value, recorded: &str) -> Option<Shown> {
    let lines = |body: &str| body.split('\n').map(str::to_owned).collect();
    let Some((head, body)) = recorded.split_once("--- FILE CONTENT (truncated) ---\n") else {
        let from_the_start = ["start_line", "offset", "end_line", "limit"]
            .iter()
            .all(|key| number(given, key).is_none_or(|value| value <= 1));
        return from_the_start.then(|| Shown::part(path, 1, lines(recorded)).ending_here());
    };
    let (_, status) = head.split_once("Showing lines ")?;
    let (window, rest) = status.split_once(" of ")?;
    let ((first, last), total) = (range(window)?, leading_number(rest)?);
    let shown = Shown {
        total: Some(total),
        ..Shown::part(path, first, lines(body))
    };
    (shown.end() == last && last <= total).then_some(shown)
}

fn shell(given: &Value, failed: bool, recorded: String, cut: bool) -> Shell {
    let directory = ["directory", "dir_path"]
        .iter()
        .find_map(|key| text(given, key));
    Shell {
        failed,
        command: text(given, "command").unwrap_or_default().to_owned(),
        directory: directory.map(str::to_owned),
        output: output(&recorded).filter(|_| !cut).map(str::to_owned),
        exact: false,
        text: recorded,
    }
}

/// The command's own output, if it ended well.
fn output(recorded: &str) -> Option<&str> {
    let (_, rest) = recorded.split_once("Output: ")?;
    let (output, tail) = rest
        .split_once("\nProcess Group PGID:")
        .unwrap_or((rest, ""));
    let ended_well = !output.contains("\nExit Code: ") && !tail.contains("Exit Code: ");
    (ended_well && !output.contains("\nError: ")).then_some(output)
}
