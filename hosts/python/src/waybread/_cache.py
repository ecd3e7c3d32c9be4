"""The compiled component, kept between runs in the user's cache folder.

An entry is native code that loading executes, so it is used only if nobody but this user can have
written it, and only for the very engine, CPU and component that it was made for. Anything else is
made anew; a cache that cannot be used costs time and nothing more.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import platformdirs
from wasmtime import Engine, WasmtimeError
from wasmtime.component import Component

_MAGIC = b"waybread compiled component 1\n"
_DIGEST = hashlib.sha256().digest_size
_EMPTY = b"\0asm\x0d\0\x01\0"
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_POSIX = os.name == "posix"
# No link is followed, and a pipe put in an entry's place does not make the reader wait.
_OPEN = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _OPEN |= getattr(os, _flag, 0)


def folder() -> Path | None:
    """The user's cache folder for this package; None where the user has no home."""
    path = Path(platformdirs.user_cache_dir("waybread", appauthor=False))
    return path if path.is_absolute() else None


def load(engine: Engine, wasm: bytes, cache: Path | None) -> Component:
    """The component, compiled: from the cache if it can be trusted, else now, and then kept."""
    if cache is None:
        return Component(engine, wasm)
    key = _key(engine, wasm)
    path = cache / f"{key.hex()[:32]}.cwasm"
    if (code := _read(path, key)) is not None:
        with suppress(WasmtimeError):
            return Component.deserialize(engine, code)
    component = Component(engine, wasm)
    with suppress(OSError):
        _write(path, key, bytes(component.serialize()))
    return component


def _key(engine: Engine, wasm: bytes) -> bytes:
    """What an entry is made for: engine version and settings, CPU, component.

    An engine writes its version, its settings and the CPU's features into all it serialises, so
    an empty component, which takes less than a millisecond, names them all.
    """
    engine_and_cpu = Component(engine, _EMPTY).serialize()
    key = hashlib.sha256()
    for part in (metadata.version("wasmtime").encode(), bytes(engine_and_cpu), wasm):
        key.update(hashlib.sha256(part).digest())
    return key.digest()


def _digest(key: bytes, code: bytes) -> bytes:
    return hashlib.sha256(key + code).digest()


def _read(path: Path, key: bytes) -> bytes | None:
    """An entry's code; None if it is not there, broken, or others could have written it."""
    try:
        _check_owner(os.stat(path.parent, follow_symlinks=False))
        with open(os.open(path, _OPEN), "rb") as file:
            status = os.fstat(file.fileno())
            _check_owner(status)
            if not stat.S_ISREG(status.st_mode):
                return None
            entry = file.read()
    except OSError:
        return None
    digest, code = entry[len(_MAGIC) :][:_DIGEST], entry[len(_MAGIC) + _DIGEST :]
    if not entry.startswith(_MAGIC) or digest != _digest(key, code):
        return None
    return code


def _write(path: Path, key: bytes, code: bytes) -> None:
    """Put an entry in place at once, so that nobody reads half of one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(os.stat(path.parent, follow_symlinks=False))
    descriptor, name = tempfile.mkstemp(prefix=path.stem, suffix=".new", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_MAGIC + _digest(key, code) + code)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _check_owner(status: os.stat_result) -> None:
    """Only what this user owns and nobody else can write is used, where users are told apart."""
    if not _POSIX:
        return
    if status.st_uid != os.geteuid() or status.st_mode & _WRITABLE_BY_OTHERS:
        raise PermissionError("others can write here")
