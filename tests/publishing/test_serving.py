"""Serving the site: built apart from the repository, anew on every change, until interrupted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError
from pipeline.publishing.answering import is_meant
from pipeline.publishing.serving import Stage, serve_site
from tests.browser.surfing import free_port
from tests.publishing.trees import ENVIRONMENT
from tests.reading.sample import CHECKOUT, write_repository

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCRIPT = """\
import os, pathlib, sys, time
from datetime import UTC, datetime
from pipeline.publishing.serving import Stage, serve_site
clock = lambda: datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
say = lambda text: print(text, flush=True)
serve_site(pathlib.Path(sys.argv[1]), Stage("127.0.0.1", int(sys.argv[2]), os.environ, clock, time.sleep, say))
"""


def small(root: Path) -> Path:
    return write_repository(root, pages={"index.md": "# Home\n", "p/concepts/one.md": "# One\n"})


def asked(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def answer_to(port: int, request: str) -> bytes:
    """Ask for what no browser would ask for, and give the first line of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(request.encode())
        return line.makefile("rb").readline()


def wait_for(address: str, process: subprocess.Popen[bytes], holds: Callable[[int, str], bool]) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        try:
            code, text = asked(address)
        except OSError:
            code, text = 0, ""
        if holds(code, text):
            return text
        time.sleep(0.1)
    raise AssertionError(address)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")
def test_serves_on_this_machine_until_interrupted(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    port = free_port()
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(root), str(port)],
        env={**ENVIRONMENT, "PYTHONPATH": str(CHECKOUT), "TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    home = f"http://127.0.0.1:{port}/"
    try:
        text = wait_for(f"{home}p/concepts/one/", process, lambda code, _: code == 200)
        assert '<script src="/.wikimill/reload.js" defer></script></body>' in text
        assert "script-src 'self'" in text
        assert asked(f"{home}.wikimill/build") == (200, "1")
        assert "location.reload" in asked(f"{home}.wikimill/reload.js")[1]
        code, lost = asked(f"{home}gone/")
        assert code == 404
        assert "<title>" in lost
        assert asked(f"{home}../../../../etc/passwd")[0] == 404
        assert asked(f"{home}assets/")[0] == 404
        assert b" 404 " in answer_to(port, f"GET /{'a' * 5_000} HTTP/1.0\r\nHost: localhost:{port}\r\n\r\n")
        assert b" 403 " in answer_to(port, "GET / HTTP/1.0\r\nHost: elsewhere.example\r\n\r\n")
        (root / "wiki/p/concepts/one.md").write_text("# Renamed\n", encoding="utf-8")
        wait_for(f"{home}p/concepts/one/", process, lambda _, text: "Renamed" in text)
        wait_for(f"{home}.wikimill/build", process, lambda _, text: text == "2")
        (root / "mkdocs.yml").rename(root / "gone.yml")
        time.sleep(1.2)
        assert asked(f"{home}p/concepts/one/")[0] == 200
    finally:
        os.killpg(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=30)
    assert process.returncode == 0, told
    assert b"there is none" in told
    assert not (root / ".build").exists()
    assert not (root / ".wikimill").exists()
    assert list((tmp_path / "tmp").iterdir()) == []
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(home, timeout=2)


@pytest.mark.parametrize(
    ("asked", "host", "meant"),
    [
        ("localhost:8000", "127.0.0.1", True),
        ("127.0.0.1", "localhost", True),
        ("[::1]:8000", "127.0.0.1", True),
        ("127.8.8.8:1", "::1", True),
        ("elsewhere.example:8000", "127.0.0.1", False),
        ("127.0.0.1.elsewhere.example", "127.0.0.1", False),
        ("localhost.elsewhere.example", "localhost", False),
        ("", "127.0.0.1", False),
        ("[", "127.0.0.1", False),
        ("elsewhere.example", "0.0.0.0", True),
        ("wiki.example", "wiki.example", True),
    ],
)
def test_what_is_served_to_this_machine_answers_to_its_names_alone(asked: str, host: str, *, meant: bool) -> None:
    assert is_meant(asked, host) is meant


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_cannot_be_used_is_named(tmp_path: Path, port: int) -> None:
    stage = Stage("127.0.0.1", port, ENVIRONMENT, lambda: datetime(2026, 11, 30, tzinfo=UTC), time.sleep, print)
    with pytest.raises(ConfigError, match=f"127.0.0.1:{port}"):
        serve_site(small(tmp_path), stage)
