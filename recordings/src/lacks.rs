//! What a recording does not hold of its requests.

use crate::model::{Event, Recorded, Sender};

const SYSTEM: &str = "the system prompt";
const TOOLS: &str = "the tools' definitions";
const REASONING: &str = "reasoning, or the model gave none";
const PERSON: &str = "what the person wrote";
const REPLIES: &str = "the replies";

/// The parts that are missing, in the order in which a model reads them.
pub(crate) fn lacks(recorded: &Recorded) -> Vec<String> {
    let prompt = &recorded.prompt;
    let any = |wanted: &dyn Fn(&Event) -> bool| recorded.events.iter().any(wanted);
    let person = any(&|event| matches!(event, Event::Said(said) if said.sender == Sender::Person));
    let replies = any(&|event| matches!(event, Event::Reply(_)));
    let reasoning =
        any(&|event| matches!(event, Event::Reply(reply) if !reply.reasoning.is_empty()));
    let parts = [
        (SYSTEM, prompt.system.is_some()),
        (TOOLS, !prompt.tools.is_empty()),
        (PERSON, person),
        (REPLIES, replies),
        (REASONING, reasoning),
    ];
    let missing = parts.into_iter().filter(|(_, there)| !there);
    missing.map(|(part, _)| part.to_owned()).collect()
}
