//! The message that asks for a summary, and the parameters that go with it (docs/compaction.md, "The
//! request for a summary").

use serde_json::{Map, Value};

use crate::budget::limits::MOST_TOKENS;
use crate::record::{Dialect, Stage};
use crate::request::Parameters;
use crate::rules::CompactionRules;

/// The message's text. Nothing is pasted into it: the model has the conversation, an earlier summary
/// included.
pub fn prompt(stage: Stage, steering: Option<&str>, rules: &CompactionRules) -> String {
    let text = match stage {
        Stage::Normal => &rules.prompt,
        Stage::Emergency | Stage::Shorten => &rules.emergency_prompt,
    };
    match steering.filter(|steering| !steering.trim().is_empty()) {
        None => text.to_owned(),
        Some(steering) => format!("{text}\n\n{}", rules.steering.fill(&[("text", steering)])),
    }
}

/// The caller's parameters for a request whose answer is a text of at most some tokens; 0 for no limit.
pub fn parameters(
    given: &Parameters,
    most: u32,
    dialect: Dialect,
    rules: &CompactionRules,
) -> Map<String, Value> {
    let mut parameters = given.rest.clone();
    parameters.retain(|name, value| !is_in_the_way(name, value, dialect));
    if most == 0 {
        return parameters;
    }
    let named: Vec<&str> = MOST_TOKENS
        .into_iter()
        .filter(|name| parameters.contains_key(*name))
        .collect();
    let name = match dialect {
        Dialect::OpenaiResponses => "max_output_tokens",
        Dialect::OpenaiChat if rules.counts_completion(given.name()) => "max_completion_tokens",
        Dialect::OpenaiChat | Dialect::AnthropicMessages => "max_tokens",
    };
    for name in if named.is_empty() { vec![name] } else { named } {
        parameters.insert(name.to_owned(), Value::from(most));
    }
    parameters
}

/// Whether a parameter demands something else than a text: a call, or JSON.
fn is_in_the_way(name: &str, value: &Value, dialect: Dialect) -> bool {
    let kind = |value: &Value, key: &str, free: &[&str]| {
        let kind = value.get(key).and_then(Value::as_str);
        kind.is_some_and(|kind| !free.contains(&kind))
    };
    match (dialect, name) {
        (Dialect::AnthropicMessages, "tool_choice") => kind(value, "type", &["auto", "none"]),
        (_, "tool_choice") => value.is_object() || value.as_str() == Some("required"),
        (Dialect::OpenaiChat, "response_format") => kind(value, "type", &["text"]),
        (Dialect::OpenaiResponses, "text") => value
            .get("format")
            .is_some_and(|format| kind(format, "type", &["text"])),
        _ => false,
    }
}

/// The tokens that a model may think: Anthropic counts them into what it writes.
pub fn thinking(given: &Map<String, Value>, dialect: Dialect) -> u32 {
    if dialect != Dialect::AnthropicMessages {
        return 0;
    }
    let thinking = given.get("thinking");
    let budget = thinking.and_then(|thinking| thinking.get("budget_tokens")?.as_u64());
    u32::try_from(budget.unwrap_or_default()).unwrap_or(u32::MAX)
}
