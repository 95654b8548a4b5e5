"""Owns the words for what went wrong: a fault in, an error with its next step out; pure.

An error gives the status and the vendor's short names, scrubbed; never the text of an answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import InvalidReply, ModelError, OddAnswer, Truncated, Unanswered, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.openai_compatible.faults import Fault, Kind

_WHAT: Final[dict[Kind, str]] = {
    "busy": "has too many requests",
    "passing": "has trouble of its own",
    "unreachable": "cannot be reached",
    "credentials": "does not accept the key",
    "forbidden": "does not allow the request",
    "address": "knows no chat completions at this address",
    "model": "does not know the model",
    "quota": "says that the account has no credit left",
    "moved": "sends requests on to another address, where the key must not go",
    "certificate": "cannot be trusted: its certificate is not valid here",
    "too_long": "says that the request is longer than the model reads",
    "filter": "has a content filter that took the request away",
    "rung": "does not take this way of asking for JSON",
    "parameter": "does not take a parameter",
    "invalid": "does not accept the request",
}


@dataclass(frozen=True, slots=True)
class Explainer:
    """Writes errors about one model at one endpoint; `scrub` takes secrets out of what a vendor says."""

    where: str
    key_variable: str
    scrub: Callable[[str], str]

    def what(self, fault: Fault) -> str:
        """Say what happened, as `answered 503 (overloaded) and has trouble of its own`."""
        named = ", ".join(filter(None, (self.scrub(fault.code), self.scrub(fault.parameter))))
        told = f" ({named})" if named else ""
        if not fault.status:
            return f"the endpoint did not answer: {fault.detail}"
        return f"the endpoint answered {fault.status}{told} and {_WHAT[fault.kind]}"

    def error(self, fault: Fault, *, calls: int = 1, wait: float | None = None, alone: bool = False) -> ModelError:
        """Give the error of a request that cannot be answered; `wait` is what the endpoint asked for, in seconds.

        `alone` says that the endpoint answers other requests.
        """
        told = self.what(fault) + (f", {calls} times" if calls > 1 else "") + "."
        if fault.kind == "too_long":
            return Truncated(told, where=self.where, next_step="Lower budget.total.")
        if fault.kind in {"invalid", "parameter", "rung"}:
            return InvalidReply(told, where=self.where, next_step="See the settings below [model].")
        if alone and fault.kind == "passing":
            step = "The next run asks again; if it fails for ever, lower budget.total or raise model.timeout_seconds."
            return Unanswered(told, where=self.where, next_step=step)
        return Unavailable(told, where=self.where, next_step=self._next_step(fault.kind, wait))

    def odd(self, what: str) -> OddAnswer:
        """Give the error of an answer that is no completion."""
        step = "Is model.base_url the address of a chat API? Most end in /v1."
        return OddAnswer(f"the endpoint answered {what}.", where=self.where, next_step=step)

    def _next_step(self, kind: Kind, wait: float | None) -> str:
        if wait is not None:
            minutes = math.ceil(min(wait, 1e7) / 60)
            return f"It asks to come back in {minutes:,} minutes; nothing was consumed, the next run goes on."
        steps: dict[Kind, str] = {
            "credentials": f"Check the key in {self.key_variable}.",
            "forbidden": f"Check what the key in {self.key_variable} may do, and model.name.",
            "address": "Check model.base_url (most end in /v1) and model.name.",
            "model": "Check model.name.",
            "quota": f"Add credit to the account of the key in {self.key_variable}.",
            "moved": "Set model.base_url to the address itself.",
            "certificate": "Name the certificates of your network in SSL_CERT_FILE.",
        }
        return steps.get(kind, "Nothing was consumed; the next run tries again.")
