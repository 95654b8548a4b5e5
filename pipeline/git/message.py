"""Owns the message of a consolidation's commit; pure, and wary of every text that goes into it.

Session names and the model's rationale are untrusted: they cannot start a line, add a trailer, skip a check,
close an issue or call a person, all of which a Git host reads out of commit messages.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.observations.observation import SessionKey

SUBJECT_LIMIT = 100
PROJECT_LIMIT = 24
SESSION_LIMIT = 36
"""As long as a UUID."""

TRAILER_LIMIT = 250

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"})
"""Categories of characters that no line of a message needs: controls, formatting, surrogates, separators."""

JOINERS = "\u200c\u200d"
"""Invisible, but words of some scripts and many emoji are made with them."""

HOST_COMMANDS = (
    (re.compile(r"https?://", re.IGNORECASE), ""),
    (re.compile(r"\["), "("),
    (re.compile(r"\]"), ")"),
    (re.compile(r"\*{2,}"), "*"),
    (re.compile(r"#(?=\d)"), "no. "),
    (re.compile(r"\bGH-(?=\d)", re.IGNORECASE), "GH "),
    (re.compile(r"!(?=\d)"), "! "),
    (re.compile(r"(?<![\w.+-])@(?=\w)"), ""),
)
"""`[skip ci]`, `***NO_CI***`, `fixes #1`, `closes GH-1` and issue links, GitLab's `!1`, `@someone`."""


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a commit tells about itself."""

    session: SessionKey
    rationale: str
    observations: int
    pages: int
    model: str
    prompt: str
    """The version of the prompt."""
    tokens: int


def render_message(told: Consolidation) -> str:
    """Write subject and trailers: `consolidate(<project>/<session>): <rationale>`."""
    project = _cut(quiet(told.session.project), PROJECT_LIMIT)
    session = _cut(quiet(told.session.session_id), SESSION_LIMIT)
    rationale = quiet(told.rationale) or "pages from new observations"
    subject = _cut(f"consolidate({project}/{session}): {rationale}", SUBJECT_LIMIT)
    trailers = {
        "Session": quiet(str(told.session)),
        "Observations": str(told.observations),
        "Pages": str(told.pages),
        "Model": quiet(told.model) or "unknown",
        "Prompt": quiet(told.prompt) or "unknown",
        "Tokens": str(told.tokens),
    }
    return f"{subject}\n\n" + "".join(f"{key}: {_cut(value, TRAILER_LIMIT)}\n" for key, value in trailers.items())


def quiet(text: str) -> str:
    """Bring untrusted text to one line that no Git host takes for a command."""
    seen = "".join(" " if unicodedata.category(char) in INVISIBLE and char not in JOINERS else char for char in text)
    for pattern, instead in HOST_COMMANDS:
        seen = pattern.sub(instead, seen)
    return " ".join(seen.split()).lstrip("-# ")


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    # Not between a letter and its marks, nor inside a joined emoji.
    while kept and (unicodedata.combining(text[len(kept)]) or text[len(kept)] in JOINERS or kept[-1] in JOINERS):
        kept = kept[:-1]
    return kept.rstrip() + "…"
