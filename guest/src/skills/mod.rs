//! Skills that were switched on and off during a conversation, as envelopes that the session put ahead of its
//! messages (docs/compaction.md, "Skill envelopes"). One in anybody's words is words.

mod envelope;
mod quoted;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::rules::SkillRules;

pub use envelope::{Envelope, write};

/// What parts one piece of a message from the next.
const BLANK_LINE: &str = "\n\n";

/// A text, taken apart. Its pieces in order are the text, save for the blank line after each envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split<'a> {
    /// A notice with the blank line that follows it; empty if there is none.
    pub notice: &'a str,
    /// The envelopes, in order.
    pub envelopes: Vec<Envelope<'a>>,
    /// What was given.
    pub rest: &'a str,
}

impl Split<'_> {
    /// The text without its envelopes.
    #[must_use]
    pub fn stripped(&self) -> String {
        [self.notice, self.rest].concat()
    }
}

/// Takes a text apart: a notice, then the bytes `ahead` that the session put there.
#[must_use]
pub fn split<'a>(text: &'a str, ahead: u32, rules: &SkillRules) -> Split<'a> {
    let (notice, told) = split_notice(text, &rules.notices);
    let (own, rest) = told.split_at_checked(ahead as usize).unwrap_or(("", told));
    Split {
        notice,
        envelopes: envelopes(own, &rules.element),
        rest,
    }
}

fn envelopes<'a>(mut own: &'a str, element: &str) -> Vec<Envelope<'a>> {
    let mut envelopes = Vec::new();
    while let Some((envelope, after)) = Envelope::read(own, element) {
        envelopes.push(envelope);
        own = after.strip_prefix(BLANK_LINE).unwrap_or(after);
    }
    envelopes
}

/// One of `notices` and a blank line at the beginning, and what follows them.
#[must_use]
pub fn split_notice<'a>(text: &'a str, notices: &[String]) -> (&'a str, &'a str) {
    let after = |notice: &String| text.strip_prefix(notice.as_str())?.strip_prefix(BLANK_LINE);
    let rest = notices.iter().find_map(after).unwrap_or(text);
    let notice = text.get(..text.len() - rest.len());
    (notice.unwrap_or_default(), rest)
}

/// The skills that are active after some texts, the messages to the model in their order, each with the length of
/// what the session put ahead of it. Each skill has its name and its whole envelope, the one that was switched on
/// last is the last.
pub fn active<'a>(
    texts: impl Iterator<Item = (&'a str, u32)>,
    rules: &SkillRules,
) -> Vec<(String, String)> {
    let mut envelopes: Vec<Option<(String, &str)>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for envelope in texts.flat_map(|(text, ahead)| split(text, ahead, rules).envelopes) {
        let earlier = places.remove(&envelope.name);
        if let Some(earlier) = earlier.and_then(|at| envelopes.get_mut(at)) {
            *earlier = None;
        }
        if envelope.active {
            places.insert(envelope.name.clone(), envelopes.len());
            envelopes.push(Some((envelope.name, envelope.whole)));
        }
    }
    let owned = |(name, whole): (String, &str)| (name, whole.to_owned());
    envelopes.into_iter().flatten().map(owned).collect()
}
