//! The history archive: what summaries stand for, as Markdown (docs/compaction.md, "The history archive").

use super::Session;
use crate::compaction;
use crate::error::Error;
use crate::lookup;
use crate::ports::{FileSystem, Storage};
use crate::prompt;
use crate::record::{Event, Fact, text_hash};

/// The history archive's part in a compaction.
#[derive(Debug, Default)]
pub struct Archive {
    /// The line in the summary.
    pub note: Option<String>,
    /// What is appended.
    pub text: String,
    pub warning: Option<String>,
}

impl<S: Storage, F: FileSystem> Session<S, F> {
    /// What the history archive takes of the covered messages.
    pub(super) fn archive(&self, covers: usize) -> Archive {
        let rules = &self.state.rules;
        let Some(talk) = &self.state.talk else {
            return Archive::default();
        };
        if !rules.archive.markdown {
            return Archive::default();
        }
        let path = &rules.archive.path;
        let allowed = prompt::check_paths(self.place(), "archive.path", "", path);
        if let Err(error) = allowed {
            return Archive {
                warning: Some(self.archive_warning(&error)),
                ..Archive::default()
            };
        }
        let marker = rules.archive.marker.as_str();
        let note = rules
            .archive
            .note
            .fill(&[("marker", marker), ("path", path)]);
        let items = talk.conversation.items();
        let failed = |number: u32| {
            let result = self.state.result(number);
            result.is_none_or(|result| result.fact == Fact::Failed)
        };
        let covered = items.get(..covers).unwrap_or(items);
        Archive {
            note: Some(note),
            text: compaction::render_history(covered, rules, &self.state.base, failed),
            warning: None,
        }
    }

    fn archive_warning(&self, error: &Error) -> String {
        let texts = &self.state.rules.archive;
        texts.warning.fill(&[("error", &error.to_string())])
    }

    /// Adds to the history archive, after the compaction stands. A warning if that fails.
    pub(super) fn append_history(&mut self, generation: u32, text: String) -> Option<String> {
        if text.is_empty() {
            return None;
        }
        let event = Event::Archived {
            generation,
            text: Some(text_hash(&text)),
        };
        let texts = [(history_id(generation), text)];
        let failed = self.commit(vec![event], &texts).err()?;
        Some(self.archive_warning(&failed))
    }

    /// The history archive.
    ///
    /// # Errors
    ///
    /// `storage`.
    pub fn history(&mut self) -> Result<String, Error> {
        let talk = self.state.talk.as_ref();
        let archived = talk.map(|talk| talk.lineage.archived.clone());
        let mut parts = Vec::new();
        for (generation, hash) in archived.unwrap_or_default() {
            let id = history_id(generation);
            parts.push(lookup::stored(
                &mut self.storage,
                &self.key,
                &id,
                hash.as_deref(),
            )?);
        }
        Ok(parts.join("\n"))
    }
}

/// Under which name a part of the history is stored. No result's id begins so.
pub fn history_id(generation: u32) -> String {
    format!("history-{generation}")
}
