//! What stands behind the summaries, and what is kept beside the conversation.

use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

use super::Session;
use crate::bindings::exports::waybread::context::context as wit;
use crate::conversation::StoredMessage;
use crate::error::{Cause, Error};
use crate::generation::{ContextState, Generation};

impl Session {
    /// The generations of the conversation, oldest first: each applied compaction began one.
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn lineage(&mut self) -> Result<Vec<Generation>, Error> {
        let generations: Vec<wit::Generation> =
            self.call(|api, store, session| api.call_lineage(store, session).map(Ok))?;
        Ok(generations.into_iter().map(Into::into).collect())
    }

    /// The messages of a generation, as they were when it ended: as
    /// [`conversation`](Self::conversation), which tells those of the active one.
    ///
    /// # Errors
    ///
    /// [`Cause::UnknownGeneration`]; [`Cause::Storage`].
    pub fn generation(&mut self, number: u32) -> Result<Vec<StoredMessage>, Error> {
        let messages: Vec<wit::StoredMessage> =
            self.call(|api, store, session| api.call_generation(store, session, number))?;
        Ok(messages.into_iter().map(Into::into).collect())
    }

    /// The history archive (the setting `archive.keep`; `docs/compaction.md`, "The history archive"): what
    /// summaries stand for, as Markdown, oldest first. Empty if there is none.
    ///
    /// # Errors
    ///
    /// [`Cause::Storage`].
    pub fn history(&mut self) -> Result<String, Error> {
        self.call(|api, store, session| api.call_history(store, session))
    }

    /// Writes the [history](Self::history) to a file, in the place of one that is there, and says whether
    /// it did: an empty history writes nothing. Whoever reads the file, or loses power, finds it whole, as
    /// it was or as it is: it is written beside itself and moved.
    ///
    /// # Errors
    ///
    /// As [`history`](Self::history); [`Cause::FileSystem`] if the file cannot be written, as in a folder
    /// that is not there. What was at `path` stands then.
    pub fn write_history(&mut self, path: impl AsRef<Path>) -> Result<bool, Error> {
        let (history, path) = (self.history()?, path.as_ref());
        if history.is_empty() {
            return Ok(false);
        }
        replace(path, &history).map_err(|error| unwritten(path, &error))?;
        Ok(true)
    }

    /// What is worth keeping of the session beside its conversation (`docs/compaction.md`, "State beside
    /// the conversation").
    ///
    /// # Errors
    ///
    /// As [`cache_report`](Self::cache_report).
    pub fn context_state(&mut self) -> Result<ContextState, Error> {
        let state: wit::ContextState =
            self.call(|api, store, session| api.call_context_state(store, session).map(Ok))?;
        Ok(state.into())
    }
}

/// Puts a text in the place of a file in one step.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A name alone is in the folder that the process is in.
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".history-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    // On the disk before it is moved: a crash cannot leave the new name with nothing in it.
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn unwritten(path: &Path, error: &io::Error) -> Error {
    let (path, problem) = (path.display().to_string(), error.to_string());
    let message = format!("the history cannot be written to `{path}`: {problem}");
    Error::new(Cause::FileSystem { path, problem }, message)
}
