//! Fields beside the prompt that can drop a provider's cache although the prompt is the same.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::piece::step;
use super::text::beginning;

/// A parameter that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Where it first differs: `thinking.budget_tokens`.
    pub path: String,
    /// Its value as JSON, cut if it is long; none where it was not there.
    pub previous: Option<String>,
    /// The same of the later request.
    pub next: Option<String>,
}

/// Sampling, limits, transport and bookkeeping: the model has read the prompt by then, or never
/// learns of them.
const HARMLESS: [&str; 47] = [
    "background",
    "betas",
    "cache_control",
    "client_metadata",
    "dry_multiplier",
    "extra_headers",
    "frequency_penalty",
    "id",
    "include",
    "include_reasoning",
    "inference_geo",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "max_tool_calls",
    "metadata",
    "min_p",
    "mirostat",
    "mirostat_eta",
    "mirostat_tau",
    "n",
    "n_predict",
    "prediction",
    "presence_penalty",
    "prompt_cache_retention",
    "repeat_penalty",
    "repetition_penalty",
    "return_progress",
    "safety_identifier",
    "samplers",
    "seed",
    "stop",
    "stop_sequences",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "timeout",
    "timings_per_token",
    "top_a",
    "top_k",
    "top_logprobs",
    "top_p",
    "typical_p",
    "usage",
];

/// Parameters with a schema, which goes to the model with its keys in their order.
const SCHEMAS: [&str; 4] = ["output_config", "output_format", "response_format", "text"];

/// The parameters that differ, by name.
pub(crate) fn changed(previous: &Value, next: &Value, dialect: Dialect) -> Vec<Parameter> {
    let (Value::Object(previous), Value::Object(next)) = (previous, next) else {
        return Vec::new();
    };
    let mut names: Vec<&String> = previous.keys().chain(next.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| {
        !HARMLESS.contains(&name.as_str()) && !dialect.prompt_keys().contains(&name.as_str())
    });
    let found = names.into_iter();
    found
        .filter_map(|name| first_difference(previous, next, name))
        .collect()
}

fn first_difference(
    previous: &Map<String, Value>,
    next: &Map<String, Value>,
    name: &str,
) -> Option<Parameter> {
    let mut path = step(name).trim_start_matches('.').to_owned();
    let (mut a, mut b) = (given(previous, name), given(next, name));
    let differ = |a: Option<&Value>, b: Option<&Value>| {
        let spelled = |value: Option<&Value>| value.map(Value::to_string);
        a != b || (SCHEMAS.contains(&name) && spelled(a) != spelled(b))
    };
    if !differ(a, b) {
        return None;
    }
    while let (Some(Value::Object(before)), Some(Value::Object(now))) = (a, b) {
        let mut keys: Vec<&String> = before.keys().chain(now.keys()).collect();
        keys.sort_unstable();
        // None where the keys stand in another order.
        let Some(key) = keys
            .into_iter()
            .find(|key| differ(given(before, key), given(now, key)))
        else {
            break;
        };
        path.push_str(&step(key));
        (a, b) = (given(before, key), given(now, key));
    }
    let shown = |value: &Value| beginning(&value.to_string());
    Some(Parameter {
        path,
        previous: a.map(shown),
        next: b.map(shown),
    })
}

/// A field; null is as good as none.
fn given<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    fields.get(key).filter(|value| !value.is_null())
}
