"""The part of a session that deals with what stands at the front of every request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybread._convert import arguments as given
from waybread._convert import settings as convert
from waybread._convert.assembly import prompt_block
from waybread._convert.requests import prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybread._handle import Handle
    from waybread.assembly import Assembly, PromptBlock
    from waybread.requests import Prefix
    from waybread.settings import Change, Prompt, Tool


class Front:
    """The system prompt, the tools, and the notes that tell of changes (§10).

    Where a method names no other errors, they are `InvalidArgumentError` for an empty name,
    `OutOfOrderError` in a session without a dialect, `ConflictError` and `StorageError`.
    """

    _handle: Handle

    def note(self, change: Change, *, by_model: bool = False) -> None:
        """Say what something's value is now (§10.3).

        If that is not what the model was last told, a note goes with the next message that starts
        a turn.

        Args:
            change: The value.
            by_model: The model made the change itself; a tool result told it already.

        Raises:
            InvalidArgumentError: A name is missing, or the name or a mode's text has an absolute
                path of the machine in it.
            WaybreadError: As the class says.
        """
        self._handle.call(
            "note", convert.change("change", change), given.flag("by-model", by_model)
        )

    def set_prompt(self, prompt: Prompt | str) -> None:
        """Say what the system prompt is to be made of when it is next made again (§10.1).

        That is after a compaction, or at a change of model. What was sent stands until then.

        Raises:
            InvalidArgumentError: A date, a time or an absolute path of the machine in the
                harness's own parts.
            WaybreadError: As the class says.
        """
        self._handle.call("set-prompt", convert.prompt("prompt", prompt))

    def set_assembly(self, assembly: Assembly) -> None:
        """Say what the session is to read when the prompt is next made again.

        It is read whenever the prompt is made (`docs/assembly.md`, "When files are read").

        Raises:
            InvalidArgumentError: A context file out of the project.
            WaybreadError: As the class says.
        """
        self._handle.call("set-assembly", convert.assembly("assembly", assembly))

    def set_condition(self, name: str, *, met: bool) -> None:
        """Say whether a condition that tools require is met now (§10.4).

        Raises:
            WaybreadError: As the class says.
        """
        self._handle.call("set-condition", given.text("name", name), given.flag("met", met))

    def withdraw_tool(self, name: str, refusal: str) -> None:
        """Withdraw a tool: it stays listed, and its calls are answered `refusal` (§10.4).

        Raises:
            InvalidArgumentError: The tool is not listed, or the refusal is empty.
            WaybreadError: As the class says.
        """
        self._handle.call("withdraw-tool", given.text("name", name), given.text("refusal", refusal))

    def connect_server(
        self, name: str, tools: Sequence[Tool], instructions: str | None = None
    ) -> None:
        """Take the tools of an MCP server that connected (§10.4).

        Those whose names are not listed yet are appended, which is read again once; before the
        first request nothing is, so wait up to `tools.mcp_wait_ms` (`setting`) for the servers. A
        server that comes back with the same changes nothing.

        Args:
            name: The server's.
            tools: What it offers, in its order.
            instructions: Told in a note, unless None or empty.

        Raises:
            WaybreadError: As the class says.
        """
        self._handle.call(
            "connect-server",
            given.text("name", name),
            convert.tools("tools", tools),
            given.optional(given.text, "instructions", instructions),
        )

    def prefix(self) -> Prefix:
        """Return the system prompt and the tools as they are sent. Empty without a dialect."""
        return prefix(self._handle.look("prefix"))

    def prompt_report(self) -> list[PromptBlock]:
        """Return the blocks of the prompt, in their order, as they were made.

        Also those that their budget left nothing of. Empty without a dialect.
        """
        return [prompt_block(block) for block in self._handle.look("prompt-report")]

    def setting(self, key: str) -> str:
        """Return a setting by its dotted name, as JSON: `tools.mcp_wait_ms` is `5000`.

        Raises:
            InvalidSettingError: `conformance/loop.json` has no such name.
        """
        answer: str = self._handle.call("setting", given.text("key", key))
        return answer
