"""The HTTP client of hosts, against a server on this machine that does as each test says."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigError, ForgeError, ForgeUnavailable
from pipeline.forge.addresses import next_page
from pipeline.forge.http import ForgeClient, HostRefused, Interrupted, Moved, quoted
from pipeline.forge.patience import asked_wait
from pipeline.forge.refusals import said_by
from tests.forge.served import Answer, Asked, Fault, Served, html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.observations.observation import Json

TOKEN = "ghp_verySECRETverySECRETvery0"
NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


class Host(Served):
    """Answers with what it is given for a path, else with an empty object; `slept` is how long the client waited."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answer]] = {}
        self.slept: list[float] = []
        self.clients: list[ForgeClient] = []
        super().__init__(self._next, lambda: NOW)

    def _next(self, asked: Asked) -> Answer:
        waiting = self.answers.get(asked.path, [])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0] if waiting else Answer(200, {})

    def client(
        self,
        token: str = TOKEN,
        *,
        ticks: Callable[[], float] = time.monotonic,
        token_header: str = "Authorization",
        token_scheme: str = "Bearer ",
    ) -> ForgeClient:
        client = ForgeClient(
            self.url,
            {"User-Agent": "x"},
            token,
            sleep=self.slept.append,
            now=lambda: NOW,
            ticks=ticks,
            token_header=token_header,
            token_scheme=token_scheme,
        )
        self.clients.append(client)
        return client


@pytest.fixture
def host() -> Iterator[Host]:
    with Host() as served:
        yield served
        for client in served.clients:
            client.close()


def asked_of(host: Host) -> list[str]:
    return [f"{asked.method} {asked.path}" for asked in host.requests]


def test_the_token_goes_in_its_header(host: Host) -> None:
    host.client().get("/a", {"q": "x y", "n": 1})
    host.client(token_header="PRIVATE-TOKEN", token_scheme="").get("/a")
    host.client("").get("/a")
    assert [asked.headers.get("authorization") for asked in host.requests] == [f"Bearer {TOKEN}", None, None]
    assert [asked.headers.get("private-token") for asked in host.requests] == [None, TOKEN, None]
    assert host.requests[0].query == {"q": "x y", "n": "1"}
    assert host.requests[0].headers["user-agent"] == "x"


def test_bodies_go_out_as_json_in_any_script(host: Host) -> None:
    client = host.client()
    client.post("/a", {"title": "Größe 漢字 \ud800"})
    client.patch("/a", {"state": "closed"})
    client.put("/a", {})
    client.delete("/a")
    assert asked_of(host) == ["POST /a", "PATCH /a", "PUT /a", "DELETE /a"]
    assert [asked.body for asked in host.requests] == [{"title": "Größe 漢字 ?"}, {"state": "closed"}, {}, None]


@pytest.mark.parametrize(
    ("address", "token", "message"),
    [
        ("http://github.example.com/api", TOKEN, "http, over which"),
        ("http://10.0.0.1", TOKEN, "http, over which"),
        ("ftp://api.github.com", "", "no web address"),
        ("https://", "", "no web address"),
        ("https://api github.com", "", "no web address"),
        ("https://me:hunter2@api.github.com", "", "must hold no user"),
        ("https://api.github.com?a=b", "", "must hold no user"),
        ("https://api.github.com:0", "", "no web address"),
        ("https://[::1", "", "no web address"),
        ("https://api.github.com", "ghp_a\r\nX-Evil: 1", "characters that no token has"),
        ("https://api.github.com", "ghp_ä", "characters that no token has"),
    ],
)
def test_addresses_and_tokens_that_cannot_be_used(address: str, token: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        ForgeClient(address, {}, token, sleep=lambda _: None, now=lambda: NOW)
    assert "hunter2" not in str(caught.value)
    assert not token or token not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://localhost:1", "http://127.0.0.9", "http://[::1]:80", "https://x.test/api/v3/"]
)
def test_addresses_that_a_token_may_go_to(address: str) -> None:
    with ForgeClient(address, {}, f" {TOKEN}\n", sleep=lambda _: None, now=lambda: NOW) as client:
        assert client.base_url == address.rstrip("/")
        assert client.has_token
        assert client.token_starts("ghp_")
        assert TOKEN not in repr(client)


