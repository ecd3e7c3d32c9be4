//! Files on the disk.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::{File, FileError, FileSystem, MOST_BYTES, too_large};

/// How many links one path may follow, as Linux has it.
const MOST_LINKS: usize = 40;

/// No system opens a file by a longer path, in bytes. What is longer is not looked for: that would take a call
/// for each of its folders.
const MOST_PATH: usize = if cfg!(windows) { 32_767 } else { 4_096 };

/// Files on the disk: those below one directory, or all of them.
///
/// A confined directory refuses whatever lies outside by its real path, so a symbolic link out of it is
/// refused too, and what it opens it opens through a handle on the directory, so a link that is
/// swapped in between is of no use.
#[derive(Debug)]
pub struct Directory {
    root: Option<Root>,
}

#[derive(Debug)]
struct Root {
    /// Without symbolic links.
    path: PathBuf,
    handle: Dir,
}

impl Directory {
    /// The files below `root`.
    ///
    /// # Errors
    ///
    /// If `root` is not a directory or may not be read.
    pub fn confined(root: impl AsRef<Path>) -> io::Result<Self> {
        let path = dunce::canonicalize(root)?;
        let handle = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self {
            root: Some(Root { path, handle }),
        })
    }

    /// Every file of the machine that the process may read.
    #[must_use]
    pub fn unconfined() -> Self {
        Self { root: None }
    }

    /// The real path, if it may be looked at.
    fn real_path(&self, path: &Path) -> Result<PathBuf, FileError> {
        if path.as_os_str().len() > MOST_PATH {
            return Err(FileError::NotFound);
        }
        match dunce::canonicalize(path) {
            Ok(real) if self.holds(&real) => Ok(real),
            Ok(_) => Err(FileError::Denied),
            Err(error) if self.may_say_why(path) => Err(file_error(&error)),
            Err(_) => Err(FileError::Denied),
        }
    }

    fn holds(&self, real: &Path) -> bool {
        self.root
            .as_ref()
            .is_none_or(|root| real.starts_with(&root.path))
    }

    /// Whether a path that leads nowhere gets lost inside: what is missing outside is not told. A
    /// link is followed to where it gets lost.
    fn may_say_why(&self, path: &Path) -> bool {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let Some(last) = path
                .ancestors()
                .find(|above| above.symlink_metadata().is_ok())
            else {
                return true;
            };
            let target = fs::read_link(last).ok();
            let folder = match target {
                Some(_) => last.parent().unwrap_or(last),
                None => last,
            };
            if !dunce::canonicalize(folder).is_ok_and(|real| self.holds(&real)) {
                return false;
            }
            let Some(target) = target else {
                return true;
            };
            let rest = path.strip_prefix(last).unwrap_or(Path::new(""));
            // `join` would end in a slash, which follows a link.
            let leads = folder.join(target);
            path = leads.components().chain(rest.components()).collect();
        }
        // Round in a circle, none of which is outside.
        true
    }

    fn metadata(&self, real: &Path) -> io::Result<FileKind> {
        match self.inside(real) {
            Some((root, below)) => root.handle.metadata(below).map(|found| FileKind {
                directory: found.is_dir(),
                file: found.is_file(),
            }),
            None => fs::metadata(real).map(|found| FileKind::from(&found)),
        }
    }

    fn open(&self, real: &Path) -> io::Result<fs::File> {
        match self.inside(real) {
            Some((root, below)) => {
                let mut options = cap_std::fs::OpenOptions::new();
                without_waiting_inside(options.read(true));
                root.handle
                    .open_with(below, &options)
                    .map(cap_std::fs::File::into_std)
            }
            None => without_waiting(fs::OpenOptions::new().read(true)).open(real),
        }
    }

    fn inside<'a>(&'a self, real: &'a Path) -> Option<(&'a Root, &'a Path)> {
        let root = self.root.as_ref()?;
        let below = real.strip_prefix(&root.path).ok()?;
        let itself = below.as_os_str().is_empty();
        Some((root, if itself { Path::new(".") } else { below }))
    }
}

impl FileSystem for Directory {
    fn identify(&mut self, path: &str) -> Result<String, FileError> {
        identity(self.real_path(Path::new(path))?)
    }

    fn read(&mut self, path: &str) -> Result<File, FileError> {
        let real = self.real_path(Path::new(path))?;
        // Looked at before it is opened: opening a device can have effects, a pipe has no end.
        self.metadata(&real)
            .map_err(|error| file_error(&error))?
            .must_be_file()?;
        let file = self.open(&real).map_err(|error| file_error(&error))?;
        let bytes = read_whole(file)?;
        Ok(File {
            identity: identity(real)?,
            bytes,
        })
    }
}

fn identity(real: PathBuf) -> Result<String, FileError> {
    real.into_os_string()
        .into_string()
        .map_err(|_| FileError::Unreadable("its real path is not UTF-8".to_owned()))
}

struct FileKind {
    directory: bool,
    file: bool,
}

impl From<&Metadata> for FileKind {
    fn from(found: &Metadata) -> Self {
        Self {
            directory: found.is_dir(),
            file: found.is_file(),
        }
    }
}

impl FileKind {
    fn must_be_file(&self) -> Result<(), FileError> {
        match self {
            Self {
                directory: true, ..
            } => Err(FileError::IsDirectory),
            Self { file: true, .. } => Ok(()),
            Self { .. } => Err(FileError::NotAFile),
        }
    }
}

fn read_whole(file: fs::File) -> Result<Vec<u8>, FileError> {
    let found = file.metadata().map_err(|error| file_error(&error))?;
    // Once more: the path may lead to something else since it was looked at.
    FileKind::from(&found).must_be_file()?;
    if found.len() > MOST_BYTES {
        return Err(too_large(found.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(0));
    // A file that says it is empty and has no end is cut off here, and one that grows without bound.
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    match read.map_err(|error| file_error(&error))? as u64 {
        more if more > MOST_BYTES => Err(too_large(more)),
        _ => Ok(bytes),
    }
}

/// Opening a pipe would wait for a writer; so would a file swapped for one since it was looked at.
#[cfg(unix)]
fn without_waiting(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK)
}

#[cfg(unix)]
fn without_waiting_inside(options: &mut cap_std::fs::OpenOptions) {
    cap_std::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
}

#[cfg(not(unix))]
fn without_waiting(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    options
}

#[cfg(not(unix))]
fn without_waiting_inside(_: &mut cap_std::fs::OpenOptions) {}

fn file_error(error: &io::Error) -> FileError {
    match error.kind() {
        ErrorKind::NotFound
        // A file stands where a folder would have to.
        | ErrorKind::NotADirectory
        // A name that no file can have: NUL in it, or too long.
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename => FileError::NotFound,
        ErrorKind::PermissionDenied => FileError::Denied,
        ErrorKind::IsADirectory => FileError::IsDirectory,
        _ if is_loop(error) => FileError::NotFound,
        _ => FileError::Other(error.to_string()),
    }
}

#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

#[cfg(windows)]
fn is_loop(error: &io::Error) -> bool {
    const ERROR_CANT_RESOLVE_FILENAME: i32 = 1921;
    error.raw_os_error() == Some(ERROR_CANT_RESOLVE_FILENAME)
}

#[cfg(not(any(unix, windows)))]
fn is_loop(_: &io::Error) -> bool {
    false
}
