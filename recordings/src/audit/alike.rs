//! Whether two messages are one message, changed.

use std::collections::HashSet;

use super::piece::Kind;
use super::prompt::Unit;
use super::text::{common_prefix, common_suffix};

/// The same call, or mostly the same words.
pub(crate) fn alike(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    share_id(a, b) || same_words(a, b)
}

fn share_id(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    let others: HashSet<&str> = ids(b).collect();
    ids(a).any(|id| others.contains(id))
}

fn ids<'a>(unit: &'a Unit<'_>) -> impl Iterator<Item = &'a str> {
    let ids = unit.pieces.iter().filter(|piece| piece.kind == Kind::Id);
    ids.map(|piece| &*piece.text)
}

/// Roles, ids, reasoning and media aside, half of the shorter one begins or ends as the other does.
fn same_words(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    let (words, others) = (words(a), words(b));
    if words == others {
        return true;
    }
    let shorter = words.chars().count().min(others.chars().count()) as u64;
    let equal = common_prefix(&words, &others).max(common_suffix(&words, &others));
    shorter > 0 && equal * 2 >= shorter
}

fn words(unit: &Unit<'_>) -> String {
    let apart = [
        Kind::Role,
        Kind::Id,
        Kind::Reasoning,
        Kind::Media,
        Kind::Type,
    ];
    let read = unit
        .pieces
        .iter()
        .filter(|piece| !apart.contains(&piece.kind));
    read.map(|piece| &*piece.text).collect()
}

/// What summaries of a conversation call themselves.
const SUMMARY_WORDS: [&str; 9] = [
    "summar",
    "compact",
    "previous conversation",
    "earlier conversation",
    "conversation so far",
    "handoff",
    "condensed",
    "continued from",
    "omitted",
];

/// Whether a message says that it stands for others, in its first 2,000 characters.
pub(crate) fn mentions_summary(unit: &Unit<'_>) -> bool {
    let text: String = words(unit).chars().take(2000).collect();
    let text = text.to_lowercase();
    SUMMARY_WORDS.iter().any(|word| text.contains(word))
}
