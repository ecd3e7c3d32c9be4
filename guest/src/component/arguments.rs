//! What the contract's callers give, as the rules take it.

use super::bindings::exports::waybread::context::context as exported;
use super::bindings::waybread::context::filesystem;
use crate as rules;

impl From<exported::Settings> for rules::Settings {
    fn from(settings: exported::Settings) -> Self {
        Self {
            kind: settings.kind.into(),
            dialect: settings.dialect.map(Into::into),
            root: settings.root,
            home: settings.home,
            overrides: settings.overrides,
            start: settings.start,
            prompt: settings.prompt.into(),
            assembly: settings.assembly.into(),
            tools: settings.tools.into_iter().map(Into::into).collect(),
            recall: settings.recall,
            vision: settings.vision,
            only_tools: settings.only_tools,
            without_tools: settings.without_tools,
            conditions: settings.conditions,
        }
    }
}

impl From<exported::ToolCall> for rules::ToolCall {
    fn from(call: exported::ToolCall) -> Self {
        Self {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
        }
    }
}

impl From<exported::Outcome> for rules::Outcome {
    fn from(outcome: exported::Outcome) -> Self {
        match outcome {
            exported::Outcome::Read(read) => Self::Read(rules::ReadRequest {
                path: read.path,
                window: rules::LineWindow {
                    offset: read.offset,
                    limit: read.limit,
                },
                force: read.force,
            }),
            exported::Outcome::Changes(set) => Self::Changes(rules::ChangeSet {
                files: set.files.into_iter().map(Into::into).collect(),
                note: set.note,
            }),
            exported::Outcome::Output(text) => Self::Output(text),
            exported::Outcome::Failure(message) => Self::Failure(message),
            exported::Outcome::Delegated(delegated) => Self::Delegated {
                key: delegated.key,
                text: delegated.text,
            },
        }
    }
}

impl From<exported::FileChange> for rules::FileChange {
    fn from(change: exported::FileChange) -> Self {
        Self {
            path: change.path,
            before: change.before.map(Into::into),
            after: change.after.map(Into::into),
        }
    }
}

impl From<filesystem::Content> for rules::Content {
    fn from(content: filesystem::Content) -> Self {
        match content {
            filesystem::Content::Text(text) => Self::Text(text),
            filesystem::Content::Binary(bytes) => Self::Binary(bytes),
        }
    }
}

impl From<filesystem::HashedContent> for rules::HashedContent {
    fn from(hashed: filesystem::HashedContent) -> Self {
        Self {
            content: hashed.content.into(),
            sha256: hashed.sha256,
        }
    }
}

impl From<exported::Kind> for rules::Kind {
    fn from(kind: exported::Kind) -> Self {
        match kind {
            exported::Kind::Agent => Self::Agent,
            exported::Kind::Chat => Self::Chat,
        }
    }
}

impl From<exported::Dialect> for rules::Dialect {
    fn from(dialect: exported::Dialect) -> Self {
        match dialect {
            exported::Dialect::OpenaiChat => Self::OpenaiChat,
            exported::Dialect::AnthropicMessages => Self::AnthropicMessages,
            exported::Dialect::OpenaiResponses => Self::OpenaiResponses,
        }
    }
}

impl From<exported::Prompt> for rules::Prompt {
    fn from(prompt: exported::Prompt) -> Self {
        Self {
            sources: prompt.sources.into_iter().map(Into::into).collect(),
            told: prompt.told.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<exported::PromptSource> for rules::PromptSource {
    fn from(source: exported::PromptSource) -> Self {
        Self {
            part: source.part.into(),
            name: source.name,
            text: source.text,
        }
    }
}

impl From<exported::Change> for rules::Change {
    fn from(change: exported::Change) -> Self {
        use exported::ChangeKind;
        Self {
            kind: match change.kind {
                ChangeKind::Mode => rules::ChangeKind::Mode,
                ChangeKind::Plan => rules::ChangeKind::Plan,
                ChangeKind::Memory => rules::ChangeKind::Memory,
                ChangeKind::Instructions => rules::ChangeKind::Instructions,
                ChangeKind::Personality => rules::ChangeKind::Personality,
                ChangeKind::McpInstructions => rules::ChangeKind::McpInstructions,
            },
            name: change.name,
            text: change.text,
        }
    }
}

impl From<exported::Tool> for rules::Tool {
    fn from(tool: exported::Tool) -> Self {
        Self {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
            definition: tool.definition,
            requires: tool.requires,
            unavailable: tool.unavailable,
            kinds: tool.kinds.into_iter().map(Into::into).collect(),
            vision: tool.vision,
        }
    }
}

impl From<exported::Message> for rules::Message {
    fn from(message: exported::Message) -> Self {
        match message {
            exported::Message::User(user) => Self::User(user.into()),
            exported::Message::Reply(reply) => Self::Reply {
                json: reply.json,
                incomplete: reply.incomplete,
            },
            exported::Message::WrapUp => Self::WrapUp,
        }
    }
}

impl From<exported::UserMessage> for rules::UserMessage {
    fn from(message: exported::UserMessage) -> Self {
        Self {
            sender: match message.sender {
                exported::Sender::Person => rules::Sender::Person,
                exported::Sender::Machine => rules::Sender::Machine,
                exported::Sender::Subagent => rules::Sender::Subagent,
            },
            starts_turn: message.delivery == exported::Delivery::StartsTurn,
            text: message.text,
            parts: message.parts.into_iter().map(Into::into).collect(),
            date: message.date,
        }
    }
}

impl From<exported::Part> for rules::Part {
    fn from(part: exported::Part) -> Self {
        match part {
            exported::Part::Text(text) => Self::Text(text),
            exported::Part::Image(image) => Self::Image(rules::Image {
                media_type: image.media_type,
                base64: image.base64,
            }),
            exported::Part::ImageUrl(url) => Self::ImageUrl(url),
            exported::Part::Block(block) => Self::Block(block),
        }
    }
}
