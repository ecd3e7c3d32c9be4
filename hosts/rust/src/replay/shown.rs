//! What the model would have been shown, written to a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub(super) struct Shown {
    folder: PathBuf,
    /// How many sessions of a name were written.
    written: BTreeMap<String, usize>,
}

impl Shown {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
        Ok(Self {
            folder: folder.to_owned(),
            written: BTreeMap::new(),
        })
    }

    /// Writes a session's lines. Of two sessions with one name, from different files, the second is
    /// `2~name`.
    pub(super) fn write(&mut self, session: &str, lines: &str) -> io::Result<()> {
        let times = self.written.entry(session.to_owned()).or_default();
        *times += 1;
        let name = match times {
            1 => format!("{session}.jsonl"),
            times => format!("{times}~{session}.jsonl"),
        };
        let path = self.folder.join(name);
        fs::write(&path, lines).map_err(|error| named(&path, &error))
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
