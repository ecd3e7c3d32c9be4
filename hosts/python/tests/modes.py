"""Whether file modes bind this process: they don't bind root."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest


def _bind() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        closed = Path(folder) / "closed"
        closed.touch(mode=0)
        try:
            closed.read_bytes()
        except PermissionError:
            return True
    return False


needs_modes = pytest.mark.skipif(not _bind(), reason="file modes don't bind this process")
