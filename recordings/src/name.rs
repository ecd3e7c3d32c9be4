//! Names of sessions: from the file's name, safe as file names everywhere.

use std::collections::{HashMap, HashSet};

/// Longest session name, in characters: room is left for an ending.
const LONGEST: usize = 120;

/// The file's name without its endings, and the session's own name where a file holds several.
pub(crate) fn session_name(file: &str, own: Option<&str>) -> String {
    let stem = stem(file);
    let name = match own {
        Some(own) => format!("{stem}-{own}"),
        None => stem.to_owned(),
    };
    let safe: String = name.chars().map(safe).take(LONGEST).collect();
    // A leading dot hides a file; a name of dots alone is no file at all.
    let safe = safe.trim_start_matches('.').trim_end_matches('.');
    if safe.is_empty() {
        "session".to_owned()
    } else {
        safe.to_owned()
    }
}

/// Names that are taken.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
    /// The number that a repeated name tries next.
    next: HashMap<String, u64>,
}

impl Names {
    /// `name`, or `name~2`, `name~3`, … where it is taken.
    pub(crate) fn unique(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name.clone()).or_insert(2);
        loop {
            let candidate = format!("{name}~{next}");
            *next += 1;
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

fn stem(file: &str) -> &str {
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let file = [".jsonl", ".json", ".ndjson"]
        .iter()
        .find_map(|ending| file.strip_suffix(ending))
        .unwrap_or(file);
    file.strip_suffix(".traj").unwrap_or(file)
}

fn safe(character: char) -> char {
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' | '~' => character,
        _ => '-',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (file, own, name) in [
            ("cc-12-tiny.jsonl", None, "cc-12-tiny"),
            ("mini.traj.json", None, "mini"),
            ("swe.traj", None, "swe"),
            ("2~a b.json", Some("owner/repo"), "2~a-b-owner-repo"),
            ("../..", None, "session"),
            ("", None, "session"),
            (".json", None, "session"),
            ("été.json", None, "-t-"),
        ] {
            assert_eq!(session_name(file, own), name, "{file}");
        }
        assert_eq!(session_name(&"x".repeat(500), None).len(), LONGEST);
    }

    #[test]
    fn a_taken_name_is_numbered() {
        let mut names = Names::default();
        let mut next = |name: &str| names.unique(name.to_owned());
        assert_eq!(
            (next("a"), next("a~2"), next("a")),
            ("a".into(), "a~2".into(), "a~3".into())
        );
        assert_eq!(next("a"), "a~4");
    }
}
