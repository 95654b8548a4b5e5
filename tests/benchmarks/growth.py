"""Benchmark of what must be linear in the length of a text; not collected by pytest.

    python -m tests.benchmarks.growth

Prints for each function and each hard text how much longer four times the length takes: four is linear, sixteen is
quadratic. Exits with 1 when a ratio passes twelve.
"""

from __future__ import annotations

import base64
import statistics
import sys
import time
from typing import TYPE_CHECKING

from pipeline.config import RedactionSettings
from pipeline.observations.redaction.redact import make_redactor
from pipeline.text import cut, estimate_tokens, head_and_tail

if TYPE_CHECKING:
    from collections.abc import Callable

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TEXTS = {
    "prose": "It was the worker that held the lock, so the run stopped. ",
    "japanese": "漢字とかなの交じる文。",
    "base64": base64.b64encode(bytes(range(256))).decode(),
    "joined emoji": FAMILY,
    "flags": "🇩🇪",
    "accents": "\u0301",
    "devanagari": "न्स्ते",
}
SECRETS = {
    "assignment": "password=aaaa ",
    "half a token": "ghp_a-",
    "half a jwt": "-eyJaaaaaaaa",
    "half a key": "-----BEGIN PRIVATE KEY-----\n",
    "half a header": "Bearer a",
    "html": "secret>aaaa ",
}
SHORT = 100_000
FACTOR = 4
REPEATS = 3


def seconds(work: Callable[[str], object], text: str) -> float:
    def once() -> float:
        start = time.perf_counter()
        work(text)
        return time.perf_counter() - start

    return statistics.median(once() for _ in range(REPEATS))


def main() -> None:
    scrub = make_redactor(RedactionSettings()).scrub
    cases: list[tuple[str, Callable[[str], object], dict[str, str]]] = [
        ("estimate_tokens", estimate_tokens, TEXTS),
        ("cut", lambda text: cut(text, len(text) - 1), TEXTS),
        ("head_and_tail", lambda text: head_and_tail(text, len(text) // 2), TEXTS),
        ("scrub", scrub, {**TEXTS, **SECRETS}),
    ]
    worst = 0.0
    for name, work, texts in cases:
        for kind, unit in texts.items():
            short = (unit * (SHORT // len(unit) + 1))[:SHORT]
            ratio = seconds(work, short * FACTOR) / seconds(work, short)
            worst = max(worst, ratio)
            print(f"{name:>16}  {kind:<14} {ratio:5.1f} times as long for {FACTOR} times the text")
    sys.exit(1 if worst > FACTOR * 3 else 0)


if __name__ == "__main__":
    main()
