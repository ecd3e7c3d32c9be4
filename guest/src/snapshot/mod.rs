//! What a request held, as hashes, and where two requests part (docs/assembly.md, "Snapshots").

mod hash;
mod messages;

use crate::draft::size;

pub use messages::{Taken, take};

/// A message's hash. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct MessageHash {
    pub message: Option<u32>,
    pub role: String,
    pub hash: String,
}

/// What a request held. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Snapshot {
    pub request: u32,
    pub messages: Vec<MessageHash>,
    pub prompt_bytes: u32,
    pub blocks_bytes: u32,
    pub tools_bytes: u32,
    pub max_tokens: Option<u32>,
}

/// What two snapshots have in common. `wit/context.wit` explains each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Diagnosis {
    pub predecessor_known: bool,
    pub shared: u32,
    pub earlier: u32,
    pub differs_at: Option<u32>,
    pub prefix: String,
}

/// Where two snapshots part. Changes neither.
#[must_use]
pub fn diagnose(earlier: Option<&Snapshot>, later: &Snapshot) -> Diagnosis {
    let old = earlier.map_or(&[][..], |earlier| &earlier.messages);
    let equal = old.iter().zip(&later.messages);
    let equal = equal.take_while(|(old, new)| old.hash == new.hash);
    let shared = equal.count();
    let parts = (shared < old.len()).then(|| later.messages.get(shared));
    let hashes = later.messages.iter().take(shared);
    Diagnosis {
        predecessor_known: earlier.is_some(),
        shared: size(shared),
        earlier: size(old.len()),
        differs_at: parts.flatten().and_then(|message| message.message),
        prefix: hashes.fold(String::new(), |before, message| {
            hash::short(&[&before, &message.hash])
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(hashes: &[&str]) -> Snapshot {
        let messages = (0..).zip(hashes).map(|(at, hash)| MessageHash {
            message: (at > 0).then_some(at),
            role: "user".to_owned(),
            hash: (*hash).to_owned(),
        });
        Snapshot {
            messages: messages.collect(),
            ..Snapshot::default()
        }
    }

    #[test]
    fn equal_hashes_are_shared_from_the_first_on() {
        let later = snapshot(&["aa", "bb", "cc", "dd"]);
        for (earlier, shared, differs_at) in [
            (&["aa", "bb"][..], 2, None),
            (&["aa", "xx", "cc"], 1, Some(1)),
            (&["aa", "bb", "cc", "dd", "ee"], 4, None),
            (&["xx", "bb"], 0, None),
            (&[], 0, None),
        ] {
            let found = diagnose(Some(&snapshot(earlier)), &later);
            assert_eq!((found.shared, found.differs_at), (shared, differs_at));
            assert!(found.predecessor_known);
            assert_eq!(found.earlier as usize, earlier.len());
        }
    }

    #[test]
    fn no_predecessor_is_not_nothing_shared() {
        let later = snapshot(&["aa"]);
        assert_eq!(diagnose(None, &later), Diagnosis::default());
        let known = diagnose(Some(&snapshot(&["bb"])), &later);
        assert!(known.predecessor_known);
        assert_eq!((known.shared, known.earlier), (0, 1));
    }

    #[test]
    fn a_prefix_is_hashed_over_what_came_before() {
        let later = snapshot(&["aa", "bb", ""]);
        let prefix =
            |count: usize| diagnose(Some(&snapshot(&["aa", "bb", ""][..count])), &later).prefix;
        assert_eq!(prefix(0), "");
        assert_eq!(prefix(1), hash::short(&["aa"]));
        assert_eq!(prefix(2), hash::short(&[&prefix(1), "bb"]));
        assert_eq!(prefix(3), hash::short(&[&prefix(2)]));
    }
}
