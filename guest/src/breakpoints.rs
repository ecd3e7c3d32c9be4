//! Breakpoints of the prompt cache that the caller set, as Anthropic counts them.

use std::ops::{Add, AddAssign};

use serde_json::{Map, Value};

use crate::conversation::{Item, ReplyItem};
use crate::json;
use crate::message::Part;
use crate::reply::Form;

const KEY: &str = "cache_control";

/// The breakpoints of some blocks, and of the blocks inside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// How many there are.
    pub count: usize,
    /// Whether one lasts less than an hour.
    pub short: bool,
    /// Whether one lasts an hour.
    pub long: bool,
}

impl Own {
    /// Those of a message.
    pub fn of(item: &Item) -> Self {
        match item {
            Item::User(user) => user.message.parts.iter().map(Self::of_part).sum(),
            // Most replies need not be looked at.
            Item::Reply(reply) if reply.given.contains(KEY) => Self::of_reply(reply, |_| true),
            Item::Reply(_) => Self::default(),
        }
    }

    /// Those of the blocks of a reply that are sent.
    pub fn of_reply(reply: &ReplyItem, is_sent: impl Fn(&Value) -> bool) -> Self {
        let Form::Anthropic(blocks) = &reply.reply.form else {
            return Self::default();
        };
        let sent = blocks.iter().filter(|block| is_sent(block));
        sent.filter_map(Value::as_object).map(Self::of_block).sum()
    }

    /// That of an object itself.
    pub fn of_object(object: &Map<String, Value>) -> Self {
        let Some(mark) = object.get(KEY).filter(|mark| !mark.is_null()) else {
            return Self::default();
        };
        let long = mark.get("ttl").and_then(Value::as_str) == Some("1h");
        Self {
            count: 1,
            short: !long,
            long,
        }
    }

    fn of_part(part: &Part) -> Self {
        match part {
            // Most blocks need not be read.
            Part::Block(block) if block.contains(KEY) => {
                json::object(block).map_or_else(|_| Self::default(), |block| Self::of_block(&block))
            }
            _ => Self::default(),
        }
    }

    fn of_block(block: &Map<String, Value>) -> Self {
        let inside = block.get("content").and_then(Value::as_array);
        let inside = inside.into_iter().flatten().filter_map(Value::as_object);
        inside.map(Self::of_object).sum::<Self>() + Self::of_object(block)
    }
}

impl Add for Own {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            short: self.short || other.short,
            long: self.long || other.long,
        }
    }
}

impl AddAssign for Own {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Own {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        each.fold(Self::default(), Add::add)
    }
}

/// The messages that have any, by their places from `first` on.
pub fn marked<'a>(first: usize, items: impl Iterator<Item = &'a Item>) -> Vec<(usize, Own)> {
    let own = items
        .enumerate()
        .map(|(at, item)| (first + at, Own::of(item)));
    own.filter(|(_, own)| own.count > 0).collect()
}

/// Whether a part names a breakpoint, so that it takes no other.
pub fn names_one(part: &Part) -> bool {
    let Part::Block(block) = part else {
        return false;
    };
    block.contains(KEY) && json::object(block).is_ok_and(|block| block.contains_key(KEY))
}
