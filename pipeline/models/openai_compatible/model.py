"""Owns the story of one request to a language model: asked, asked otherwise, asked again, answered or given up.

Knows neither the wiki nor what a reply has to look like; whoever reads a reply judges it.
"""

from __future__ import annotations

import json
import math
from threading import Lock
from typing import TYPE_CHECKING, Final

from pipeline.errors import StoreError
from pipeline.models.model import Reply
from pipeline.models.openai_compatible.answers import Odd, Said
from pipeline.models.openai_compatible.asking import known_ways
from pipeline.models.openai_compatible.calibration import Calibration, believed
from pipeline.models.openai_compatible.calls import Caller
from pipeline.models.openai_compatible.endpoint import resolve_endpoint
from pipeline.models.openai_compatible.explaining import Explainer
from pipeline.models.openai_compatible.faults import HEALS
from pipeline.models.openai_compatible.key_scrubbing import keyless
from pipeline.models.openai_compatible.traffic import Traffic
from pipeline.models.openai_compatible.waiting import LONGEST_WAIT, back_off
from pipeline.models.openai_compatible.wire import Wire
from pipeline.prompt import sent_tokens
from pipeline.spending import Usage
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.config import ModelSettings
    from pipeline.finding import Finding
    from pipeline.models.metering import Meter
    from pipeline.models.openai_compatible.asking import Asking, Rung
    from pipeline.models.openai_compatible.calls import Call
    from pipeline.models.openai_compatible.faults import Fault
    from pipeline.models.openai_compatible.memory import EndpointMemory
    from pipeline.prompt import Request
    from pipeline.spending import Spent

_TOLD_FROM: Final = 5.0
"""Seconds: a shorter wait is not worth a line."""
_LONGEST_LINE: Final = 400


def _nobody(_line: str) -> None:
    """Tell nobody."""


