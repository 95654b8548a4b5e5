"""Owns the HTTP client: one deadline for a whole request, however slowly it drips, and a limit on what is read.

Time-outs of HTTP libraries hold for each read alone, so a byte a second would keep a request going for ever. Here
each read of the socket gets what is left until the deadline. Trust store and proxies are those of the environment.
"""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING, Final

import httpcore2
import httpx2

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable

MOST_BYTES: Final = 20_000_000
"""Of one answer, once it is unpacked."""
CONNECT_SECONDS: Final = 10.0

_REWRITTEN: Final = frozenset(("content-encoding", "content-length", "transfer-encoding"))
_SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class TooLarge(httpx2.RequestError):
    """The answer is longer than what is read."""


class Deadline(local):
    """When the request of this thread has to be over; each thread has its own."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: float | None = None

    def begin(self, seconds: float) -> None:
        """Start anew."""
        self._until = self._clock() + seconds

    def left(self) -> float:
        """Give the seconds that are left, 0 or less when it has passed; without end before the first request."""
        return float("inf") if self._until is None else self._until - self._clock()

    def within(self, seconds: float | None) -> float | None:
        """Shorten a time-out to what is left; raises `ReadTimeout` when nothing is."""
        left = self.left()
        if left <= 0:
            raise httpcore2.ReadTimeout("the deadline has passed")
        return seconds if left == float("inf") else min(left, left if seconds is None else seconds)


class BoundedClient(httpx2.Client):
    """A client that reads each answer as a whole, within `seconds` and 20 MB, and follows no redirect."""

    def __init__(self, *, seconds: float, connections: int, clock: Callable[[], float]) -> None:
        super().__init__(
            timeout=httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=False,
        )
        self._seconds = seconds
        self._deadline = Deadline(clock)
        for transport in (self._transport, *self._mounts.values()):
            # The client makes its transports itself, for only so does it read the proxies of the environment. Should
            # these inner names go one day, reads have the ordinary time-outs, and the body still has the deadline.
            pool = getattr(transport, "_pool", None)
            if pool is not None:
                inner = getattr(pool, "_network_backend", None) or httpcore2.SyncBackend()
                pool._network_backend = _Backend(inner, self._deadline)  # noqa: SLF001

    def send(
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,  # noqa: ARG002  # the whole answer is read in any case
        auth: object = None,  # noqa: ARG002  # the key stands in the request already
        follow_redirects: object = False,  # noqa: ARG002  # the key would go along
    ) -> httpx2.Response:
        """Send a request and read its answer; raises `httpx2.ReadTimeout` and `TooLarge`."""
        self._deadline.begin(self._seconds)
        response = super().send(request, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise TooLarge("the answer is too large", request=request)
                if self._deadline.left() <= 0:
                    raise httpx2.ReadTimeout("the deadline has passed", request=request)
        finally:
            response.close()
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _REWRITTEN]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)


class _Stream(httpcore2.NetworkStream):
    """A connection whose reads and writes end with the deadline."""

    def __init__(self, inner: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._deadline.within(timeout))
        return _Stream(inner, self._deadline)

    def get_extra_info(self, info: str) -> object:
        told: object = self._inner.get_extra_info(info)
        return told


class _Backend(httpcore2.NetworkBackend):
    """Opens connections whose reads and writes end with the deadline."""

    def __init__(self, inner: httpcore2.NetworkBackend, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore2.NetworkStream:
        inner = self._inner.connect_tcp(host, port, self._deadline.within(timeout), local_address, socket_options)
        return _Stream(inner, self._deadline)

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)
