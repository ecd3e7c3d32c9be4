//! The `apply_patch` format: read into edits, and carried out in a known content.

use crate::act::{Edit, FileEdit, Hunk};

/// The edits of a patch, in its order. None where it is not one.
pub(crate) fn parse(patch: &str) -> Option<Vec<FileEdit>> {
    let (_, body) = patch.split_once("*** Begin Patch")?;
    let mut files: Vec<FileEdit> = Vec::new();
    for line in body.lines().skip(1) {
        if line.starts_with("*** End Patch") {
            break;
        }
        match header(line) {
            Some(file) => files.push(file),
            None => read_line(files.last_mut()?, line)?,
        }
    }
    for file in &mut files {
        finish(&mut file.edit);
    }
    (!files.is_empty()).then_some(files)
}

fn header(line: &str) -> Option<FileEdit> {
    let (path, edit) = if let Some(path) = line.strip_prefix("*** Add File: ") {
        (
            path,
            Edit::Known {
                before: None,
                after: Some(String::new()),
            },
        )
    } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
        (path, Edit::Delete)
    } else {
        (
            line.strip_prefix("*** Update File: ")?,
            Edit::Hunks(Vec::new()),
        )
    };
    Some(FileEdit {
        path: path.trim_end().to_owned(),
        edit,
    })
}

fn read_line(file: &mut FileEdit, line: &str) -> Option<()> {
    match &mut file.edit {
        Edit::Known {
            after: Some(content),
            ..
        } => {
            content.push_str(line.strip_prefix('+')?);
            content.push('\n');
        }
        // A moved file: what stands at the new place is not told by the old one alone.
        edit @ Edit::Hunks(_) if line.starts_with("*** Move to: ") => *edit = Edit::Opaque,
        Edit::Hunks(hunks) => hunk_line(hunks, line)?,
        _ => {}
    }
    Some(())
}

fn hunk_line(hunks: &mut Vec<Hunk>, line: &str) -> Option<()> {
    if let Some(anchor) = line.strip_prefix("@@") {
        let anchor = anchor.trim();
        // Several `@@` lines in a row name one place, from the outside in.
        let fresh = hunks
            .last()
            .is_none_or(|hunk| !hunk.old.is_empty() || !hunk.new.is_empty());
        if fresh {
            hunks.push(Hunk::default());
        }
        if !anchor.is_empty() {
            hunks.last_mut()?.anchors.push(anchor.to_owned());
        }
        return Some(());
    }
    if hunks.is_empty() {
        hunks.push(Hunk::default());
    }
    let hunk = hunks.last_mut()?;
    if line == "*** End of File" {
        hunk.at_end = true;
        return Some(());
    }
    let (mark, text) = match line.chars().next() {
        None => (' ', ""),
        Some(mark) => (mark, line.get(mark.len_utf8()..)?),
    };
    match mark {
        ' ' => {
            hunk.old.push(text.to_owned());
            hunk.new.push(text.to_owned());
        }
        '-' => hunk.old.push(text.to_owned()),
        '+' => hunk.new.push(text.to_owned()),
        _ => return None,
    }
    Some(())
}

fn finish(edit: &mut Edit) {
    if let Edit::Hunks(hunks) = edit {
        hunks.retain(|hunk| hunk.old != hunk.new || hunk.old.is_empty() && !hunk.new.is_empty());
    }
}

/// `content` after the hunks, in order. None where one has no place in it.
pub(crate) fn apply(content: &str, hunks: &[Hunk]) -> Option<String> {
    let lines: Vec<&str> = content.split('\n').collect();
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    let mut done = 0;
    for hunk in hunks {
        let at = place(&lines, done, hunk)?;
        out.extend(lines.get(done..at)?);
        out.extend(hunk.new.iter().map(String::as_str));
        done = at + hunk.old.len();
    }
    out.extend(lines.get(done..)?);
    Some(out.join("\n"))
}

/// Lines to compare at most for one hunk: a search is lines times lines at its worst.
const SEARCH: usize = 1 << 26;

fn place(lines: &[&str], from: usize, hunk: &Hunk) -> Option<usize> {
    let mut from = from;
    for anchor in &hunk.anchors {
        let rest = lines.get(from..)?;
        from += 1 + rest.iter().position(|line| line.trim() == anchor)?;
    }
    if hunk.old.is_empty() {
        // An addition alone goes to the end, before the empty text after the last line break.
        let open = lines.last().is_some_and(|last| last.is_empty());
        return Some(lines.len() - usize::from(open)).filter(|at| *at >= from);
    }
    if lines.len().saturating_mul(hunk.old.len()) > SEARCH {
        return None;
    }
    let found = |from: usize| {
        let rest = lines.get(from..)?;
        let at = rest
            .windows(hunk.old.len())
            .position(|window| window == hunk.old.as_slice())?;
        Some(from + at)
    };
    if hunk.at_end {
        let tail = lines
            .len()
            .checked_sub(hunk.old.len() + 1)
            .unwrap_or(from)
            .max(from);
        return found(tail).or_else(|| found(from));
    }
    found(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: a.go\n@@ func b\n x\n-y\n+z\n \n@@\n+last\n\
        *** Add File: new.md\n+# New\n+\n*** Delete File: old.md\n*** End Patch\n";

    #[test]
    fn reads_a_patch() {
        let files = parse(PATCH).unwrap();
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.go", "new.md", "old.md"]);
        let Edit::Hunks(hunks) = &files[0].edit else {
            panic!()
        };
        assert_eq!(hunks.len(), 2);
        let new = Edit::Known {
            before: None,
            after: Some("# New\n\n".into()),
        };
        assert_eq!(files[1].edit, new);
        assert_eq!(files[2].edit, Edit::Delete);
        assert_eq!(
            apply("x\ny\n\nfunc b\nx\ny\n\nq\n", hunks).as_deref(),
            Some("x\ny\n\nfunc b\nx\nz\n\nq\nlast\n")
        );
    }

    #[test]
    fn what_is_not_there_is_not_patched() {
        let Some([file]) = parse(PATCH).map(|files| [files[0].clone()]) else {
            panic!()
        };
        let Edit::Hunks(hunks) = file.edit else {
            panic!()
        };
        assert_eq!(apply("x\ny\n", &hunks), None);
        assert_eq!(parse("no patch"), None);
        assert_eq!(parse("*** Begin Patch\n*** End Patch"), None);
        assert_eq!(parse("*** Begin Patch\nstray\n"), None);
    }

    #[test]
    fn the_end_of_the_file_is_tried_first() {
        let hunk = Hunk {
            old: vec!["a".into()],
            new: vec!["b".into()],
            at_end: true,
            ..Hunk::default()
        };
        assert_eq!(apply("a\nx\na\n", &[hunk]).as_deref(), Some("a\nx\nb\n"));
    }
}
