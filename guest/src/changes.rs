//! Changes of files answer with the diff (§5).

use crate::bracket;
use crate::diff::LineDiff;
use crate::draft::{Below, Draft};
use crate::error::Error;
use crate::lines;
use crate::ports::{Content, HashedContent};
use crate::read::short_sha;
use crate::record::Fact;
use crate::rules::{EditAnswer, Rules};

/// What a tool did to the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    /// At least one, in the patch's order.
    pub files: Vec<FileChange>,
    /// A note that the tool adds.
    pub note: Option<String>,
}

/// One file that a tool created, changed or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The path as the call gave it.
    pub path: String,
    /// The content before; none if the file is new.
    pub before: Option<Content>,
    /// The content after; none if the file was deleted.
    pub after: Option<HashedContent>,
}

/// Decides the answer.
///
/// # Errors
///
/// `invalid-argument`: no file, an empty path, a file that was neither there before nor after,
/// a hash that is none.
pub fn draft(rules: &Rules, id: &str, set: &ChangeSet) -> Result<Draft, Error> {
    let changes = checked(rules, set)?;
    let mut stored = String::new();
    for change in &changes {
        push_block(&mut stored, &change.answer(rules, None));
    }
    let note = set.note.as_deref().filter(|note| !note.is_empty());
    if let Some(note) = note {
        push_block(&mut stored, note);
    }
    let (head, below) = match changes.as_slice() {
        [only] => only_file(rules, id, only, &stored),
        _ => (rules.bracket.fill(&[("id", id)]), Below::CappedFrom(0)),
    };
    Ok(Draft {
        head,
        below,
        stored,
        failed: false,
        stub: None,
        whole: None,
        fact: Fact::Changes,
    })
}

/// One file has its bracket in the result's own; what is stored names it without the id.
fn only_file(rules: &Rules, id: &str, change: &Change<'_>, stored: &str) -> (String, Below) {
    let head = change.first_line(rules, Some(id));
    let without_id = change.first_line(rules, None).len();
    let below = match stored.len() > without_id {
        true => Below::CappedFrom(without_id + 1),
        false => Below::Nothing,
    };
    (head, below)
}

fn push_block(text: &mut String, block: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(block);
}

/// A change that makes sense.
struct Change<'a> {
    path: &'a str,
    sha: &'a str,
    what: What,
}

enum What {
    Deleted,
    /// A sentence on the bracket's line.
    Sentence(String),
    /// A diff below it.
    Diff(String),
}

fn checked<'a>(rules: &Rules, set: &'a ChangeSet) -> Result<Vec<Change<'a>>, Error> {
    if set.files.is_empty() {
        return Err(Error::argument(
            "changes.files",
            "is empty, must name at least one file",
        ));
    }
    let numbered = set.files.iter().enumerate();
    numbered
        .map(|(at, file)| Change::of(rules, &format!("changes.files[{at}]"), file))
        .collect()
}

impl<'a> Change<'a> {
    fn of(rules: &Rules, argument: &str, file: &'a FileChange) -> Result<Self, Error> {
        if file.path.is_empty() {
            return Err(Error::argument(format!("{argument}.path"), "is empty"));
        }
        let Some(after) = &file.after else {
            if file.before.is_none() {
                let problem = "has neither a content before nor one after";
                return Err(Error::argument(argument, problem));
            }
            return Ok(Self {
                path: &file.path,
                sha: "",
                what: What::Deleted,
            });
        };
        let Some(sha) = short_sha(&after.sha256, rules.sha_digits) else {
            let problem = format!("is `{}`, must be 64 lowercase hex digits", after.sha256);
            return Err(Error::argument(format!("{argument}.after.sha256"), problem));
        };
        let what = what(rules, file.before.as_ref(), &after.content);
        Ok(Self {
            path: &file.path,
            sha,
            what,
        })
    }

    /// Bracket and sentence, with the result's id where the bracket is the result's own.
    fn first_line(&self, rules: &Rules, id: Option<&str>) -> String {
        let edits = &rules.edits;
        let template = match (&self.what, id) {
            (What::Deleted, Some(_)) => &edits.deleted,
            (What::Deleted, None) => &edits.file_deleted,
            (_, Some(_)) => &edits.bracket,
            (_, None) => &edits.file_bracket,
        };
        let id = id.unwrap_or_default();
        let path = bracket::escaped(self.path);
        let bracket = template.fill(&[("id", id), ("path", &path), ("sha", self.sha)]);
        match &self.what {
            What::Sentence(sentence) => format!("{bracket} {sentence}"),
            What::Deleted | What::Diff(_) => bracket,
        }
    }

    fn answer(&self, rules: &Rules, id: Option<&str>) -> String {
        let mut answer = self.first_line(rules, id);
        if let What::Diff(diff) = &self.what {
            push_block(&mut answer, diff);
        }
        answer
    }
}

fn what(rules: &Rules, before: Option<&Content>, after: &Content) -> What {
    let edits = &rules.edits;
    match (before, after) {
        (_, Content::Binary(bytes)) => {
            What::Sentence(edits.binary.fill(&[("bytes", &bytes.to_string())]))
        }
        (None, Content::Text(text)) => What::Sentence(
            edits
                .created
                .fill(&[("lines", &lines::count(text).to_string())]),
        ),
        (Some(Content::Binary(_)), Content::Text(text)) => {
            What::Sentence(edits.binary.fill(&[("bytes", &text.len().to_string())]))
        }
        (Some(Content::Text(before)), Content::Text(after)) if before == after => {
            What::Sentence(edits.no_change.fill(&[]))
        }
        (Some(Content::Text(before)), Content::Text(after)) => changed(rules, before, after),
    }
}

fn changed(rules: &Rules, before: &str, after: &str) -> What {
    let edits = &rules.edits;
    let diff = LineDiff::between(before, after);
    match edits.answer {
        EditAnswer::Diff => {
            What::Diff(diff.unified(edits.context_lines as usize, &edits.no_newline))
        }
        EditAnswer::Summary => {
            let (added, removed) = diff.added_and_removed();
            let (added, removed) = (added.to_string(), removed.to_string());
            What::Sentence(
                edits
                    .summary
                    .fill(&[("added", &added), ("removed", &removed)]),
            )
        }
    }
}
