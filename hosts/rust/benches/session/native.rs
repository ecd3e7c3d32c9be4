//! The rules without WebAssembly, on the same storage and files. Hashing a file or a change is part of
//! an insert, as it is in the host.

use sha2::{Digest, Sha256};
use waybread::{FileError, FileSystem, MemoryStorage, MemoryTree, Storage, StorageError};
use waybread_guest as rules;

use crate::inputs::ROOT;

pub type Session = rules::Session<Ported<MemoryStorage>, Ported<MemoryTree>>;

/// A storage or file system of this host, as the rules want it.
pub struct Ported<T>(T);

pub fn open(tree: MemoryTree, dialect: Option<rules::Dialect>) -> Session {
    let mut settings = rules::Settings::new(rules::Kind::Agent, ROOT);
    settings.dialect = dialect;
    let storage = Ported(MemoryStorage::new());
    rules::Session::open("bench", &settings, storage, Ported(tree)).unwrap()
}

/// A content with its hash.
pub fn hashed(bytes: Vec<u8>) -> rules::HashedContent {
    let sha256 = format!("{:x}", Sha256::digest(&bytes));
    let content = rules::Content::Text(String::from_utf8(bytes).unwrap());
    rules::HashedContent { content, sha256 }
}

impl rules::Storage for Ported<MemoryStorage> {
    fn append(
        &mut self,
        session: &str,
        expected_length: u32,
        records: &[&str],
        texts: &[rules::StoredText<'_>],
    ) -> Result<(), rules::StorageError> {
        let records = records.iter().map(|record| (*record).to_owned()).collect();
        let texts = texts.iter().map(|text| waybread::StoredText {
            id: text.id.to_owned(),
            text: text.text.to_owned(),
        });
        let appended = self
            .0
            .append(session, expected_length, records, texts.collect());
        appended.map_err(storage_error)
    }

    fn read_log(&mut self, session: &str, start: u32) -> Result<Vec<String>, rules::StorageError> {
        self.0.read_log(session, start).map_err(storage_error)
    }

    fn read_text(&mut self, session: &str, id: &str) -> Result<String, rules::StorageError> {
        self.0.read_text(session, id).map_err(storage_error)
    }
}

impl rules::FileSystem for Ported<MemoryTree> {
    fn identify(&mut self, path: &str) -> Result<String, rules::FileError> {
        self.0.identify(path).map_err(file_error)
    }

    fn read(&mut self, path: &str) -> Result<rules::File, rules::FileError> {
        let file = self.0.read(path).map_err(file_error)?;
        Ok(rules::File {
            identity: file.identity,
            hashed: hashed(file.bytes),
        })
    }
}

fn storage_error(error: StorageError) -> rules::StorageError {
    rules::StorageError::Other(error.to_string())
}

fn file_error(error: FileError) -> rules::FileError {
    rules::FileError::Other(error.to_string())
}
