//! pi's session files: version 3 is a tree, version 1 a list.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Replacement, Shell, Shown};
use crate::formats::claude_code::ABANDONED;
use crate::formats::editor::changed;
use crate::formats::speech::{reply, spoken};
use crate::formats::tree::{Node, Tree};
use crate::json::{arguments, content_text, flag, list, number, parsed, take, text};
use crate::lines::read_lines;
use crate::model::{Place, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::undecorate::leading_number;

const SEARCHES: &[&str] = &["grep", "find", "ls"];

struct Record {
    line: u32,
    node: Node,
    compaction: bool,
    /// What a compaction left of what was before.
    summary: String,
    message: Value,
}

/// Reads a session file.
pub(crate) fn read(content: &str) -> Vec<Recorded> {
    let mut session = Recorded {
        searches: SEARCHES,
        contexts: vec!["main".to_owned()],
        ..Recorded::default()
    };
    let mut records = Vec::new();
    let faults = read_lines(content, |line, mut value| {
        if text(&value, "type") == Some("session") {
            session.root = session
                .root
                .take()
                .or_else(|| text(&value, "cwd").map(str::to_owned));
        } else {
            records.push(record(line, &mut value));
        }
        true
    });
    session.about.skipped.extend(faults);
    converse(&mut session, &records);
    vec![session]
}

fn record(line: u32, value: &mut Value) -> Record {
    let own = |value: &Value, key| text(value, key).map(str::to_owned);
    let id = own(value, "id");
    Record {
        line,
        compaction: text(value, "type") == Some("compaction"),
        node: Node {
            // A list is a tree in which every record continues the one before.
            continues: id.is_none(),
            id: id.unwrap_or_else(|| format!("line {line}")),
            parent: own(value, "parentId"),
            side: false,
        },
        summary: own(value, "summary").unwrap_or_default(),
        message: take(value, "message"),
    }
}

fn converse(session: &mut Recorded, records: &[Record]) {
    let nodes: Vec<&Node> = records.iter().map(|record| &record.node).collect();
    let tree = Tree::new(&nodes, |at| {
        records
            .get(at)
            .is_some_and(|record| !record.message.is_null())
    });
    let mut pairing = Pairing::default();
    for (record, on_path) in records.iter().zip(&tree.on_path) {
        if !on_path {
            if is_tool(&record.message) {
                session.about.skip(ABANDONED, Some(record.line));
            }
            continue;
        }
        if record.compaction {
            session.compacted();
            pairing.said(Said {
                context: session.contexts.len() - 1,
                sender: Sender::Machine,
                place: Place::StartsTurn,
                text: record.summary.clone(),
            });
        }
        message(
            &record.message,
            session.contexts.len() - 1,
            record.line,
            &mut pairing,
        );
    }
    pairing.finish(session, understand);
}

fn is_tool(message: &Value) -> bool {
    text(message, "role") == Some("toolResult")
        || list(message, "content")
            .iter()
            .any(|block| text(block, "type") == Some("toolCall"))
}

fn message(message: &Value, context: usize, line: u32, pairing: &mut Pairing) {
    match text(message, "role") {
        Some("assistant") => {
            pairing.reply(Reply {
                incomplete: matches!(text(message, "stopReason"), Some("aborted" | "error")),
                ..reply(message, context)
            });
            let blocks = list(message, "content").iter();
            for block in blocks.filter(|block| text(block, "type") == Some("toolCall")) {
                pairing.call(Call {
                    id: text(block, "id").map(str::to_owned),
                    tool: text(block, "name").unwrap_or("unknown").to_owned(),
                    arguments: arguments(block.get("arguments")),
                    line: Some(line),
                    directory: None,
                });
            }
        }
        Some("toolResult") => {
            let id = text(message, "toolCallId").map(str::to_owned);
            let tool = text(message, "toolName").unwrap_or_default().to_owned();
            pairing.answer(Answer {
                of: id.map_or(Of::Tool(tool), Of::Id),
                context,
                text: message.get("content").map(content_text).unwrap_or_default(),
                failed: flag(message, "isError"),
                extra: Value::Null,
                line: Some(line),
            });
        }
        Some("bashExecution") => command(message, context, pairing),
        Some("user") => pairing.said(Said {
            context,
            text: spoken(message.get("content").unwrap_or(&Value::Null)),
            ..Said::default()
        }),
        _ => {}
    }
}

/// A command that the person ran, which the model is told of unless the person said not.
fn command(message: &Value, context: usize, pairing: &mut Pairing) {
    let command = text(message, "command").unwrap_or_default();
    pairing.aside(command);
    if !flag(message, "excludeFromContext") {
        let output = text(message, "output").unwrap_or_default();
        pairing.said(Said {
            context,
            text: format!("{command}\n{output}"),
            ..Said::default()
        });
    }
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let given = parsed(&call.arguments);
    let path = text(&given, "path").unwrap_or_default();
    match call.tool.as_str() {
        "bash" => Act::Shell(shell(&given, answer.failed, recorded, shaped)),
        _ if answer.failed => Act::Failure(recorded),
        "read" if recorded.contains("[image]") && !recorded.contains("\n\n") => {
            Act::Output(recorded)
        }
        "read" => {
            let shown = shown(path, &given, &recorded);
            Act::read(Some(shown), recorded)
        }
        "edit" => changed(path, replaced(&given), recorded),
        "write" => {
            let content = text(&given, "content").map(str::to_owned);
            changed(path, content.map_or(Edit::Opaque, Edit::Write), recorded)
        }
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn replaced(given: &Value) -> Edit {
    let edits = match list(given, "edits") {
        [] => vec![given],
        edits => edits.iter().collect(),
    };
    let one = |edit: &Value| {
        let (old, new) = (
            text(edit, "oldText")?.to_owned(),
            text(edit, "newText")?.to_owned(),
        );
        Some(Replacement {
            old,
            new,
            all: false,
        })
    };
    edits
        .into_iter()
        .map(one)
        .collect::<Option<_>>()
        .map_or(Edit::Opaque, Edit::Replace)
}

/// Bare text; the notice of a cut, which tells the file's length, stands in brackets after it.
fn shown(path: &str, given: &Value, recorded: &str) -> Shown {
    let offset = number(given, "offset").unwrap_or(1).max(1);
    let lines = |body: &str| body.split('\n').map(str::to_owned).collect();
    match recorded
        .rsplit_once("\n\n[")
        .and_then(|(body, notice)| Some((body, total(notice)?)))
    {
        Some((body, total)) => {
            let shown = Shown::part(path, offset, lines(body));
            let total = total.after(shown.end());
            Shown {
                total: Some(total.max(shown.end())),
                ..shown
            }
        }
        None => Shown::part(path, offset, lines(recorded)).ending_here(),
    }
}

enum Total {
    Whole(u32),
    More(u32),
}

impl Total {
    fn after(self, end: u32) -> u32 {
        match self {
            Self::Whole(total) => total,
            Self::More(more) => end.saturating_add(more),
        }
    }
}

/// `1549 more lines in file. Use offset=121 to continue]` or
/// `Showing lines 1-1603 of 2377 (50.0KB limit). Use offset=1604 to continue]`.
fn total(notice: &str) -> Option<Total> {
    if !notice.trim_end().ends_with(']') || !notice.contains("Use offset=") {
        return None;
    }
    if notice.starts_with("Showing lines ") {
        return leading_number(notice.split_once(" of ")?.1).map(Total::Whole);
    }
    notice
        .contains(" more lines in file")
        .then(|| leading_number(notice).map(Total::More))?
}

fn shell(given: &Value, failed: bool, recorded: String, cut: bool) -> Shell {
    let output = if recorded == "(no output)" {
        String::new()
    } else {
        recorded.clone()
    };
    Shell {
        failed,
        command: text(given, "command").unwrap_or_default().to_owned(),
        directory: None,
        output: (!cut).then_some(output),
        exact: true,
        text: recorded,
    }
}
