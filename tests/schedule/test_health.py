"""The health endpoint over real HTTP: one path, one method, one machine."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from pipeline.errors import ConfigError
from pipeline.schedule import health
from pipeline.schedule.health import health_endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

WELL = {"alive": True, "next_run": "2026-12-07T04:23:00Z"}


def ask(port: int, path: str = "/healthz", method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        assert answer.getheader("Server") == "wikimill"
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def port_of(address: str) -> int:
    parts = urlsplit(address)
    assert (parts.scheme, parts.hostname, parts.path) == ("http", "127.0.0.1", "/healthz")
    assert parts.port
    return parts.port


def test_it_tells_whether_all_is_well() -> None:
    told: list[tuple[bool, Mapping[str, object]]] = [(True, WELL)]
    with health_endpoint(0, lambda: told[0]) as address:
        port = port_of(address)
        code, body = ask(port)
        assert (code, json.loads(body)) == (200, WELL)
        told[0] = (False, {"alive": False})
        code, body = ask(port, Host=f"localhost:{port}")
        assert (code, json.loads(body)) == (503, {"alive": False})
    with pytest.raises(ConnectionRefusedError):
        ask(port)


@pytest.mark.parametrize(
    ("path", "method", "code"),
    [
        ("/", "GET", 404),
        ("/healthz/", "GET", 404),
        ("/healthz?x=1", "GET", 404),
        ("/../healthz", "GET", 404),
        ("//healthz", "GET", 404),
        ("/%68ealthz", "GET", 404),
        ("/healthz/../../etc/passwd", "GET", 404),
        ("http://example.org/healthz", "GET", 421),
        ("/healthz", "HEAD", 501),
        ("/healthz", "POST", 501),
        ("/healthz", "DELETE", 501),
        ("/healthz", "OPTIONS", 501),
    ],
)
def test_it_tells_nothing_else(path: str, method: str, code: int) -> None:
    with health_endpoint(0, lambda: (True, WELL)) as address:
        answered, body = ask(port_of(address), path, method)
    assert answered == code
    assert body in {"", f'{{"error": {code}}}\n'}


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost.example.org", ""])
def test_it_answers_under_no_foreign_name(host: str) -> None:
    with health_endpoint(0, lambda: (True, WELL)) as address:
        port = port_of(address)
        assert ask(port, Host=host)[0] == 421
        assert ask(port, Host=f"{host or 'x'}:{port}")[0] == (200 if host == "127.0.0.1" else 421)


def test_two_names_are_none() -> None:
    with health_endpoint(0, lambda: (True, WELL)) as address:
        port = port_of(address)
        assert raw(port, f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: x\r\n\r\n").startswith(
            "HTTP/1.0 421"
        )
        assert raw(port, "GET /healthz HTTP/1.1\r\n\r\n").startswith("HTTP/1.0 421")


def test_nonsense_and_silence_do_not_keep_others_waiting() -> None:
    with health_endpoint(0, lambda: (True, WELL)) as address:
        port = port_of(address)
        with socket.create_connection(("127.0.0.1", port)):  # it says nothing, and is not waited for
            assert "400" in raw(port, "\x00\x01\x02\r\n\r\n")
            assert ask(port)[0] == 200
            assert "414" in raw(port, f"GET /{'a' * 70_000} HTTP/1.1\r\n\r\n")
            assert ask(port)[0] == 200
    assert not [one for one in threading.enumerate() if one.name == "health"]


def raw(port: int, text: str) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(text.encode())
        found = b""
        while piece := line.recv(4096):
            found += piece
            if b"\r\n\r\n" in found:
                break
        return found.decode()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have one loopback address")
def test_it_is_reached_from_this_machine_alone() -> None:
    with health_endpoint(0, lambda: (True, WELL)) as address:
        port = port_of(address)
        with socket.socket() as other:
            other.bind(("127.0.0.2", port))  # it is not taken: the endpoint has one address


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(ConfigError, match=rf"127\.0\.0\.1:{port} cannot be used: ") as caught,
            health_endpoint(port, lambda: (True, WELL)),
        ):
            pytest.fail("it was taken")
    assert caught.value.where == "--health-port"


def test_callers_who_trickle_neither_pile_up_nor_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "SECONDS", 0.5)
    before = threading.active_count()
    with health_endpoint(0, lambda: (True, WELL)) as address, ExitStack() as stack:
        port = port_of(address)
        callers = [stack.enter_context(socket.create_connection(("127.0.0.1", port), 5)) for _ in range(100)]
        deadline = time.monotonic() + 20
        most = 0
        while time.monotonic() < deadline:
            most = max(most, threading.active_count() - before)
            with suppress(OSError):
                for caller in callers:
                    caller.send(b"G")
            try:
                if ask(port)[0] == HTTPStatus.OK:
                    break
            except (OSError, HTTPException):
                time.sleep(0.05)
        else:
            pytest.fail("nobody else is heard")
    assert most <= 2 * health.AT_ONCE + 2, "a thread and a clock for each caller that is heard"
