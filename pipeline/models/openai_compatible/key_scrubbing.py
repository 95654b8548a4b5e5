"""Owns keeping the key out of every text: whatever an endpoint echoes is told without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.openai_compatible.endpoint import Endpoint


def keyless(endpoint: Endpoint, scrub: Callable[[str], str]) -> Callable[[str], str]:
    """Give a function that takes this endpoint's key out of a text, and then whatever else `scrub` finds."""
    key = endpoint.api_key

    def scrubbed(text: str) -> str:
        return scrub(text.replace(key, "[REDACTED:api-key]") if endpoint.has_key else text)

    return scrubbed
