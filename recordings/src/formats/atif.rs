//! ATIF trajectories (harbor, terminal-bench): one JSON object, or a line a step.

use serde_json::Value;

use crate::formats::generic::{SEARCHES, understand};
use crate::json::{arguments, list, text};
use crate::lines;
use crate::model::Recorded;
use crate::pairing::{Answer, Call, Of, Pairing};

/// Reads a trajectory.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut pairing = Pairing::default();
    for step in list(&value, "steps") {
        self::step(step, None, &mut pairing);
    }
    vec![session(pairing, Vec::new())]
}

/// Reads the variant with a line a step.
pub(crate) fn read_lines(content: &str) -> Vec<Recorded> {
    let mut pairing = Pairing::default();
    let faults = lines::read_lines(content, |line, value| {
        step(&value, Some(line), &mut pairing);
        true
    });
    vec![session(pairing, faults)]
}

fn session(pairing: Pairing, faults: Vec<crate::Reason>) -> Recorded {
    let contexts = vec!["main".to_owned()];
    let mut session = Recorded {
        searches: SEARCHES,
        contexts,
        ..Recorded::default()
    };
    session.about.skipped = faults;
    pairing.finish(&mut session, understand);
    session
}

fn step(step: &Value, line: Option<u32>, pairing: &mut Pairing) {
    let mut first = None;
    for call in list(step, "tool_calls") {
        let number = pairing.call(Call {
            id: text(call, "tool_call_id").map(str::to_owned),
            tool: text(call, "function_name").unwrap_or("unknown").to_owned(),
            arguments: arguments(call.get("arguments")),
            line,
            directory: None,
        });
        first.get_or_insert(number);
    }
    for result in step
        .get("observation")
        .map_or(&[][..], |observation| list(observation, "results"))
    {
        let id = text(result, "source_call_id").map(|id| Of::Id(id.to_owned()));
        // One result may stand for all calls of its step.
        let of = id
            .or_else(|| first.take().map(Of::Call))
            .unwrap_or_default();
        let content = result.get("content").unwrap_or(&Value::Null);
        let text = content_text(content);
        pairing.answer(Answer {
            of,
            text,
            line,
            ..Answer::default()
        });
    }
}

/// Text, parts, or an object: its `output`, or else its own JSON.
fn content_text(content: &Value) -> String {
    match content {
        Value::Object(_) => {
            text(content, "output").map_or_else(|| content.to_string(), str::to_owned)
        }
        other => crate::json::content_text(other),
    }
}
