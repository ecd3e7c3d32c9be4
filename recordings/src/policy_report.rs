//! The policies in the report, side by side.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ReplayedSession;
use crate::policies::{PolicyCounts, PromptCounts};
use crate::share::percent;

/// Where Waybread stands among the policies: after the whole history.
const PLACE: usize = 1;

/// The requests of a session, or of all of them, under one policy; in characters of what a model
/// reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyReport {
    /// `full-history`, `waybread`, `prune-old-outputs`, `sliding-window` or `clear-tool-uses`.
    pub policy: String,
    /// The policy's numbers and texts.
    pub parameters: Map<String, Value>,
    /// How many requests.
    pub requests: u64,
    /// Characters of all of them: `kept` and `reread`.
    pub sent: u64,
    /// Those that a server which kept the request before has read already.
    pub kept: u64,
    /// Those that it has to read.
    pub reread: u64,
    /// Of these, those in messages that the request before had too: read again.
    pub again: u64,
    /// Requests that did not keep all of the request before.
    pub breaks: u64,
    /// `kept` in percent of `sent`, with one decimal.
    pub kept_percent: String,
}

/// A session's policies.
pub(crate) fn policies(session: &ReplayedSession) -> Vec<PolicyReport> {
    let mut all: Vec<PolicyReport> = session.policies.iter().map(PolicyReport::new).collect();
    let mut counts = PromptCounts::default();
    for context in &session.contexts {
        counts.add(&context.prompt.counts);
    }
    let waybread = PolicyCounts {
        policy: "waybread".to_owned(),
        parameters: parameters(),
        counts,
    };
    all.insert(PLACE.min(all.len()), PolicyReport::new(&waybread));
    all
}

/// What Waybread's sessions are opened with.
fn parameters() -> Map<String, Value> {
    match json!({"kind": "agent", "dialect": "openai-chat", "recall": true}) {
        Value::Object(parameters) => parameters,
        _ => Map::new(),
    }
}

/// Adds a session's policies to the sums.
pub(crate) fn add_policies(sums: &mut Vec<PolicyReport>, policies: &[PolicyReport]) {
    for policy in policies {
        match sums.iter_mut().find(|sum| sum.policy == policy.policy) {
            Some(sum) => sum.add(policy),
            None => sums.push(policy.clone()),
        }
    }
}

impl PolicyReport {
    fn new(policy: &PolicyCounts) -> Self {
        let counts = policy.counts;
        let mut report = Self {
            policy: policy.policy.clone(),
            parameters: policy.parameters.clone(),
            requests: counts.requests,
            sent: counts.sent,
            kept: counts.kept,
            reread: 0,
            again: counts.again,
            breaks: counts.breaks,
            kept_percent: String::new(),
        };
        report.finish();
        report
    }

    fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.sent = self.sent.saturating_add(other.sent);
        self.kept = self.kept.saturating_add(other.kept);
        self.again = self.again.saturating_add(other.again);
        self.breaks = self.breaks.saturating_add(other.breaks);
        self.finish();
    }

    fn finish(&mut self) {
        self.reread = self.sent.saturating_sub(self.kept);
        self.kept_percent = percent(i128::from(self.kept), self.sent);
    }
}
