"""Owns the message of a consolidation's commit; pure, and wary of every text that goes into it.

Session names and the model's rationale are untrusted: they cannot start a line, add a trailer, skip a check,
close an issue or call a person, all of which a Git host reads out of commit messages.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from pipeline.observations.observation import SessionKey

SUBJECT_LIMIT = 100
PROJECT_LIMIT = 24
SESSION_LIMIT = 36
"""As long as a UUID."""

TRAILER_LIMIT = 250

REMARK_LIMIT = 300
MOST_REMARKS = 50

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"})
"""Categories of characters that no line of a message needs: controls, formatting, surrogates, separators."""

JOINERS = "\u200c\u200d"
"""Invisible, but words of some scripts and many emoji are made with them."""

HOST_COMMANDS = (
    (re.compile(r"(?<![\w+.-])(?:https?://)+", re.IGNORECASE), ""),
    (re.compile(r"(https?):(?=//)", re.IGNORECASE), r"\1: "),
    (re.compile(r"(?<=\w)(?<![A-Za-z0-9])@(?=[\w.])"), "@ "),
    (re.compile(r"(?:(?<![A-Za-z0-9@])|(?<=[A-Za-z0-9]@))@+(?=[\w.])"), ""),
    (re.compile(r"\["), "("),
    (re.compile(r"\]"), ")"),
    (re.compile(r"\*{2,}"), "*"),
    (re.compile(r"(?<=\w)#(?=\d)"), " no. "),
    (re.compile(r"#(?=\d)"), "no. "),
    (re.compile(r"(?<![A-Za-z0-9_])(G[HL])-(?=\d)", re.IGNORECASE), r"\1 "),
    (re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9_]+)-(?=\d)"), "\\1\u2011"),
    (re.compile(r"([!&$%])(?=\d)"), r"\1 "),
    (re.compile(r"~(?=\w)"), "~ "),
    (re.compile(r"\b(www\.)(?=\w)", re.IGNORECASE), r"\1 "),
)
"""`[skip ci]`, `***NO_CI***`, `fixes #1`, `closes GH-1` and issue links, GitLab's `!1`, `&1`, `$1`, `%1`, `~label` and
`GL-1`, keys such as `ABC-12` (with a hyphen that no tracker knows), `@someone`.

The order matters: what is taken out comes first, so that whatever then stands together is seen by those below, which
only replace and part. To a host a letter is one of ASCII; what stands between such letters is an address of mail.
"""


RULE = re.compile(r"(?:- )?\[([a-z0-9]+(?:-[a-z0-9]+)*)\] ")
"""The name of a rule before what it found; what would skip a check on a host is none, for it holds a blank."""


NO_RULE = re.compile(r"\bci\b|skip")
"""Some hosts take `[skip-ci]` for the command that it looks like."""


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
    evidence: str = ""
    """The digest of what the pages rest on."""
    written: Mapping[str, str] = field(default_factory=dict)
    """The digest of each page that was written, by its path below the wiki's root."""
    declined: Sequence[str] = ()
    """The paths of pages that a reviewer declined."""
    remarks: Sequence[str] = ()
    """What was found, each as `[rule] where: message`."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a commit tells that records a person's review."""

    pages: Sequence[str]
    """Their paths below the wiki's root."""
    by: str
    """Such as `human:dana`."""
    at: datetime
    """When the review was, with a time zone."""
    proposal: str
    """Its address or number; empty for a review without one."""


def render_message(told: Consolidation) -> str:
    """Write subject, remarks and trailers: `consolidate(<project>/<session>): <rationale>`."""
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
    if told.evidence:
        trailers["Evidence"] = quiet(told.evidence)
    lines = [f"{key}: {_cut(value, TRAILER_LIMIT)}" for key, value in trailers.items()]
    # A path is never cut: it would be that of another page.
    lines += [f"Page: {_path(path)} {quiet(digest)}" for path, digest in sorted(told.written.items())]
    lines += [f"Declined: {_path(path)}" for path in sorted(told.declined)]
    return _message(subject, _remarks(told.remarks), lines)


def render_verification(told: Verification) -> str:
    """Write subject and trailers: `verify: <number> pages by <whom>`."""
    count = f"{len(told.pages)} page{'' if len(told.pages) == 1 else 's'}"
    subject = _cut(f"verify: {count} by {quiet(told.by) or 'somebody'}", SUBJECT_LIMIT)
    at = told.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = [f"Verified-by: {_cut(quiet(told.by) or 'unknown', TRAILER_LIMIT)}", f"Verified-at: {at}"]
    if proposal := quiet(told.proposal):
        lines.append(f"Proposal: {_cut(proposal, TRAILER_LIMIT)}")
    lines += [f"Verified: {_path(path)}" for path in sorted(told.pages)]
    return _message(subject, (), lines)


def _message(subject: str, body: Sequence[str], trailers: Sequence[str]) -> str:
    return "\n\n".join("\n".join(lines) for lines in ([subject], body, trailers) if lines) + "\n"


def with_remarks(message: str, remarks: Sequence[str]) -> str:
    """Give a message that also tells these remarks, each as `[rule] where: message`, below its subject."""
    subject, *between, trailers = message.rstrip("\n").split("\n\n")
    standing = between[0].split("\n") if between else []
    new = [line for line in map(_remark, remarks) if line and line not in standing]
    room = max(MOST_REMARKS - len(standing), 0)
    return _message(subject, [*standing, *new[:room]], trailers.split("\n"))


def _remarks(remarks: Sequence[str]) -> list[str]:
    every = [line for line in map(_remark, remarks) if line]
    rest = len(every) - MOST_REMARKS
    return every if rest <= 0 else [*every[:MOST_REMARKS], f"- and {rest} more"]


def _remark(remark: str) -> str:
    """Write a remark on one line; what stands in the brackets of a rule is no command of a host."""
    found = RULE.match(remark)
    rule = f"[{found.group(1)}] " if found and not NO_RULE.search(found.group(1)) else ""
    said = quiet(remark[found.end() :] if found and rule else remark).lstrip(": ")
    return _cut(f"- {rule}{said}", REMARK_LIMIT) if said else ""


def _path(path: str) -> str:
    """Write a path on one line, and otherwise as it is: it is compared with those of pages."""
    return "".join(" " if unicodedata.category(char) in INVISIBLE - {"Cf"} else char for char in path)


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
