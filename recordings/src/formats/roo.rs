//! Roo and older Cline: a tool call is XML in the assistant's text, its result the next message.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, Shell, Shown};
use crate::formats::anthropic::summary;
use crate::formats::editor::changed;
use crate::formats::generic::SEARCHES;
use crate::json::{flag, list, text};
use crate::model::{Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};
use crate::undecorate::{between, leading_number, numbered, range};

const TOOLS: &[&str] = &[
    "access_mcp_resource",
    "apply_diff",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "execute_command",
    "fetch_instructions",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "new_task",
    "plan_mode_respond",
    "read_file",
    "replace_in_file",
    "search_and_replace",
    "search_files",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "write_to_file",
];

/// Reads a conversation whose tools are XML.
pub(crate) fn read(messages: &[Value], line: Option<u32>, session: &mut Recorded) {
    let mut pairing = Pairing::default();
    let mut open = None;
    for message in messages {
        if flag(message, "isSummary") {
            session.compacted();
            pairing.said(summary(message, session.contexts.len() - 1));
            continue;
        }
        let context = session.contexts.len() - 1;
        match text(message, "role") {
            Some("assistant") => open = call(message, context, line, &mut pairing),
            Some("user") => {
                if let Some(result) = result(message) {
                    pairing.answer(Answer {
                        of: open.take().map_or(Of::Tool(result.tool), Of::Call),
                        context,
                        text: result.text,
                        line,
                        ..Answer::default()
                    });
                }
                for said in said(message, context) {
                    pairing.said(said);
                }
            }
            _ => {}
        }
    }
    session.root = workspace(messages);
    pairing.finish(session, understand);
}

/// The directory that the environment's details name.
pub(crate) fn workspace(messages: &[Value]) -> Option<String> {
    let mark = [
        "Current Workspace Directory (",
        "Current Working Directory (",
    ];
    messages.iter().flat_map(texts).find_map(|text| {
        mark.iter()
            .find_map(|mark| between(text, mark, ")"))
            .map(str::to_owned)
    })
}

fn texts(message: &Value) -> impl Iterator<Item = &str> {
    let plain = text(message, "content");
    plain.into_iter().chain(
        list(message, "content")
            .iter()
            .filter_map(|block| text(block, "text")),
    )
}

/// What a user's message holds beside a result: the person's words, and the environment's details.
fn said(message: &Value, context: usize) -> [Said; 2] {
    let (details, words): (Vec<&str>, Vec<&str>) =
        texts(message).partition(|text| is_details(text));
    let result = words.iter().any(|text| is_header(text));
    let words = words.into_iter().take_while(|text| !is_header(text));
    let words = words.collect::<Vec<_>>().join("\n");
    let images = list(message, "content").iter();
    let images = images.filter(|block| text(block, "type") == Some("image"));
    let text = images.fold(words, |words, _| words + "\n[image]");
    let sender = if result {
        Sender::Machine
    } else {
        Sender::Person
    };
    let said = |sender, text| Said {
        context,
        sender,
        text,
        ..Said::default()
    };
    [
        said(sender, text),
        said(Sender::Machine, details.join("\n")),
    ]
}

fn is_details(text: &str) -> bool {
    text.starts_with("<environment_details>")
}

/// A reply, whose call is the first tool's XML in its text. It may be cut off. The call's number.
fn call(
    message: &Value,
    context: usize,
    line: Option<u32>,
    pairing: &mut Pairing,
) -> Option<usize> {
    let all: Vec<&str> = texts(message).collect();
    let all = all.join("\n");
    let call = written_call(&all, line);
    // The call is not sent twice.
    let text = match &call {
        Some(call) => all.replacen(&call.arguments, "", 1).trim_end().to_owned(),
        None => all,
    };
    pairing.reply(Reply {
        context,
        text,
        ..Reply::default()
    });
    call.map(|call| pairing.call(call))
}

fn written_call(all: &str, line: Option<u32>) -> Option<Call> {
    let found = TOOLS.iter().filter_map(|tool| {
        let start = all.find(&format!("<{tool}>"))?;
        Some((start, *tool))
    });
    let (start, tool) = found.min()?;
    let rest = all.get(start..)?;
    let close = format!("</{tool}>");
    let end = rest.rfind(&close).map_or(rest.len(), |at| at + close.len());
    Some(Call {
        tool: tool.to_owned(),
        arguments: rest.get(..end)?.to_owned(),
        line,
        ..Call::default()
    })
}

