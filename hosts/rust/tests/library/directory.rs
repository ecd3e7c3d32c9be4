//! Files on the disk, and what keeps a session inside its root.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tempfile::TempDir;
use waybread::{Directory, FileError, FileSystem, MemoryStorage, Session, Settings, Treatment};

use crate::support::{call, read};

/// `root/a.ts`, `root/sub/b.ts`, and `outside/secret` beside the root.
struct Disk {
    _folder: TempDir,
    root: PathBuf,
    outside: PathBuf,
}

impl Disk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        let (root, outside) = (real.join("root"), real.join("root-outside"));
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(root.join("a.ts"), "inside\n").unwrap();
        fs::write(root.join("sub/b.ts"), "below\n").unwrap();
        fs::write(outside.join("secret"), "secret\n").unwrap();
        Self {
            _folder: folder,
            root,
            outside,
        }
    }

    fn confined(&self) -> Directory {
        Directory::confined(&self.root).unwrap()
    }

    /// What reading a path of the root gives, confined.
    fn read(&self, path: impl AsRef<Path>) -> Result<String, FileError> {
        content(&mut self.confined(), &self.root.join(path))
    }

    fn identify(&self, path: impl AsRef<Path>) -> Result<String, FileError> {
        self.confined()
            .identify(self.root.join(path).to_str().unwrap())
    }

    fn path(&self, path: &str) -> String {
        self.root.join(path).into_os_string().into_string().unwrap()
    }
}

fn content(directory: &mut Directory, path: &Path) -> Result<String, FileError> {
    let file = directory.read(path.to_str().unwrap())?;
    Ok(String::from_utf8(file.bytes).unwrap())
}

#[test]
fn a_session_reads_the_disk() {
    let disk = Disk::new();
    symlink("a.ts", disk.root.join("link.ts")).unwrap();
    let settings = Settings::agent(disk.path(""));
    let storage = MemoryStorage::new();
    let mut session = Session::open("s", settings, storage, disk.confined()).unwrap();
    assert!(
        read(&mut session, "c1", "a.ts")
            .text
            .ends_with("\n1: inside")
    );
    assert_eq!(
        read(&mut session, "c2", "link.ts").treatment,
        Treatment::UnchangedRead
    );
    let refused = read(&mut session, "c3", "../root-outside/secret");
    let secret = disk.outside.join("secret");
    assert_eq!(
        refused.text,
        format!("[#0003] Not allowed to read {}", secret.display())
    );
    fs::write(disk.root.join("a.ts"), "other\n").unwrap();
    assert!(
        read(&mut session, "c4", "link.ts")
            .text
            .ends_with("\n1: other")
    );
    let forced = waybread::Read::new("a.ts").force(true);
    assert_eq!(
        session
            .insert_result(&call("c5"), forced)
            .unwrap()
            .treatment,
        Treatment::Full
    );
}

#[test]
fn one_file_has_one_identity() {
    let disk = Disk::new();
    symlink("../a.ts", disk.root.join("sub/up.ts")).unwrap();
    symlink(disk.root.join("sub"), disk.root.join("absolute")).unwrap();
    assert_eq!(disk.identify("sub/up.ts"), Ok(disk.path("a.ts")));
    assert_eq!(disk.identify("absolute/b.ts"), Ok(disk.path("sub/b.ts")));
    assert_eq!(disk.read("absolute/b.ts"), Ok("below\n".to_owned()));
    assert_eq!(disk.identify("sub"), Ok(disk.path("sub")));
}

#[test]
fn a_root_may_be_reached_through_a_link() {
    let disk = Disk::new();
    let link = disk.outside.join("root-link");
    symlink(&disk.root, &link).unwrap();
    let mut directory = Directory::confined(&link).unwrap();
    assert_eq!(
        content(&mut directory, &link.join("a.ts")),
        Ok("inside\n".to_owned())
    );
    assert_eq!(
        content(&mut directory, &disk.root.join("a.ts")),
        Ok("inside\n".to_owned())
    );
    assert_eq!(content(&mut directory, &link), Err(FileError::IsDirectory));
}

#[test]
fn outside_is_denied_whether_it_exists_or_not() {
    let disk = Disk::new();
    symlink(disk.outside.join("secret"), disk.root.join("out")).unwrap();
    symlink("../root-outside", disk.root.join("folder-out")).unwrap();
    symlink("../root-outside/missing", disk.root.join("missing-out")).unwrap();
    symlink("sub/../missing-out", disk.root.join("missing-far-out")).unwrap();
    symlink("circle", disk.outside.join("circle")).unwrap();
    symlink("../root-outside/circle", disk.root.join("circle-out")).unwrap();
    for path in [
        "out",
        "missing-out",
        "missing-out/below",
        "missing-far-out",
        "circle-out",
        "folder-out/secret",
        "folder-out",
        "folder-out/missing",
    ] {
        assert_eq!(disk.read(path), Err(FileError::Denied), "{path}");
        assert_eq!(disk.identify(path), Err(FileError::Denied), "{path}");
    }
    for path in [
        disk.outside.join("secret"),
        disk.outside.join("missing"),
        "/etc/passwd".into(),
    ] {
        assert_eq!(
            disk.read(&path),
            Err(FileError::Denied),
            "{}",
            path.display()
        );
        assert_eq!(
            disk.identify(&path),
            Err(FileError::Denied),
            "{}",
            path.display()
        );
    }
    let mut everything = Directory::unconfined();
    assert_eq!(
        content(&mut everything, &disk.root.join("out")),
        Ok("secret\n".to_owned())
    );
    let secret = disk.outside.join("secret");
    let identity = everything.identify(&disk.path("folder-out/secret"));
    assert_eq!(identity.unwrap(), secret.to_str().unwrap());
}

