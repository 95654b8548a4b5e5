"""Owns one call to the fake endpoint: what came, how its answer is sent, delayed or broken off; knows no server."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

Rung = Literal["json_schema", "json_object", "text"]
"""How a reply is asked for: by a schema that is enforced, as any JSON object, or in words alone."""

_POLL = 0.02
"""Seconds between two looks at whether the client or the test has gone."""


@dataclass(slots=True)
class Call:
    """One request as it came, and what became of it."""

    number: int
    """Counted from 1 among the requests for a completion; 0 for any other."""
    at: float
    """Seconds since the endpoint was opened."""
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: dict[str, Any]
    """Empty when the request has none, or one that is no JSON object."""
    connection: int
    """The client's port: two calls with the same one shared a connection."""
    status: int | None = None
    """What was sent, as soon as it is sent whole."""
    seconds: float | None = None
    """From the request to the end of its answer, or to where it broke off."""

    @property
    def answered(self) -> bool:
        return self.status is not None

    @property
    def authorization(self) -> str:
        return self.headers.get("authorization", "")

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [one for one in self.body.get("messages", ()) if isinstance(one, dict)]

    @property
    def response_format(self) -> dict[str, Any]:
        told = self.body.get("response_format")
        return told if isinstance(told, dict) else {}

    @property
    def rung(self) -> Rung:
        told = self.response_format.get("type")
        return told if told in {"json_schema", "json_object"} else "text"

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema that came apart from the text."""
        told = self.response_format.get("json_schema", self.response_format)
        schema = told.get("schema") if isinstance(told, dict) else None
        return schema if isinstance(schema, dict) else None

    @property
    def characters(self) -> int:
        """Unicode characters of the contents of all messages and of the schema."""
        schema = json.dumps(self.schema, ensure_ascii=False, separators=(",", ":")) if self.schema else ""
        return sum(len(str(message.get("content") or "")) for message in self.messages) + len(schema)


class Gone(Exception):
    """The client hung up, or the endpoint is being closed."""


@dataclass(slots=True)
class Exchange:
    """A call that waits for its answer, and the means to give it, to delay it or to break it off."""

    call: Call
    connection: socket.socket
    closing: threading.Event
    """Set when the endpoint closes."""
    finish: Callable[[], None]
    """Called once, before the last bytes go out: a client that has its answer finds it recorded."""
    bytes_per_second: float | None = None
    cut: bool = False
    dropped: bool = False

    def reply(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Send an answer; `Content-Length` is added."""
        head = [f"HTTP/1.1 {status} {BaseHTTPRequestHandler.responses.get(status, ('Unknown',))[0]}"]
        told = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        head += [f"{name}: {value}" for name, value in told.items() if value]
        raw = "\r\n".join(head).encode() + b"\r\n\r\n"
        if self.cut:
            self._send(raw + body[: len(body) // 2])
            self.drop()
            return
        if self.bytes_per_second:
            raw, body = self._drip(raw, body, self.bytes_per_second)
        self.call.status = status
        self.finish()
        try:
            self._send(raw + body)
        except Gone:
            self.call.status = None
            raise

    def _drip(self, raw: bytes, body: bytes, bytes_per_second: float) -> tuple[bytes, bytes]:
        """Send all but the last piece; gives that."""
        self._send(raw)
        piece = max(1, int(bytes_per_second * _POLL))
        while len(body) > piece:
            self._send(body[:piece])
            body = body[piece:]
            self.wait(piece / bytes_per_second)
        return b"", body

    def drop(self) -> None:
        """Close the connection."""
        self.dropped = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            raise Gone from None

    def wait(self, seconds: float) -> None:
        """Wait; raises `Gone` as soon as nobody waits for the answer any more."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.closing.wait(min(_POLL, left)) or self._hung_up():
                raise Gone

    def _send(self, raw: bytes) -> None:
        try:
            self.connection.sendall(raw)
        except OSError:
            raise Gone from None

    def _hung_up(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the endpoint does with one call. It is a script too: one that always does this."""

    play: Callable[[Exchange], None]

    def __call__(self, call: Call) -> Behaviour:
        return self


Script = Callable[[Call], Behaviour]
"""Decides for each call what is done; several threads ask at once."""