def test_without_a_token_plain_http_will_do() -> None:
    with ForgeClient("http://github.example.com", {}, "", sleep=lambda _: None, now=lambda: NOW) as client:
        assert not client.has_token


def test_lists_are_read_to_their_end_and_no_further_than_needed(host: Host) -> None:
    def links(asked: Asked) -> Answer:
        page = int(asked.query.get("page", "1"))
        link = f'<{host.url}/list?page={page + 1}&per_page=2>; rel="next", <{host.url}/list?page=3>; rel="last"'
        return Answer(200, [page, page], {"link": link} if page < 3 else {"link": f'<{host.url}/list>; rel="first"'})

    host.handle = links
    assert list(host.client().pages("/list", {"per_page": 2})) == [1, 1, 2, 2, 3, 3]
    assert [asked.query.get("page") for asked in host.requests] == [None, "2", "3"]
    assert next(host.client().pages("/list")) == 1
    assert len(host.requests) == 4


def test_lists_go_on_by_number_where_there_is_no_link(host: Host) -> None:
    host.answers["/list"] = [Answer(200, [1], {"x-next-page": "2"}), Answer(200, [2], {"x-next-page": ""})]
    assert list(host.client().pages("/list", {"a": "b c"})) == [1, 2]
    assert [asked.query for asked in host.requests] == [{"a": "b c"}, {"a": "b c", "page": "2"}]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(200, [], {"link": '<https://evil.test/list?page=2>; rel="next"'}), "gets no token"),
        (Answer(200, [], {"link": '</list>; rel="next"'}), "without end"),
        (Answer(200, {"not": "a list"}), "no list"),
    ],
)
def test_lists_that_lead_astray(host: Host, answer: Answer, message: str) -> None:
    host.answers["/list"] = [answer]
    with pytest.raises(ForgeError, match=message):
        list(host.client().pages("/list"))
    assert len(host.requests) == 1


@pytest.mark.parametrize("status", [502, 503, 504])
@pytest.mark.parametrize("method", ["get", "patch", "put", "delete"])
def test_what_may_be_said_twice_is_repeated(host: Host, method: str, status: int) -> None:
    host.faults.append(Fault(answer=html(status), times=2))
    client = host.client()
    arguments: tuple[object, ...] = ("/a",) if method in {"get", "delete"} else ("/a", {})
    assert getattr(client, method)(*arguments) == {}
    assert len(host.requests) == 3
    assert host.slept == [1.0, 2.0]


def test_a_request_is_repeated_four_times_and_no_more(host: Host) -> None:
    host.faults.append(Fault(answer=html(502), times=99))
    with pytest.raises(ForgeUnavailable, match=r"GET /a: 502\.") as caught:
        host.client().get("/a")
    assert not isinstance(caught.value, Interrupted)
    assert len(host.requests) == 5
    assert host.slept == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    "fault", [Fault(answer=html(502)), Fault(answer=Answer(500, {"message": "oops"})), Fault(cut=True)]
)
def test_a_write_in_doubt_is_not_repeated(host: Host, fault: Fault) -> None:
    host.faults.append(fault)
    with pytest.raises(Interrupted, match="may have taken effect"):
        host.client().post("/a", {})
    assert len(host.requests) == 1
    assert host.slept == []


def test_a_write_that_is_repeatable_is(host: Host) -> None:
    host.faults.append(Fault(cut=True))
    assert host.client().post("/a", {}, repeatable=True) == {}
    assert len(host.requests) == 2


def test_a_host_that_nobody_answers_at() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        slept: list[float] = []
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        # No request went out, so that even a write may be tried again.
        told = pytest.raises(ForgeUnavailable, match=r"POST /a: no answer: Connection refused\.")
        with ForgeClient(address, {}, TOKEN, sleep=slept.append, now=lambda: NOW) as client, told as caught:
            client.post("/a", {})
        assert not isinstance(caught.value, Interrupted)
        assert slept == [1.0, 2.0, 4.0, 8.0]