#[test]
fn what_is_not_there_is_not_found() {
    let disk = Disk::new();
    symlink("nowhere", disk.root.join("dangling")).unwrap();
    symlink("loop-b", disk.root.join("loop-a")).unwrap();
    symlink("loop-a", disk.root.join("loop-b")).unwrap();
    let long = "x".repeat(5000);
    for path in [
        "missing",
        "sub/missing",
        "a.ts/below",
        "dangling",
        "loop-a",
        "loop-a/x",
        "n\0l",
        &long,
    ] {
        assert_eq!(disk.read(path), Err(FileError::NotFound), "{path:?}");
        assert_eq!(disk.identify(path), Err(FileError::NotFound), "{path:?}");
    }
}

/// Were one of these opened as a file, the test would not end.
#[test]
fn only_files_are_read() {
    let disk = Disk::new();
    let pipe = disk.root.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    symlink("pipe", disk.root.join("pipe-link")).unwrap();
    let _listener = UnixListener::bind(disk.root.join("socket")).unwrap();
    for path in ["pipe", "pipe-link", "socket"] {
        assert_eq!(disk.read(path), Err(FileError::NotAFile), "{path}");
    }
    for path in ["sub", ""] {
        assert_eq!(disk.read(path), Err(FileError::IsDirectory), "{path}");
    }
    let mut everything = Directory::unconfined();
    for path in ["/dev/null", "/dev/zero"] {
        assert_eq!(everything.read(path), Err(FileError::NotAFile), "{path}");
    }
    assert_eq!(content(&mut everything, &pipe), Err(FileError::NotAFile));
    assert_eq!(
        content(&mut everything, &disk.root),
        Err(FileError::IsDirectory)
    );
}

/// Whoever may read everything, root for one, can't be denied a file: for them there is nothing to see.
#[test]
fn permissions_deny() {
    let disk = Disk::new();
    let path = disk.root.join("a.ts");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let expected = match fs::read(&path) {
        Ok(_) => Ok("inside\n".to_owned()),
        Err(_) => Err(FileError::Denied),
    };
    assert_eq!(disk.read("a.ts"), expected);
    assert_eq!(disk.identify("a.ts"), Ok(disk.path("a.ts")));
}

#[test]
fn names_are_what_the_disk_has() {
    let disk = Disk::new();
    for name in ["ä ö.ts", "-n", "a\\b", "new\nline", "👩‍👩‍👧"] {
        fs::write(disk.root.join(name), name).unwrap();
        assert_eq!(disk.read(name), Ok(name.to_owned()));
        assert_eq!(disk.identify(name), Ok(disk.path(name)));
    }
    let not_utf_8 = std::ffi::OsStr::from_bytes(b"\xff");
    fs::write(disk.root.join(not_utf_8), "x").unwrap();
    symlink(not_utf_8, disk.root.join("named")).unwrap();
    assert!(matches!(
        disk.identify("named"),
        Err(FileError::Unreadable(_))
    ));
    assert!(matches!(disk.read("named"), Err(FileError::Unreadable(_))));
}

#[test]
fn a_root_must_be_a_folder() {
    let disk = Disk::new();
    assert!(Directory::confined(disk.root.join("a.ts")).is_err());
    assert!(Directory::confined(disk.root.join("missing")).is_err());
}

/// A folder is swapped for a link out of the root, and back, while it is read.
#[test]
fn a_link_swapped_in_is_of_no_use() {
    let disk = Disk::new();
    fs::write(disk.root.join("sub/secret"), "inside\n").unwrap();
    let (folder, aside) = (disk.root.join("sub"), disk.root.join("aside"));
    let outside = disk.outside.clone();
    static DONE: AtomicBool = AtomicBool::new(false);
    let swapper = thread::spawn(move || {
        while !DONE.load(Ordering::Relaxed) {
            fs::rename(&folder, &aside).unwrap();
            symlink(&outside, &folder).unwrap();
            fs::remove_file(&folder).unwrap();
            fs::rename(&aside, &folder).unwrap();
        }
    });
    let mut directory = disk.confined();
    let path = disk.root.join("sub/secret");
    let mut read = 0;
    for _ in 0..20_000 {
        match content(&mut directory, &path) {
            Ok(text) => {
                assert_eq!(text, "inside\n");
                read += 1;
            }
            Err(error) => assert!(
                matches!(error, FileError::Denied | FileError::NotFound),
                "{error:?}"
            ),
        }
    }
    DONE.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert!(read > 0);
}

#[test]
fn a_path_that_no_system_takes_is_not_walked() {
    let disk = Disk::new();
    for path in [
        "a/".repeat(80_000),
        "../".repeat(80_000),
        "x".repeat(100_000),
    ] {
        assert_eq!(disk.read(&path), Err(FileError::NotFound));
        assert_eq!(disk.identify(&path), Err(FileError::NotFound));
    }
}
