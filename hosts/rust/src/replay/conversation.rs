//! What a plan's session begins with, and its messages, in this host's types.

use waybread_recordings::{Delivery, Message, PromptSource, Sender, Settings, Tool};

use crate::{Dialect, Kind, PromptPart, Reply, UserMessage};

pub(super) fn settings(given: &Settings) -> crate::Settings {
    let kind = match given.kind.as_str() {
        "chat" => Kind::Chat,
        _ => Kind::Agent,
    };
    let mut settings = crate::Settings::new(kind, &given.root)
        .dialect(Dialect::named(&given.dialect))
        .overrides(given.overrides.to_string())
        .tools(given.tools.iter().map(tool))
        .recall(given.recall);
    settings.home.clone_from(&given.home);
    settings.prompt.sources = given.prompt.sources.iter().map(source).collect();
    settings
}

fn source(source: &PromptSource) -> crate::PromptSource {
    let part = match source.part.as_str() {
        "preamble" => PromptPart::Preamble,
        "project-instructions" => PromptPart::ProjectInstructions,
        "phase-prompt" => PromptPart::PhasePrompt,
        _ => PromptPart::GlobalInstructions,
    };
    crate::PromptSource::new(part, &source.name, &source.text)
}

fn tool(tool: &Tool) -> crate::Tool {
    crate::Tool::new(&tool.name, &tool.description).parameters(&tool.parameters)
}

pub(super) fn message(message: Message) -> crate::Message {
    match message {
        Message::Reply(reply) => Reply::new(reply.json).incomplete(reply.incomplete).into(),
        Message::User(said) => {
            let sender = match said.sender {
                Sender::Person => crate::Sender::Person,
                Sender::Machine => crate::Sender::Machine,
            };
            let message = UserMessage::new(sender, said.text);
            match said.delivery {
                Delivery::StartsTurn => message.into(),
                Delivery::StepBoundary => message.step_boundary().into(),
            }
        }
    }
}
