"""Owns the remarks that stand beside a claim: that its value changed, or that another claim contradicts it.

Their shape is fixed, so that a later run, the lint and a site know them again:

    **Changed on 2026-11-29:** before, “The port is 8080.”[^o-3f2a9c1e55][^o12]
    **Contradiction:** “The port is 8080.”[^o-3f2a9c1e55] stands against “The port is 9090.”[^o12]; nothing says which
    one holds.

Knows no page and no draft. What is quoted comes in as inline Markdown that is safe to repeat.
"""

from __future__ import annotations

import re

CHANGED = "**Changed on "
CHANGED_SOMETIME = "**Changed:** before, “"
CONTRADICTION = "**Contradiction:** “"
AGAINST = " stands against "
OPEN_END = "; nothing says which one holds."

_CHANGED = re.compile(r"\*\*Changed(?: on \d{4}-\d{2}-\d{2})?:\*\* before, “")


def changed(before: str, citations: str, day: str, elsewhere: str = "") -> str:
    """Say what stood before. `day` is an ISO date, or empty; `elsewhere` a link to the page that says it."""
    opening = f"{CHANGED}{day}:** before, “" if day else CHANGED_SOMETIME
    return f"{opening}{before}”{f' ({elsewhere})' if elsewhere else ''}{citations}"


def contradiction(standing: tuple[str, str], new: tuple[str, str], elsewhere: str = "") -> str:
    """Set two claims against each other, each with its citations; `elsewhere` links the page of the standing one."""
    (old, cited), (text, sources) = standing, new
    where = f" ({elsewhere})" if elsewhere else ""
    return f"{CONTRADICTION}{old}”{where}{cited}{AGAINST}“{text}”{sources}{OPEN_END}"


def is_changed(text: str) -> bool:
    """Whether a statement is the remark that a value changed."""
    return _CHANGED.match(text) is not None


def is_contradiction(text: str) -> bool:
    """Whether a statement is the remark that two claims contradict each other."""
    return text.startswith(CONTRADICTION)


def is_remark(text: str) -> bool:
    """Whether a statement is a remark of either kind."""
    return is_changed(text) or is_contradiction(text)
