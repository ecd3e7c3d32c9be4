"""The cache of compiled code: kept, and never trusted further than it can be checked."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest
from modes import needs_modes
from wasmtime import Config, Engine
from wasmtime.component import Component

from waybread import _cache

WASM = b"\0asm\x0d\0\x01\0"
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


class Counter:
    """Counts how often a component was compiled from its source."""

    def __init__(self) -> None:
        self.compiled = 0

    def __call__(self, engine: Engine, wasm: bytes) -> Component:
        self.compiled += wasm is not _cache._EMPTY
        return Component(engine, wasm)

    deserialize = staticmethod(Component.deserialize)


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()
    monkeypatch.setattr(_cache, "Component", counter)
    return counter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "waybread"


def load(folder: Path, engine: Engine | None = None, wasm: bytes = bytes(WASM)) -> Component:
    return _cache.load(engine or Engine(), wasm, folder)


def entry(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_it_is_compiled_once(counter: Counter, folder: Path) -> None:
    for _ in range(3):
        load(folder)
    assert counter.compiled == 1


@posix
def test_an_entry_is_its_owner_s_alone(folder: Path) -> None:
    load(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entry(folder).stat().st_mode & 0o777 == 0o600


def test_another_component_or_engine_is_another_entry(counter: Counter, folder: Path) -> None:
    load(folder)
    load(folder, wasm=WASM + b"\0\x05\x04name")
    config = Config()
    config.consume_fuel = True
    load(folder, Engine(config))
    assert counter.compiled == 3
    assert len(list(folder.iterdir())) == 3


def test_another_version_of_the_engine_is_another_entry(
    counter: Counter, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(folder)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "50.9.9")
    load(folder)
    assert counter.compiled == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:100],
        lambda whole: whole[:-1],
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: whole + b"\0",
        lambda whole: b"other" + whole[5:],
        lambda whole: b"\x7fELF" * 1000,
    ],
)
def test_a_damaged_entry_is_made_anew(counter: Counter, folder: Path, damage: type[object]) -> None:
    load(folder)
    whole = entry(folder).read_bytes()
    entry(folder).write_bytes(damage(whole))  # type: ignore[arg-type, call-arg]
    load(folder)
    assert counter.compiled == 2
    assert entry(folder).read_bytes() == whole


def test_an_entry_made_for_another_key_is_not_loaded(counter: Counter, folder: Path) -> None:
    load(folder)
    ours = entry(folder)
    theirs = ours.read_bytes()
    ours.unlink()
    load(folder, wasm=WASM + b"\0\x05\x04name")
    other = entry(folder)
    other.write_bytes(theirs)
    load(folder, wasm=WASM + b"\0\x05\x04name")
    assert counter.compiled == 3


def test_code_that_the_engine_refuses_is_made_anew(counter: Counter, folder: Path) -> None:
    load(folder)
    path = entry(folder)
    whole = path.read_bytes()
    key = _cache._key(Engine(), WASM)
    code = b"\x7fELF, signed as it should be and nothing else"
    path.write_bytes(_cache._MAGIC + hashlib.sha256(key + code).digest() + code)
    load(folder)
    assert counter.compiled == 2
    assert path.read_bytes() == whole


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_made_anew(
    counter: Counter, folder: Path, mode: int
) -> None:
    load(folder)
    entry(folder).chmod(mode)
    load(folder)
    assert counter.compiled == 2
    assert entry(folder).stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write_is_not_used(
    counter: Counter, folder: Path, mode: int
) -> None:
    load(folder)
    folder.chmod(mode)
    before = entry(folder).stat().st_mtime_ns
    load(folder)
    assert counter.compiled == 2
    assert entry(folder).stat().st_mtime_ns == before


@posix
def test_what_another_user_owns_is_not_used(
    counter: Counter, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(folder)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    load(folder)
    assert counter.compiled == 2


@posix
def test_a_link_in_place_of_an_entry_is_replaced(
    counter: Counter, folder: Path, tmp_path: Path
) -> None:
    load(folder)
    path = entry(folder)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    load(folder)
    assert counter.compiled == 2
    assert not path.is_symlink()


@posix
def test_a_pipe_in_place_of_an_entry_does_not_hang(counter: Counter, folder: Path) -> None:
    load(folder)
    path = entry(folder)
    path.unlink()
    os.mkfifo(path, 0o600)
    load(folder)
    assert counter.compiled == 2
    assert path.is_file()


def test_a_folder_that_cannot_be_made_costs_only_time(counter: Counter, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    load(tmp_path / "cache" / "waybread")
    assert counter.compiled == 1


@needs_modes
def test_a_folder_that_cannot_be_written_costs_only_time(counter: Counter, folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o500)
    load(folder)
    assert counter.compiled == 1
    assert list(folder.iterdir()) == []


def test_a_failed_write_leaves_nothing_behind(
    counter: Counter, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no room left")

    monkeypatch.setattr(os, "replace", full)
    load(folder)
    assert counter.compiled == 1
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is Linux's")
def test_the_folder_is_the_user_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert _cache.folder() == Path("/caches/waybread")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ada")
    assert _cache.folder() == Path("/home/ada/.cache/waybread")


def test_without_a_home_there_is_no_cache(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/waybread")
    assert _cache.folder() is None
    _cache.load(Engine(), WASM, None)
    assert counter.compiled == 1
