//! The files that hold recordings and texts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

const ENDINGS: [&str; 4] = ["json", "jsonl", "traj", "txt"];

/// The files that `paths` name, and those in the folders that they name, each folder's sorted.
pub fn under(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut entries = entries(path)?;
            entries.retain(|entry| entry.is_dir() || is_known(entry));
            found.extend(under(&entries)?);
        } else if path.is_file() && is_known(path) {
            found.push(path.clone());
        } else {
            let endings = ENDINGS.join(", ");
            bail!(
                "{} is neither a folder nor a file that ends in {endings}",
                path.display()
            );
        }
    }
    Ok(found)
}

fn is_known(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut paths = read
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
