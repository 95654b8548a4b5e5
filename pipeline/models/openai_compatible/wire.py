"""Owns the one place where a language model is reached: a call goes out, an answer or its absence comes back.

Knows no meaning of an answer. Nothing is raised, for exceptions of the libraries carry the request with its key.
"""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast

import httpx2
import openai

from pipeline import __version__
from pipeline.errors import ConfigError
from pipeline.models.openai_compatible.transport import CONNECT_SECONDS, BoundedClient, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.chat.completion_create_params import ResponseFormat

    from pipeline.models.openai_compatible.asking import Rung
    from pipeline.models.openai_compatible.endpoint import Endpoint
    from pipeline.observations.observation import Json
    from pipeline.prompt import Message

Trouble = Literal["timeout", "connection", "certificate", "too_large", "unreachable"]

_MOST_CAUSES: Final = 8


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with whatever status; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No answer came, or none that was read to its end; `detail` says why in words of this machine."""

    trouble: Trouble
    detail: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on the answer, in tokens, by the name that the endpoint takes."""

    field: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; a temperature or a limit that is None is not sent."""

    model: str
    messages: tuple[Message, ...]
    rung: Rung
    schema: dict[str, Json]
    temperature: float | None
    limit: Limit | None


class _Client(openai.OpenAI):
    """The library's client, but for the headers: it would take some from variables of the environment."""

    def __init__(self, endpoint: Endpoint, timeout: httpx2.Timeout, http_client: httpx2.Client) -> None:
        self._sent = _headers(endpoint)
        super().__init__(
            api_key=endpoint.api_key,
            base_url=endpoint.base_url,
            max_retries=0,
            timeout=timeout,
            http_client=http_client,
        )

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Give every header that goes out, but for those of the transport."""
        return {**self._sent}


class _Raw(Protocol):
    @property
    def http_response(self) -> httpx2.Response: ...


class Wire:
    """A client for one endpoint; each request has `seconds` in all, its answer included. Threads may share it."""

    def __init__(self, endpoint: Endpoint, *, seconds: float, connections: int, clock: Callable[[], float]) -> None:
        # OPENAI_LOG would have the library tell of each call on the terminal.
        logging.getLogger(openai.__name__).setLevel(logging.WARNING)
        self._client = _Client(
            endpoint,
            httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
            _bounded(seconds, connections, clock),
        )

    def complete(self, question: Question) -> Answered | NoAnswer:
        """Ask for one completion."""
        limit, temperature = question.limit, question.temperature
        told = [{"role": message.role, "content": _sendable(message.text)} for message in question.messages]
        return self._answer(
            lambda: self._client.chat.completions.with_raw_response.create(
                model=question.model,
                messages=cast("list[ChatCompletionMessageParam]", told),
                response_format=_format(question),
                temperature=openai.omit if temperature is None else temperature,
                extra_body={limit.field: limit.tokens} if limit else None,
            )
        )

    def models(self) -> Answered | NoAnswer:
        """Ask which models there are."""
        return self._answer(self._client.models.with_raw_response.list)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _answer(self, call: Callable[[], _Raw]) -> Answered | NoAnswer:
        try:
            response = call().http_response
        except openai.APIStatusError as fault:
            response = fault.response
        except openai.APITimeoutError as fault:
            connecting = isinstance(fault.__cause__, httpx2.ConnectTimeout)
            if connecting:
                return NoAnswer("unreachable", "no connection in time")
            return NoAnswer("timeout", "no whole answer in time")
        except (openai.OpenAIError, httpx2.HTTPError, OSError, ValueError) as fault:
            return _trouble(fault)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answered(response.status_code, headers, response.content)


def _headers(endpoint: Endpoint) -> dict[str, str]:
    headers = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {endpoint.api_key}",
        "User-Agent": f"wikimill/{__version__}",
        "OpenAI-Organization": endpoint.organization,
        "OpenAI-Project": endpoint.project,
    }
    return {name: value for name, value in headers.items() if value}


def _format(question: Question) -> ResponseFormat | openai.Omit:
    if question.rung == "text":
        return openai.omit
    if question.rung == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": {**question.schema}}}


def _sendable(text: str) -> str:
    """Replace lone surrogates, which no encoding carries."""
    return text.encode("utf-8", "replace").decode()


def _bounded(seconds: float, connections: int, clock: Callable[[], float]) -> BoundedClient:
    """Make the client; it reads proxies and certificates from the environment, where anything may stand."""
    try:
        return BoundedClient(seconds=seconds, connections=connections, clock=clock)
    except (ImportError, ValueError, OSError) as fault:
        message = f"a proxy or certificate setting of the environment cannot be used ({type(fault).__name__})."
        step = "Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY (a SOCKS proxy needs the package socksio) and SSL_CERT_FILE."
        raise ConfigError(message, where="environment", next_step=step) from None


def _trouble(fault: BaseException) -> NoAnswer:
    """Name what lies below an error of the libraries: never their text, which may hold what was sent."""
    causes = [fault]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and len(causes) < _MOST_CAUSES:
        causes.append(cause)
    if any(isinstance(cause, TooLarge) for cause in causes):
        return NoAnswer("too_large", "an answer over 20 MB")
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return NoAnswer("certificate", "its certificate is not trusted")
    trouble: Trouble = (
        "unreachable" if any(isinstance(cause, httpx2.ConnectError) for cause in causes) else "connection"
    )
    system = next((cause for cause in causes if isinstance(cause, OSError) and cause.strerror), None)
    if system is not None:
        return NoAnswer(trouble, str(system.strerror))
    outer = causes[1] if len(causes) > 1 else fault
    return NoAnswer(trouble, type(outer).__name__)
