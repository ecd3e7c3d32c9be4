//! opencode's export of a session: call and result are one part.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::editor::changed;
use crate::json::{arguments, at, flag, list, parsed, text, text_at};
use crate::measures::{CUT, MASKED};
use crate::model::Recorded;
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
        for part in list(message, "parts") {
            match text(part, "type") {
                Some("tool") => tool(part, &mut session, &mut pairing),
                Some("compaction") => {
                    session.compacted();
                }
                _ => {}
            }
        }
    }
    pairing.finish(&mut session, understand);
    vec![session]
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
