//! What a harness adds to a conversation. `wit/context.wit` explains each field.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json;

/// Who speaks in a message that is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sender {
    /// The person.
    Person,
    /// A job, a team, the harness.
    Machine,
    /// A subagent's result.
    Subagent,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Image {
    pub media_type: String,
    pub base64: String,
}

/// A part of a message beside its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// More text.
    Text(String),
    /// An image that is sent along.
    Image(Image),
    /// An image that the provider fetches.
    ImageUrl(String),
    /// A content block in the dialect's JSON.
    Block(String),
}

/// The types of an image's block, in any dialect.
const IMAGE_BLOCKS: [&str; 3] = ["image", "image_url", "input_image"];

impl Part {
    /// A block in the dialect's own JSON, which was checked when it was given.
    pub fn carried(block: &str) -> Value {
        json::value(block).unwrap_or_default()
    }

    /// Whether it is an image, also one in the dialect's own JSON.
    pub fn is_image(&self) -> bool {
        match self {
            Self::Image(_) | Self::ImageUrl(_) => true,
            Self::Text(_) => false,
            Self::Block(block) => {
                let block = Self::carried(block);
                let kind = block.get("type").and_then(Value::as_str);
                kind.is_some_and(|kind| IMAGE_BLOCKS.contains(&kind))
            }
        }
    }
}

/// A message to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct UserMessage {
    pub sender: Sender,
    pub starts_turn: bool,
    pub text: String,
    pub parts: Vec<Part>,
    pub date: Option<String>,
}

/// What is added to the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// To the model.
    User(UserMessage),
    /// From the model: JSON as the provider gave it.
    Reply {
        /// The response, or of it the message, blocks or items.
        json: String,
        /// From a stream that broke off.
        incomplete: bool,
    },
    /// The harness's message that asks for a last answer without tools.
    WrapUp,
}
