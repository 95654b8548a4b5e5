"""Git servers for tests, on loopback with a free port: smart HTTP by `git http-backend`, `git daemon`, and a mute host.

Each is a context manager that ends its server cleanly. `serve_git` is as strict as a real host: it wants the token
where one is given, answers two headers of authorization with 400, and lets a token that may only read push nothing.
"""

from __future__ import annotations

import base64
import gzip
import os
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.repositories import Ground, new_ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

USER = "x-access-token"
"""What GitHub takes for a user beside a token; any other does here too."""

PATIENCE = 10.0

TEXT = ("Content-Type", "text/plain; charset=utf-8")
"""With it git shows what a server says."""


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    method: str
    path: str
    authorization: tuple[str, ...]
    status: int


@dataclass
class GitHost:
    """What a server lets in, and what it was asked."""

    folder: Path
    environment: dict[str, str]
    token: str | None = None
    readers: tuple[str, ...] = ()
    redirect: str = ""
    asked: list[Asked] = field(default_factory=list)

    def judge(self, headers: Sequence[str], *, writes: bool) -> HTTPStatus:
        if len(headers) > 1:
            return HTTPStatus.BAD_REQUEST
        if self.token is None:
            return HTTPStatus.OK
        token = _token(headers[0]) if headers else ""
        if token == self.token:
            return HTTPStatus.OK
        if token in self.readers:
            return HTTPStatus.FORBIDDEN if writes else HTTPStatus.OK
        return HTTPStatus.UNAUTHORIZED


def basic(token: str, user: str = USER) -> str:
    """Give the header with which a token is sent to a server for git."""
    return f"Authorization: Basic {base64.b64encode(f'{user}:{token}'.encode()).decode()}"


def _token(header: str) -> str:
    kind, _, value = header.partition(" ")
    with suppress(ValueError):
        return base64.b64decode(value).decode().partition(":")[2] if kind.lower() == "basic" else ""
    return ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in the library
        pass

    def _answer(self, body: bytes) -> None:
        host = self.server.host
        writes = "git-receive-pack" in self.path
        given = tuple(self.headers.get_all("Authorization", ()))
        status = HTTPStatus.MOVED_PERMANENTLY if host.redirect else host.judge(given, writes=writes)
        host.asked.append(Asked(self.command, self.path, given, status))
        if host.redirect:
            self._send(status, [("Location", host.redirect + self.path)], b"")
        elif status is HTTPStatus.UNAUTHORIZED:
            self._send(status, [("WWW-Authenticate", 'Basic realm="git"'), TEXT], b"No anonymous access.\n")
        elif status is not HTTPStatus.OK:
            self._send(status, [TEXT], b"Permission to acme/wiki.git denied to reader.\n")
        else:
            self._send(*self._run(body))

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(parts)
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        return gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body

    def _run(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        address = urlsplit(self.path)
        environment = self.server.host.environment | {
            "GIT_PROJECT_ROOT": str(self.server.host.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": address.path,
            "QUERY_STRING": address.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_USER": "tester",
        }
        done = subprocess.run(
            ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False, timeout=60
        )
        head, _, answer = done.stdout.partition(b"\r\n\r\n")
        fields = [line.decode("latin-1").split(": ", 1) for line in head.split(b"\r\n") if b": " in line]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        return status, [(name, value) for name, value in fields if name != "Status"], answer

    def _send(self, status: int, headers: Sequence[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, host: GitHost) -> None:
        self.host = host
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a client that hung up."""


@contextmanager
def serve_git(
    folder: Path, *, token: str | None = None, readers: Sequence[str] = (), host: GitHost | None = None
) -> Iterator[str]:
    """Serve the bare repositories in a folder over smart HTTP; `<address given>/<name>.git` is a remote.

    Without a token everybody may read and push. Tokens of `readers` may only read. A `host` of one's own tells what
    was asked.
    """
    environment = quiet_environment(folder / ".home")
    served = host or GitHost(folder, environment, token, tuple(readers))
    server = _Server(served)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def new_host(folder: Path, *, token: str | None = None, readers: Sequence[str] = (), redirect: str = "") -> GitHost:
    """Describe a server, to see later what it was asked."""
    return GitHost(folder, quiet_environment(folder / ".home"), token, tuple(readers), redirect)


@contextmanager
def serve_daemon(folder: Path) -> Iterator[str]:
    """Serve the repositories in a folder by `git daemon`; everybody may read and push."""
    port = free_port()
    command = ["git", "daemon", f"--base-path={folder}", "--export-all", "--enable=receive-pack", "--reuseaddr"]
    process = subprocess.Popen(
        [*command, "--listen=127.0.0.1", f"--port={port}", str(folder)],
        env=quiet_environment(folder / ".home"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(port)
        yield f"git://127.0.0.1:{port}"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


@contextmanager
def mute_host() -> Iterator[int]:
    """Listen at a port, take every connection, and say nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken: list[socket.socket] = []

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(listening.accept()[0])

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()
            thread.join(PATIENCE)
            for one in taken:
                one.close()


def free_port() -> int:
    """Give a port at which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def new_origin(folder: Path, name: str = "origin.git", *options: str) -> Path:
    """Make a bare repository, as a host keeps it."""
    place = folder / name
    place.mkdir(parents=True)
    command = ["git", "init", "-q", "--bare", "-b", "main", *options, str(place)]
    subprocess.run(command, env=quiet_environment(folder / ".home"), check=True, capture_output=True)
    return place


def add_hook(origin: Path, name: str, script: str) -> None:
    """Give a repository a hook, written for `sh`."""
    hook = origin / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(f"#!/bin/sh\n{script}\n".encode())
    hook.chmod(0o755)


def new_clone(folder: Path) -> Ground:
    """Make a clone whose remote `origin`, a bare repository beside it, holds `main` at its first commit."""
    origin = new_origin(folder / "served")
    ground = new_ground(folder / "clone")
    ground.git("remote", "add", "origin", str(origin))
    ground.git("push", "-q", "origin", "main")
    return ground


def origin_of(ground: Ground) -> Ground:
    """Give the bare repository beside such a clone."""
    return Ground(ground.root.parent / "served" / "origin.git", ground.environment)


def by_somebody(ground: Ground, branch: str = "main", path: str = "theirs.md") -> str:
    """Let somebody else push a commit to a branch, from a clone of their own; give its id."""
    folder = ground.root.parent
    theirs = Ground(folder / f"theirs-{sum(1 for _ in folder.glob('theirs-*'))}", ground.environment)
    ground.git("clone", "-q", str(origin_of(ground).root), str(theirs.root))
    theirs.git("config", "user.name", "Robin")
    theirs.git("config", "user.email", "robin@example.org")
    stands = theirs.git("branch", "-r", "--list", f"origin/{branch}").strip()
    theirs.git("switch", "-q", "-C", branch, stands or "main")
    commit = theirs.commit("by Robin", **{path: theirs.root.name})
    theirs.git("push", "-q", "origin", branch)
    return commit


def _wait_for(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
