//! Plans, performed on the rules themselves, natively.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod given;
mod ports;
mod requests;

use waybread_guest as guest;
use waybread_recordings::{
    Context, Options, ReplayedContext, ReplayedFile, ReplayedSession, Session, Step, measure, plan,
};

use given::{insert_result, message, settings};
use ports::{Memory, Tree};
use requests::Requests;

/// Each of the recordings, by name and content, replayed. Nothing is refused.
pub fn replayed(recordings: Vec<(String, String)>, options: &Options) -> Vec<ReplayedFile> {
    let replay = |(name, content): (String, String)| {
        let plan = plan(&name, &content, options).expect(&name);
        let sessions = plan.sessions.iter();
        ReplayedFile {
            sessions: sessions.map(|it| session(&name, it)).collect(),
            file: name,
            format: Some(plan.format),
            error: None,
        }
    };
    recordings.into_iter().map(replay).collect()
}

fn session(name: &str, session: &Session) -> ReplayedSession {
    let contexts = session.contexts.iter();
    ReplayedSession {
        name: session.name.clone(),
        about: session.about.clone(),
        policies: session.policies.clone(),
        window: session.window.clone(),
        contexts: contexts.map(|context| perform(name, context)).collect(),
    }
}

/// One context of a plan.
pub fn perform(name: &str, context: &Context) -> ReplayedContext {
    let tree = Tree::default();
    let settings = settings(&context.settings);
    let mut session =
        guest::Session::open("s", &settings, Memory::default(), tree.clone()).expect(name);
    let mut results = Vec::new();
    let mut requests = Requests::new(name, context.stand_in.as_deref());
    for step in &context.steps {
        match step {
            Step::WriteFile { path, content } => tree.write(path, content),
            Step::DeleteFile { path } => tree.delete(path),
            Step::InsertResult(insert) => results.push(insert_result(name, insert, &mut session)),
            Step::AddMessage(given) => {
                let added = session.add_message(message(given)).expect(name);
                let mut calls = added.calls.iter();
                assert!(calls.all(|call| call.refused.is_none()), "{name}");
            }
            Step::BuildRequest => requests.step(&mut session),
        }
    }
    ReplayedContext {
        name: context.name.clone(),
        results,
        prompt: measure(&requests.built),
    }
}
