//! What the prompt puts in front of a request's messages.

use crate::state::Talk;

/// A message in front.
#[derive(Clone, Copy, Debug)]
pub struct FrontText<'a> {
    /// `system` or `user`.
    pub role: &'static str,
    pub text: &'a str,
}

/// A block of the prompt.
#[derive(Clone, Copy, Debug)]
pub struct FrontBlock<'a> {
    /// Whether it is in the user zone.
    pub user: bool,
    pub name: &'a str,
    pub text: &'a str,
}

/// The messages in front, in their order. `system` is the system prompt.
pub fn messages<'a>(_talk: &'a Talk, system: &'a str) -> Vec<FrontText<'a>> {
    let one = FrontText {
        role: "system",
        text: system,
    };
    Some(one)
        .filter(|one| !one.text.is_empty())
        .into_iter()
        .collect()
}

/// The blocks that these are made of, in their order.
pub fn blocks<'a>(talk: &'a Talk, system: &'a str) -> Vec<FrontBlock<'a>> {
    let messages = messages(talk, system).into_iter();
    let blocks = messages.map(|message| FrontBlock {
        user: message.role == "user",
        name: "",
        text: message.text,
    });
    blocks.collect()
}
