//! What providers report of a request's tokens, in their spellings (§10.6, docs/requests.md).

use serde_json::Value;

use crate::record::Usage;

/// Where a response, or the last piece of a stream, holds its usage.
const PLACES: [&str; 6] = [
    "/usage",
    "/usageMetadata",
    "/response/usage",
    "/message/usage",
    "/choices/0/usage",
    "/x_groq/usage",
];

/// The whole prompt, what was cached included.
const WHOLE: [&str; 3] = ["/prompt_tokens", "/promptTokenCount", "/prompt_eval_count"];

/// The prompt without what the cache had, where that is told beside it.
const REST: [&str; 2] = ["/input_tokens", "/inputTokens"];

/// What the cache had, where `REST` is told without it.
const APART: [&str; 2] = ["/cache_read_input_tokens", "/cacheReadInputTokens"];

/// What the cache had, where it is part of the prompt.
const PART: [&str; 6] = [
    "/prompt_tokens_details/cached_tokens",
    "/input_tokens_details/cached_tokens",
    "/prompt_cache_hit_tokens",
    "/cachedContentTokenCount",
    "/cached_tokens",
    "/num_cached_tokens",
];

/// What was written to the cache.
const WRITTEN: [&str; 3] = [
    "/cache_creation_input_tokens",
    "/cacheWriteInputTokens",
    "/prompt_tokens_details/cache_write_tokens",
];

const OUTPUT: [&str; 4] = [
    "/completion_tokens",
    "/output_tokens",
    "/outputTokens",
    "/eval_count",
];

/// Reads a usage object, or the response that holds it. None if there is no spelling that is known.
pub fn read(given: &Value) -> Option<Usage> {
    let timings = given.get("timings").and_then(llama);
    let mut places = PLACES.iter().filter_map(|place| given.pointer(place));
    let told = places.find(|told| told.is_object()).unwrap_or(given);
    match (spelled(told).or_else(|| llama(told)), timings) {
        (Some(usage), Some(timings)) => Some(Usage {
            cached: usage.cached.or(timings.cached),
            output: usage.output.or(timings.output),
            ..usage
        }),
        (usage, timings) => usage.or(timings),
    }
}

fn spelled(told: &Value) -> Option<Usage> {
    let (apart, part) = (first(told, &APART), first(told, &PART));
    let written = first(told, &WRITTEN).or_else(|| all_of(told.get("cache_creation")?));
    let whole = first(told, &WHOLE);
    let rest = first(told, &REST);
    let input = whole.or_else(|| match (apart, written) {
        (None, None) => rest,
        _ => Some(sum([rest?, apart.unwrap_or(0), written.unwrap_or(0)])),
    });
    Some(Usage {
        input: input?,
        cached: apart.or(part),
        written,
        output: first(told, &OUTPUT).or_else(|| gemini_output(told)),
    })
}

/// Gemini counts thoughts beside the answer.
fn gemini_output(told: &Value) -> Option<u32> {
    let counts = ["/candidatesTokenCount", "/thoughtsTokenCount"];
    let counts = counts.map(|count| number(told.pointer(count)));
    let some = counts.iter().any(Option::is_some);
    some.then(|| sum(counts.into_iter().flatten()))
}

fn llama(told: &Value) -> Option<Usage> {
    let cached = number(told.get("cache_n"));
    let read = number(told.get("prompt_n"))?;
    Some(Usage {
        input: sum([read, cached.unwrap_or(0)]),
        cached,
        written: None,
        output: number(told.get("predicted_n")),
    })
}

fn first(told: &Value, places: &[&str]) -> Option<u32> {
    let mut found = places
        .iter()
        .filter_map(|place| number(told.pointer(place)));
    found.next()
}

/// The sum of an object's numbers.
fn all_of(told: &Value) -> Option<u32> {
    let numbers = told
        .as_object()?
        .values()
        .filter_map(|value| number(Some(value)));
    Some(sum(numbers))
}

fn number(value: Option<&Value>) -> Option<u32> {
    value?.as_u64()?.try_into().ok()
}

fn sum(numbers: impl IntoIterator<Item = u32>) -> u32 {
    let numbers = numbers.into_iter();
    numbers.fold(0, |sum, number| sum.saturating_add(number))
}
