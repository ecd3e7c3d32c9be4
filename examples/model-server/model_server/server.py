"""The HTTP server: judges a request as its provider would, and answers with the next reply."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TextIO

from model_server import dialects, reading
from model_server.script import ANY, Model, Reply

# The judge of bodies is the project's, and stands beside the conformance cases.
sys.path.insert(0, str(Path(__file__).parents[3] / "conformance"))

from bodies.check import problems

MOST_BYTES = 32 * 2**20
"""A provider takes no larger body."""


class Refused(Exception):  # noqa: N818 - what the server answers, no fault of its own
    """A request that is not answered with a reply."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message


@dataclass
class Served:
    """What the server answers from, and what it has read."""

    models: Mapping[str, Model]
    log: TextIO | None = None
    _caches: dict[str, reading.Cache] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def model(self, name: str) -> Model:
        """The model of that name. Raises `Refused`."""
        found = self.models.get(name, self.models.get(ANY))
        if found is None:
            known = ", ".join(sorted(self.models))
            raise Refused(404, "not_found_error", f"no model {name}; there are {known}")
        return found

    def cache(self, name: str) -> reading.Cache:
        """What this model has read."""
        with self._lock:
            return self._caches.setdefault(name, reading.Cache())

    def note(self, **said: Any) -> None:
        """A line of the log."""
        if self.log is None:
            return
        with self._lock:
            self.log.write(json.dumps(said, ensure_ascii=False) + "\n")
            self.log.flush()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    served: Served
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a request to the model."""
        path = self.path.split("?")[0].removeprefix("/v1")
        dialect = dialects.PATHS.get(path)
        if dialect is None:
            self._error("openai-chat", Refused(404, "not_found_error", f"no such path: {path}"))
            return
        try:
            self._reply(dialect)
        except Refused as refused:
            self._error(dialect, refused)
        except (BrokenPipeError, ConnectionResetError):
            # Who asked has gone.
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Say nothing: the log has each request."""

    def _reply(self, dialect: str) -> None:
        text = self._body()
        found = problems(dialect, text)
        self.served.note(dialect=dialect, body=text, problems=found)
        if found:
            raise Refused(400, "invalid_request_error", "; ".join(found))
        body = json.loads(text)
        name = str(body.get("model", ""))
        model = self.served.model(name)
        read = reading.rendered(body)
        if model.window and reading.tokens(read) > model.window:
            raise _too_long(reading.tokens(read), model.window)
        where = reading.unbound(body) if model.binding else None
        if where is not None:
            words = f"{where}: this thinking block is bound to a different conversation"
            raise Refused(400, "invalid_request_error", words)
        number, reply = model.next()
        if reply is None:
            words = f"the script of {name} has {len(model.replies)} replies, and this is {number}"
            raise Refused(400, "invalid_request_error", words)
        time.sleep(reply.delay)
        self._fail(reply, read, model)
        cached = self.served.cache(name).read(read)
        wrote = reply.text + reply.thinking + "".join(call.arguments for call in reply.calls)
        usage = reading.usage(dialect, body, read, cached, wrote)
        seal = reading.seal(body, len(body.get("messages", [])))
        answer = dialects.whole(dialect, reply, name, f"{name}-{number}", usage, seal)
        if body.get("stream"):
            self._stream(dialect, answer, cut=reply.fault == "cut")
        else:
            self._whole(answer, reply)

    def _body(self) -> str:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            raise Refused(413, "request_too_large", f"{length} bytes, at most {MOST_BYTES}")
        return self.rfile.read(length).decode("utf-8", "replace")

    def _fail(self, reply: Reply, read: str, model: Model) -> None:
        if reply.fault == "rate-limit":
            raise Refused(429, "rate_limit_error", "too many requests; try again")
        if reply.fault == "overloaded":
            raise Refused(529, "overloaded_error", "the model is overloaded; try again")
        if reply.fault == "too-long":
            raise _too_long(reading.tokens(read), model.window)

    def _error(self, dialect: str, refused: Refused) -> None:
        given = dialects.error(dialect, refused.kind, refused.message)
        self._send(refused.status, json.dumps(given).encode())

    def _whole(self, answer: dict[str, Any], reply: Reply) -> None:
        data = json.dumps(answer, ensure_ascii=False).encode()
        if reply.fault == "malformed":
            data = b"<html>upstream connect error</html>"
        self._send(200, data, cut=reply.fault == "cut")

    def _send(self, status: int, data: bytes, *, cut: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection |= cut

    def _stream(self, dialect: str, answer: dict[str, Any], *, cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        events = list(dialects.events(dialect, answer))
        for name, data in events[: len(events) // 2] if cut else events:
            spelled = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {spelled}\n\n".encode())
            self.wfile.flush()


def _too_long(tokens: int, window: int) -> Refused:
    words = f"prompt is too long: {tokens} tokens > {window} maximum"
    return Refused(400, "invalid_request_error", words)


def server(
    models: Mapping[str, Model], port: int = 0, log: TextIO | None = None
) -> ThreadingHTTPServer:
    """A server on the loopback, which has its port and waits for `serve_forever`."""
    handler = type("Serving", (Handler,), {"served": Served(models, log)})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)
