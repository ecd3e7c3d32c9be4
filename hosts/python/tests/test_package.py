"""The wheel: what is in it, and that it works where nothing else of the repository is."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import waybread

PROJECT = Path(__file__).parents[1]
PROGRAM = """
import waybread
from waybread import (
    Dialect, MemoryStorage, MemoryTree, Output, Session, Settings, SqliteStorage, ToolCall,
    UserMessage,
)

assert waybread.__file__.startswith({site!r}), waybread.__file__
for storage in MemoryStorage(), SqliteStorage({database!r}):
    with Session.open(
        "s", Settings(root="/a"), storage=storage, filesystem=MemoryTree()
    ) as session:
        print(session.insert_result(ToolCall("c", "bash"), Output("hello")).text)
with Session.open(
    "s",
    Settings(root="/a", dialect=Dialect.OPENAI_RESPONSES),
    storage=MemoryStorage(),
    filesystem=MemoryTree(),
) as session:
    session.add_message(UserMessage("hello"))
    print(session.build_request().body.json()["input"][0]["content"][0]["text"])
print(waybread.replay([{recording!r}]).json)
"""
RECORDING = (
    '{"role":"assistant","tool_calls":[{"id":"c1","type":"function",'
    '"function":{"name":"bash","arguments":"{}"}}]}'
    ',{"role":"tool","tool_call_id":"c1","content":"hello"}'
)


def place(kind: str, environment: Path) -> Path:
    """Where an environment keeps its packages or scripts, if it is made like this one."""
    base = dict.fromkeys(("base", "platbase", "installed_base"), str(environment))
    return Path(sysconfig.get_path(kind, vars=base))


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    subprocess.run(command, check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(PROJECT))
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; the packages that it needs are lent by this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
    site = place("purelib", folder)
    pip("install", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    (site / "lent.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return folder


def python(environment: Path) -> str:
    return str(place("scripts", environment) / "python")


def test_the_wheel_carries_all_it_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("component/waybread.wasm", "component/recordings.wasm", "sqlite.sql", "py.typed"):
        assert f"waybread/{name}" in names
    assert all(name.startswith(("waybread/", "waybread-")) for name in names)
    assert not [name for name in names if "test" in name or name.endswith(".cwasm")]


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_licences_are_the_repository_s(wheel: Path, name: str) -> None:
    (carried,) = [entry for entry in zipfile.ZipFile(wheel).namelist() if entry.endswith(name)]
    assert zipfile.ZipFile(wheel).read(carried) == (PROJECT.parents[1] / name).read_bytes()


def test_the_wheel_works_in_a_new_environment(environment: Path, tmp_path: Path) -> None:
    recording = tmp_path / "hello.json"
    recording.write_text(f"[{RECORDING}]", "utf-8")
    program = PROGRAM.format(
        site=str(environment), database=str(tmp_path / "s.db"), recording=str(recording)
    )
    done = subprocess.run(
        [python(environment), "-I", "-c", program],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
    )
    *shown, report = done.stdout.splitlines()
    assert shown == ["[#0001]", "hello", "[#0001]", "hello", "hello"]
    assert report == waybread.replay([recording]).json


def test_the_module_runs_as_a_command(environment: Path, tmp_path: Path) -> None:
    command = [python(environment), "-I", "-m", "waybread", "replay", "--json", "absent.json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "waybread: absent.json: cannot be read: No such file or directory\n"


def test_what_is_pinned_is_what_was_tried() -> None:
    pins = (PROJECT / "requirements-dev.txt").read_text("utf-8").splitlines()
    pinned = dict(pin.split(" ;")[0].split("==") for pin in pins if "==" in pin)
    for name in ("wasmtime", "platformdirs"):
        assert metadata.version(name) == pinned[name]
