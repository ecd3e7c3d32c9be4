//! The message that asks for a summary, and the parameters that go with it (docs/compaction.md, "The
//! request for a summary").

use serde_json::{Map, Value};

use crate::budget::limits::MOST_TOKENS;
use crate::record::{Dialect, Stage};
use crate::rules::CompactionRules;

/// The message's text. Nothing is pasted into it: the model has the conversation, an earlier summary
/// included.
pub fn prompt(stage: Stage, steering: Option<&str>, rules: &CompactionRules) -> String {
    let text = match stage {
        Stage::Normal => &rules.prompt,
        Stage::Emergency => &rules.emergency_prompt,
    };
    match steering.filter(|steering| !steering.trim().is_empty()) {
        None => text.to_owned(),
        Some(steering) => format!("{text}\n\n{}", rules.steering.fill(&[("text", steering)])),
    }
}

/// The caller's parameters with the summary's limit in them; 0 for no limit.
pub fn parameters(given: &Map<String, Value>, limit: u32, dialect: Dialect) -> Map<String, Value> {
    let mut parameters = given.clone();
    if limit == 0 {
        return parameters;
    }
    let most = Value::from(u64::from(limit) + thinking(given, dialect));
    let named: Vec<&str> = MOST_TOKENS
        .into_iter()
        .filter(|name| parameters.contains_key(*name))
        .collect();
    let name = match dialect {
        Dialect::OpenaiResponses => "max_output_tokens",
        Dialect::OpenaiChat | Dialect::AnthropicMessages => "max_tokens",
    };
    for name in if named.is_empty() { vec![name] } else { named } {
        parameters.insert(name.to_owned(), most.clone());
    }
    parameters
}

/// Anthropic counts what a model thinks into the limit.
fn thinking(given: &Map<String, Value>, dialect: Dialect) -> u64 {
    let budget = given
        .get("thinking")
        .and_then(|thinking| thinking.get("budget_tokens"));
    let budget = budget.and_then(Value::as_u64);
    budget
        .filter(|_| dialect == Dialect::AnthropicMessages)
        .unwrap_or(0)
}
