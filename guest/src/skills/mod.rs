//! Skills that were switched on and off during a conversation, as envelopes at the beginning of its
//! messages (docs/compaction.md, "Skill envelopes").

mod envelope;
mod quoted;
#[cfg(test)]
mod tests;

use crate::rules::SkillRules;

pub use envelope::{Envelope, write};

/// What parts one piece of a message from the next.
const BLANK_LINE: &str = "\n\n";

/// A text, taken apart. Its pieces in order are the text, save for at most one blank line after
/// each envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split<'a> {
    /// A notice with the blank line that follows it; empty if there is none.
    pub notice: &'a str,
    /// The envelopes, in order.
    pub envelopes: Vec<Envelope<'a>>,
    /// What follows the last envelope. Without one, the whole text but the notice.
    pub rest: &'a str,
}

impl Split<'_> {
    /// The text without its envelopes.
    #[must_use]
    pub fn stripped(&self) -> String {
        [self.notice, self.rest].concat()
    }
}

/// Takes a text apart: a notice, then envelopes. The first that is malformed ends it, and is part of
/// the rest.
#[must_use]
pub fn split<'a>(text: &'a str, rules: &SkillRules) -> Split<'a> {
    let (notice, mut rest) = split_notice(text, &rules.notices);
    let mut envelopes = Vec::new();
    while let Some((envelope, after)) = Envelope::read(rest, &rules.element) {
        envelopes.push(envelope);
        rest = after.strip_prefix(BLANK_LINE).unwrap_or(after);
    }
    Split {
        notice,
        envelopes,
        rest,
    }
}

/// One of `notices` and a blank line at the beginning, and what follows them.
#[must_use]
pub fn split_notice<'a>(text: &'a str, notices: &[String]) -> (&'a str, &'a str) {
    let after = |notice: &String| text.strip_prefix(notice.as_str())?.strip_prefix(BLANK_LINE);
    let rest = notices.iter().find_map(after).unwrap_or(text);
    let notice = text.get(..text.len() - rest.len());
    (notice.unwrap_or_default(), rest)
}

/// The skills that are active after `texts`, the messages to the model in their order: each with its
/// name and its whole envelope, the one that was switched on last is the last.
pub fn active<'a>(
    texts: impl Iterator<Item = &'a str>,
    rules: &SkillRules,
) -> Vec<(String, String)> {
    let mut active: Vec<(String, &str)> = Vec::new();
    for envelope in texts.flat_map(|text| split(text, rules).envelopes) {
        active.retain(|(name, _)| *name != envelope.name);
        if envelope.active {
            active.push((envelope.name, envelope.whole));
        }
    }
    let owned = |(name, whole): (String, &str)| (name, whole.to_owned());
    active.into_iter().map(owned).collect()
}