class OpenAiModel:
    """Asks a language model over the OpenAI chat API; threads may share it, up to `workers`.

    `environment` holds the key; `memory` what earlier runs learnt. `clock` gives monotonic seconds, `sleep` waits
    for so many, `jitter` gives a number from 0 to 1. `scrub` takes secrets out of a text; `tell` gets a line, free
    of secrets, whenever the endpoint is asked otherwise from now on, or waited for. Raises `ConfigError`.

    Where an endpoint does not count tokens, `spent` and the usage of replies hold estimates.
    """

    def __init__(  # noqa: PLR0913  # all that comes from outside is handed in
        self,
        settings: ModelSettings,
        *,
        environment: Mapping[str, str],
        meter: Meter,
        memory: EndpointMemory,
        scrub: Callable[[str], str],
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        jitter: Callable[[], float],
        tell: Callable[[str], None] = _nobody,
    ) -> None:
        endpoint = resolve_endpoint(settings, environment)
        self._settings = settings
        self._address = endpoint.base_url
        self._memory = memory
        self._meter = meter
        self._scrub = keyless(endpoint, scrub)
        self._sleep, self._jitter, self._tell = sleep, jitter, tell
        known = memory.recall(endpoint.base_url, settings.name)
        self._ratio_known = known.tokens_ratio
        self._ratio = believed(known.tokens_ratio)
        self._calibration = Calibration()
        self._ways = known_ways(settings, known.rung, known.refused)
        self._learning = Lock()
        self._closed = False
        where = self._scrub(one_line(f"{endpoint.base_url} ({settings.name})", _LONGEST_LINE))
        self._explainer = Explainer(where, settings.api_key_variable, self._scrub)
        self._wire = Wire(endpoint, seconds=float(settings.timeout_seconds), connections=settings.workers, clock=clock)
        # With as many faults in a row, each worker has had one, and one of them has used up its retries.
        limit = settings.retries + settings.workers
        traffic = Traffic(workers=settings.workers, limit=limit, clock=clock, sleep=sleep)
        self._caller = Caller(settings, self._wire, meter, traffic, self._explainer)

    @property
    def name(self) -> str:
        """The model's name as its endpoint knows it."""
        return self._settings.name

    @property
    def quotes(self) -> bool:
        """It writes in its own words."""
        return False

    @property
    def workers(self) -> int:
        """How many requests may be under way at once; fewer are while the endpoint says that it has too many."""
        return self._settings.workers

    @property
    def tokens_ratio(self) -> float:
        """How many tokens the endpoint counted for each that was estimated, in earlier runs: 0.3 to 1.5."""
        return self._ratio

    @property
    def spent(self) -> Spent:
        """What was spent since the meter was made."""
        return self._meter.spent

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What it has to tell stands in its replies and errors."""
        return ()

    @property
    def endpoint(self) -> str:
        """The address that is asked, to be shown; it holds no credentials."""
        return self._address

    @property
    def identity(self) -> str:
        """Who is asked, and how: what decides on an answer beside the request itself."""
        settings = self._settings
        return json.dumps([self._address, settings.name, settings.temperature, settings.max_output_tokens])

    def complete(self, request: Request) -> Reply:
        """Answer one request.

        Raises `Unavailable`, `Unanswered`, `CapReached`, `Truncated` (request too long), `InvalidReply`.
        """
        tokens = sent_tokens(request)
        estimated = math.ceil(tokens * self._ratio)
        asking, repeated, retry = self._ways.now, 0, False
        gone: frozenset[Rung] = frozenset()
        while True:
            call = self._caller.call(request, asking, estimated=estimated, retry=retry)
            if isinstance(call.outcome, Said):
                return self._replied(call.outcome, call.usage, asking, gone, tokens)
            if isinstance(call.outcome, Odd):
                raise self._caller.odd(call.outcome.what)
            if call.outcome.kind == "filter":
                return Reply("", Usage(), "filter")
            otherwise = call.outcome.kind not in HEALS and asking.after(call.outcome, self._settings)
            if otherwise:
                gone |= {asking.rung} if otherwise.rung != asking.rung else set()
                asking, retry = otherwise, False
                continue
            self._wait_or_raise(call, call.outcome, repeated)
            repeated, retry = repeated + 1, True
            asking = asking.joined(self._ways.now)

    def forget(self, request: Request) -> None:
        """Do nothing: no reply is remembered here."""

    def close(self, *, learn: bool = True) -> None:
        """Remember how the endpoint counts, for the next run, and close the connections; a second time does nothing.

        Without `learn`, and when a cap was reached, the next run cuts the same windows: one that was cut off, or that
        only tried, is to be followed by one that finds its replies.
        """
        with self._learning:
            if self._closed:
                return
            self._closed = True
        whole = learn and not self._meter.capped
        ratio = self._calibration.ratio(self._ratio_known) if whole else None
        if ratio is not None:
            self._note(tokens_ratio=ratio)
        self._wire.close()

    def _wait_or_raise(self, call: Call, fault: Fault, repeated: int) -> None:
        """Wait until the request may be repeated, or raise why it may not."""
        heals = fault.kind in HEALS and (call.wait is None or call.wait <= LONGEST_WAIT)
        traffic = self._caller.traffic
        if not heals or repeated >= self._settings.retries or traffic.given_up or traffic.in_doubt:
            wait = call.wait if fault.kind in HEALS and not heals else None
            alone = heals and self._caller.fails_alone(fault, calls=repeated + 1)
            raise self._explainer.error(fault, calls=repeated + 1, wait=wait, alone=alone)
        seconds = back_off(repeated, self._jitter()) if call.wait is None else call.wait
        if seconds >= _TOLD_FROM:
            self._say(f"{self._explainer.what(fault)}; waiting for {seconds:.0f} seconds.")
        if call.wait is None:
            self._sleep(seconds)  # otherwise all calls are held, this one's repetition among them

    def _replied(self, said: Said, usage: Usage | None, asking: Asking, gone: frozenset[Rung], tokens: int) -> Reply:
        if said.input_tokens:
            self._calibration.add(counted=said.input_tokens, estimated=tokens)
        whole = said.ending == "stop" and bool(said.text.strip())
        self._learn(asking, gone, kept="{" in said.text if whole else None)
        return Reply(said.text, usage or Usage(), said.ending)

    def _learn(self, asking: Asking, gone: frozenset[Rung], *, kept: bool | None) -> None:
        """Ask from now on as the reply teaches, and let the next runs begin with what is certain of it."""
        with self._learning:
            before = self._ways
            self._ways = after = before.after(asking, gone, kept=kept)
            if after.lasting != before.lasting:
                auto = self._settings.asking == "auto"
                self._note(rung=after.lasting.rung if auto else None, refused=after.refused)
            if after.now == before.now:
                return
        without = f", without {', '.join(sorted(after.refused))}" if after.refused else ""
        self._say(f"{self._address} is asked by {after.now.rung} from now on{without}.")

    def _note(
        self, *, rung: str | None = None, refused: frozenset[str] | None = None, tokens_ratio: float | None = None
    ) -> None:
        try:
            self._memory.note(self._address, self._settings.name, rung=rung, refused=refused, tokens_ratio=tokens_ratio)
        except StoreError as fault:
            self._say(f"What was learnt of the endpoint is not remembered: {fault}")

    def _say(self, line: str) -> None:
        self._tell(one_line(self._scrub(line), _LONGEST_LINE))
