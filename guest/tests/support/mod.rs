//! Storage and files in memory, for tests of the rules themselves.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use sha2::{Digest, Sha256};
use waybread_guest::{
    Content, File, FileError, FileSystem, HashedContent, Kind, Session, Settings, Storage,
    StorageError, StoredText,
};

/// One session's log and texts. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub Rc<RefCell<Stored>>);

#[derive(Debug, Default)]
pub struct Stored {
    pub records: Vec<String>,
    pub texts: BTreeMap<String, String>,
    /// The next append fails with this.
    pub failure: Option<StorageError>,
}

impl Storage for Memory {
    fn append(
        &mut self,
        _session: &str,
        expected_length: u32,
        records: &[&str],
        texts: &[StoredText<'_>],
    ) -> Result<(), StorageError> {
        let mut stored = self.0.borrow_mut();
        if let Some(failure) = stored.failure.take() {
            return Err(failure);
        }
        let length = stored.records.len() as u32;
        if length != expected_length {
            return Err(StorageError::Conflict(length));
        }
        stored
            .records
            .extend(records.iter().map(|record| (*record).to_owned()));
        for text in texts {
            let twice = stored
                .texts
                .insert(text.id.to_owned(), text.text.to_owned());
            assert_eq!(twice, None, "{} was stored twice", text.id);
        }
        Ok(())
    }

    fn read_log(&mut self, _session: &str, start: u32) -> Result<Vec<String>, StorageError> {
        Ok(self.0.borrow().records[start as usize..].to_vec())
    }

    fn read_text(&mut self, _session: &str, id: &str) -> Result<String, StorageError> {
        self.0
            .borrow()
            .texts
            .get(id)
            .cloned()
            .ok_or(StorageError::NotFound)
    }
}

/// Files by absolute path. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Files(pub Rc<RefCell<BTreeMap<String, String>>>);

impl Files {
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn write(&self, path: &str, content: &str) {
        self.0
            .borrow_mut()
            .insert(path.to_owned(), content.to_owned());
    }
}

impl FileSystem for Files {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        let known = self.0.borrow().contains_key(path);
        known.then(|| path.to_owned()).ok_or(FileError::NotFound)
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        let identity = self.identify(path)?;
        let hashed = hashed(&self.0.borrow()[path]);
        Ok(File { identity, hashed })
    }
}

pub fn hashed(text: &str) -> HashedContent {
    let digest = Sha256::digest(text.as_bytes());
    HashedContent {
        content: Content::Text(text.to_owned()),
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

#[allow(dead_code, reason = "not every test needs it")]
pub fn settings(overrides: &str) -> Settings {
    Settings {
        overrides: overrides.to_owned(),
        ..Settings::new(Kind::Agent, "/work/app")
    }
}

#[allow(dead_code, reason = "not every test needs it")]
pub fn open(overrides: &str, memory: &Memory, files: &Files) -> Session<Memory, Files> {
    Session::open("s", &settings(overrides), memory.clone(), files.clone()).unwrap()
}
