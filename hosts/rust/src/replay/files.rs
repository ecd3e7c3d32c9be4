//! The recordings that a replay is given.

use std::path::{Path, PathBuf};
use std::{fs, io};

use walkdir::WalkDir;

use super::names::Names;
use waybread_recordings::ImportError;

/// How a recording's name ends, in a folder that is searched.
const ENDINGS: [&str; 4] = ["json", "jsonl", "ndjson", "traj"];

/// One file.
pub(super) struct Recording {
    /// Without folders, and unique: of two files with one name, the second is `2~name`.
    pub(super) name: String,
    found: Result<PathBuf, ImportError>,
}

impl Recording {
    pub(super) fn content(&self) -> Result<String, ImportError> {
        let path = self.found.as_ref().map_err(Clone::clone)?;
        let bytes = fs::read(path).map_err(|error| unreadable(&error))?;
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = error.as_bytes().iter().take(valid);
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            let message = "is not UTF-8".to_owned();
            ImportError {
                line: u32::try_from(line).ok(),
                message,
            }
        })
    }
}

/// The files that the paths name, and those in the folders that they name.
pub(super) fn find(paths: &[impl AsRef<Path>]) -> Vec<Recording> {
    let mut recordings: Vec<Recording> =
        paths.iter().flat_map(|path| found(path.as_ref())).collect();
    let mut names = Names::default();
    for recording in &mut recordings {
        recording.name = names.give(&recording.name);
    }
    recordings
}

fn found(path: &Path) -> Vec<Recording> {
    if !path.is_dir() {
        return vec![recording(path, Ok(path.to_owned()))];
    }
    let entries = WalkDir::new(path).sort_by_file_name().into_iter();
    let found: Vec<Recording> = entries.filter_map(|entry| in_folder(path, entry)).collect();
    if found.is_empty() {
        let endings = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
        let error = ImportError::new(format!("the folder holds no recording ({endings})"));
        return vec![recording(path, Err(error))];
    }
    found
}

/// A recording, or a part of the folder that can't be read.
fn in_folder(folder: &Path, entry: walkdir::Result<walkdir::DirEntry>) -> Option<Recording> {
    let entry = match entry {
        Ok(entry) => entry.into_path(),
        Err(error) => {
            let path = error.path().unwrap_or(folder).to_owned();
            let error = error
                .io_error()
                .map_or_else(|| ImportError::new(error.to_string()), unreadable);
            return Some(recording(&path, Err(error)));
        }
    };
    let ending = entry
        .extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
    (ending && entry.is_file()).then(|| recording(&entry, Ok(entry.clone())))
}

fn recording(path: &Path, found: Result<PathBuf, ImportError>) -> Recording {
    let name = path.file_name().unwrap_or(path.as_os_str());
    Recording {
        name: name.to_string_lossy().into_owned(),
        found,
    }
}

/// The reason without the number that only this system gives it.
fn unreadable(error: &io::Error) -> ImportError {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words);
    ImportError::new(format!("cannot be read: {words}"))
}
