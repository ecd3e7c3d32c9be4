//! What providers report of a request's tokens, in their spellings (§10.6, docs/requests.md).

use serde_json::Value;

use crate::record::Usage;

/// Reads a usage object, or the response that holds it. None if there is no spelling that is known.
pub fn read(given: &Value) -> Option<Usage> {
    let timings = given.get("timings").and_then(llama);
    let inner = given.get("usage").or_else(|| given.get("usageMetadata"));
    let told = inner.filter(|inner| inner.is_object()).unwrap_or(given);
    let spelled = anthropic(told)
        .or_else(|| openai_chat(told))
        .or_else(|| openai_responses(told))
        .or_else(|| gemini(told))
        .or_else(|| llama(told));
    match (spelled, timings) {
        (Some(usage), Some(timings)) => Some(Usage {
            cached: usage.cached.or(timings.cached),
            output: usage.output.or(timings.output),
            ..usage
        }),
        (usage, timings) => usage.or(timings),
    }
}

/// The input is told without what the cache had.
fn anthropic(told: &Value) -> Option<Usage> {
    let cached = number(told, "/cache_read_input_tokens");
    let written = number(told, "/cache_creation_input_tokens");
    let rest = cached.or(written).and(number(told, "/input_tokens"))?;
    Some(Usage {
        input: sum(&[Some(rest), cached, written]),
        cached,
        written,
        output: number(told, "/output_tokens"),
    })
}

/// DeepSeek's spelling of what was cached is its own.
fn openai_chat(told: &Value) -> Option<Usage> {
    let cached = number(told, "/prompt_tokens_details/cached_tokens");
    Some(Usage {
        input: number(told, "/prompt_tokens")?,
        cached: cached.or_else(|| number(told, "/prompt_cache_hit_tokens")),
        written: None,
        output: number(told, "/completion_tokens"),
    })
}

fn openai_responses(told: &Value) -> Option<Usage> {
    Some(Usage {
        input: number(told, "/input_tokens")?,
        cached: number(told, "/input_tokens_details/cached_tokens"),
        written: None,
        output: number(told, "/output_tokens"),
    })
}

fn gemini(told: &Value) -> Option<Usage> {
    let output = ["/candidatesTokenCount", "/thoughtsTokenCount"].map(|name| number(told, name));
    Some(Usage {
        input: number(told, "/promptTokenCount")?,
        cached: number(told, "/cachedContentTokenCount"),
        written: None,
        output: output.iter().any(Option::is_some).then(|| sum(&output)),
    })
}

fn llama(told: &Value) -> Option<Usage> {
    let cached = number(told, "/cache_n");
    let read = number(told, "/prompt_n")?;
    Some(Usage {
        input: sum(&[Some(read), cached]),
        cached,
        written: None,
        output: number(told, "/predicted_n"),
    })
}

fn number(told: &Value, pointer: &str) -> Option<u32> {
    told.pointer(pointer)?.as_u64()?.try_into().ok()
}

fn sum(numbers: &[Option<u32>]) -> u32 {
    let some = numbers.iter().flatten();
    some.fold(0, |sum, number| sum.saturating_add(*number))
}
