"""Owns talking to the REST API of a host: JSON goes out and comes back, patiently and within limits; knows no host.

The token leaves this module in one header, over https or to this machine, to one origin alone; no error holds it.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import quote, urlencode, urljoin

from pipeline.errors import ConfigError, ForgeError, ForgeUnavailable
from pipeline.forge.addresses import api_address, next_page, origin, without_query
from pipeline.forge.exchange import NoReply, Reply, Wire
from pipeline.forge.patience import Patience, asked_wait
from pipeline.forge.refusals import HostRefused, Interrupted, Moved, said_by
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from types import TracebackType

    from pipeline.observations.observation import Json

    Params = Mapping[str, str | int]

__all__ = ["ForgeClient", "HostRefused", "Interrupted", "Moved", "quoted"]

MOST_PAGES: Final = 1_000
MOST_REDIRECTS: Final = 5
TOLD_LIMIT: Final = 300
"""Characters of an error that come from a host, at most."""

_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_PASSING: Final = frozenset((502, 503, 504))
"""What a gateway answers when the host behind it is busy; whether the request took effect is then unknown."""


def quoted(part: str) -> str:
    """Make one part of a path of any text, such as `wikimill%2Fconsolidate`."""
    return quote(part, safe="")


class ForgeClient:
    """A client for one REST API; `base_url` is such as `https://api.github.com` or `https://gitlab.com/api/v4`.

    `headers` go along with every request; the token, when there is one, in `token_header` behind `token_scheme`. Paths
    begin with `/` and are appended to the address. `now` gives aware times, `ticks` monotonic seconds. Who is `hurried`
    asks once, and waits for 5 seconds.

    Methods raise `HostRefused` when the host answers with 4xx, which has its `status` and what it `said`; `Moved`, a
    kind of it, when a write is sent elsewhere; `ForgeUnavailable` when no answer comes or the host asks to wait longer
    than a minute; its kind `Interrupted` when nobody knows whether a write took effect; `ForgeError` for answers that
    make no sense. The constructor raises `ConfigError` for an address or a token that cannot be used.
    """

    def __init__(  # noqa: PLR0913  # a client is made in one place for each host
        self,
        base_url: str,
        headers: Mapping[str, str],
        token: str,
        *,
        sleep: Callable[[float], None],
        now: Callable[[], datetime],
        ticks: Callable[[], float] = time.monotonic,
        token_header: str = "Authorization",  # noqa: S107  # its name
        token_scheme: str = "Bearer ",  # noqa: S107  # what stands before it
        hurried: bool = False,
    ) -> None:
        self._token = token.strip()
        self.base_url: Final = api_address(base_url, with_token=bool(self._token))
        if not self._token.isascii() or not self._token.isprintable() or " " in self._token:
            raise ConfigError(
                "holds characters that no token has.", where="the token", next_step="Copy it anew, on one line."
            )
        credential = {token_header: f"{token_scheme}{self._token}"} if self._token else {}
        self._sleep, self._now = sleep, now
        self._hurried = hurried
        self._wire = Wire(self.base_url, {**headers, **credential}, ticks, hurried=hurried)

    def __repr__(self) -> str:
        return f"ForgeClient({self.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def has_token(self) -> bool:
        """Whether requests carry a token."""
        return bool(self._token)

    def token_starts(self, *prefixes: str) -> bool:
        """Whether the token begins with one of these, by which hosts tell kinds of tokens apart."""
        return self._token.startswith(prefixes)

    def scrub(self, text: str) -> str:
        """Take the token out of a text."""
        if not self._token:
            return text
        return text.replace(self._token, "[REDACTED]").replace(quoted(self._token), "[REDACTED]")

    def get(self, path: str, params: Params | None = None) -> Json:
        """Read one thing; redirects are followed on the same origin."""
        return self._ask("GET", self._address(path, params), repeatable=True).answer

    def look(self, path: str) -> tuple[Json, Mapping[str, str]]:
        """Read one thing with the headers of the answer, by names in lower case: some tell about the token."""
        reply = self._ask("GET", self._address(path), repeatable=True)
        return reply.answer, reply.headers

    def patience(self) -> Patience:
        """Give what a caller may wait who repeats a request of its own accord, after a look."""
        return Patience(self._sleep, hurried=self._hurried)

    def now(self) -> datetime:
        """Give the time."""
        return self._now()

    def pages(self, path: str, params: Params | None = None) -> Iterator[Json]:
        """Read a list to its end, item by item; a page is asked for when its first item is.

        The next page is what the header `Link` calls so, or else the number in `x-next-page`.
        """
        address, seen = self._address(path, params), set[str]()
        while address:
            if address in seen or len(seen) >= MOST_PAGES:
                raise ForgeError(self._told("GET", address, "lists pages without end"))
            seen.add(address)
            reply = self._ask("GET", address, repeatable=True)
            if not isinstance(reply.answer, list):
                raise ForgeError(self._told("GET", address, "answered with something that is no list"))
            yield from reply.answer
            following = next_page(address, reply.headers)
            if following and origin(following) != origin(self.base_url):
                raise ForgeError(self._told("GET", address, "names a next page on another host, which gets no token"))
            address = following

    def post(self, path: str, body: Mapping[str, Json], *, repeatable: bool = False) -> Json:
        """Send something new; unless it is `repeatable`, it is sent again only where it surely took no effect."""
        return self._ask("POST", self._address(path), body=body, repeatable=repeatable).answer

    def patch(self, path: str, body: Mapping[str, Json]) -> Json:
        """Change something; what it says is the same when it is said twice."""
        return self._ask("PATCH", self._address(path), body=body, repeatable=True).answer

    def put(self, path: str, body: Mapping[str, Json]) -> Json:
        """Put something in its place; what it says is the same when it is said twice."""
        return self._ask("PUT", self._address(path), body=body, repeatable=True).answer

    def delete(self, path: str) -> Json:
        """Delete something; 404 may mean that a first request took effect whose answer was lost."""
        return self._ask("DELETE", self._address(path), repeatable=True).answer

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _address(self, path: str, params: Params | None = None) -> str:
        return f"{self.base_url}{path}?{urlencode(params)}" if params else f"{self.base_url}{path}"

    def _ask(self, method: str, address: str, *, body: Mapping[str, Json] | None = None, repeatable: bool) -> Reply:
        """Send a request, go where it is sent on to, and give what came back with 2xx."""
        first = address
        for _ in range(MOST_REDIRECTS + 1):
            reply = self._patiently(method, address, body, repeatable=repeatable)
            if reply.status not in _REDIRECTS:
                return self._accepted(method, first, reply)
            address = self._redirected(method, address, reply)
        raise ForgeError(self._told(method, first, "is redirected again and again"))

    def _patiently(self, method: str, address: str, body: Mapping[str, Json] | None, *, repeatable: bool) -> Reply:
        """Send a request as often as that may help, and give an answer that is not about passing trouble."""
        patience = self.patience()
        while True:
            reply = self._wire.send(method, address, body)
            if isinstance(reply, NoReply):
                if reply.again and (repeatable or not reply.sent) and patience.backs_off():
                    continue
                raise self._lost(method, address, reply.reason, in_doubt=reply.sent and not repeatable)
            wait = asked_wait(reply.status, reply.headers, self._said(reply), self._now())
            if wait is not None and (repeatable or reply.status not in _PASSING):
                if patience.waits(wait):
                    continue
                raise self._limited(method, address, reply, wait)
            if reply.status in _PASSING and repeatable and patience.backs_off():
                continue
            if reply.status >= 500:  # noqa: PLR2004
                raise self._lost(
                    method, address, f"{reply.status} {self._said(reply)}".strip(), in_doubt=not repeatable
                )
            return reply

    def _accepted(self, method: str, address: str, reply: Reply) -> Reply:
        if not 200 <= reply.status < 300:  # noqa: PLR2004
            told = self._told(method, address, f"{reply.status} {self._said(reply) or 'without a word of why'}")
            raise HostRefused(told, status=reply.status, said=self._said(reply))
        if not reply.is_json:
            raise ForgeError(
                self._told(method, address, f"{reply.status}, but what came is no JSON"),
                next_step="Check the address of the API; a proxy may answer in the host's place.",
            )
        return reply

    def _redirected(self, method: str, address: str, reply: Reply) -> str:
        """Give where a GET goes on; raises where the token may not follow, and for every write."""
        told = reply.headers.get("location", "")
        target = urljoin(address, told) if told else ""
        place = one_line(without_query(target), TOLD_LIMIT // 2) or "a place that it does not name"
        if method != "GET":
            message = self._told(method, address, f"{reply.status}, it has moved to {place}")
            raise Moved(message, status=reply.status, said=self._said(reply), next_step="Use its new name.")
        if not target or origin(target) != origin(self.base_url):
            message = self._told(method, address, f"{reply.status}, sends on to {place}, where the token may not go")
            raise ForgeError(message, next_step="Check the address of the API.")
        return target

    def _limited(self, method: str, address: str, reply: Reply, wait: float) -> ForgeUnavailable:
        try:
            then = f"after {self._now() + timedelta(seconds=wait):%Y-%m-%d %H:%M} UTC"
        except OverflowError:
            then = "much later"
        told = self._told(method, address, f"{reply.status} {self._said(reply) or 'asks to wait'}")
        return ForgeUnavailable(told, next_step=f"Try again {then}.")

    def _lost(self, method: str, address: str, reason: str, *, in_doubt: bool) -> ForgeUnavailable:
        if in_doubt:
            return Interrupted(self._told(method, address, f"{reason}; it may have taken effect"))
        return ForgeUnavailable(self._told(method, address, reason), next_step="Try again later.")

    def _said(self, reply: Reply) -> str:
        """Give the host's own words, on one line and without the token."""
        return one_line(self.scrub(said_by(reply.answer)), TOLD_LIMIT)

    def _told(self, method: str, address: str, what: str) -> str:
        """Tell of a request: its method, its path without a query, and what came of it, on one line."""
        path = without_query(address).removeprefix(self.base_url)
        return one_line(self.scrub(f"{method} {path}: {what}"), TOLD_LIMIT).rstrip(".") + "."
