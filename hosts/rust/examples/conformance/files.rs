//! The tree of a case.

use serde::Deserialize;
use serde_json::Value;
use waybread::MemoryTree;

use crate::text::{Content, fields};

/// What is at a path.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub enum Entry {
    File(Vec<u8>),
    Link(String),
    Directory,
    Denied,
    Broken(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Special {
    Link(String),
    Directory(bool),
    Denied(bool),
    Broken(String),
}

impl TryFrom<Value> for Entry {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let special = value
            .as_object()
            .is_some_and(|given| !given.contains_key("base64"));
        if !special {
            return Content::try_from(value).map(|content| Self::File(content.0));
        }
        match fields(value)? {
            Special::Link(target) => Ok(Self::Link(target)),
            Special::Broken(words) => Ok(Self::Broken(words)),
            Special::Directory(true) => Ok(Self::Directory),
            Special::Denied(true) => Ok(Self::Denied),
            Special::Directory(false) | Special::Denied(false) => {
                Err("`directory` and `denied` are true or left out".to_owned())
            }
        }
    }
}

impl Entry {
    /// Puts the entry into the tree.
    pub fn put(&self, tree: &MemoryTree, path: &str) {
        match self {
            Self::File(bytes) => tree.write(path, bytes.clone()),
            Self::Link(target) => tree.link(path, target),
            Self::Directory => tree.make_directory(path),
            Self::Denied => tree.deny(path),
            Self::Broken(words) => tree.break_with(path, words),
        }
    }
}
