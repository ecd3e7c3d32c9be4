//! What the requests of a recorded conversation are under each of the policies that people use, and
//! how much of each request a server that kept the one before has read already. The policies are
//! described in `docs/replay.md`, with where their numbers come from.
//!
//! All is counted in characters (Unicode scalar values) of what a model reads, as [`text`] spells it.

mod body;
mod built;
mod clear;
mod costs;
mod full;
mod history;
mod measure;
mod meter;
mod prune;
mod text;
mod window;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::conversation::Part;
use crate::model::Prompt;

pub use built::{BuiltRequest, RequestPressure, SummaryRequest, TriedCompaction};
pub use measure::{ReplayedPrompt, measure};
pub use meter::PromptCounts;

use clear::Clear;
use full::Full;
use history::History;
use meter::Meter;
use prune::Prune;
use text::Text;
use window::Window;

/// A session's requests under a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyCounts {
    /// The policy's name: `full-history`, `prune-old-outputs`, `sliding-window`, `clear-tool-uses`.
    pub policy: String,
    /// The policy's numbers and texts.
    pub parameters: Map<String, Value>,
    /// Over all contexts of the session.
    pub counts: PromptCounts,
}

/// A way to make requests of a conversation.
trait Policy {
    fn name(&self) -> &'static str;

    /// What the report shows of the policy: an object.
    fn parameters(&self) -> Value;

    /// A turn is over: the next message starts another.
    fn turn_ended(&mut self, _history: &History) {}

    /// What the next request holds, in order.
    fn request(&mut self, history: &History) -> Vec<Text>;
}

fn all() -> [Box<dyn Policy>; 4] {
    [
        Box::new(Full),
        Box::new(Prune::default()),
        Box::new(Window::default()),
        Box::new(Clear::default()),
    ]
}

/// The policies, over the contexts of a session.
#[derive(Default)]
pub(crate) struct Policies {
    counts: Vec<PolicyCounts>,
}

impl Policies {
    /// Makes the requests of one context. Its first is sent in full: a compaction, which began it, is
    /// no policy's doing.
    pub(crate) fn context(&mut self, prompt: &Prompt, parts: &[Part]) {
        let counts = all().map(|policy| count(policy, prompt, parts));
        if self.counts.is_empty() {
            self.counts = counts.into();
            return;
        }
        for (sum, counts) in self.counts.iter_mut().zip(counts) {
            sum.counts.add(&counts.counts);
        }
    }

    /// The sums. Empty for a session without contexts.
    pub(crate) fn counts(self) -> Vec<PolicyCounts> {
        self.counts
    }
}

fn count(mut policy: Box<dyn Policy>, prompt: &Prompt, parts: &[Part]) -> PolicyCounts {
    let mut history = History::new(prompt);
    let mut meter = Meter::default();
    for part in parts {
        match part {
            Part::Said(said) if said.starts_turn => policy.turn_ended(&history),
            Part::Reply(reply) if reply.recorded => meter.request(policy.request(&history)),
            _ => {}
        }
        history.add(part);
    }
    PolicyCounts {
        policy: policy.name().to_owned(),
        parameters: match policy.parameters() {
            Value::Object(parameters) => parameters,
            _ => Map::new(),
        },
        counts: meter.counts,
    }
}
