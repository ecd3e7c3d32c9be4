//! Retained stubs whose result a summary covers: they are shown in full from then on
//! (docs/compaction.md, "What a compaction leaves").

use std::collections::BTreeSet;

use super::Session;
use crate::bracket;
use crate::cap::cap;
use crate::draft::shown_again;
use crate::error::Error;
use crate::id::ResultNumber;
use crate::ports::{FileSystem, Storage};
use crate::read::short_sha;
use crate::record::{Body, Fact, ResultRecord};
use crate::rules::Rules;
use crate::tokens;

/// What is shown in full from now on, with its text.
pub type Unstubbed = (ResultRecord, String);

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// Retained stubs whose result is covered, as they are shown in full, with their texts.
    pub(super) fn unstubbed(&mut self, covers: usize) -> Result<Vec<Unstubbed>, Error> {
        let conversation = &self.talk()?.conversation;
        // Also in a chat: an earlier turn is the current one again when the later ones are taken back.
        let kept: BTreeSet<u32> = conversation.results(covers, usize::MAX).collect();
        let mut unstubbed = Vec::new();
        for number in &kept {
            let Some(result) = self.state.result(*number).cloned() else {
                continue;
            };
            let dangles = result
                .fact
                .stub_of()
                .is_some_and(|named| !kept.contains(&named));
            if dangles {
                unstubbed.push(self.in_full(result)?);
            }
        }
        Ok(unstubbed)
    }

    /// A stub as the full answer that it stood for.
    fn in_full(&mut self, result: ResultRecord) -> Result<Unstubbed, Error> {
        let number = ResultNumber(result.number);
        let stored = self
            .state
            .stored_text(&mut self.storage, &self.key, number)?;
        Ok(in_full(result, &stored, &self.state.rules))
    }
}

/// A stub as the full answer that it stood for.
pub fn in_full(mut result: ResultRecord, stored: &str, rules: &Rules) -> Unstubbed {
    let id = ResultNumber(result.number).show(&rules.ids);
    result.body = Body::Whole(0);
    match &mut result.fact {
        Fact::Read(read) => {
            result.head = rules.reads.bracket.fill(&[
                ("id", &id),
                ("path", &bracket::escaped(&read.path)),
                ("first", &read.first.to_string()),
                ("last", &read.last.to_string()),
                ("total", &read.total.to_string()),
                (
                    "sha",
                    short_sha(&read.sha256, rules.sha_digits).unwrap_or_default(),
                ),
            ]);
            read.stub_of = None;
        }
        Fact::Search(search) => {
            result.head = rules.bracket.fill(&[("id", &id)]);
            if cap(stored, &rules.cap, &id).is_some() {
                result.body = Body::Capped(0);
            }
            search.stub_of = None;
        }
        Fact::Changes | Fact::Recall | Fact::Output | Fact::Delegated(_) | Fact::Failed => {}
    }
    let text = shown_again(&result, stored, rules);
    result.tokens = tokens::estimate(&text);
    (result, text)
}
