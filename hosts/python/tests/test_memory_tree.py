"""The tree in memory: folders, links, and files that can't be read."""

from __future__ import annotations

import pytest

from waybread import MemoryTree


@pytest.fixture
def tree() -> MemoryTree:
    return MemoryTree({"/app/a.ts": "é", "/app/src/b.bin": b"\xff"})


def test_text_is_utf8_and_bytes_are_bytes(tree: MemoryTree) -> None:
    assert tree.read("/app/a.ts") == ("/app/a.ts", "é".encode())
    assert tree.read("/app/src/b.bin") == ("/app/src/b.bin", b"\xff")


@pytest.mark.parametrize("path", ["/app/b.ts", "/app/a.ts/x", "/other", "/app/src/b.bi"])
def test_nothing_is_there(tree: MemoryTree, path: str) -> None:
    with pytest.raises(FileNotFoundError):
        tree.identify(path)
    with pytest.raises(FileNotFoundError):
        tree.read(path)


def test_folders_are_where_files_lie(tree: MemoryTree) -> None:
    tree.directory("/app/empty")
    for path in ("/app", "/app/src", "/app/empty", "/"):
        assert tree.identify(path) == path
        with pytest.raises(IsADirectoryError):
            tree.read(path)


def test_links_are_followed_from_their_folder(tree: MemoryTree) -> None:
    tree.link("/app/link", "src/b.bin")
    tree.link("/app/src/up", "../a.ts")
    tree.link("/app/whole", "/app/src")
    tree.link("/app/above", "../../../../app/a.ts")
    assert tree.identify("/app/link") == "/app/src/b.bin"
    assert tree.identify("/app/src/up") == "/app/a.ts"
    assert tree.read("/app/whole/b.bin") == ("/app/src/b.bin", b"\xff")
    assert tree.identify("/app/whole") == "/app/src"
    assert tree.identify("/app/above") == "/app/a.ts"


def test_links_to_nowhere_and_in_circles(tree: MemoryTree) -> None:
    tree.link("/app/dangling", "absent")
    tree.link("/app/one", "two")
    tree.link("/app/two", "one")
    tree.link("/app/self", "self/x")
    for path in ("/app/dangling", "/app/one", "/app/two/x", "/app/self"):
        with pytest.raises(FileNotFoundError):
            tree.read(path)


def test_a_write_through_a_linked_folder_lands_in_it(tree: MemoryTree) -> None:
    tree.link("/app/whole", "src")
    tree.write("/app/whole/new", "n")
    assert tree.read("/app/src/new") == ("/app/src/new", b"n")
    tree.delete("/app/whole/new")
    with pytest.raises(FileNotFoundError):
        tree.read("/app/src/new")


def test_deleting_a_link_leaves_its_target(tree: MemoryTree) -> None:
    tree.link("/app/link", "a.ts")
    tree.delete("/app/link")
    assert tree.read("/app/a.ts")[1] == "é".encode()
    with pytest.raises(FileNotFoundError):
        tree.delete("/app/link")


def test_denied_and_broken_files(tree: MemoryTree) -> None:
    tree.deny("/app/locked")
    tree.break_("/app/broken", "disk on fire")
    assert tree.identify("/app/locked") == "/app/locked"
    with pytest.raises(PermissionError):
        tree.read("/app/locked")
    with pytest.raises(OSError, match=r"^disk on fire$"):
        tree.read("/app/broken")


def test_windows_paths(tree: MemoryTree) -> None:
    tree.write("C:\\app\\a.ts", "w")
    tree.link("C:\\app\\link", "..\\app\\a.ts")
    tree.link("C:\\app\\high", "../../app/a.ts")
    for path in ("C:\\app\\a.ts", "C:/app/a.ts", "C:\\app\\link", "C:\\app\\high"):
        assert tree.read(path) == ("C:\\app\\a.ts", b"w")
    assert tree.read("c:\\app\\a.ts")[0] == "C:\\app\\a.ts"
    with pytest.raises(IsADirectoryError):
        tree.read("C:\\")
    tree.write("\\\\server\\share\\x", "u")
    assert tree.read("\\\\server\\share\\x") == ("\\\\server\\share\\x", b"u")
