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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{Called, Spoken};
    use crate::model::Sender;

    fn reply(ids: &[&str]) -> Part {
        let called = |id: &&str| Called {
            ids: vec![(*id).to_owned()],
            tool: "ls".to_owned(),
            arguments: "{}".to_owned(),
        };
        Part::Reply(Answered {
            recorded: true,
            text: String::new(),
            reasoning: String::new(),
            incomplete: false,
            calls: ids.iter().map(called).collect(),
        })
    }

    fn result(id: &str) -> Part {
        Part::Result(Performed {
            ids: vec![id.to_owned()],
            ..Performed::default()
        })
    }

    fn said() -> Part {
        Part::Said(Spoken {
            sender: Sender::Person,
            starts_turn: true,
            text: "Go on.".to_owned(),
        })
    }

    /// The calls that are answered, each with its place among the parts.
    fn answered(parts: Vec<Part>) -> Vec<(usize, String)> {
        let parts = closed(parts).into_iter().enumerate();
        let steps = parts.flat_map(|(at, part)| match part {
            Part::Result(result) => result.steps.into_iter().map(|step| (at, step)).collect(),
            _ => Vec::new(),
        });
        let calls = steps.map(|(at, step)| match step {
            Step::InsertResult(insert) => (at, insert.call),
            other => panic!("{other:?}"),
        });
        calls.collect()
    }

    #[test]
    fn only_a_call_that_a_request_finds_open_is_answered() {
        let parts = vec![
            said(),
            reply(&["a", "b", "c"]),
            result("b"),
            reply(&["d"]),
            said(),
        ];
        let expected = [(3, "a".to_owned()), (4, "c".to_owned())];
        assert_eq!(answered(parts), expected);
    }

    #[test]
    fn a_message_closes_what_is_open_and_calls_that_were_broken_off_are_not() {
        let mut incomplete = reply(&["a"]);
        if let Part::Reply(reply) = &mut incomplete {
            reply.incomplete = true;
        }
        assert_eq!(answered(vec![said(), incomplete, reply(&[])]), []);
        assert_eq!(
            answered(vec![said(), reply(&["a"]), said(), reply(&[])]),
            []
        );
    }

    #[test]
    fn no_request_goes_before_a_reply_that_is_not_recorded() {
        let mut made_up = reply(&["b"]);
        if let Part::Reply(reply) = &mut made_up {
            reply.recorded = false;
        }
        assert_eq!(answered(vec![said(), reply(&["a"]), made_up]), []);
    }
}
