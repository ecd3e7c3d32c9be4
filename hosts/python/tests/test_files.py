"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import pytest

from waybread._files import replace


def test_a_file_is_made_and_put_in_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "history.md"
    replace(path, "# é\r\n")
    assert path.read_bytes() == "# é\r\n".encode()
    replace(str(path), "")
    assert path.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="there are modes on POSIX alone")
def test_its_mode_is_that_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    replace(tmp_path / "history.md", "x")
    assert (tmp_path / "history.md").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "history.md"
    path.write_text("before", "utf-8")
    with (
        patch.object(Path, "replace", side_effect=OSError("full")),
        pytest.raises(OSError, match="full"),
    ):
        replace(path, "after")
    assert path.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "history.md"
    with pytest.raises(FileNotFoundError) as raised:
        replace(path, "x")
    assert raised.value.filename == str(path)
