//! opencode's export of a session: call and result are one part.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::editor::changed;
use crate::json::{arguments, at, flag, list, parsed, text, text_at};
use crate::measures::{CUT, MASKED};
use crate::model::{Place, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::patch;
use crate::undecorate::{leading_number, numbered};

const SEARCHES: &[&str] = &["grep", "glob", "list", "ls"];

/// Reads an export.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    session.root = text_at(&value, &["info", "directory"]).map(str::to_owned);
    let mut pairing = Pairing::default();
    for message in list(&value, "messages") {
        match text_at(message, &["info", "role"]) {
            Some("user") => user(message, &mut session, &mut pairing),
            _ => reply(message, &mut session, &mut pairing),
        }
    }
    pairing.finish(&mut session, understand);
    vec![session]
}

fn user(message: &Value, session: &mut Recorded, pairing: &mut Pairing) {
    let parts = list(message, "parts");
    if parts
        .iter()
        .any(|part| text(part, "type") == Some("compaction"))
    {
        session.compacted();
    }
    let context = session.contexts.len() - 1;
    let sent = parts.iter().filter(|part| !flag(part, "ignored"));
    let said: Vec<&str> = sent.clone().filter_map(said_part).collect();
    // What the harness adds to the person's words goes with them.
    let mut texts = sent.filter(|part| text(part, "type") == Some("text"));
    let machine = !said.is_empty() && texts.all(|part| flag(part, "synthetic"));
    pairing.said(Said {
        context,
        sender: if machine {
            Sender::Machine
        } else {
            Sender::Person
        },
        text: said.join("\n"),
        ..Said::default()
    });
}

fn said_part(part: &Value) -> Option<&str> {
    match text(part, "type") {
        Some("text") => text(part, "text"),
        Some("file") => {
            let image = text(part, "mime").is_some_and(|kind| kind.starts_with("image/"));
            // The content of any other file is a text beside it.
            image.then_some("[image]")
        }
        _ => None,
    }
}

/// A message of the model's: a reply for each of its steps.
fn reply(message: &Value, session: &mut Recorded, pairing: &mut Pairing) {
    let context = session.contexts.len() - 1;
    let info = message.get("info").unwrap_or(&Value::Null);
    let parts = list(message, "parts");
    if flag(info, "summary") {
        let texts: Vec<&str> = parts.iter().filter_map(said_part).collect();
        pairing.said(Said {
            context,
            sender: Sender::Machine,
            place: Place::StartsTurn,
            text: texts.join("\n"),
        });
        return;
    }
    let id = text(info, "id").unwrap_or_default();
    let incomplete = text_at(info, &["error", "name"]) == Some("MessageAbortedError");
    let mut step = 0;
    for part in parts {
        step += u32::from(text(part, "type") == Some("step-start"));
        let own = |kind| {
            let text = text(part, "text").filter(|_| text(part, "type") == Some(kind));
            text.unwrap_or_default().to_owned()
        };
        if !matches!(
            text(part, "type"),
            Some("step-start" | "text" | "reasoning" | "tool")
        ) {
            continue;
        }
        pairing.reply(Reply {
            context,
            key: Some(format!("{id}/{step}")),
            text: own("text"),
            reasoning: own("reasoning"),
            incomplete,
            ..Reply::default()
        });
        if text(part, "type") == Some("tool") {
            tool(part, session, pairing);
        }
    }
}

