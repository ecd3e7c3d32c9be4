//! ATIF trajectories (harbor, terminal-bench): one JSON object, or a line a step.

use serde_json::Value;

use crate::formats::generic::{SEARCHES, understand};
use crate::formats::speech::{reply, spoken};
use crate::json::{arguments, list, text};
use crate::lines;
use crate::model::{Prompt, Recorded, Reply, Said, Sender};
use crate::pairing::{Answer, Call, Of, Pairing};

/// Reads a trajectory.
pub(crate) fn read(value: Value) -> Vec<Recorded> {
    let mut steps = Steps::default();
    steps.header(&value);
    for step in list(&value, "steps") {
        steps.step(step, None);
    }
    vec![steps.session(Vec::new())]
}

/// Reads the variant with a line a step.
pub(crate) fn read_lines(content: &str) -> Vec<Recorded> {
    let mut steps = Steps::default();
    let faults = lines::read_lines(content, |line, value| {
        steps.header(&value);
        steps.step(&value, Some(line));
        true
    });
    vec![steps.session(faults)]
}

#[derive(Default)]
struct Steps {
    prompt: Prompt,
    pairing: Pairing,
    /// Past the system prompt.
    begun: bool,
}

impl Steps {
    fn session(self, faults: Vec<crate::Reason>) -> Recorded {
        let mut session = Recorded {
            searches: SEARCHES,
            contexts: vec!["main".to_owned()],
            prompt: self.prompt,
            ..Recorded::default()
        };
        session.about.skipped = faults;
        self.pairing.finish(&mut session, understand);
        session
    }

    fn header(&mut self, value: &Value) {
        if let Some(agent) = value.get("agent") {
            self.prompt.add_tools(list(agent, "tool_definitions"));
        }
    }

    fn step(&mut self, step: &Value, line: Option<u32>) {
        let message = spoken(step.get("message").unwrap_or(&Value::Null));
        let said = |sender, text| Said {
            sender,
            text,
            ..Said::default()
        };
        match text(step, "source") {
            Some("system") if !self.begun => self.prompt.add_system(&message),
            Some("system") => self.pairing.said(said(Sender::Machine, message)),
            Some("user") => self.pairing.said(said(Sender::Person, message)),
            Some("agent") => self.pairing.reply(Reply {
                text: message,
                ..reply(step, 0)
            }),
            _ => {}
        }
        self.begun |= step.get("source").is_some();
        calls(step, line, &mut self.pairing);
    }
}

fn calls(step: &Value, line: Option<u32>, pairing: &mut Pairing) {
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
