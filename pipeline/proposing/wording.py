"""Owns which lines of a handed-over commit's message a run can have written; every other one is refused. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.git.message import (
    INVISIBLE,
    MOST_REMARKS,
    NO_RULE,
    PROJECT_LIMIT,
    REMARK_LIMIT,
    RULE,
    SESSION_LIMIT,
    SUBJECT_LIMIT,
    TRAILER_LIMIT,
    quiet,
)
from pipeline.proposal.protected import LOOK
from pipeline.proposal.protected import RULE as HANDED_OVER
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.paths import check_path
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_PLAIN = frozenset({"Session", "Model", "Prompt", "Evidence", "Verified-by", "Proposal"})
_PATHS = frozenset({"Page", "Declined", "Verified"})
_WRITTEN_PAGE = re.compile(r"(.+) [0-9a-f]+")
_FORMS = {
    **dict.fromkeys(("Observations", "Pages", "Tokens"), re.compile(r"[0-9]+")),
    "Content": re.compile(r"[0-9a-f]{40}"),
    "Verified-at": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"),
}
_CONSOLIDATE = "consolidate("
_TOLD = 100


def check_messages(
    messages: Iterable[tuple[str, str]], *, pages: Collection[str], published: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Refuse messages with a line that no run would have written; each comes with the name of its commit.

    `pages` are the paths of the wiki's pages, `published` the lines of messages that stand on the proposal already:
    an earlier version may have written them otherwise.
    """
    names = frozenset(map(_as_told, pages))
    return tuple(
        Finding(name, HANDED_OVER, "error", f"its message has a line that no run writes: {line}", LOOK)
        for name, message in messages
        for line in _strange(message, names, published)
    )


def _strange(message: str, pages: Collection[str], published: Collection[str]) -> Iterator[str]:
    subject, *more = message.strip("\n").split("\n\n")
    remarks = more[0].split("\n") if len(more) == 2 else []  # noqa: PLR2004  # between subject and trailers
    trailers = more[-1].split("\n") if more else []
    checked = (
        (_is_subject(subject), subject),
        *((_is_remark(line), line) for line in remarks),
        *((_is_trailer(line, pages), line) for line in trailers),
        *((False, paragraph) for paragraph in more[1:-1] if len(more) > 2),  # noqa: PLR2004  # as above
        (len(remarks) <= MOST_REMARKS + 1, "too many remarks"),
    )
    for good, line in checked:
        if not good and line not in published:
            yield one_line(ascii(line)[1:-1], _TOLD)


def _is_subject(line: str) -> bool:
    """Whether a line can be a subject. Project and session were made quiet each for itself, and may join to more."""
    if not line or len(line) > SUBJECT_LIMIT:
        return False
    if quiet(line) == line:
        return True
    if not line.startswith(_CONSOLIDATE):
        return False
    told = line.removeprefix(_CONSOLIDATE)
    slashes = [place for place, character in enumerate(told) if character == "/" and place <= PROJECT_LIMIT]
    ends = [found.start() for found in re.finditer(r"(?=\): )", told)]
    return any(
        _are_quiet(told[:slash], told[slash + 1 : end], told[end + len("): ") :])
        for slash in slashes
        for end in ends
        if slash < end <= slash + 1 + SESSION_LIMIT
    )


def _are_quiet(*parts: str) -> bool:
    return all(quiet(part) == part for part in parts)


def _is_remark(line: str) -> bool:
    said = line.removeprefix("- ")
    if said == line or not said or len(line) > REMARK_LIMIT:
        return False
    found = RULE.match(said)
    if found and not said.startswith("- ") and not NO_RULE.search(found.group(1)):
        said = said[found.end() :]
    # Its colons at the beginning went after it was made quiet.
    return bool(said) and (quiet(said) == said or quiet(f":{said}") == f":{said}")


def _is_trailer(line: str, pages: Collection[str]) -> bool:
    key, colon, value = line.partition(": ")
    if not colon or not value:
        return False
    if key in _PLAIN:
        return quiet(value) == value and len(value) <= TRAILER_LIMIT
    if key in _FORMS:
        return _FORMS[key].fullmatch(value) is not None
    if key == "Page":
        found = _WRITTEN_PAGE.fullmatch(value)
        return found is not None and _is_path(found[1], pages)
    return key in _PATHS and _is_path(value, pages)


def _is_path(told: str, pages: Collection[str]) -> bool:
    """Whether a text names a page that stands, or one as a run names a new page: it may have been declined."""
    if told in pages:
        return True
    try:
        check_path(told)
    except WikimillError:
        return False
    if not is_page(told):
        return False
    return quiet(told) == told or all(slugify(part) == part for part in told.removesuffix(".md").split("/"))


def _as_told(path: str) -> str:
    """Write a path as messages do."""
    return "".join(" " if unicodedata.category(char) in INVISIBLE - {"Cf"} else char for char in path)
