"""The part of a session that deals with messages and requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import messages as convert_messages
from waybread._convert import requests as convert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybread._handle import Handle
    from waybread.messages import Added, Message, StoredMessage
    from waybread.requests import Request, RequestReport, Usage


class Conversation:
    """Messages in, request bodies out (`docs/requests.md`). A session needs a dialect for it."""

    _handle: Handle

    def add_message(self, message: Message) -> Added:
        """Add what the person wrote, a machine's message, or the model's reply.

        Calls of an earlier reply that are still open get a result first that says that none came.

        Args:
            message: A `UserMessage`, a `Reply` as the provider gave it, or a `WrapUp`.

        Returns:
            Its number, the note that went with it, and a reply's calls.

        Raises:
            InvalidArgumentError: A message without content, or a reply whose JSON is not that of
                the dialect; the error names the place.
            OutOfOrderError: The session has no dialect, the reply answers nothing, or a step
                boundary comes before any turn.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        answer = self._handle.call("add-message", convert_messages.message(message))
        return convert_messages.added(answer)

    def build_request(self, parameters: Mapping[str, object] | str = "") -> Request:
        """Build the next request: what the previous one held stands, what is new follows.

        Calls that are still open get a result that says that none came.

        Args:
            parameters: What else the body holds (`model`, `temperature`, `max_tokens`, `stream`,
                …): a mapping in the order in which it is to stand, or a JSON object, which is
                carried as it is spelled. `model` stands first in the body, the rest last.

        Raises:
            InvalidArgumentError: Not a JSON object, or a parameter that the session writes itself
                (`messages`, `tools`, …).
            OutOfOrderError: The session has no dialect or no message.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        return convert.request(*self._handle.build(given.spelled("parameters", parameters)))

    def rewind(self, first: int, last: int | None = None) -> None:
        """Take messages back, with their results and reads: an undo, a reply regenerated.

        Numbers and ids go on; the results can still be recalled. What a note on them told is
        owed again (§10.3).

        Args:
            first: The number of the first message to be taken back.
            last: The number of the last; None for the newest.

        Raises:
            UnknownMessageError: The conversation has no such message.
            InvalidArgumentError: `last` comes before `first`, what is left would begin with a
                reply, a stub that is left names a result that would be taken back, or a summary
                would be (fork the session before it instead).
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        self._handle.call(
            "rewind", given.number("first", first), given.optional(given.number, "last", last)
        )

    def fork(self, key: str, after: int | None = None) -> None:
        """Copy the session to a new one, in the same storage.

        The copy's next request is the bytes that this one's would have been at that point.

        Args:
            key: The new session's key.
            after: The number of the last message that goes with it; None for all.

        Raises:
            InvalidArgumentError: An empty key, this session's own, or that of one that exists.
            UnknownMessageError: The number was never given.
            OutOfOrderError: A number in a session without a dialect.
            StorageError: The storage failed.
        """
        self._handle.call(
            "fork", given.key("key", key), given.optional(given.number, "after", after)
        )

    def record_usage(self, number: int, usage: Mapping[str, object] | str) -> Usage:
        """Keep what the provider reported of a request (§10.6).

        A later report of one request replaces the earlier.

        Args:
            number: The request's number.
            usage: The usage object or the whole response, parsed or as JSON.

        Returns:
            What was understood, in tokens.

        Raises:
            UnknownRequestError: The session has no such request.
            InvalidArgumentError: No known spelling of usage is in it.
            ConflictError: Another writer was faster.
            StorageError: The storage failed.
        """
        arguments = given.number("number", number), given.spelled("usage", usage)
        return convert.usage(self._handle.call("record-usage", *arguments))

    def cache_report(self) -> list[RequestReport]:
        """Return what stood of each request and what was cached, oldest first (§10.6)."""
        return [convert.request_report(report) for report in self._handle.look("cache-report")]

    def conversation(self) -> list[StoredMessage]:
        """Return the messages, oldest first, without those taken back and those summarised (§7)."""
        return [
            convert_messages.stored_message(message)
            for message in self._handle.look("conversation")
        ]