fn tool(part: &Value, session: &mut Recorded, pairing: &mut Pairing) {
    let state = part.get("state").unwrap_or(&Value::Null);
    let call = pairing.call(Call {
        id: text(part, "callID").map(str::to_owned),
        tool: text(part, "tool").unwrap_or("unknown").to_owned(),
        arguments: arguments(state.get("input")),
        ..Call::default()
    });
    if at(state, &["time", "compacted"]).is_some_and(|time| !time.is_null()) {
        session.about.measure(MASKED);
    }
    let failed = text(state, "status") == Some("error");
    let shown = if failed {
        text(state, "error")
    } else {
        text(state, "output")
    };
    if let Some(shown) = shown {
        pairing.answer(Answer {
            of: Of::Call(call),
            context: session.contexts.len() - 1,
            text: shown.to_owned(),
            failed,
            extra: state.get("metadata").cloned().unwrap_or_default(),
            line: None,
        });
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let recorded = std::mem::take(&mut answer.text);
    let given = parsed(&call.arguments);
    let read = call.tool == "read";
    let cut = flag(&answer.extra, "truncated") && !read;
    if cut {
        about.measure(CUT);
    }
    let path = text(&given, "filePath").unwrap_or_default();
    match call.tool.as_str() {
        "bash" => Act::Shell(shell(&given, answer, recorded, cut)),
        _ if answer.failed => Act::Failure(recorded),
        "read" => read_tool(path, recorded),
        "edit" => changed(path, replaced(&given), recorded),
        "multiedit" => changed(path, Edit::Opaque, recorded),
        "write" => changed(path, written(&given, &answer.extra), recorded),
        "patch" | "apply_patch" => patched(&given, recorded),
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn patched(given: &Value, recorded: String) -> Act {
    match text(given, "patchText").and_then(patch::parse) {
        Some(files) => Act::Edit {
            text: recorded,
            files,
        },
        None => Act::Unknown(recorded),
    }
}

fn replaced(given: &Value) -> Edit {
    match (text(given, "oldString"), text(given, "newString")) {
        (Some(""), Some(new)) => Edit::Write(new.to_owned()),
        (Some(old), Some(new)) => Edit::Replace(vec![Replacement {
            old: old.to_owned(),
            new: new.to_owned(),
            all: flag(given, "replaceAll"),
        }]),
        _ => Edit::Opaque,
    }
}

fn written(given: &Value, metadata: &Value) -> Edit {
    let Some(content) = text(given, "content") else {
        return Edit::Opaque;
    };
    match metadata.get("exists").and_then(Value::as_bool) {
        Some(false) => Edit::Known {
            before: None,
            after: Some(content.to_owned()),
        },
        _ => Edit::Write(content.to_owned()),
    }
}

fn read_tool(path: &str, recorded: String) -> Act {
    if recorded.contains("<type>directory</type>") {
        return Act::Output(recorded);
    }
    Act::read(shown(path, &recorded), recorded)
}

/// `<content>` with `1: text`, or in older versions `<file>` with `00001| text`.
fn shown(path: &str, recorded: &str) -> Option<Shown> {
    let (body, separator) = match recorded.split_once("<content>\n") {
        Some((_, body)) => (body, ": "),
        None => (recorded.strip_prefix("<file>\n")?, "| "),
    };
    let (lines, footer) = body.rsplit_once("\n\n(")?;
    let (start, lines) = numbered(lines, separator)?;
    let shown = Shown::part(path, start, lines);
    let total = if footer.starts_with("End of file") {
        footer
            .split_once("total ")
            .and_then(|(_, rest)| leading_number(rest))
            .unwrap_or(shown.end())
    } else if footer.starts_with("Showing lines") {
        footer
            .split_once(" of ")
            .and_then(|(_, rest)| leading_number(rest))?
    } else {
        return Some(shown);
    };
    (total >= shown.end()).then_some(Shown {
        texts: Some(total),
        ..shown
    })
}

fn shell(given: &Value, answer: &Answer, recorded: String, cut: bool) -> Shell {
    let exit = answer
        .extra
        .get("exit")
        .and_then(Value::as_i64)
        .unwrap_or(0);
    Shell {
        failed: answer.failed,
        command: text(given, "command").unwrap_or_default().to_owned(),
        directory: text(given, "workdir").map(str::to_owned),
        output: (!cut && exit == 0).then(|| recorded.clone()),
        exact: false,
        text: recorded,
    }
}
