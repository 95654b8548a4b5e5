"""A scripted endpoint over real HTTP on loopback: what it answers is a function of the request and its number."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from pipeline.config import CapSettings, ModelPrice, ModelSettings
from pipeline.context import Context
from pipeline.models.metering import Meter
from pipeline.models.openai_compatible import EndpointMemory, OpenAiModel
from pipeline.observations.observation import SessionKey
from pipeline.projection import Projection
from pipeline.prompt import Request, build_batch_request_with_slots

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-test-4f9d2c7b8a1e6035"

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

OPEN: list[OpenAiModel] = []
"""Models that wait to be closed."""


@dataclass(frozen=True)
class Asked:
    """One request as the endpoint got it."""

    path: str
    headers: Mapping[str, str]
    payload: dict[str, Any]

    @property
    def rung(self) -> str:
        return str(self.payload.get("response_format", {"type": "text"})["type"])


@dataclass(frozen=True)
class Answer:
    """What the endpoint answers; with `raw`, the connection gets exactly these pieces, each after a pause."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: tuple[bytes, ...] = ()
    pause: float = 0.0


Script = Callable[[int, Asked], Answer]


def said(text: object = '{"updates": []}', reason: str | None = "stop", **more: object) -> Answer:
    message = {"role": "assistant", "content": text, **more}
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    return Answer(
        body={"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage}
    )


def error(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: object) -> Answer:
    return Answer(status, {"error": {"message": message, **more}}, headers or {})


class Endpoint:
    """The endpoint's address and what it was asked."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[Asked] = []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()

    @property
    def rungs(self) -> list[str]:
        return [one.rung for one in self.asked]


class Handler(BaseHTTPRequestHandler):
    """Answers as the script of its server says."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one packet: two make the other side wait
    server: Server

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def log_message(self, *_: object) -> None:
        """Stay silent."""

    def _answer(self, payload: dict[str, Any]) -> None:
        asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, payload)
        endpoint = self.server.endpoint
        with endpoint.lock:
            endpoint.asked.append(asked)
            number = len(endpoint.asked)
            endpoint.at_once += 1
            endpoint.most_at_once = max(endpoint.at_once, endpoint.most_at_once)
        try:
            answer = self.server.script(number, asked)
        finally:
            with endpoint.lock:
                endpoint.at_once -= 1
        try:
            self._send(answer)
        except OSError:
            self.close_connection = True

    def _send(self, answer: Answer) -> None:
        for piece in answer.raw:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(answer.pause)
        if answer.raw:
            self.close_connection = True
            return
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class Server(ThreadingHTTPServer):
    """Listens on a free port of loopback."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.endpoint = Endpoint(f"http://127.0.0.1:{self.server_address[1]}/v1")

    def handle_error(self, *_: object) -> None:
        """A client that went away is part of the play."""


@contextmanager
def serving(script: Script) -> Iterator[Endpoint]:
    """Serve until the block ends."""
    server = Server(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Time:
    """A clock that stands still but for the sleeping."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []
        self._lock = threading.Lock()

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(round(seconds, 3))
            self.now += seconds


@dataclass
class Bench:
    """A model at a scripted endpoint, with all that it is handed."""

    model: OpenAiModel
    time: Time
    told: list[str]


def a_model(
    address: str,
    folder: Path,
    *,
    clock: Callable[[], float] | None = None,
    caps: CapSettings | None = None,
    prices: tuple[ModelPrice, ...] = (),
    key: str = KEY,
    environment: Mapping[str, str] | None = None,
    keeps: bool = True,
    **more: object,
) -> Bench:
    values: dict[str, Any] = {"provider": "openai", "name": "m-1", "base_url": address, "workers": 1, **more}
    settings = ModelSettings(caps=caps or CapSettings(), prices=prices, **values)
    time_, told = Time(), list[str]()
    model = OpenAiModel(
        settings,
        environment={"OPENAI_API_KEY": key, **(environment or {})},
        meter=Meter(settings.caps, settings.prices, model=settings.name),
        memory=EndpointMemory(folder / "endpoints.json", keeps=keeps),
        scrub=lambda text: text,
        clock=clock or time_.clock,
        sleep=time_.sleep,
        jitter=lambda: 1.0,
        tell=told.append,
    )
    OPEN.append(model)
    return Bench(model, time_, told)


def a_request(system: str = "Be brief.") -> Request:
    window = Projection(SessionKey("default", "acme", "s1"), 1, 1, (), 0)
    return build_batch_request_with_slots(system, [window], Context())
