//! Which replies carry their reasoning (§8; docs/requests.md, "Reasoning").

use crate::conversation::ReplyItem;
use crate::rules::{ByModel, CarryEarlier};

/// How a request carries reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrying {
    /// From which message on every reply does.
    pub from: usize,
    /// Which do before it, and what else the model asks for.
    pub by: ByModel,
    /// From which message on none does that was made behind something else, where the model looks for
    /// that. Replies of which it is known are marked.
    pub unbound: usize,
}

impl Carrying {
    /// Whether the reply at `at` carries its reasoning.
    pub fn carries(self, at: usize, reply: &ReplyItem) -> bool {
        let left_out = self.by.binds && (at >= self.unbound || reply.unbound);
        !left_out && (at >= self.from || self.carries_later(reply))
    }

    /// Whether a reply carries its reasoning after its turn.
    pub fn carries_later(self, reply: &ReplyItem) -> bool {
        match self.by.earlier {
            CarryEarlier::All => true,
            CarryEarlier::ToolCalls => !reply.reply.calls.is_empty(),
            CarryEarlier::None => false,
        }
    }
}
