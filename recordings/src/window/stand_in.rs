//! What a session is compacted with in place of a model's summary.

use serde_json::json;

use crate::conversation::{BEFORE, Part};

use super::{CHARACTERS, Window};

/// What a summary begins with that the recording does not hold.
const MADE: &str = "A stand-in for a summary, made of what was said:";

/// The reply to a request for a summary of the context whose parts are `parts`, a response of
/// OpenAI's chat completions. `next` is the context that a recorded compaction of it began.
pub(crate) fn stand_in(window: &Window, parts: &[Part], next: &[Part]) -> String {
    let longest = window.longest_summary();
    let text = match recorded(next) {
        Some(summary) => cut(summary.chars(), longest),
        None => made(parts, window.summary_tokens.min(longest)),
    };
    json!({"choices": [{
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop"
    }]})
    .to_string()
}

/// The summary that a harness let its next context begin with. It may stand among messages that were
/// kept, and formats differ in whose it is.
fn recorded(next: &[Part]) -> Option<&str> {
    let said = next.iter().map_while(|part| match part {
        Part::Said(said) => Some(said.text.as_str()),
        _ => None,
    });
    let said = said.filter(|text| *text != BEFORE);
    said.max_by_key(|text| text.len())
}

/// What was said, in order, as often as it takes.
fn made(parts: &[Part], tokens: u32) -> String {
    let said: Vec<&str> = parts.iter().filter_map(words).collect();
    let lines = std::iter::once(MADE).chain(said.iter().copied().cycle());
    cut(lines.flat_map(|line| line.chars().chain(['\n'])), tokens)
}

/// What a message or reply says; none for a result or where nothing is said.
fn words(part: &Part) -> Option<&str> {
    let text = match part {
        Part::Said(said) => &said.text,
        Part::Reply(reply) => &reply.text,
        Part::Result(_) => return None,
    };
    Some(text.as_str()).filter(|text| !text.trim().is_empty())
}

/// So much of the text as has the tokens, roughly: four characters each of ASCII, one of any other.
fn cut(text: impl Iterator<Item = char>, tokens: u32) -> String {
    let mut room = tokens * CHARACTERS;
    let fits = |character: &char| {
        let cost = if character.is_ascii() { 1 } else { CHARACTERS };
        room.checked_sub(cost)
            .inspect(|left| room = *left)
            .is_some()
    };
    text.take_while(fits).collect()
}