def test_an_answer_that_drips_ends_with_the_deadline(host: Host) -> None:
    ticks = iter([0.0, 61.0, *[100.0, 100.5] * 9])
    assert host.client(ticks=lambda: next(ticks)).get("/a") == {}
    assert len(host.requests) == 2


def test_an_answer_that_is_too_large_is_not_asked_for_again(host: Host) -> None:
    host.answers["/a"] = [Answer(200, raw=b"[" + b" " * 20_000_001)]
    with pytest.raises(ForgeUnavailable, match="larger than 20 MB"):
        host.client().get("/a")
    assert len(host.requests) == 1


LIMITS = [
    (429, {"retry-after": "7"}, "", [7.0]),
    (403, {"retry-after": "7"}, "You have exceeded a secondary rate limit.", [7.0]),
    (403, {"retry-after": "Mon, 30 Nov 2026 08:00:09 GMT"}, "", [9.0]),
    (403, {}, "You have exceeded a secondary rate limit. Please wait a few minutes.", [60.0]),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{int(NOW.timestamp()) + 30}"}, "limit", [30.0]),
    (429, {"ratelimit-remaining": "0", "ratelimit-reset": f"{int(NOW.timestamp()) + 30}"}, "", [30.0]),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{int(NOW.timestamp()) - 30}"}, "", [1.0]),
    (429, {}, "", [60.0]),
    (429, {"retry-after": "nonsense"}, "", [60.0]),
    (503, {"retry-after": "5"}, "", [5.0]),
]


@pytest.mark.parametrize(("status", "headers", "said", "slept"), LIMITS)
def test_limits_are_waited_for_even_by_writes(
    host: Host, status: int, headers: dict[str, str], said: str, slept: list[float]
) -> None:
    host.faults.append(Fault(answer=Answer(status, {"message": said}, headers)))
    host.client().post("/a", {}, repeatable=status == 503)
    assert host.slept == slept
    assert len(host.requests) == 2


@pytest.mark.parametrize(
    ("headers", "then"),
    [
        ({"retry-after": "61"}, "08:01"),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{int(NOW.timestamp()) + 1800}"}, "08:30"),
        ({"retry-after": "1e300"}, "much later"),
    ],
)
def test_limits_that_take_longer_than_a_run_should(host: Host, headers: dict[str, str], then: str) -> None:
    host.faults.append(Fault(answer=Answer(429, {"message": "API rate limit exceeded"}, headers)))
    with pytest.raises(ForgeUnavailable, match="API rate limit exceeded") as caught:
        host.client().get("/a")
    assert then in caught.value.next_step
    assert host.slept == []


def test_a_request_waits_a_minute_in_all(host: Host) -> None:
    host.faults.append(Fault(answer=Answer(429, {}, {"retry-after": "25"}), times=9))
    with pytest.raises(ForgeUnavailable):
        host.client().get("/a")
    assert host.slept == [25.0, 25.0]


def test_a_refusal_is_no_limit(host: Host) -> None:
    host.answers["/a"] = [Answer(403, {"message": "Resource not accessible"}, {"x-ratelimit-remaining": "12"})]
    with pytest.raises(HostRefused) as caught:
        host.client().get("/a")
    assert (caught.value.status, caught.value.said) == (403, "Resource not accessible")
    assert len(host.requests) == 1


def test_redirects_of_reading_are_followed_at_home_only(host: Host) -> None:
    host.answers["/old"] = [Answer(301, {}, {"location": "/new?x=1"})]
    host.answers["/new"] = [Answer(200, {"name": "new"})]
    assert host.client().get("/old") == {"name": "new"}
    assert host.requests[1].headers["authorization"] == f"Bearer {TOKEN}"
    with Host() as other:
        host.answers["/old"] = [Answer(302, {}, {"location": f"{other.url}/steal?token=1"})]
        with pytest.raises(ForgeError, match=rf"sends on to {other.url}/steal, where the token may not go"):
            host.client().get("/old")
        assert other.requests == []
    host.answers["/old"] = [Answer(307, {}, {"location": "/old"})]
    with pytest.raises(ForgeError, match="again and again"):
        host.client().get("/old")
    host.answers["/old"] = [Answer(301, {})]
    with pytest.raises(ForgeError, match="a place that it does not name"):
        host.client().get("/old")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_write_follows_no_redirect_and_names_the_new_place(host: Host, status: int) -> None:
    host.answers["/old"] = [Answer(status, {"message": "Moved Permanently"}, {"location": f"{host.url}/new"})]
    with pytest.raises(Moved, match=f"{host.url}/new") as caught:
        host.client().post("/old", {})
    assert caught.value.status == status
    assert asked_of(host) == ["POST /old"]


