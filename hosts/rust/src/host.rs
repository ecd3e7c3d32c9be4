//! What the component imports, given to it from a user's storage and file system.

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

use wasmtime::ResourceLimiter;

use crate::bindings::waybread::context::{filesystem as files, storage as log};
use crate::content;
use crate::filesystem::{FileError, FileSystem, MemoryTree};
use crate::limits::Limits;
use crate::shared::Shared;
use crate::storage::{MemoryStorage, Storage, StorageError, StoredText};

/// What belongs to a session and outlives an instance of the component.
pub(crate) struct Host {
    storage: Shared<dyn Storage>,
    filesystem: Shared<dyn FileSystem>,
    memory: MemoryLimiter,
    uncertain: bool,
}

impl Host {
    pub(crate) fn new(
        storage: Box<dyn Storage>,
        filesystem: Box<dyn FileSystem>,
        limits: Limits,
    ) -> Self {
        Self {
            storage: Shared::new(storage),
            filesystem: Shared::new(filesystem),
            memory: MemoryLimiter::new(limits.memory_bytes),
            uncertain: false,
        }
    }

    /// The same for another session: on this storage and these files, with these limits.
    pub(crate) fn another(&self) -> Self {
        Self {
            storage: self.storage.clone(),
            filesystem: self.filesystem.clone(),
            memory: MemoryLimiter::new(self.memory.limit),
            uncertain: false,
        }
    }

    pub(crate) fn into_parts(self) -> (Box<dyn Storage>, Box<dyn FileSystem>) {
        (self.storage.into_box(), self.filesystem.into_box())
    }

    pub(crate) fn memory_limiter(&mut self) -> &mut dyn ResourceLimiter {
        &mut self.memory
    }

    /// Whether an append failed since this was last asked that may have been written.
    pub(crate) fn take_uncertain(&mut self) -> bool {
        mem::take(&mut self.uncertain)
    }

    /// The memory in bytes that was refused since this was last asked.
    pub(crate) fn take_refused_memory(&mut self) -> Option<usize> {
        self.memory.refused.take()
    }
}

/// Empty: what a store holds in the moment in which a session moves to another.
impl Default for Host {
    fn default() -> Self {
        Self::new(
            Box::new(MemoryStorage::new()),
            Box::new(MemoryTree::new()),
            Limits::default(),
        )
    }
}

struct MemoryLimiter {
    limit: Option<usize>,
    refused: Option<usize>,
}

impl MemoryLimiter {
    fn new(limit: Option<usize>) -> Self {
        Self {
            limit,
            refused: None,
        }
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let most = [self.limit, maximum].into_iter().flatten().min();
        let fits = most.is_none_or(|most| desired <= most);
        if !fits {
            self.refused = Some(desired);
        }
        Ok(fits)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        Ok(())
    }

    fn table_growing(
        &mut self,
        _current: usize,
        _desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

impl log::Host for Host {
    fn append(
        &mut self,
        session: String,
        expected_length: u32,
        records: Vec<String>,
        texts: Vec<log::StoredText>,
    ) -> Result<(), log::StorageError> {
        let texts = texts.into_iter().map(|text| StoredText {
            id: text.id,
            text: text.text,
        });
        let texts = texts.collect();
        let append = || {
            self.storage
                .turn()
                .append(&session, expected_length, records, texts)
        };
        let appended = guarded(append, StorageError::Uncertain);
        self.uncertain |= matches!(appended, Err(StorageError::Uncertain(_)));
        Ok(appended?)
    }

    fn read_log(&mut self, session: String, start: u32) -> Result<Vec<String>, log::StorageError> {
        Ok(guarded(
            || self.storage.turn().read_log(&session, start),
            StorageError::Other,
        )?)
    }

    fn read_text(&mut self, session: String, id: String) -> Result<String, log::StorageError> {
        Ok(guarded(
            || self.storage.turn().read_text(&session, &id),
            StorageError::Other,
        )?)
    }
}

impl files::Host for Host {
    fn identify(&mut self, path: String) -> Result<String, files::FileError> {
        Ok(guarded(
            || self.filesystem.turn().identify(&path),
            FileError::Other,
        )?)
    }

    fn read(&mut self, path: String) -> Result<files::File, files::FileError> {
        let file = guarded(|| self.filesystem.turn().read(&path), FileError::Other)?;
        let hashed = content::of_file(file.bytes)?;
        Ok(files::File {
            identity: file.identity,
            hashed,
        })
    }
}

/// Calls a user's code, and makes an error of a panic in it.
///
/// A panic that went on through the component would leave its instance unusable and the session with
/// it; as an error it fails one call. Whether the user's own data is whole after it is the user's to
/// know, as with any error that they return.
fn guarded<T, E>(call: impl FnOnce() -> Result<T, E>, other: fn(String) -> E) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(other(words(&*panic))))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}
