//! Copilot CLI's events.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::editor::{changed, to_its_end};
use crate::formats::threads::Threads;
use crate::json::{arguments, flag, list, parsed, text, text_at};
use crate::model::{Place, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::patch;
use crate::undecorate::{numbered, without_final_break};

const SEARCHES: &[&str] = &["rg", "glob", "grep"];

/// Counted where the harness made its system prompt anew: the first stands.
const SYSTEM_AGAIN: &str = "a system prompt made again";

/// Reads an event log.
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
    let data = value.get("data").unwrap_or(&Value::Null);
    let parent = text(data, "parentToolCallId");
    match text(value, "type") {
        Some("session.start") => {
            session.root = text_at(data, &["context", "cwd"]).map(str::to_owned);
        }
        Some("session.compaction_complete") => threads.compacted(),
        Some("system.message") => match session.prompt.system {
            Some(_) => session.about.skip(SYSTEM_AGAIN, Some(line)),
            None => session
                .prompt
                .add_system(text(data, "content").unwrap_or_default()),
        },
        Some("user.message") => pairing.said(said(data, threads.of(parent))),
        Some("assistant.message") => {
            pairing.reply(Reply {
                context: threads.of_reply(parent),
                key: text(data, "messageId").map(str::to_owned),
                text: text(data, "content").unwrap_or_default().to_owned(),
                reasoning: text(data, "reasoningText").unwrap_or_default().to_owned(),
                ..Reply::default()
            });
            calls(data, line, pairing);
        }
        Some("abort") => pairing.broken_off(threads.of(parent)),
        Some("tool.execution_complete") => {
            pairing.answer(answer(data, threads.of(parent), line));
        }
        _ => {}
    }
}

fn said(data: &Value, context: usize) -> Said {
    // What was sent, where the harness put something round what was typed.
    let sent = text(data, "transformedContent").or_else(|| text(data, "content"));
    Said {
        context,
        sender: match text(data, "source") {
            Some("system") => Sender::Machine,
            _ => Sender::Person,
        },
        place: match text(data, "delivery") {
            Some("steering") => Place::StepBoundary,
            Some("idle") => Place::StartsTurn,
            _ => Place::Untold,
        },
        text: sent.unwrap_or_default().to_owned(),
    }
}

fn calls(data: &Value, line: u32, pairing: &mut Pairing) {
    for request in list(data, "toolRequests") {
        pairing.call(Call {
            id: text(request, "toolCallId").map(str::to_owned),
            tool: text(request, "name").unwrap_or("unknown").to_owned(),
            arguments: arguments(request.get("arguments")),
            line: Some(line),
            directory: None,
        });
    }
}

fn answer(data: &Value, context: usize, line: u32) -> Answer {
    let shown =
        text_at(data, &["result", "content"]).or_else(|| text_at(data, &["error", "message"]));
    Answer {
        of: text(data, "toolCallId").map_or(Of::Nothing, |id| Of::Id(id.to_owned())),
        context,
        text: shown.unwrap_or_default().to_owned(),
        failed: !flag(data, "success"),
        line: Some(line),
        ..Answer::default()
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let given = parsed(&call.arguments);
    let path = text(&given, "path").unwrap_or_default();
    match call.tool.as_str() {
        "bash" | "powershell" => Act::Shell(shell(&given, answer.failed, recorded, shaped)),
        _ if answer.failed => Act::Failure(recorded),
        "view" if shaped => Act::Output(recorded),
        "view" => view(path, &given, recorded),
        "edit" => changed(path, replaced(&given), recorded),
        "create" => {
            let after = text(&given, "file_text").map(str::to_owned);
            let edit = after.map_or(Edit::Opaque, |after| Edit::Known {
                before: None,
                after: Some(after),
            });
            changed(path, edit, recorded)
        }
        "apply_patch" => match patch::parse(&call.arguments) {
            Some(files) => Act::Edit {
                text: recorded,
                files,
            },
            None => Act::Unknown(recorded),
        },
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn replaced(given: &Value) -> Edit {
    match (text(given, "old_str"), text(given, "new_str")) {
        (Some(old), Some(new)) => Edit::Replace(vec![Replacement {
            old: old.to_owned(),
            new: new.to_owned(),
            all: false,
        }]),
        _ => Edit::Opaque,
    }
}

fn view(path: &str, given: &Value, recorded: String) -> Act {
    let Some((start, lines)) = numbered(without_final_break(&recorded), ". ") else {
        // A directory's entries have no numbers; nothing else begins with a dot or a name alone.
        let listing = recorded.lines().all(|line| !line.contains(". "));
        return if listing {
            Act::Output(recorded)
        } else {
            Act::read(None, recorded)
        };
    };
    Act::read(
        Some(to_its_end(Shown::part(path, start, lines), given)),
        recorded,
    )
}

fn shell(given: &Value, failed: bool, recorded: String, cut: bool) -> Shell {
    let output = recorded
        .rsplit_once("<shellId: ")
        .filter(|(_, tail)| tail.ends_with("exit code 0>"));
    Shell {
        failed,
        command: text(given, "command").unwrap_or_default().to_owned(),
        directory: None,
        output: output.filter(|_| !cut).map(|(output, _)| output.to_owned()),
        exact: false,
        text: recorded,
    }
}