@pytest.mark.parametrize("raw", [b"<html>hi</html>", b'{"a":', b"[" * 100_000, b"\xff\xfe", b"9" * 5_000])
def test_what_is_no_json_is_an_error_and_no_traceback(host: Host, raw: bytes) -> None:
    host.answers["/a"] = [Answer(200, raw=raw)]
    with pytest.raises(ForgeError, match="no JSON"):
        host.client().get("/a")
    host.answers["/a"] = [Answer(404, raw=raw)]
    with pytest.raises(HostRefused, match="404 without a word of why"):
        host.client().get("/a")


def test_an_empty_answer_is_null(host: Host) -> None:
    host.answers["/a"] = [Answer(204)]
    assert host.client().delete("/a") is None


def test_errors_hold_no_secret_no_query_and_one_line(host: Host) -> None:
    said = f"bad\r\n::error::{TOKEN}\x1b[31m \u202e" + "x" * 1_000
    host.answers["/a"] = [Answer(422, {"message": said, "errors": [{"message": f"also {TOKEN}"}]})]
    with pytest.raises(HostRefused) as caught:
        host.client().get("/a", {"private": "hidden"})
    told = str(caught.value)
    assert told.startswith("GET /a: 422 bad ::error::[REDACTED]")
    assert TOKEN not in told + caught.value.said + repr(caught.value)
    assert "hidden" not in told
    assert told.isprintable()
    assert len(told) <= 301
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_headers_can_be_looked_at(host: Host) -> None:
    host.answers["/a"] = [Answer(200, [], {"X-OAuth-Scopes": "repo"})]
    answer, headers = host.client().look("/a")
    assert (answer, headers["x-oauth-scopes"]) == ([], "repo")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"message": "Validation Failed", "errors": [{"message": "No commits"}]}, "Validation Failed: No commits"),
        (
            {
                "message": "Validation Failed",
                "errors": [{"resource": "PullRequest", "field": "head", "code": "invalid"}],
            },
            "Validation Failed: PullRequest head invalid",
        ),
        ({"message": "x", "errors": ["plain", "plain"]}, "x: plain"),
        ({"message": ["Another open merge request already exists"]}, "Another open merge request already exists"),
        ({"message": {"base": ["is wrong", "is old"]}}, "base is wrong, is old"),
        ({"error": "insufficient_scope", "error_description": "more"}, "insufficient_scope: more"),
        ({"message": None, "errors": {"a": 1}}, ""),
        (["message"], ""),
        (None, ""),
    ],
)
def test_what_hosts_say(answer: Json, said: str) -> None:
    assert said_by(answer) == said


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10)


@given(JSON)
def test_whatever_is_said_can_be_told(answer: Json) -> None:
    assert isinstance(said_by({"message": answer, "errors": answer}), str)


@given(st.text(max_size=200), st.text(max_size=20), st.sampled_from([200, 403, 429, 503]))
def test_odd_headers_never_raise(text: str, number: str, status: int) -> None:
    headers = {"retry-after": text, "x-ratelimit-remaining": "0", "x-ratelimit-reset": number, "date": text}
    wait = asked_wait(status, headers, text, NOW)
    assert wait is None or wait >= 1
    next_page("https://x.test/a?page=1", {"link": text})
    next_page("https://x.test/a?page=1", {"x-next-page": number})


def test_long_links_are_read_in_linear_time() -> None:
    assert next_page("https://x.test/", {"link": "<a>;" + " rel=" * 100_000}) == ""
    assert next_page("https://x.test/", {"link": '<a>; title="next"; rel="prev next"'}) == "https://x.test/a"


def test_parts_of_paths_are_quoted() -> None:
    assert quoted("wikimill/ä b?#") == "wikimill%2F%C3%A4%20b%3F%23"
