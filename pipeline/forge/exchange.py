"""Owns one exchange over HTTP: a request goes out, and an answer or its absence comes back, within limits.

Knows no meaning of an answer and repeats nothing. Of the library's errors only their kind is told, for they carry the
request with its token.
"""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import httpx2

from pipeline.errors import ConfigError
from pipeline.forge.addresses import origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.observations.observation import Json

CONNECT_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 60.0
"""Until an answer has been read to its end."""
HURRIED_SECONDS: Final = 5.0
"""The same, and for a connection too, where somebody sits and waits."""
MOST_BYTES: Final = 20_000_000
"""Of one answer, once it is unpacked."""

_MOST_CAUSES: Final = 8


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with whatever status; the names of headers are in lower case, `answer` is null where it is no JSON."""

    status: int
    headers: Mapping[str, str]
    answer: Json
    is_json: bool


@dataclass(frozen=True, slots=True)
class NoReply:
    """No answer came, or none that was read to its end.

    `sent` is whether the request may have reached the host, `again` whether another try may do better.
    """

    reason: str
    sent: bool
    again: bool = True


class Wire:
    """The connections to one host; `headers` go along with every request, `ticks` gives monotonic seconds."""

    def __init__(
        self, base_url: str, headers: Mapping[str, str], ticks: Callable[[], float], *, hurried: bool = False
    ) -> None:
        self._ticks = ticks
        self._seconds = HURRIED_SECONDS if hurried else ANSWER_SECONDS
        self._http = _open_client(base_url, {"Accept": "application/json", **headers}, self._seconds)

    def __repr__(self) -> str:
        return "Wire()"

    def send(self, method: str, address: str, body: Mapping[str, Json] | None) -> Reply | NoReply:
        """Send one request; redirects are not followed."""
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = {} if body is None else {"Content-Type": "application/json"}
        deadline, read = self._ticks() + self._seconds, bytearray()
        try:
            with self._http.stream(method, address, content=content, headers=headers) as response:
                for chunk in response.iter_bytes():
                    read += chunk
                    if len(read) > MOST_BYTES:
                        return NoReply("the answer is larger than 20 MB", sent=True, again=False)
                    if self._ticks() > deadline:
                        return NoReply("no whole answer in time", sent=True)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as fault:
            return NoReply(_reason(fault), sent=False)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as fault:
            return NoReply(_reason(fault), sent=True)
        answer, is_json = _parse(bytes(read))
        return Reply(response.status_code, dict(response.headers.items()), answer, is_json)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _open_client(base_url: str, headers: Mapping[str, str], seconds: float) -> httpx2.Client:
    """Make the client; it reads proxies and certificates from the environment, where anything may stand."""
    # Plain http is spared the trust store, which takes longer to load than a request; nothing is trusted then.
    encrypted = origin(base_url)[0] == "https"
    try:
        return httpx2.Client(
            headers=dict(headers),
            verify=True if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            timeout=httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            follow_redirects=False,
        )
    except (ImportError, ValueError, OSError) as fault:
        raise ConfigError(
            f"a proxy or certificate setting cannot be used ({type(fault).__name__}).",
            where="environment",
            next_step="Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY (SOCKS needs the package socksio) and SSL_CERT_FILE.",
        ) from None


def _parse(content: bytes) -> tuple[Json, bool]:
    """Read an answer, and whether it is JSON at all; an empty one, as after a deletion, is null."""
    if not content.strip():
        return None, True
    try:
        answer: Json = json.loads(content)
    except (ValueError, RecursionError):
        return None, False
    return answer, True


def _reason(fault: Exception) -> str:
    """Name what lies below an error of the library in words of this machine."""
    causes: list[BaseException] = [fault]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and len(causes) < _MOST_CAUSES:
        causes.append(cause)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return "no answer: the certificate is not trusted"
    if isinstance(fault, httpx2.TimeoutException):
        return "no connection in time" if isinstance(fault, httpx2.ConnectTimeout) else "no answer in time"
    system = next((cause for cause in causes if isinstance(cause, OSError) and cause.strerror), None)
    return f"no answer: {type(fault).__name__ if system is None else system.strerror}"
