"""The part of a session that deals with tool results and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import results as convert

if TYPE_CHECKING:
    from waybread._handle import Handle
    from waybread.values import Inserted, LastRead, Outcome, ToolCall


class Results:
    """Tool results (§1 to §6) and the files that they are of (§11)."""

    _handle: Handle

    def insert_result(self, call: ToolCall, outcome: Outcome) -> Inserted:
        """Give a tool call's outcome its id, apply §1 to §6, store the full text.

        Earlier results stay untouched.

        Args:
            call: The call that the model made.
            outcome: What came of it; a `Read` is done by the session itself.

        Returns:
            What goes to the model.

        Raises:
            InvalidArgumentError: An empty call id, path or set of changes.
            CallAnsweredError: The call has its result already.
            UnknownCallError: In a session with a dialect: the last reply has no such open call.
            FileSystemError: A read failed for a reason that is not the model's.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        arguments = convert.tool_call(call), convert.outcome(outcome)
        return convert.inserted(self._handle.call("insert-result", *arguments))

    def recall(  # noqa: PLR0913 - what the contract's window has
        self,
        call: ToolCall,
        id: str,
        *,
        offset: int | None = None,
        limit: int | None = None,
        char_offset: int | None = None,
        char_limit: int | None = None,
    ) -> Inserted:
        """Answer the model's `recall` (§4): a stored result again, from line `offset`.

        The answer is itself a result. An id that was never given is no error: the model is told.

        Args:
            call: The recall's own call.
            id: The result's id, with or without `#`, in either case, zeros in front or not.
            offset: The first line to show, from 1. 0 and None read as 1.
            limit: How many lines to show, 2000 at most and by default, and only as many as have
                100,000 characters.
            char_offset: The first character to show of the one line `offset`, from 1, where that
                line is too long. 0 and None read as 1.
            char_limit: How many characters of that line to show. 0 and None read as all that fit.

        Raises:
            WaybreadError: As `insert_result`.
        """
        arguments = (
            convert.tool_call(call),
            given.text("id", id),
            given.optional(given.number, "offset", offset),
            given.optional(given.number, "limit", limit),
            given.optional(given.number, "char_offset", char_offset),
            given.optional(given.number, "char_limit", char_limit),
        )
        return convert.inserted(self._handle.call("recall", *arguments))

    def stored_text(self, id: str) -> str:
        """Return a stored result in full, for programs: nothing is inserted.

        Raises:
            UnknownIdError: The session never gave that id.
            StorageError: The storage failed.
        """
        answer: str = self._handle.call("stored-text", given.text("id", id))
        return answer

    def last_read(self, path: str) -> LastRead | None:
        """Return the newest full read of a file, for tools that insist on one before a change.

        None if there was none or nothing is there. A file has one identity, whatever its name.

        Raises:
            InvalidArgumentError: An empty path.
            FileSystemError: The filesystem failed.
        """
        answer = self._handle.call("last-read", given.text("path", path))
        return None if answer is None else convert.last_read(answer)

    def resolve_path(self, path: str) -> str:
        """Return the absolute path that a path in a call means (§11). Nothing is looked up.

        Raises:
            InvalidArgumentError: An empty path.
        """
        answer: str = self._handle.call("resolve-path", given.text("path", path))
        return answer

    def name_path(self, path: str) -> str:
        """Return how a prompt or a note names a file (§11).

        Relative to the root in the project, `~/…` under home, absolute elsewhere. In a chat all
        paths are absolute.

        Raises:
            InvalidArgumentError: An empty path.
        """
        answer: str = self._handle.call("name-path", given.text("path", path))
        return answer

    def check_paths(self, name: str, text: str) -> None:
        """Refuse a text of the harness's own that names an absolute path of the machine (§11).

        For task messages: the root or home, or a path below one, of kind `AGENT`.

        Args:
            name: What the error calls the text.
            text: The text.

        Raises:
            InvalidArgumentError: It names one. The error says the character where it stands, from
                0, and what would be right.
        """
        self._handle.call("check-paths", given.text("name", name), given.text("text", text))
