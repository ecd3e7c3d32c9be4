//! A context's events in an order in which a session can take them: each reply's results follow it,
//! and what was said meanwhile follows those.

use crate::model::{Place, Reply, Said, Sender};
use crate::plan::Step;

/// What stands in for what a recording does not begin with: a reply answers something.
pub(crate) const BEFORE: &str = "[What came before is not in the recording.]";

/// An event of a context, whose results are at some stage of their planning.
#[derive(Debug)]
pub(crate) enum Item<R> {
    Said(Said),
    Reply(Reply),
    Result(R),
}

/// What a host does for one recorded result.
#[derive(Debug, Default)]
pub(crate) struct Performed {
    /// The number of the call, if it is recorded.
    pub(crate) number: Option<usize>,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    /// A call's id for each `insert-result`: a call that read several files is several.
    pub(crate) ids: Vec<String>,
    pub(crate) steps: Vec<Step>,
    /// What the model was given.
    pub(crate) recorded: String,
    pub(crate) failed: bool,
}

/// A part of the arranged conversation.
#[derive(Debug)]
pub(crate) enum Part {
    Said(Spoken),
    Reply(Answered),
    Result(Performed),
}

/// A message whose place is decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub(crate) sender: Sender,
    pub(crate) starts_turn: bool,
    pub(crate) text: String,
}

/// A reply with the calls that it can have: no result of them stands before it or after the next
/// reply.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The recording holds it, so a request went before it.
    pub(crate) recorded: bool,
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) incomplete: bool,
    pub(crate) calls: Vec<Called>,
}

/// A call of an arranged reply.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Called {
    /// At least one; see [`Performed::ids`].
    pub(crate) ids: Vec<String>,
    pub(crate) tool: String,
    pub(crate) arguments: String,
}

/// Arranges the events of one context.
pub(crate) fn arrange(items: Vec<Item<Performed>>) -> Vec<Part> {
    let mut course = Course::default();
    for window in windows(items) {
        for said in window.before {
            course.said(said);
        }
        let recorded = window.reply.is_some();
        if recorded || !window.results.is_empty() {
            let reply = window.reply.unwrap_or_default();
            course.reply(reply, recorded, &window.results);
        }
        course
            .parts
            .extend(window.results.into_iter().map(Part::Result));
        for said in window.after {
            course.said(said);
        }
    }
    course.parts
}

/// A reply, and all up to the next. The first has none.
#[derive(Default)]
struct Window {
    /// What stands before the results of a window without a reply.
    before: Vec<Said>,
    reply: Option<Reply>,
    results: Vec<Performed>,
    after: Vec<Said>,
}

fn windows(items: Vec<Item<Performed>>) -> Vec<Window> {
    let mut done = Vec::new();
    let mut window = Window::default();
    for item in items {
        match item {
            Item::Said(said) if window.reply.is_none() && window.results.is_empty() => {
                window.before.push(said);
            }
            Item::Said(said) => window.after.push(said),
            Item::Result(result) => window.results.push(result),
            Item::Reply(reply) => {
                done.push(std::mem::take(&mut window));
                window.reply = Some(reply);
            }
        }
    }
    done.push(window);
    done
}

#[derive(Default)]
struct Course {
    parts: Vec<Part>,
    /// The last reply had calls: the turn goes on.
    running: bool,
}

impl Course {
    fn said(&mut self, said: Said) {
        let starts_turn = match said.place {
            _ if self.parts.is_empty() => true,
            Place::StartsTurn => true,
            Place::StepBoundary | Place::EndsTurn => false,
            Place::Untold => !self.running,
        };
        self.running &= !starts_turn && said.place != Place::EndsTurn;
        self.parts.push(Part::Said(Spoken {
            sender: said.sender,
            starts_turn,
            text: said.text,
        }));
    }

    fn reply(&mut self, reply: Reply, recorded: bool, results: &[Performed]) {
        if self.parts.is_empty() {
            self.said(Said {
                sender: Sender::Machine,
                text: BEFORE.to_owned(),
                ..Said::default()
            });
        }
        let calls = calls(&reply, results);
        // Where calls were run, the reply had come to its end.
        let incomplete = reply.incomplete && results.is_empty();
        self.running = !calls.is_empty() && !incomplete;
        self.parts.push(Part::Reply(Answered {
            recorded,
            text: reply.text,
            reasoning: reply.reasoning,
            incomplete,
            calls,
        }));
    }
}

/// The reply's calls that have a result here or none anywhere, and one for each result of another
/// call.
fn calls(reply: &Reply, results: &[Performed]) -> Vec<Called> {
    let ids = |number: Option<usize>| {
        let of_call = results.iter().filter(move |result| result.number == number);
        of_call.flat_map(|result| &result.ids).cloned()
    };
    let mut calls = Vec::new();
    for call in &reply.calls {
        let mut ids: Vec<String> = ids(Some(call.number)).collect();
        if ids.is_empty() && !call.answered {
            ids.push(call.id.clone());
        }
        if !ids.is_empty() {
            calls.push(Called {
                ids,
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
            });
        }
    }
    let own = |result: &&Performed| {
        let mut numbers = reply.calls.iter().map(|call| Some(call.number));
        !numbers.any(|number| number == result.number)
    };
    calls.extend(results.iter().filter(own).map(|result| Called {
        ids: result.ids.clone(),
        tool: result.tool.clone(),
        arguments: result.arguments.clone(),
    }));
    calls
}
