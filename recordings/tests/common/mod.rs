//! What the tests share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use waybread_recordings::{Context, Outcome, Step};

/// `tests/`
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Names and contents of all recordings, sorted by name.
pub fn fixtures() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder().join("fixtures"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "md"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    assert!(all.len() > 20);
    all
}

/// One recording's content.
pub fn fixture(name: &str) -> String {
    std::fs::read_to_string(folder().join("fixtures").join(name)).unwrap()
}

/// Checks that a host can perform the steps.
pub fn check_performable(name: &str, context: &Context) {
    let mut tree: HashMap<&str, &str> = HashMap::new();
    let mut calls = HashSet::new();
    for step in &context.steps {
        match step {
            Step::WriteFile { path, content } => drop(tree.insert(path, content)),
            Step::DeleteFile { path } => drop(tree.remove(path.as_str())),
            Step::InsertResult(insert) => {
                assert!(!insert.call.is_empty() && !insert.tool.is_empty(), "{name}");
                assert!(
                    calls.insert(insert.call.as_str()),
                    "{name}: {}",
                    insert.call
                );
                if let Outcome::Read(read) = &insert.outcome {
                    let end = read.path.rsplit(['/', '\\']).next().unwrap();
                    let file = tree.iter().find(|(path, _)| path.ends_with(end));
                    let (_, content) =
                        file.unwrap_or_else(|| panic!("{name}: {} is not there", read.path));
                    let lines = content.lines().count();
                    let first = read.offset.unwrap_or(1) as usize;
                    assert!(
                        first <= lines.max(1),
                        "{name}: {} {first} {lines}",
                        read.path
                    );
                }
            }
        }
    }
}
