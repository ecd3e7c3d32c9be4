//! Thinking that a difference makes invalid, for models that take a block back only behind what it was
//! made behind.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dialect::Dialect;
use super::finding::{Finding, Part};
use super::prompt::{Prompt, Unit};
use crate::json::{list, text};

/// Thinking blocks of the later body that stand behind something else than they were made behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidThinking {
    /// How many blocks.
    pub blocks: u32,
    /// The message of the first one, in the later body's list.
    pub message: u32,
}

impl InvalidThinking {
    /// None where nothing differs before a block. `found` is the first difference aside from the
    /// model's name, which no block is bound to.
    pub(crate) fn of(
        (a, dialect): (&Prompt<'_>, Dialect),
        b: &Prompt<'_>,
        found: &Finding,
    ) -> Option<Self> {
        if dialect != Dialect::AnthropicMessages || !found.cause.breaks() {
            return None;
        }
        let pairs = a.messages.iter().zip(&b.messages);
        let at = match found.part {
            Some(Part::Message) => pairs.take_while(|(a, b)| a.same(b)).count(),
            _ => 0,
        };
        let (common, known) = match found.part {
            Some(Part::Message) => (begun_alike(a.messages.get(at), b.messages.get(at)), true),
            _ => (0, false),
        };
        let had = |block: &Value| a.messages.iter().flat_map(blocks).any(|one| one == block);
        let mut invalid = Self {
            blocks: 0,
            message: 0,
        };
        for (place, unit) in b.messages.iter().enumerate().skip(at) {
            let behind = if place == at { common } else { 0 };
            // What the earlier body did not have was made behind it only if it follows all of it.
            let follows = !known || place >= a.messages.len();
            let thinking = blocks(unit).skip(behind).filter(|block| is_thinking(block));
            let found = thinking.filter(|block| follows || had(block)).count();
            if invalid.blocks == 0 {
                invalid.message = whole(place);
            }
            invalid.blocks = invalid.blocks.saturating_add(whole(found));
        }
        (invalid.blocks > 0).then_some(invalid)
    }
}

fn whole(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn blocks<'a>(unit: &Unit<'a>) -> impl Iterator<Item = &'a Value> + use<'a> {
    list(unit.value, "content").iter()
}

fn begun_alike(a: Option<&Unit<'_>>, b: Option<&Unit<'_>>) -> usize {
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    blocks(a).zip(blocks(b)).take_while(|(a, b)| a == b).count()
}

fn is_thinking(block: &Value) -> bool {
    matches!(text(block, "type"), Some("thinking" | "redacted_thinking"))
}
