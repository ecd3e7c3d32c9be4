//! A tree and a storage in memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use waybread_guest as guest;

/// A tree in memory. Files are found by their absolute paths alone.
#[derive(Clone, Default)]
pub struct Tree(Rc<RefCell<HashMap<String, String>>>);

impl Tree {
    pub fn write(&self, path: &str, content: &str) {
        let content = content.to_owned();
        self.0.borrow_mut().insert(path.to_owned(), content);
    }

    pub fn delete(&self, path: &str) {
        self.0.borrow_mut().remove(path);
    }
}

impl guest::FileSystem for Tree {
    fn identify(&mut self, path: &str) -> Result<String, guest::FileError> {
        let there = self.0.borrow().contains_key(path);
        there
            .then(|| path.to_owned())
            .ok_or(guest::FileError::NotFound)
    }

    fn read(&mut self, path: &str) -> Result<guest::File, guest::FileError> {
        let identity = self.identify(path)?;
        let hashed = hashed(self.0.borrow()[path].clone());
        Ok(guest::File { identity, hashed })
    }
}

/// The rules only compare hashes, so any will do here.
pub fn hashed(text: String) -> guest::HashedContent {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let sha256 = format!("{:064x}", hasher.finish());
    guest::HashedContent {
        content: guest::Content::Text(text),
        sha256,
    }
}

#[derive(Default)]
pub struct Memory {
    log: Vec<String>,
    texts: HashMap<String, String>,
}

impl guest::Storage for Memory {
    fn append(
        &mut self,
        _: &str,
        _: u32,
        records: &[&str],
        texts: &[guest::StoredText<'_>],
    ) -> Result<(), guest::StorageError> {
        self.log
            .extend(records.iter().map(|record| (*record).to_owned()));
        self.texts.extend(
            texts
                .iter()
                .map(|text| (text.id.to_owned(), text.text.to_owned())),
        );
        Ok(())
    }

    fn read_log(&mut self, _: &str, start: u32) -> Result<Vec<String>, guest::StorageError> {
        Ok(self.log[start as usize..].to_vec())
    }

    fn read_text(&mut self, _: &str, id: &str) -> Result<String, guest::StorageError> {
        self.texts
            .get(id)
            .cloned()
            .ok_or(guest::StorageError::NotFound)
    }
}
