//! An insert by the native rules.

use std::time::{Duration, Instant};

use waybread_guest as rules;

use crate::inputs::{Case, Input};
use crate::native::{Session, hashed};

pub fn insert(session: &mut Session, case: &Case, round: usize) -> Duration {
    let id = format!("call-{round}");
    let call = rules::ToolCall {
        id,
        name: "bash".to_owned(),
        arguments: "{}".to_owned(),
    };
    let given = Given::of(&case.input);
    let start = Instant::now();
    session.insert_result(&call, given.outcome()).unwrap();
    start.elapsed()
}

/// What the caller has in hand when the clock starts.
enum Given {
    Output(String),
    Read,
    Edit { before: String, after: String },
}

impl Given {
    fn of(input: &Input) -> Self {
        match input {
            Input::Output(text) => Self::Output(text.clone()),
            Input::Read(_) => Self::Read,
            Input::Edit { before, after } => Self::Edit {
                before: before.clone(),
                after: after.clone(),
            },
        }
    }

    fn outcome(self) -> rules::Outcome {
        match self {
            Self::Output(text) => rules::Outcome::Output(text),
            Self::Read => rules::Outcome::Read(rules::ReadRequest {
                path: "file.ts".to_owned(),
                window: rules::LineWindow {
                    offset: None,
                    limit: None,
                },
                force: false,
            }),
            Self::Edit { before, after } => rules::Outcome::Changes(rules::ChangeSet {
                files: vec![rules::FileChange {
                    path: "file.txt".to_owned(),
                    before: Some(rules::Content::Text(before)),
                    after: Some(hashed(after.into_bytes())),
                }],
                note: None,
            }),
        }
    }
}
