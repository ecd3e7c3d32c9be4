//! One context of a plan, performed on a session of its own.

use serde::Serialize;
use waybread_recordings::{
    As, BuiltRequest, Context, InsertResult, Outcome, ReplayedContext, ReplayedResult, Step,
    Treatment, measure,
};

use super::conversation::{message, settings};
use super::request::request;
use super::sessions::KEY;
use crate::{
    Changes, Error, FileChange, Inserted, MemoryStorage, MemoryTree, Read, Session, ToolCall,
};

/// A line of what was shown. The keys' order is part of the format.
#[derive(Serialize)]
struct Line<'a> {
    context: &'a str,
    id: &'a str,
    call: &'a str,
    treatment: &'a str,
    text: &'a str,
}

/// Performs the steps on an empty storage, and adds what the model would have been shown to `lines`.
pub(super) fn perform(
    context: Context,
    storage: MemoryStorage,
    lines: &mut String,
    before_step: &mut dyn FnMut(),
) -> ReplayedContext {
    let tree = MemoryTree::new();
    let mut session = Session::open(KEY, settings(&context.settings), storage, tree.clone());
    let mut results = Vec::new();
    let mut requests = Vec::new();
    for step in context.steps {
        before_step();
        match step {
            Step::WriteFile { path, content } => tree.write(&path, content),
            Step::DeleteFile { path } => {
                // One that is not there is gone already.
                let _ = tree.remove(&path);
            }
            Step::AddMessage(given) => {
                let added =
                    open(&mut session).and_then(|session| session.add_message(message(given)));
                requests.extend(added.err().map(|error| refused(&error)));
            }
            Step::BuildRequest => {
                let stand_in = context.stand_in.as_deref();
                let built = open(&mut session)
                    .and_then(|session| request(session, stand_in, &mut requests));
                requests.extend(built.err().map(|error| refused(&error)));
            }
            Step::InsertResult(insert) => {
                let (counted, call) = (insert.counted, call(&insert));
                let inserted = insert_result(&mut session, &call, insert.outcome);
                if let Ok(inserted) = &inserted {
                    lines.push_str(&line(&context.name, &call, inserted));
                }
                results.push(result(counted, inserted));
            }
        }
    }
    ReplayedContext {
        name: context.name,
        results,
        prompt: measure(&requests),
    }
}

/// A session that could not be opened fails each of its steps.
fn open(session: &mut Result<Session, Error>) -> Result<&mut Session, Error> {
    session.as_mut().map_err(|error| error.clone())
}

fn insert_result(
    session: &mut Result<Session, Error>,
    call: &ToolCall,
    given: Outcome,
) -> Result<Inserted, Error> {
    open(session)?.insert_result(call, outcome(given))
}

/// A message or request that the session did not take.
fn refused(error: &Error) -> BuiltRequest {
    BuiltRequest::Failed {
        error: error.to_string(),
    }
}

fn call(insert: &InsertResult) -> ToolCall {
    ToolCall::new(&insert.call, &insert.tool, &insert.arguments)
}

fn outcome(outcome: Outcome) -> crate::Outcome {
    match outcome {
        Outcome::Read(read) => Read::new(read.path)
            .offset(read.offset)
            .limit(read.limit)
            .into(),
        Outcome::Changes(changes) => {
            let bytes = |side: Option<String>| side.map(String::into_bytes);
            let files = changes.files.into_iter();
            let files =
                files.map(|file| FileChange::new(file.path, bytes(file.before), bytes(file.after)));
            Changes::new(files).into()
        }
        Outcome::Output(text) => crate::Outcome::Output(text),
        Outcome::Failure(message) => crate::Outcome::Failure(message),
    }
}

fn result(counted: As, inserted: Result<Inserted, Error>) -> ReplayedResult {
    match inserted {
        Ok(inserted) => ReplayedResult {
            counted,
            treatment: Some(treatment(inserted.treatment)),
            chars_in: inserted.chars_in.into(),
            chars_out: inserted.chars_out.into(),
            error: None,
        },
        Err(error) => ReplayedResult {
            counted,
            treatment: None,
            chars_in: 0,
            chars_out: 0,
            error: Some(error.to_string()),
        },
    }
}

fn treatment(treatment: crate::Treatment) -> Treatment {
    match treatment {
        crate::Treatment::Full => Treatment::Full,
        crate::Treatment::Capped => Treatment::Capped,
        crate::Treatment::UnchangedRead => Treatment::UnchangedRead,
        crate::Treatment::SameResult => Treatment::SameResult,
        crate::Treatment::Failed => Treatment::Failed,
    }
}

fn line(context: &str, call: &ToolCall, inserted: &Inserted) -> String {
    let line = Line {
        context,
        id: &inserted.id,
        call: &call.id,
        treatment: inserted.treatment.name(),
        text: &inserted.text,
    };
    // Strings alone always have a JSON form.
    serde_json::to_string(&line)
        .map(|line| line + "\n")
        .unwrap_or_default()
}
