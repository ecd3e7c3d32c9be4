//! Files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::tree_path::TreePath;
use super::{File, FileError, FileSystem};

/// As many links as Linux follows on the way to one file.
const MOST_LINKS: u32 = 40;

/// Files in memory: for tests, for replays, for a server's chats.
///
/// A clone is another handle on the same tree, so a tree can change under an open session. Folders exist
/// where a file lies in them. A path that begins with a drive letter or a share
/// is a Windows path: both slashes separate, and identities are written with `\`.
///
/// ```
/// use waybread::{FileSystem, MemoryTree};
///
/// let mut tree = MemoryTree::new();
/// tree.write("/work/app/a.ts", "x\n");
/// tree.link("/work/app/b.ts", "a.ts");
/// assert_eq!(tree.identify("/work/app/b.ts"), Ok("/work/app/a.ts".to_owned()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryTree {
    entries: Arc<Mutex<BTreeMap<String, Entry>>>,
}

#[derive(Clone, Debug)]
enum Entry {
    File(Vec<u8>),
    Link(String),
    Directory,
    Denied,
    Broken(String),
}

impl MemoryTree {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a file, or replaces what is there.
    pub fn write(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.put(path, Entry::File(content.into()));
    }

    /// Makes a symbolic link, relative to its folder or absolute.
    pub fn link(&self, path: &str, target: &str) {
        self.put(path, Entry::Link(target.to_owned()));
    }

    /// Makes a directory, which may stay empty.
    pub fn make_directory(&self, path: &str) {
        self.put(path, Entry::Directory);
    }

    /// Makes a file that may not be read.
    pub fn deny(&self, path: &str) {
        self.put(path, Entry::Denied);
    }

    /// Makes a file whose read fails with [`FileError::Other`] and these words.
    pub fn break_with(&self, path: &str, words: &str) {
        self.put(path, Entry::Broken(words.to_owned()));
    }

    /// Takes away what is at the path itself, a link and not what it leads to. Says whether there was
    /// something.
    #[must_use = "nothing may have been there"]
    pub fn remove(&self, path: &str) -> bool {
        self.entries().remove(&TreePath::new(path).text()).is_some()
    }

    fn put(&self, path: &str, entry: Entry) {
        self.entries().insert(TreePath::new(path).text(), entry);
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        // A thread that panicked left the map whole: each change is one step.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileSystem for MemoryTree {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        Ok(real_path(&self.entries(), path)?.text())
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        let entries = self.entries();
        let identity = real_path(&entries, path)?.text();
        match entries.get(&identity) {
            Some(Entry::File(bytes)) => Ok(File {
                identity,
                bytes: bytes.clone(),
            }),
            Some(Entry::Denied) => Err(FileError::Denied),
            Some(Entry::Broken(words)) => Err(FileError::Other(words.clone())),
            // What is real and has no entry is a folder that something lies in.
            Some(Entry::Directory | Entry::Link(_)) | None => Err(FileError::IsDirectory),
        }
    }
}

/// The path with every link followed.
fn real_path(entries: &BTreeMap<String, Entry>, path: &str) -> Result<TreePath, FileError> {
    let (mut real, mut ahead) = TreePath::split(path);
    ahead.reverse();
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        real.enter(&name);
        match entries.get(&real.text()) {
            Some(Entry::Link(target)) => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(FileError::NotFound);
                }
                real.leave();
                let (start, names) = real.follow(target);
                real = start;
                ahead.extend(names.into_iter().rev());
            }
            Some(Entry::Directory) => {}
            Some(_) if ahead.is_empty() => {}
            None if is_folder(entries, &real) => {}
            Some(_) | None => return Err(FileError::NotFound),
        }
    }
    Ok(real)
}

fn is_folder(entries: &BTreeMap<String, Entry>, path: &TreePath) -> bool {
    let below = path.below();
    path.is_top()
        || entries
            .range(below.clone()..)
            .next()
            .is_some_and(|(first, _)| first.starts_with(&below))
}
