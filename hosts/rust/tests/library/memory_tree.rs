//! The tree in memory.

use waybread::{File, FileError, FileSystem, MemoryTree};

fn tree() -> MemoryTree {
    let tree = MemoryTree::new();
    tree.write("/work/app/src/a.ts", "a");
    tree
}

fn content(tree: &MemoryTree, path: &str) -> Result<String, FileError> {
    let File { bytes, .. } = tree.clone().read(path)?;
    Ok(String::from_utf8(bytes).unwrap())
}

fn identity(tree: &MemoryTree, path: &str) -> Result<String, FileError> {
    tree.clone().identify(path)
}

#[test]
fn folders_exist_where_a_file_lies_in_them() {
    let tree = tree();
    for folder in ["/", "/work", "/work/app/src"] {
        assert_eq!(
            content(&tree, folder),
            Err(FileError::IsDirectory),
            "{folder}"
        );
    }
    for nothing in ["/work/ap", "/work/app/src/b", "/work/app/src/a.ts/b"] {
        assert_eq!(
            content(&tree, nothing),
            Err(FileError::NotFound),
            "{nothing}"
        );
    }
    assert!(tree.remove("/work/app/src/a.ts"));
    assert!(!tree.remove("/work/app/src/a.ts"));
    assert_eq!(content(&tree, "/work"), Err(FileError::NotFound));
    tree.make_directory("/work/empty");
    assert_eq!(content(&tree, "/work/empty"), Err(FileError::IsDirectory));
}

#[test]
fn links_are_followed_on_the_whole_way() {
    let tree = tree();
    tree.link("/work/app/b.ts", "src/a.ts");
    tree.link("/work/here", "./app/../app");
    tree.link("/elsewhere", "/work/here/src");
    tree.link("/top", "../../../work");
    for path in [
        "/work/app/b.ts",
        "/work/here/b.ts",
        "/elsewhere/a.ts",
        "/elsewhere/../b.ts",
        "/top/app/src/a.ts",
    ] {
        assert_eq!(
            identity(&tree, path),
            Ok("/work/app/src/a.ts".to_owned()),
            "{path}"
        );
        assert_eq!(content(&tree, path), Ok("a".to_owned()), "{path}");
    }
    tree.write("/work/app/src/a.ts", "changed");
    assert_eq!(content(&tree, "/work/here/b.ts"), Ok("changed".to_owned()));
}

#[test]
fn links_that_lead_nowhere_are_not_found() {
    let tree = tree();
    tree.link("/dangling", "/nowhere");
    tree.link("/itself", "itself");
    tree.link("/one", "two");
    tree.link("/two", "/one/x");
    tree.link("/through-a-file", "/work/app/src/a.ts/..");
    for path in ["/dangling", "/itself", "/one", "/two/x", "/through-a-file"] {
        assert_eq!(identity(&tree, path), Err(FileError::NotFound), "{path}");
        assert_eq!(content(&tree, path), Err(FileError::NotFound), "{path}");
    }
}

#[test]
fn what_may_not_be_read_has_an_identity_all_the_same() {
    let tree = tree();
    tree.deny("/secret");
    tree.break_with("/broken", "bad sector");
    assert_eq!(content(&tree, "/secret"), Err(FileError::Denied));
    assert_eq!(
        content(&tree, "/broken"),
        Err(FileError::Other("bad sector".to_owned()))
    );
    assert_eq!(identity(&tree, "/secret"), Ok("/secret".to_owned()));
    assert_eq!(identity(&tree, "/broken"), Ok("/broken".to_owned()));
}

#[test]
fn windows_paths_take_both_slashes() {
    let tree = MemoryTree::new();
    tree.write(r"c:\work\a.ts", "a");
    tree.write(r"\\host\share\b.ts", "b");
    tree.link(r"C:\link", r"\work");
    tree.link(r"C:\over", r"\\host\share");
    for path in [r"C:\work\a.ts", "C:/work/a.ts", r"C:\link\a.ts"] {
        assert_eq!(
            identity(&tree, path),
            Ok(r"C:\work\a.ts".to_owned()),
            "{path}"
        );
    }
    assert_eq!(
        identity(&tree, r"C:\over\b.ts"),
        Ok(r"\\host\share\b.ts".to_owned())
    );
    assert_eq!(content(&tree, r"C:\"), Err(FileError::IsDirectory));
    assert_eq!(content(&tree, r"D:\work\a.ts"), Err(FileError::NotFound));
    tree.write(r"/unix/a\b", "one name");
    assert_eq!(identity(&tree, r"/unix/a\b"), Ok(r"/unix/a\b".to_owned()));
}
