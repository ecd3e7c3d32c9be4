//! The generations of a conversation, and what the last compactions came to.

use std::collections::BTreeSet;

use crate::conversation::Item;
use crate::record::{CompactedRecord, Stage};

/// A fold over the compactions of a session.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// Those that ended: how many messages each had.
    ended: Vec<u32>,
    /// What each began with, but for the first.
    begun: Vec<Beginning>,
    /// The results of covered messages, oldest first: what was read then is still known.
    pub covered_results: Vec<u32>,
    /// Turns that began in covered messages.
    covered_turns: u32,
    /// The stage that was applied with no reply since.
    pub applied: Option<Stage>,
    /// The stages that failed with nothing since.
    pub failed: Failed,
    /// Applied stages of the current turn.
    pub stages: u32,
    /// The generations of which the history archive has a part.
    pub archived: Vec<(u32, Option<String>)>,
}

/// Stages that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failed {
    /// Any of them.
    pub any: bool,
    /// The first attempt.
    pub normal: bool,
    /// The last resort.
    pub emergency: bool,
}

impl Failed {
    /// A stage failed too.
    pub(super) fn add(&mut self, stage: Stage) {
        self.any = true;
        self.normal |= stage == Stage::Normal;
        self.emergency |= stage == Stage::Emergency;
    }
}

/// What a generation began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The stage.
    pub stage: Stage,
    /// The summary, as the model wrote it.
    pub summary: String,
    /// The fallback that wrote it.
    pub fallback: Option<String>,
}

impl Lineage {
    /// The number of the active generation.
    pub fn active(&self) -> u32 {
        u32::try_from(self.begun.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1)
    }

    /// Of each generation, oldest first: what it began with, and how many messages it had when it
    /// ended; none of the active one.
    pub fn generations(&self) -> impl Iterator<Item = (Option<&Beginning>, Option<u32>)> {
        let begun = std::iter::once(None).chain(self.begun.iter().map(Some));
        let ended = self.ended.iter().copied().map(Some);
        begun.zip(ended.chain(std::iter::once(None)))
    }

    /// How many turns began.
    pub fn turns(&self, items: &[Item]) -> u32 {
        self.covered_turns + turns(items.iter())
    }

    /// A summary takes the place of the first of some messages.
    pub(super) fn compacted(&mut self, items: &[Item], record: &CompactedRecord) {
        let covered = items.get(..record.covers as usize).unwrap_or(items);
        self.ended
            .push(u32::try_from(items.len()).unwrap_or(u32::MAX));
        self.begun.push(Beginning {
            stage: record.stage,
            summary: record.summary.clone(),
            fallback: record.fallback.clone(),
        });
        let replies = covered.iter().filter_map(Item::as_reply);
        let results = replies.flat_map(|reply| reply.results.iter().flatten());
        self.covered_results.extend(results);
        // What was nothing but skills goes as well; its turn began all the same.
        let dropped = record
            .stripped
            .iter()
            .filter(|message| message.text.is_none());
        let dropped: BTreeSet<u32> = dropped.map(|message| message.number).collect();
        let gone = items.iter().filter(|item| dropped.contains(&item.number()));
        self.covered_turns += turns(covered.iter()) + turns(gone);
        self.applied = Some(record.stage);
        self.failed = Failed::default();
        self.stages = self.stages.saturating_add(1);
    }

    /// Results of some messages are shown shorter.
    pub(super) fn shortened(&mut self, messages: usize) {
        self.ended.push(u32::try_from(messages).unwrap_or(u32::MAX));
        self.begun.push(Beginning {
            stage: Stage::Shorten,
            summary: String::new(),
            fallback: None,
        });
        self.stages = self.stages.saturating_add(1);
    }

    /// What the active generation's summary stands for was archived.
    pub(super) fn archive(&mut self, generation: u32, text: Option<String>) -> Result<(), String> {
        let archived = self.archived.last().map(|(generation, _)| *generation);
        if generation != self.active() || archived == Some(generation) {
            return Err(format!("archives for generation {generation} out of turn"));
        }
        self.archived.push((generation, text));
        Ok(())
    }

    /// A message was added.
    pub(super) fn added(&mut self, reply: bool, starts_turn: bool) {
        self.failed = Failed::default();
        if reply {
            self.applied = None;
        }
        if starts_turn {
            self.stages = 0;
        }
    }
}

fn turns<'a>(items: impl Iterator<Item = &'a Item>) -> u32 {
    let turns = items.filter(|item| item.starts_turn() && !item.is_summary());
    u32::try_from(turns.count()).unwrap_or(u32::MAX)
}
