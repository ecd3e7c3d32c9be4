//! The files that hold recordings and texts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const ENDINGS: [&str; 4] = ["json", "jsonl", "traj", "txt"];

/// The files that `paths` name, and those in the folders that they name, each folder's sorted.
pub fn under(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(under(&entries(path)?)?);
        } else if path
            .extension()
            .is_some_and(|kind| ENDINGS.iter().any(|known| kind == *known))
        {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut paths = read
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
