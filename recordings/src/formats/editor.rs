//! The `str_replace_editor` tool, which several harnesses share.

use serde_json::Value;

use crate::act::{Act, Edit, FileEdit, Replacement, Shown};
use crate::formats::claude_tools::UNREADABLE;
use crate::json::{as_number, list, text};
use crate::undecorate::{numbered, without_final_break};

/// What a call did, by its arguments and the text that the model was given.
pub(crate) fn understand(arguments: &Value, recorded: String) -> Act {
    let path = text(arguments, "path").unwrap_or_default();
    if recorded.starts_with("ERROR:")
        || recorded.starts_with("Error")
        || recorded.starts_with("No replacement")
    {
        return Act::Failure(recorded);
    }
    match text(arguments, "command") {
        Some("view") | None => view(path, arguments, recorded),
        Some("create") => changed(path, created(arguments), recorded),
        Some("str_replace") => changed(path, replaced(arguments), recorded),
        _ => changed(path, Edit::Opaque, recorded),
    }
}

/// One changed file.
pub(crate) fn changed(path: &str, edit: Edit, text: String) -> Act {
    Act::Edit {
        text,
        files: vec![FileEdit {
            path: path.to_owned(),
            edit,
        }],
    }
}

fn created(arguments: &Value) -> Edit {
    match text(arguments, "file_text") {
        Some(content) => Edit::Known {
            before: None,
            after: Some(content.to_owned()),
        },
        None => Edit::Opaque,
    }
}

fn replaced(arguments: &Value) -> Edit {
    let Some(old) = text(arguments, "old_str") else {
        return Edit::Opaque;
    };
    let new = text(arguments, "new_str").unwrap_or_default();
    Edit::Replace(vec![Replacement {
        old: old.to_owned(),
        new: new.to_owned(),
        all: false,
    }])
}

/// A file's lines as `cat -n` numbers them, under a sentence; or a directory's entries.
pub(crate) fn view(path: &str, arguments: &Value, recorded: String) -> Act {
    if recorded.starts_with("Here's the files and directories") {
        return Act::Output(recorded);
    }
    match shown(path, arguments, &recorded) {
        Some(shown) => Act::Read {
            text: recorded,
            files: vec![shown],
        },
        None => Act::Unclear {
            text: recorded,
            reason: UNREADABLE,
        },
    }
}

fn shown(path: &str, arguments: &Value, recorded: &str) -> Option<Shown> {
    let body = match recorded.strip_prefix("Here's the result of running `cat -n` on ") {
        Some(rest) => rest.split_once('\n')?.1,
        None => recorded,
    };
    if let Some((whole_lines, _)) = body.split_once("<response clipped>") {
        // The cut lies within a line.
        let (start, lines) = numbered(whole_lines.rsplit_once('\n')?.0, "\t")?;
        return Some(Shown::part(path, start, lines));
    }
    let (start, lines) = numbered(without_final_break(body), "\t")?;
    let shown = Shown::part(path, start, lines);
    let to_the_end = match list(arguments, "view_range") {
        [] => true,
        [_, last] => {
            last.as_i64() == Some(-1) || as_number(last).is_some_and(|last| shown.end() < last)
        }
        _ => false,
    };
    Some(if to_the_end {
        shown.ending_here()
    } else {
        shown
    })
}
