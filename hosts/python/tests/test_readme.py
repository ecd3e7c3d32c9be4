"""The README's example runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 10
    (tmp_path / "README.md").write_text("".join(f"line {n}\n" for n in range(60)), "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(example, {})  # noqa: S102 - that is the test
    stub, *rest = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"\[#0002 README\.md lines 1-10 of 60 sha [0-9a-f]{8}\]"
        r" Unchanged since #0001, which already shows lines 1-40\.",
        stub,
    )
    assert rest == ["301 3000"]
