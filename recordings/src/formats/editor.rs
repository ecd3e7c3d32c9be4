//! The `str_replace_editor` tool, which several harnesses share.

use serde_json::Value;

use crate::act::{Act, Edit, FileEdit, Replacement, Shown};
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
    Act::read(shown(path, arguments, &recorded), recorded)
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
    Some(to_its_end(shown, arguments))
}

/// The lines of a view, with what its `view_range` tells of the file's end.
pub(crate) fn to_its_end(shown: Shown, arguments: &Value) -> Shown {
    match list(arguments, "view_range") {
        [] => shown.ending_here(),
        [_, last] if reaches_end(last, &shown) => ending(shown),
        _ => shown,
    }
}

fn reaches_end(last: &Value, shown: &Shown) -> bool {
    last.as_i64() == Some(-1) || as_number(last).is_some_and(|last| shown.end() < last)
}

/// A view of the whole file shows the empty text after its last line break. A view of a part does
/// so in some harnesses; where it shows none, there may be one.
fn ending(shown: Shown) -> Shown {
    if shown.lines.last().is_some_and(String::is_empty) {
        return shown.ending_here();
    }
    Shown {
        texts: Some(shown.end()),
        ..shown
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::files::Files;
    use crate::path::Base;

    #[test]
    fn a_view_of_the_rest_agrees_with_one_of_the_whole() {
        let view = |range: Value, text: &str| shown("a", &json!({"view_range": range}), text);
        for rest in ["     2\ty\n     3\t\n", "     2\ty\n"] {
            let mut files = Files::new(Base::new(Some("/w")));
            let whole = view(Value::Null, "     1\tx\n     2\ty\n     3\t\n").unwrap();
            let first = files.see(&whole);
            let rest = view(json!([2, -1]), rest).unwrap();
            assert_eq!(files.see(&rest), first, "{rest:?}");
        }
    }
}
