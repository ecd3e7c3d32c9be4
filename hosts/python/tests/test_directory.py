"""A real directory: identities, confinement, and what is not a file."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

import pytest
from modes import needs_modes

from waybread import (
    Directory,
    MemoryStorage,
    NotAFileError,
    Read,
    Session,
    Settings,
    ToolCall,
    UnreadableFileError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's own kinds of file")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "app" / "src").mkdir(parents=True)
    (tmp_path / "app" / "a.ts").write_bytes(b"x\r\n\0\xff")
    (tmp_path / "app" / "src" / "b.ts").write_text("b")
    (tmp_path / "secret").write_text("secret")
    return tmp_path / "app"


@pytest.fixture
def files(root: Path) -> Directory:
    return Directory(root)


def test_a_file_is_read_byte_for_byte(root: Path, files: Directory) -> None:
    path = str(root / "a.ts")
    assert files.read(path) == (os.path.realpath(path), b"x\r\n\0\xff")
    assert files.read(str(root / "src" / "b.ts"))[1] == b"b"


def test_links_inside_the_root_share_one_identity(root: Path, files: Directory) -> None:
    (root / "link.ts").symlink_to("src/b.ts")
    (root / "folder").symlink_to(root / "src")
    identities = {
        files.read(str(root / name))[0] for name in ("src/b.ts", "link.ts", "folder/b.ts")
    }
    assert identities == {files.identify(str(root / "src" / "b.ts"))}


def test_the_root_may_itself_be_a_link(root: Path) -> None:
    (root.parent / "project").symlink_to(root)
    files = Directory(root.parent / "project")
    assert files.root == os.path.realpath(root)
    assert files.read(str(root.parent / "project" / "a.ts"))[0] == str(root / "a.ts")


@pytest.mark.parametrize("use", [Directory.identify, Directory.read])
@pytest.mark.parametrize("name", ["secret", "absent", "app-2/x", "", "app/out", "app/way/secret"])
def test_nothing_outside_the_root_is_reached(
    root: Path, files: Directory, use: Callable[[Directory, str], object], name: str
) -> None:
    (root.parent / "app-2").mkdir()
    (root.parent / "app-2" / "x").write_text("a neighbour whose name begins like the root's")
    (root / "out").symlink_to("../secret")
    (root / "way").symlink_to("..")
    with pytest.raises(PermissionError):
        use(files, str(root.parent / name))


def test_a_link_out_and_back_in_stays_inside(root: Path, files: Directory) -> None:
    (root / "round").symlink_to("../app/src/b.ts")
    assert files.read(str(root / "round"))[1] == b"b"


def test_unconfined_reads_anything(root: Path) -> None:
    files = Directory(root, confined=False)
    (root / "out").symlink_to("../secret")
    assert files.read(str(root / "out")) == (str(root.parent / "secret"), b"secret")


@pytest.mark.parametrize("confined", [True, False])
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("absent", FileNotFoundError),
        ("a.ts/under-a-file", NotADirectoryError),
        ("dangling", FileNotFoundError),
        ("circle", FileNotFoundError),
        ("nul\0", FileNotFoundError),
        ("long" * 100, FileNotFoundError),
        ("src", IsADirectoryError),
        ("", IsADirectoryError),
    ],
)
def test_what_cannot_be_read(
    root: Path, *, confined: bool, name: str, error: type[OSError]
) -> None:
    (root / "dangling").symlink_to("absent")
    (root / "circle").symlink_to("circle-2")
    (root / "circle-2").symlink_to("circle")
    with pytest.raises(error):
        Directory(root, confined=confined).read(f"{root}{os.sep}{name}")


@posix
@pytest.mark.parametrize("confined", [True, False])
def test_a_pipe_is_not_opened(root: Path, *, confined: bool) -> None:
    os.mkfifo(root / "pipe")  # opening it would wait for a writer
    with pytest.raises(NotAFileError):
        Directory(root, confined=confined).read(str(root / "pipe"))


@posix
def test_a_device_and_a_socket_are_not_files(root: Path, files: Directory) -> None:
    with pytest.raises(NotAFileError):
        Directory("/dev", confined=False).read("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(root / "socket"))
        with pytest.raises(NotAFileError):
            files.read(str(root / "socket"))


@posix
def test_a_folder_swapped_for_a_link_while_reading_leads_nowhere(
    root: Path, files: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "b.ts").write_text("secret")
    identify = files.identify

    def identify_then_swap(path: str) -> str:
        identity = identify(path)
        (root / "src").rename(root / "was-src")
        (root / "src").symlink_to(outside)
        return identity

    monkeypatch.setattr(files, "identify", identify_then_swap)
    with pytest.raises(OSError, match=r"[Nn]ot a directory|symbolic links|No such file"):
        files.read(str(root / "src" / "b.ts"))


@needs_modes
def test_a_file_that_may_not_be_read_is_denied(root: Path, files: Directory) -> None:
    (root / "a.ts").chmod(0)
    with pytest.raises(PermissionError):
        files.read(str(root / "a.ts"))


@needs_modes
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a folder is opened to be read")
def test_a_folder_that_may_not_be_listed_may_be_passed(root: Path, files: Directory) -> None:
    (root / "src").chmod(0o311)
    try:
        assert files.read(str(root / "src" / "b.ts"))[1] == b"b"
    finally:
        (root / "src").chmod(0o755)


def test_a_file_too_long_for_the_contract_is_not_loaded(root: Path, files: Directory) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(2**32)
    with pytest.raises(UnreadableFileError, match="4294967296 bytes, and at most 1073741824 can"):
        files.read(str(root / "huge"))


def test_a_root_that_is_no_directory(root: Path) -> None:
    with pytest.raises(NotADirectoryError):
        Directory(root / "a.ts")
    with pytest.raises(FileNotFoundError):
        Directory(root / "absent")


@pytest.mark.skipif(sys.platform != "linux", reason="a disk that heeds case")
def test_case_is_kept_where_the_disk_heeds_it(root: Path, files: Directory) -> None:
    (root / "A.TS").write_text("another file")
    assert files.identify(str(root / "A.TS")) != files.identify(str(root / "a.ts"))
    os.link(root / "src" / "b.ts", root / "src" / "B.TS")
    assert files.identify(str(root / "src" / "B.TS")).endswith("B.TS")


@pytest.mark.skipif(sys.platform != "linux", reason="a disk that heeds case plays one that doesn't")
def test_case_is_the_disk_s_where_it_is_ignored(
    root: Path, files: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A hard link answers under both spellings; a folder that lists one of them is all that a disk
    # without case shows.
    os.link(root / "src" / "b.ts", root / "src" / "B.TS")
    listed = os.listdir

    def one_spelling(folder: str) -> list[str]:
        return [name for name in listed(folder) if name != "B.TS"]

    monkeypatch.setattr(os, "listdir", one_spelling)
    assert files.read(str(root / "src" / "B.TS"))[0] == str(root / "src" / "b.ts")


@pytest.mark.skipif(sys.platform != "linux", reason="a disk that takes any bytes for a name")
def test_what_a_repository_holds_never_raises(root: Path, files: Directory) -> None:
    (root / "huge").touch()
    os.truncate(root / "huge", 2**32 + 5)
    os.mkfifo(root / "pipe")
    (root / "link").symlink_to(os.fsdecode(b"bad\xff"))
    (root / os.fsdecode(b"bad\xff")).write_text("x")
    (root / "loop").symlink_to("loop")
    reads = {
        "a/" * 1000 + "x": "No such file",
        "a/" * 100_000 + "x": "No such file",
        "n" * 300: "No such file",
        "a\0b": "No such file",
        "loop": "No such file",
        "../" * 3000 + "etc/passwd": "Not allowed to read",
        "pipe": "neither a file nor a directory",
        "link": "its real path is not UTF-8",
        "huge": "it has 4294967301 bytes, and at most 1073741824 can be read",
    }
    settings = Settings(files.root)
    with Session.open("s", settings, storage=MemoryStorage(), filesystem=files) as session:
        for number, (path, told) in enumerate(reads.items()):
            answer = session.insert_result(ToolCall(f"c{number}", "read"), Read(path))
            assert told in answer.text


def test_a_file_that_grows_is_not_read_for_ever(root: Path, files: Directory) -> None:
    path = root / "log"
    path.write_bytes(b"x" * 10)
    fstat = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        os.truncate(path, found.st_size + grown)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fstat", growing)
        grown = 1000
        assert len(files.read(str(path))[1]) == 1010
        grown = 2**21
        with pytest.raises(UnreadableFileError, match="it grew while it was read"):
            files.read(str(path))
