"""Owns one call: let through, counted, made, and its answer judged; knows no second call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import ModelError, Unavailable
from pipeline.models.openai_compatible.answers import Failed, Odd, Said, read_answer
from pipeline.models.openai_compatible.asking import limit_field, sends_temperature, sent_fields
from pipeline.models.openai_compatible.faults import FATAL, HEALS, Fault, classify, status_within
from pipeline.models.openai_compatible.vendor_errors import read_error
from pipeline.models.openai_compatible.waiting import LONGEST_WAIT, asked_wait
from pipeline.models.openai_compatible.wire import Answered, Limit, NoAnswer, Question
from pipeline.prompt import messages, reply_schema
from pipeline.spending import Usage
from pipeline.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.config import ModelSettings
    from pipeline.models.metering import Billing, Meter
    from pipeline.models.openai_compatible.asking import Asking
    from pipeline.models.openai_compatible.explaining import Explainer
    from pipeline.models.openai_compatible.faults import Kind
    from pipeline.models.openai_compatible.traffic import Outcome, Traffic
    from pipeline.models.openai_compatible.wire import Wire
    from pipeline.prompt import Request

_OK: Final = range(200, 300)
_ERROR: Final = 400
_KINDS: Final[dict[str, Kind]] = {"certificate": "certificate", "unreachable": "unreachable"}


@dataclass(frozen=True, slots=True)
class Call:
    """How one call ended, the tokens that it took, and the seconds that the endpoint asked to wait."""

    outcome: Said | Fault | Odd
    usage: Usage | None = None
    wait: float | None = None
    billing: Billing = "answered"


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls for one model; threads may share it."""

    settings: ModelSettings
    wire: Wire
    meter: Meter
    traffic: Traffic
    explainer: Explainer

    def call(self, request: Request, asking: Asking, *, estimated: int, retry: bool) -> Call:
        """Make one call; raises `Unavailable` when the run has given up, `CapReached` when it may spend no more.

        `estimated` are the input tokens that are expected. A fault that heals slows everybody down; one that no
        other request would fare better with ends the calls of the run.
        """
        ticket = self.traffic.enter()
        ending: Outcome = "unknown"
        why: Unavailable | None = None
        try:
            self.meter.before_call(estimated, rung=asking.rung, retry=retry)
            usage: Usage | None = None
            billing: Billing = "lost"
            try:
                made = self._made(request, asking, estimated)
                usage, billing = made.usage, made.billing
            finally:
                self.meter.after_call(usage, estimated_input_tokens=estimated, ended=billing)
            ending = _ending(made)
            if isinstance(made.outcome, Fault) and made.outcome.kind in HEALS | FATAL:
                why = _unavailable(self.explainer.error(made.outcome, wait=_too_long(made.wait)))
                self._slow_down(made, why)
            return made
        finally:
            self.traffic.leave(ticket, ending, why)

    def odd(self, what: str) -> ModelError:
        """Give the error of an answer that is no reply of a model; three in a row, and nobody is asked any more."""
        error = self.explainer.odd(what)
        alone = self.traffic.fails_alone(_unavailable(error))
        return error if alone else _unavailable(error)

    def fails_alone(self, fault: Fault, *, calls: int) -> bool:
        """Tell whether a request that was tried so often may fail by itself; else nobody is asked any more."""
        why = _unavailable(self.explainer.error(fault, calls=calls))
        if fault.kind == "passing":
            return self.traffic.fails_alone(why)
        self.traffic.give_up(why)
        return False

    def _made(self, request: Request, asking: Asking, estimated: int) -> Call:
        settings = self.settings
        field = limit_field(asking, settings)
        question = Question(
            settings.name,
            messages(request, schema_in_prompt=asking.rung != "json_schema"),
            asking.rung,
            reply_schema(request),
            settings.temperature if sends_temperature(asking, settings) else None,
            Limit(field, settings.max_output_tokens) if field and settings.max_output_tokens else None,
        )
        answer = self.wire.complete(question)
        outcome = judged(answer, sent_fields(asking, settings))
        wait = asked_wait(answer.headers) if isinstance(answer, Answered) and isinstance(outcome, Fault) else None
        return Call(outcome, _usage(outcome, estimated), wait, _billing(answer, outcome))

    def _slow_down(self, made: Call, why: Unavailable) -> None:
        hopeless = isinstance(made.outcome, Fault) and made.outcome.kind in FATAL
        if hopeless or _too_long(made.wait):
            self.traffic.give_up(why)
        elif made.wait is not None:
            self.traffic.hold(made.wait)


def judged(answer: Answered | NoAnswer, sent: Collection[str]) -> Said | Fault | Odd:
    """Tell what came: what the model said, a fault, or something odd; `sent` names the optional fields asked with."""
    if isinstance(answer, NoAnswer):
        if answer.trouble == "too_large":
            return Odd(answer.detail)
        return Fault(_KINDS.get(answer.trouble, "passing"), detail=answer.detail)
    if answer.status not in _OK:
        return classify(answer.status, read_error(answer.body), sent)
    read = read_answer(answer.body)
    if isinstance(read, Failed):
        within = status_within(read.error)
        fault = classify(within or _ERROR, read.error, sent)
        return fault if within else replace(fault, status=answer.status)
    if isinstance(read, Odd) and read.cut:
        return Fault("passing", detail="the answer was cut off")
    return read


def _billing(answer: Answered | NoAnswer, outcome: Said | Fault | Odd) -> Billing:
    """Tell how a call ended for whoever charges for it."""
    if isinstance(answer, NoAnswer):
        return "unsent" if answer.trouble in _KINDS else "lost"
    if answer.status not in _OK:
        return "refused"
    return "answered" if isinstance(outcome, Said) else "lost"


def _usage(outcome: Said | Fault | Odd, estimated: int) -> Usage | None:
    """Give the tokens that the endpoint counted, and the estimate of what it did not count."""
    if not isinstance(outcome, Said):
        return None
    counted, said = outcome.input_tokens, outcome.output_tokens
    return Usage(estimated if counted is None else counted, estimate_tokens(outcome.text) if said is None else said)


def _ending(made: Call) -> Outcome:
    outcome = made.outcome
    if isinstance(outcome, Said) or (isinstance(outcome, Fault) and outcome.kind == "filter"):
        return "answered"
    if isinstance(outcome, Odd) or outcome.kind not in HEALS:
        return "declined"
    general = outcome.kind in {"busy", "unreachable"} or made.wait is not None
    return "busy" if general else "fault"


def _too_long(wait: float | None) -> float | None:
    return wait if wait is not None and wait > LONGEST_WAIT else None


def _unavailable(error: ModelError) -> Unavailable:
    return Unavailable(error.message, where=error.where, next_step=error.next_step)
