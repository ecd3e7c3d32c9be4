//! Calls that a recording has no result of, where a session may be compacted: that is only done where
//! all calls are answered.

use crate::conversation::{Answered, Part, Performed};
use crate::plan::{As, InsertResult, Outcome, Step};

/// The answer to a call without a result.
const NO_RESULT: &str = "[The result of this call is not in the recording.]";

/// The parts, with a failure for each call that a request would find open.
pub(crate) fn closed(parts: Vec<Part>) -> Vec<Part> {
    let mut open = Vec::new();
    let mut closed = Vec::new();
    for part in parts {
        match &part {
            // A message closes what is open.
            Part::Said(_) => open.clear(),
            Part::Result(result) => {
                open.retain(|call: &InsertResult| !result.ids.contains(&call.call))
            }
            Part::Reply(reply) => {
                let unanswered = std::mem::replace(&mut open, calls(reply));
                let unanswered = unanswered.into_iter().filter(|_| reply.recorded);
                closed.extend(unanswered.map(answer));
            }
        }
        closed.push(part);
    }
    closed
}

/// The calls of a reply that are open after it, with what they are answered if they stay so.
fn calls(reply: &Answered) -> Vec<InsertResult> {
    let calls = reply.calls.iter().filter(|_| !reply.incomplete);
    let calls = calls.flat_map(|call| {
        call.ids.iter().map(|id| InsertResult {
            counted: As::Failure,
            call: id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            outcome: Outcome::Failure(NO_RESULT.to_owned()),
        })
    });
    calls.collect()
}

fn answer(call: InsertResult) -> Part {
    Part::Result(Performed {
        steps: vec![Step::InsertResult(Box::new(call))],
        failed: true,
        ..Performed::default()
    })
}
