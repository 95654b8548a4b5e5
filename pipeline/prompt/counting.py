"""Owns how many tokens a request takes, and may take. Every number is estimated, on the high side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.draft import ConsolidatedBatch, ConsolidatedPage, ConsolidatedSessions
from pipeline.prompt.rendering import compact, messages
from pipeline.prompt.sessions import MOST_PREFIX_TOKENS
from pipeline.prompt.wording import DATA, NO_PAGES, SCHEMA, SEVERAL, system_text
from pipeline.schema import portable_schema
from pipeline.text import estimate_tokens

if TYPE_CHECKING:
    from pipeline.prompt.request import Mode, Request

FURTHER_SESSION_TOKENS: Final = MOST_PREFIX_TOKENS + 40
"""Most estimated tokens that a further session adds to a request, beside its observations."""
_JOINTS: Final = 160
"""Estimated tokens of headings and fences around the parts."""


@dataclass(frozen=True, slots=True)
class PromptBudgets:
    """How many tokens a request may take in all, and how many of them are kept free for the reply.

    Every character that is sent counts, the schema included.
    """

    total: int = 100_000
    response: int = 32_000

    @property
    def request(self) -> int:
        """What the request itself may take."""
        return self.total - self.response


def sent_tokens(request: Request) -> int:
    """Estimate the tokens of everything that is sent, the schema included, wherever it stands."""
    return sum(estimate_tokens(message.text) for message in messages(request))


@lru_cache(maxsize=8)  # the same for every session of a run
def fixed_tokens(system: str, *, mode: Mode = "batch") -> int:
    """Estimate the tokens of all that every request carries: the system text, the prefix, the schema.

    A rendered request of one window takes at most this, `Projection.tokens`, and the estimate of the rendered
    context. So `total - response - fixed_tokens(system)` is what observations and context may take together. Each
    further session in a request takes at most `FURTHER_SESSION_TOKENS` more.
    """
    shapes = (ConsolidatedPage,) if mode == "single" else (ConsolidatedBatch, ConsolidatedSessions)
    schema = max((compact(portable_schema(shape)) for shape in shapes), key=estimate_tokens)
    frame = (system_text(system), NO_PAGES, DATA, SCHEMA, SEVERAL, schema)
    return sum(map(estimate_tokens, frame)) + MOST_PREFIX_TOKENS + _JOINTS