struct ToolResult {
    tool: String,
    text: String,
}

/// `[read_file for 'x'] Result:`, and the text after it, without the environment's details.
fn result(message: &Value) -> Option<ToolResult> {
    let mut parts = texts(message).skip_while(|text| !is_header(text));
    let first = parts.next()?;
    let (header, rest) = first.split_once("] Result:")?;
    let tool = header.trim_start_matches('[').split_whitespace().next()?;
    let rest = rest.trim_start_matches('\n');
    let shown = parts.filter(|text| !is_details(text));
    let all: Vec<&str> = Some(rest)
        .filter(|rest| !rest.is_empty())
        .into_iter()
        .chain(shown)
        .collect();
    Some(ToolResult {
        tool: tool.to_owned(),
        text: all.join("\n"),
    })
}

fn is_header(text: &str) -> bool {
    text.starts_with('[') && text.contains("] Result:")
}

fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let failed = recorded.contains("The tool execution failed with the following error:")
        || recorded.starts_with("<error>")
        || recorded.starts_with("The user denied");
    let path = between(&call.arguments, "<path>", "</path>")
        .unwrap_or_default()
        .trim();
    match call.tool.as_str() {
        "execute_command" => Act::Shell(shell(call, failed, recorded, shaped)),
        _ if failed => Act::Failure(recorded),
        "read_file" => read_file(call, path, recorded),
        "write_to_file" | "apply_diff" | "insert_content" | "search_and_replace"
        | "replace_in_file" => changed(path, Edit::Opaque, recorded),
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn read_file(call: &Call, path: &str, recorded: String) -> Act {
    let files = if recorded.contains("<files>") {
        listed_files(&call.arguments, &recorded)
    } else {
        bare_file(path, &recorded).map(|shown| vec![shown])
    };
    Act::reads(files, recorded)
}

/// `<file><path>…</path><content lines="1-180">`, once or several times.
fn listed_files(arguments: &str, recorded: &str) -> Option<Vec<Shown>> {
    let mut files = Vec::new();
    let part_asked = arguments.contains("<line_range>");
    for file in recorded.split("<file><path>").skip(1) {
        let (path, rest) = file.split_once("</path>")?;
        for content in rest.split("<content lines=\"").skip(1) {
            files.push(listed_content(path, content, part_asked)?);
        }
    }
    Some(files)
}

fn listed_content(path: &str, content: &str, part_asked: bool) -> Option<Shown> {
    let (lines, rest) = content.split_once("\">\n")?;
    let (body, rest) = rest.split_once("\n</content>")?;
    let (first, _) = range(lines)?;
    let (start, lines) = numbered(body, " | ").filter(|(start, _)| *start == first)?;
    let shown = Shown::part(path, start, lines);
    let total = rest
        .split_once("Showing only ")
        .and_then(|(_, rest)| leading_number(rest.split_once(" of ")?.1));
    match total {
        Some(total) => Some(Shown {
            texts: Some(total.max(shown.end())),
            ..shown
        }),
        None if part_asked => Some(shown),
        None => Some(ending(shown)),
    }
}

/// Older versions: numbered lines and nothing else.
fn bare_file(path: &str, recorded: &str) -> Option<Shown> {
    let (start, lines) = numbered(recorded, " | ")?;
    Some(ending(Shown::part(path, start, lines)))
}

/// Lines to the file's end. Some versions show the empty text after the last break.
fn ending(shown: Shown) -> Shown {
    match shown.lines.last() {
        Some(last) if last.is_empty() => shown.ending_here(),
        _ => Shown {
            texts: Some(shown.end()),
            ..shown
        },
    }
}

fn shell(call: &Call, failed: bool, recorded: String, cut: bool) -> Shell {
    let output = recorded
        .split_once("Exit code: 0\nOutput:\n")
        .map(|(_, output)| output.to_owned());
    let directory = between(&recorded, "within working directory '", "'").map(str::to_owned);
    Shell {
        failed,
        command: between(&call.arguments, "<command>", "</command>")
            .unwrap_or_default()
            .to_owned(),
        directory,
        output: output.filter(|_| !cut),
        exact: false,
        text: recorded,
    }
}
