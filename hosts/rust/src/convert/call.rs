//! Tool calls and what came of them.

use crate::bindings::exports::waybread::context::context as wit;
use crate::bindings::waybread::context::filesystem as files;
use crate::call::{Changes, FileChange, Outcome, ToolCall};
use crate::content;
use crate::error::{Cause, Error};
use crate::filesystem::too_large;

pub(crate) fn call(call: &ToolCall) -> wit::ToolCallParam<'_> {
    wit::ToolCallParam {
        id: &call.id,
        name: &call.name,
        arguments: &call.arguments,
    }
}

/// An outcome, and the changed files that it borrows.
pub(crate) fn with_outcome<T>(
    outcome: &Outcome,
    go: impl FnOnce(wit::Outcome<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    match outcome {
        Outcome::Read(read) => go(wit::Outcome::Read(wit::ReadRequest {
            path: &read.path,
            offset: read.offset,
            limit: read.limit,
            force: read.force,
        })),
        Outcome::Output(text) => go(wit::Outcome::Output(text)),
        Outcome::Failure(message) => go(wit::Outcome::Failure(message)),
        Outcome::Changes(changes) => with_changes(changes, go),
        Outcome::Delegated(brought) => go(wit::Outcome::Delegated(wit::Delegated {
            key: &brought.key,
            text: &brought.text,
        })),
    }
}

fn with_changes<T>(
    changes: &Changes,
    go: impl FnOnce(wit::Outcome<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    // The hashes are borrowed by what follows.
    let hash = |change: &FileChange| change.after.as_deref().map(content::hash);
    let hashes: Vec<Option<String>> = changes.files.iter().map(hash).collect();
    let files = changes.files.iter().zip(&hashes).enumerate();
    let files = files.map(|(at, (change, hash))| file_change(at, change, hash.as_deref()));
    let files: Vec<wit::FileChange<'_>> = files.collect::<Result<_, _>>()?;
    go(wit::Outcome::Changes(wit::ChangeSet {
        files: &files,
        note: changes.note.as_deref(),
    }))
}

fn file_change<'a>(
    at: usize,
    change: &'a FileChange,
    hash: Option<&'a str>,
) -> Result<wit::FileChange<'a>, Error> {
    let side = |name: &str, bytes: &'a Option<Vec<u8>>| {
        let content = bytes.as_deref().map(content::of_side).transpose();
        content.map_err(|size| too_large_side(format!("changes.files[{at}].{name}"), size))
    };
    let after = side("after", &change.after)?;
    Ok(wit::FileChange {
        path: &change.path,
        before: side("before", &change.before)?,
        after: after
            .zip(hash)
            .map(|(content, sha256)| files::HashedContentParam { content, sha256 }),
    })
}

fn too_large_side(argument: String, size: u64) -> Error {
    let problem = too_large(size).to_string();
    let message = format!("argument `{argument}`: {problem}");
    Error::new(Cause::InvalidArgument { argument, problem }, message)
}
