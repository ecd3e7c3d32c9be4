//! Replayed sessions that are kept, to be looked at (`waybread context`).

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::names::Names;
use crate::{MemoryStorage, SqliteStorage};

/// The file in the folder that [`Options::sessions`](super::Options::sessions) names: the same for every host.
pub const SESSIONS_FILE: &str = "sessions.db";
/// The key of a context's session while it is replayed.
pub(super) const KEY: &str = "replay";
/// The context whose session has the name of the recording's.
const FIRST: &str = "main";

pub(super) struct Sessions {
    storage: SqliteStorage,
    file: PathBuf,
    names: Names,
}

impl Sessions {
    /// A folder, made if it is not there. One that holds sessions already is left alone.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let file = folder.join(SESSIONS_FILE);
        fs::create_dir_all(folder).map_err(|error| named(folder, error.kind(), &error))?;
        if file.exists() {
            let problem = "holds sessions already; name another folder";
            return Err(named(&file, io::ErrorKind::AlreadyExists, &problem));
        }
        let storage = SqliteStorage::open(&file);
        let storage = storage.map_err(|error| named(&file, io::ErrorKind::Other, &error))?;
        Ok(Self {
            storage,
            file,
            names: Names::default(),
        })
    }

    /// Keeps what came of a session's contexts: the first under its name, which is told apart from
    /// others, the rest under that and their own.
    pub(super) fn keep(
        &mut self,
        session: &str,
        contexts: &[(String, MemoryStorage)],
    ) -> io::Result<()> {
        let name = self.names.give(session);
        for (context, stored) in contexts {
            let key = match context.as_str() {
                FIRST => name.clone(),
                context => format!("{name}/{context}"),
            };
            let kept = stored.move_to(KEY, &mut self.storage, &key);
            kept.map_err(|error| named(&self.file, io::ErrorKind::Other, &error))?;
        }
        Ok(())
    }
}

fn named(path: &Path, kind: io::ErrorKind, problem: &impl std::fmt::Display) -> io::Error {
    io::Error::new(kind, format!("{}: {problem}", path.display()))
}
