//! Files in memory that tell what was read of them.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use waybread::{File, FileError, FileSystem, MemoryTree};

/// A tree, and the paths that were read since somebody asked.
#[derive(Clone, Default)]
pub struct Reads {
    pub tree: MemoryTree,
    read: Arc<Mutex<Vec<String>>>,
}

impl Reads {
    /// The paths, in their order; they are forgotten.
    pub fn take(&self) -> Vec<String> {
        mem::take(&mut self.read.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl FileSystem for Reads {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        self.tree.identify(path)
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.push(path.to_owned());
        self.tree.read(path)
    }
}
