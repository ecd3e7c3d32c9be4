//! Skill envelopes at a compaction: taken out of what is retained, the active ones put back in one
//! message ahead of it; and the line of pending subagents, of which only the newest stays
//! (docs/compaction.md, "What a compaction leaves").

use crate::conversation::{Item, Place, UserItem};
use crate::record::StrippedMessage;
use crate::rules::SkillRules;
use crate::skills;

/// What becomes of the envelopes of a conversation.
#[derive(Debug, Default)]
pub struct Envelopes {
    /// The active ones, as one text.
    pub active: Option<String>,
    /// Retained messages in which some were taken out, or that go.
    pub stripped: Vec<StrippedMessage>,
}

impl Envelopes {
    /// Of all messages; those from `retained` on stay.
    pub fn of(items: &[Item], retained: usize, rules: &SkillRules) -> Self {
        let texts = items.iter().filter_map(Item::as_user).map(UserItem::told);
        let active: Vec<String> = skills::active(texts, rules)
            .into_iter()
            .map(|(_, envelope)| envelope)
            .collect();
        let kept = items.iter().skip(retained).filter_map(Item::as_user);
        Self {
            active: (!active.is_empty()).then(|| active.join("\n\n")),
            stripped: kept.filter_map(|user| stripped(user, rules)).collect(),
        }
    }
}

fn stripped(user: &UserItem, rules: &SkillRules) -> Option<StrippedMessage> {
    if user.place == Place::Pending {
        return Some(StrippedMessage {
            number: user.number,
            text: None,
        });
    }
    let message = &user.message;
    let (text, ahead) = user.told();
    let split = skills::split(text, ahead, rules);
    if split.envelopes.is_empty() {
        return None;
    }
    let left = split.stripped();
    let nothing = left.trim().is_empty() && message.parts.is_empty() && message.note.is_none();
    Some(StrippedMessage {
        number: user.number,
        text: (!nothing).then_some(left),
    })
}
