//! What a body is written from.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::carrying::Carrying;
use super::head::Head;
use crate::breakpoints::{self, Own};
use crate::conversation::{Item, ReplyItem};
use crate::json::JsonStyle;
use crate::record::Dialect;
use crate::rules::{Reasoning, Rules};

/// Everything that decides a body's bytes, but for the results' texts.
#[derive(Debug)]
pub struct View<'a> {
    /// The provider's API.
    pub dialect: Dialect,
    /// Texts and settings.
    pub rules: &'a Rules,
    /// How JSON is written.
    pub style: &'a JsonStyle,
    /// The front; none where that of the previous body stands.
    pub head: Option<Head>,
    /// The messages.
    pub items: Items<'a>,
    /// How many of the first are as the session has them: all, but where a request for a summary leaves
    /// images out.
    pub as_sent: usize,
    /// Where the current turn begins.
    pub turn: usize,
    /// Which replies carry their reasoning.
    pub carrying: Carrying,
    /// Whether earlier turns' replies are their text only.
    pub chat: bool,
    /// The messages that have breakpoints of the prompt cache of the caller's, by their places.
    pub marked: Cow<'a, [(usize, Own)]>,
    /// How many breakpoints the session sets.
    pub breakpoints: usize,
    /// The number of the result that the first open call is about to get.
    pub closing: u32,
    /// Results that are shown otherwise than the previous body has them.
    pub shorter: &'a [u32],
    /// The caller's parameters, but for the model.
    pub parameters: &'a Map<String, Value>,
}

/// Messages: those of now, or those of the previous request, the end of which may have been taken back.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    /// The first ones.
    pub first: &'a [Item],
    /// What follows them.
    pub rest: &'a [Item],
}

impl<'a> Items<'a> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.first.len() + self.rest.len()
    }

    /// One of them.
    pub fn get(self, at: usize) -> Option<&'a Item> {
        match at.checked_sub(self.first.len()) {
            None => self.first.get(at),
            Some(at) => self.rest.get(at),
        }
    }

    /// The messages that have breakpoints of the prompt cache of the caller's, by their places.
    pub fn marked<'b>(self) -> Cow<'b, [(usize, Own)]> {
        breakpoints::marked(0, self.first.iter().chain(self.rest)).into()
    }

    /// Where reasoning is carried from, if a turn begins at `turn`. Anthropic asks for the thinking of
    /// a reply with calls until another reply has followed it.
    pub fn carried_from(self, turn: usize, dialect: Dialect, rules: &Reasoning) -> usize {
        let reply = |at: usize| {
            let reply = self.get(at).and_then(Item::as_reply);
            reply.filter(|reply| !reply.is_silent())
        };
        let before = (0..turn).rev().find(|at| reply(*at).is_some());
        let calls = |at: &usize| reply(*at).is_some_and(|reply| !reply.reply.calls.is_empty());
        let followed = !rules.throughout && (turn..self.len()).any(|at| reply(at).is_some());
        match before.filter(calls) {
            Some(at) if dialect == Dialect::AnthropicMessages && !followed => at,
            _ => turn,
        }
    }
}

impl View<'_> {
    /// Whether the reply at `at` is sent as its text alone.
    pub fn is_text_only(&self, at: usize) -> bool {
        self.chat && at < self.turn
    }

    /// Whether the reply at `at` carries its reasoning (§8).
    pub fn carries(&self, at: usize, reply: &ReplyItem) -> bool {
        self.carrying.carries(at, reply)
    }
}
