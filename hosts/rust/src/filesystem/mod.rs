//! The files that a session's tools work on, read-only.

mod directory;
mod tree;
mod tree_path;

pub use directory::Directory;
pub use tree::MemoryTree;

/// The most bytes that a file can have: the contract counts them with 32 bits.
pub(crate) const MOST_BYTES: u64 = u32::MAX as u64;

/// A read-only view of files. Waybread brings [`Directory`] and [`MemoryTree`].
///
/// Paths given here are absolute and free of `.` and `..`: the session has resolved them against the
/// project root. A file system hands over bytes and an identity; the library hashes them and checks
/// that they are UTF-8. A panic becomes [`FileError::Other`].
pub trait FileSystem: Send {
    /// A file's identity, without reading it: the same string as [`File::identity`].
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn identify(&mut self, path: &str) -> Result<String, FileError>;

    /// The whole file, with its identity. Both belong to the same moment.
    ///
    /// # Errors
    ///
    /// Why it could not be read.
    fn read(&mut self, path: &str) -> Result<File, FileError>;
}

impl<F: FileSystem + ?Sized> FileSystem for Box<F> {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        (**self).identify(path)
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        (**self).read(path)
    }
}

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// What identifies the file: its absolute path with symbolic links followed and, where the disk
    /// ignores case, the case it has on disk. One file has one identity, whatever name it was reached
    /// by.
    pub identity: String,
    /// The whole content.
    pub bytes: Vec<u8>,
}

/// Why a file could not be resolved or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Nothing is there, or a symbolic link on the way leads nowhere or round in a circle.
    #[error("not found")]
    NotFound,
    /// Not allowed: permissions, or outside the root of a confined file system.
    #[error("access denied")]
    Denied,
    /// A directory.
    #[error("is a directory")]
    IsDirectory,
    /// Neither a file nor a directory: a device, a socket, a pipe.
    #[error("is not a file")]
    NotAFile,
    /// The file is there and can't be given, for a reason that the model is told: its real path is not UTF-8,
    /// it is too large, it changed while it was read. It ends a sentence.
    #[error("{0}")]
    Unreadable(String),
    /// The medium failed, in the file system's own words. The call fails with it, and no model is told.
    #[error("{0}")]
    Other(String),
}

pub(crate) fn too_large(bytes: u64) -> FileError {
    FileError::Unreadable(format!(
        "it has {bytes} bytes, and at most {MOST_BYTES} can be read"
    ))
}
