//! What Claude Code's tools did: from the structured result that its session files keep beside
//! the text, and where there is none (stream-json) from the text.

use serde_json::Value;

use crate::About;
use crate::act::{Act, Edit, FileEdit, Replacement, Shell, Shown};
use crate::json::{flag, list, number, parsed, text};
use crate::measures;
use crate::pairing::{Answer, Call};
use crate::replace::replace;
use crate::undecorate::{numbered, without_reminders};

/// Claude Code's search and listing tools.
pub(crate) const SEARCHES: &[&str] = &["Grep", "Glob", "LS"];

/// Lines a `Read` shows where the call names no limit.
const WINDOW: u32 = 2000;

/// Counted where an image, a PDF or a notebook was read.
const NOT_TEXT: &str = "a read of something that is not a text file";

/// What a result means.
pub(crate) fn understand(call: &Call, answer: &mut Answer, about: &mut About) -> Act {
    let (recorded, shaped) = answer.take_text(about);
    let arguments = parsed(&call.arguments);
    match call.tool.as_str() {
        "Bash" => Act::Shell(shell(call, &arguments, answer, recorded, shaped)),
        _ if answer.failed => Act::Failure(recorded),
        "Read" if shaped => Act::Output(recorded),
        "Read" => read(&arguments, &answer.extra, recorded, about),
        "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => {
            let edit = edit(&call.tool, &arguments, &answer.extra, &recorded);
            Act::Edit {
                text: recorded,
                files: vec![edit],
            }
        }
        tool if SEARCHES.contains(&tool) => Act::Search(recorded),
        _ => Act::Unknown(recorded),
    }
}

fn shell(call: &Call, arguments: &Value, answer: &Answer, recorded: String, cut: bool) -> Shell {
    let errors = text(&answer.extra, "stderr").is_some_and(|errors| !errors.is_empty());
    let output = (!cut && !errors).then(|| without_reminders(&recorded).to_owned());
    Shell {
        failed: answer.failed,
        command: text(arguments, "command").unwrap_or_default().to_owned(),
        directory: call.directory.clone(),
        output,
        exact: false,
        text: recorded,
    }
}

fn read(arguments: &Value, extra: &Value, recorded: String, about: &mut About) -> Act {
    let path = text(arguments, "file_path").unwrap_or_default();
    let kind = text(extra, "type");
    if kind == Some("file_unchanged") {
        about.measure(measures::STUB);
        return Act::Output(recorded);
    }
    if kind.is_some_and(|kind| kind != "text") {
        return Act::Unclear {
            text: recorded,
            reason: NOT_TEXT,
        };
    }
    let structured = extra
        .get("file")
        .and_then(|file| structured_read(path, file));
    Act::read(
        structured.or_else(|| text_read(path, arguments, &recorded)),
        recorded,
    )
}

fn structured_read(path: &str, file: &Value) -> Option<Shown> {
    let lines: Vec<String> = text(file, "content")?
        .split('\n')
        .map(str::to_owned)
        .collect();
    let start = number(file, "startLine").unwrap_or(1).max(1);
    let total = number(file, "totalLines");
    let shown = Shown {
        total,
        ..Shown::part(path, start, lines)
    };
    let fits = total.is_none_or(|total| shown.end() <= total);
    fits.then_some(shown)
}

fn text_read(path: &str, arguments: &Value, recorded: &str) -> Option<Shown> {
    let body = without_reminders(recorded);
    let (start, lines) = numbered(body, "→").or_else(|| numbered(body, "\t"))?;
    // An offset of 0 is numbered from 0, and shows the file from its first line all the same.
    let start = start.max(1);
    let shown = Shown::part(path, start, lines);
    let asked = number(arguments, "limit").unwrap_or(WINDOW);
    // Fewer lines than were asked for: the file ends here.
    let ends = u32::try_from(shown.lines.len()).is_ok_and(|count| count < asked);
    Some(if ends { shown.ending_here() } else { shown })
}

fn edit(tool: &str, arguments: &Value, extra: &Value, recorded: &str) -> FileEdit {
    let path = text(arguments, "file_path").or_else(|| text(arguments, "notebook_path"));
    let edit = match tool {
        "Write" => write(arguments, extra, recorded),
        "Edit" | "MultiEdit" => replacement(arguments, extra),
        _ => Edit::Opaque,
    };
    FileEdit {
        path: path.unwrap_or_default().to_owned(),
        edit,
    }
}

fn write(arguments: &Value, extra: &Value, recorded: &str) -> Edit {
    let Some(content) = text(arguments, "content") else {
        return Edit::Opaque;
    };
    let after = Some(content.to_owned());
    let created = text(extra, "type") == Some("create") || recorded.starts_with("File created");
    match text(extra, "originalFile") {
        Some(before) => Edit::Known {
            before: Some(before.to_owned()),
            after,
        },
        None if created => Edit::Known {
            before: None,
            after,
        },
        None => Edit::Write(content.to_owned()),
    }
}

fn replacement(arguments: &Value, extra: &Value) -> Edit {
    let edits = match list(arguments, "edits") {
        [] => vec![arguments],
        edits => edits.iter().collect(),
    };
    let replacements: Option<Vec<Replacement>> = edits.into_iter().map(one_replacement).collect();
    let Some(replacements) = replacements.filter(|_| !flag(extra, "userModified")) else {
        return Edit::Opaque;
    };
    let original = text(extra, "originalFile").or_else(|| text(extra, "originalFileContents"));
    let Some(before) = original else {
        return Edit::Replace(replacements);
    };
    match replace(before, &replacements) {
        Some(after) => Edit::Known {
            before: Some(before.to_owned()),
            after: Some(after),
        },
        None => Edit::Opaque,
    }
}

fn one_replacement(edit: &Value) -> Option<Replacement> {
    Some(Replacement {
        old: text(edit, "old_string")?.to_owned(),
        new: text(edit, "new_string")?.to_owned(),
        all: flag(edit, "replace_all"),
    })
}
