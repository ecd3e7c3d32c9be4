//! What the prompt puts in front of a request's messages, and the blocks that it is made of.

use super::{Made, Zone};
use crate::record::Dialect;

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

/// The messages in front, in their order. A dialect with one system prompt has it before them.
#[must_use]
pub fn messages(made: &Made, dialect: Dialect) -> Vec<FrontText<'_>> {
    let apart = dialect != Dialect::OpenaiChat && !made.system.is_empty();
    let system = apart.then(|| FrontText {
        role: Zone::System.role(),
        text: &made.system,
    });
    let front = made.front.iter().map(|message| FrontText {
        role: message.zone.role(),
        text: &message.text,
    });
    system.into_iter().chain(front).collect()
}

/// The blocks that these are made of, in their order, without those of which nothing is left.
#[must_use]
pub fn blocks(made: &Made, dialect: Dialect) -> Vec<FrontBlock<'_>> {
    let messages = messages(made, dialect);
    // How far each message is taken apart.
    let mut taken: Vec<usize> = vec![0; messages.len()];
    let mut at = 0;
    let mut blocks = Vec::new();
    for block in made.blocks.iter().filter(|block| block.bytes > 0) {
        let role = block.zone.role();
        let here = |at: &usize| {
            messages
                .get(*at)
                .is_some_and(|message| message.role == role)
        };
        // With one system prompt the zones take turns; otherwise the messages follow one another.
        let next = match dialect {
            Dialect::OpenaiChat => (at..messages.len()).find(here),
            _ => (0..messages.len()).find(here),
        };
        let Some((message, end)) = next.and_then(|next| {
            at = next;
            Some((messages.get(next)?, taken.get_mut(next)?))
        }) else {
            continue;
        };
        let separator = match *end {
            0 => 0,
            _ => block.zone.separator().len(),
        };
        let start = *end + separator;
        *end = start + block.bytes as usize;
        blocks.push(FrontBlock {
            user: block.zone == Zone::User,
            name: &block.name,
            text: message.text.get(start..*end).unwrap_or_default(),
        });
    }
    blocks
}
