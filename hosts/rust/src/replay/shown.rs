//! What the model would have been shown, written to a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::names::Names;

pub(super) struct Shown {
    folder: PathBuf,
    written: Names,
}

impl Shown {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
        Ok(Self {
            folder: folder.to_owned(),
            written: Names::default(),
        })
    }

    /// Writes a session's lines. Of two sessions with one name, from different files, the second is
    /// `2~name`.
    pub(super) fn write(&mut self, session: &str, lines: &str) -> io::Result<()> {
        let name = self.written.give(session);
        let path = self.folder.join(format!("{name}.jsonl"));
        fs::write(&path, lines).map_err(|error| named(&path, &error))
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
