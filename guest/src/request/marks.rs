//! Where the session's own breakpoints of the prompt cache stand (docs/requests.md, "Breakpoints of
//! the prompt cache").

use serde_json::{Value, json};

use super::head::Head;
use super::view::View;
use crate::breakpoints::{Own, names_one};
use crate::conversation::Item;
use crate::message::Part;
use crate::record::Dialect;
use crate::reply::is_reasoning_block;
use crate::rules::Requests;

/// The most breakpoints that the provider takes, whoever set them.
const MOST: usize = 4;

/// A breakpoint of the session's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It lasts as the settings say.
    AsSet,
    /// It lasts no longer than one that stands before it.
    Short,
}

impl Mark {
    /// As the provider reads it.
    pub fn value(self, rules: &Requests) -> Value {
        match self {
            Self::AsSet if !rules.cache_ttl.is_empty() => {
                json!({"type": "ephemeral", "ttl": rules.cache_ttl})
            }
            Self::AsSet | Self::Short => json!({"type": "ephemeral"}),
        }
    }
}

/// The breakpoints that the session sets in a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// That of the front.
    pub front: Option<Mark>,
    /// The messages that end with one, newest first.
    pub messages: Vec<(usize, Mark)>,
}

impl Marks {
    /// Those of the next body.
    pub fn new(view: &View<'_>, head: &Head) -> Self {
        if view.dialect != Dialect::AnthropicMessages || view.breakpoints == 0 {
            return Self::default();
        }
        let callers = Callers::new(view, head);
        let mut messages: Vec<(usize, Mark)> = newest(view, callers.in_users(view))
            .into_iter()
            .filter(|at| !callers.takes(view, *at))
            .filter_map(|at| Some((at, callers.behind(Some(at)).mark(view)?)))
            .collect();
        let room = MOST.saturating_sub(callers.count());
        let front = head.mark_at.and_then(|_| callers.behind(None).mark(view));
        let front = front.filter(|_| room > 0);
        messages.truncate(room.saturating_sub(usize::from(front.is_some())));
        Self { front, messages }
    }

    /// That of a message.
    pub fn at(&self, at: usize) -> Option<Mark> {
        let found = self.messages.iter().find(|(place, _)| *place == at);
        found.map(|(_, mark)| *mark)
    }
}

/// The caller's breakpoints, in the order of the body.
struct Callers {
    /// Of the tools up to the front's mark, and of those after it.
    tools: [Own; 2],
    messages: Vec<(usize, Own)>,
    /// On the body as a whole, which stands for its last block.
    whole: Own,
}

/// What of the caller's stands on the two sides of a place.
struct Around {
    before: Own,
    after: Own,
}

impl Around {
    /// The session's breakpoint in between: none of an hour follows one of less.
    fn mark(&self, view: &View<'_>) -> Option<Mark> {
        let hour = view.rules.requests.cache_ttl == "1h";
        let mark = match hour && self.before.short {
            true => Mark::Short,
            false => Mark::AsSet,
        };
        let lasts = hour && mark == Mark::AsSet;
        (lasts || !self.after.long).then_some(mark)
    }
}

impl Callers {
    fn new(view: &View<'_>, head: &Head) -> Self {
        let messages = view.marked.iter().filter_map(|(at, own)| {
            let own = match view.items.get(*at)? {
                Item::User(_) => *own,
                Item::Reply(_) if view.is_text_only(*at) => return None,
                Item::Reply(reply) => Own::of_reply(reply, |block| {
                    let reasoning = is_reasoning_block(block, &view.rules.reasoning);
                    view.carries(*at, reply) || !reasoning
                }),
            };
            Some((*at, own))
        });
        Self {
            tools: head.own,
            messages: messages.collect(),
            whole: Own::of_object(view.parameters),
        }
    }

    fn count(&self) -> usize {
        let messages = self.messages.iter().map(|(_, own)| *own);
        let all: Own = self.tools.into_iter().chain(messages).sum();
        (all + self.whole).count
    }

    fn in_users(&self, view: &View<'_>) -> usize {
        let user = |at: usize| matches!(view.items.get(at), Some(Item::User(_)));
        let users = self.messages.iter().filter(|(at, _)| user(*at));
        users.map(|(_, own)| own.count).sum()
    }

    /// Whether a message's last block has one, or is about to be given one by the provider.
    fn takes(&self, view: &View<'_>, at: usize) -> bool {
        let last = || (at + 1..view.items.len()).all(|at| matches!(ends(view, at), End::Nothing));
        if self.whole.count > 0 && last() {
            return true;
        }
        let Some(Item::User(user)) = view.items.get(at) else {
            return false;
        };
        let blank = |part: &&Part| matches!(part, Part::Text(text) if text.trim().is_empty());
        let last = user.message.parts.iter().rev().find(|part| !blank(part));
        user.message.note.is_none() && last.is_some_and(names_one)
    }

    /// What stands around the end of a message, or that of the front.
    fn behind(&self, message: Option<usize>) -> Around {
        let [ahead, behind] = self.tools;
        let (mut before, mut after) = (ahead, self.whole);
        match message {
            Some(_) => before += behind,
            None => after += behind,
        }
        for (at, own) in &self.messages {
            match message.is_some_and(|message| *at <= message) {
                true => before += *own,
                false => after += *own,
            }
        }
        Around { before, after }
    }
}

/// The newest messages of role `user`, by what they end with, but for so many of the caller's.
fn newest(view: &View<'_>, own: usize) -> Vec<usize> {
    let most = view.breakpoints.saturating_sub(own.saturating_add(1));
    let mut found = Vec::new();
    let mut in_message = false;
    for at in (0..view.items.len()).rev() {
        if found.len() >= most {
            break;
        }
        match ends(view, at) {
            End::User => {
                if !in_message {
                    found.push(at);
                }
                in_message = matches!(view.items.get(at), Some(Item::User(_)));
            }
            End::Assistant => in_message = false,
            End::Nothing => {}
        }
    }
    found
}

/// Whose the last block of a message is: results are a user's.
enum End {
    User,
    Assistant,
    Nothing,
}

fn ends(view: &View<'_>, at: usize) -> End {
    let Some(Item::Reply(reply)) = view.items.get(at) else {
        return End::User;
    };
    let text_only = view.is_text_only(at);
    let silent = if text_only {
        reply.reply.text.trim().is_empty() && !reply.incomplete
    } else {
        reply.is_silent()
    };
    match reply.results.is_empty() || text_only {
        false => End::User,
        true if silent => End::Nothing,
        true => End::Assistant,
    }
}
