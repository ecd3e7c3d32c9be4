//! The step `add-message`.

use serde::Deserialize;
use serde_json::Value;
use waybread::{Delivery, Message, Part, Reply, Sender, UserMessage};

use crate::text::{Text, verbatim};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AddMessage {
    user: Option<UserFields>,
    reply: Option<ReplyFields>,
    wrap_up: Option<bool>,
}

impl AddMessage {
    /// The one message.
    pub fn message(self) -> Result<Message, String> {
        match (self.user, self.reply, self.wrap_up) {
            (Some(user), None, None) => Ok(user.build().into()),
            (None, Some(reply), None) => Ok(reply.build().into()),
            (None, None, Some(true)) => Ok(Message::WrapUp),
            _ => Err("exactly one of `user`, `reply` and `wrap-up: true` is given".to_owned()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UserFields {
    #[serde(default)]
    text: Text,
    #[serde(default)]
    sender: SenderName,
    #[serde(default)]
    delivery: DeliveryName,
    #[serde(default)]
    parts: Vec<PartFields>,
    date: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SenderName {
    #[default]
    Person,
    Machine,
    Subagent,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DeliveryName {
    #[default]
    StartsTurn,
    StepBoundary,
}

impl UserFields {
    fn build(self) -> UserMessage {
        let sender = match self.sender {
            SenderName::Person => Sender::Person,
            SenderName::Machine => Sender::Machine,
            SenderName::Subagent => Sender::Subagent,
        };
        let mut message = UserMessage::new(sender, self.text.0);
        message.delivery = match self.delivery {
            DeliveryName::StartsTurn => Delivery::StartsTurn,
            DeliveryName::StepBoundary => Delivery::StepBoundary,
        };
        message.parts = self.parts.into_iter().map(PartFields::build).collect();
        message.date = self.date;
        message
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PartFields {
    Text(Text),
    Image(ImageFields),
    ImageUrl(String),
    Block(Value),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ImageFields {
    media_type: String,
    base64: String,
}

impl PartFields {
    fn build(self) -> Part {
        match self {
            Self::Text(text) => Part::Text(text.0),
            Self::Image(ImageFields { media_type, base64 }) => Part::Image { media_type, base64 },
            Self::ImageUrl(url) => Part::ImageUrl(url),
            Self::Block(block) => Part::Block(verbatim(&block)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyFields {
    json: Value,
    #[serde(default)]
    incomplete: bool,
}

impl ReplyFields {
    fn build(self) -> Reply {
        Reply::new(verbatim(&self.json)).incomplete(self.incomplete)
    }
}
