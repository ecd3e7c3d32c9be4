"""Tool calls, what came of them, and results as they were inserted.

"§" points into `context-hygiene` 3.2.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Treatment(str, Enum):
    """Which measure shaped an answer."""

    FULL = "full"
    """None: the result in full."""

    CAPPED = "capped"
    """§3: head and tail; of a read or a recall what fits."""

    UNCHANGED_READ = "unchanged-read"
    """§2: an unchanged re-read. `Inserted.refers_to` names the earlier read."""

    SAME_RESULT = "same-result"
    """§6: the same result. `Inserted.refers_to` names the earlier result."""

    FAILED = "failed"
    """The call failed, or was refused with a sentence for the model."""


@dataclass(frozen=True)
class ToolCall:
    """A model's tool call, as the provider gave it.

    Attributes:
        id: The provider's id of the call, not empty. In a session of results only it is unique;
            with a dialect it is that of an open call of the last reply.
        name: The tool's name; decides whether equal results are deduplicated (§6).
        arguments: The arguments as the model wrote them. A mapping is passed as compact JSON in
            its own order.
    """

    id: str
    name: str
    arguments: Mapping[str, object] | str = "{}"


@dataclass(frozen=True)
class Read:
    """The outcome of a read: the session reads the file itself (§1, §2).

    Attributes:
        path: The path as the call gave it. The answer's bracket repeats it.
        offset: The first line to show, from 1. 0 and None read as 1.
        limit: How many lines to show, 2000 at most and by default. 0 and None read as that.
        force: Answer in full even where a stub would do, for callers that are programs.
    """

    path: str
    offset: int | None = None
    limit: int | None = None
    force: bool = False


@dataclass(frozen=True)
class FileChange:
    """One file that a tool created, changed or deleted. The tool has done so already.

    Attributes:
        path: The path as the call gave it.
        before: The content before, text or bytes; None if the file is new.
        after: The content after, text or bytes; None if the file was deleted.
    """

    path: str
    before: str | bytes | None
    after: str | bytes | None


@dataclass(frozen=True)
class Changes:
    """The outcome of `edit`, `multiedit`, `apply_patch` or `write`: diffs (§5).

    Attributes:
        files: At least one, in the patch's order.
        note: A note that the tool adds. It follows the diff.
    """

    files: Sequence[FileChange]
    note: str | None = None


@dataclass(frozen=True)
class Output:
    """The outcome of any other tool: text, capped (§3); a stub where §6 applies."""

    text: str


@dataclass(frozen=True)
class Failure:
    """The tool failed: its message, capped like any output, never deduplicated."""

    message: str


@dataclass(frozen=True)
class Delegated:
    """A subagent's answer (`docs/assembly.md`, "Subagents").

    Attributes:
        key: The key of its session, as `Session.delegate` was given it.
        text: Its answer: held to `delegation.max_chars`, and stored in full.
    """

    key: str
    text: str


Outcome = Read | Changes | Output | Failure | Delegated
"""What came of a tool call."""


@dataclass(frozen=True)
class Inserted:
    """A result as it was inserted.

    Attributes:
        id: `#0012` (§1): never given twice in a session.
        text: What goes to the model, whole, bracket included.
        treatment: Which measure shaped the answer.
        refers_to: The id that a stub names; None for anything else.
        chars_in: Characters the model would have been shown had no measure acted.
        chars_out: Characters of `text`.
    """

    id: str
    text: str
    treatment: Treatment
    refers_to: str | None
    chars_in: int
    chars_out: int


@dataclass(frozen=True)
class LastRead:
    """The newest full read of a file.

    Attributes:
        id: The read's id.
        path: The path as that read's call gave it.
        first_line: The first line shown whole, from 1; 0 for an empty file and a cut line.
        last_line: The last line shown whole; 0 for an empty file and a cut line.
        total_lines: The file's length in lines.
        sha256: SHA-256 of the content that was read, 64 lowercase hex digits.
    """

    id: str
    path: str
    first_line: int
    last_line: int
    total_lines: int
    sha256: str
