"""Owns whether a detail occurs in what was shown, kind by kind; knows no draft and no page."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from pipeline.gates.grounding.characters import is_word, tokens, without_accents
from pipeline.gates.grounding.dates import clock_of, dates_of
from pipeline.gates.grounding.details import find_details
from pipeline.gates.grounding.evidence import TICKET, has_prefix
from pipeline.gates.grounding.measures import measure_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.gates.grounding.detail import Detail, Kind
    from pipeline.gates.grounding.evidence import Evidence

_LEFT_OUT = re.compile(r"\[?\.\.\.\]?|…")
_PROMPT = re.compile(r"\A(?:[$>%#] |\./)")
_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*://")
_LINE = re.compile(r"\A(.+?):(?:L?(\d+))(?:[:-]\d+)?\Z")
_DIGITS = re.compile(r"\d+")
_HUMPED = re.compile(r"\A\w*(?:[a-z][A-Z]|_)\w*\Z")
_PLAIN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*\Z")
_ENDINGS: Final = ("'s", "s", "es", "n", "en")
_SPELT: Final = (
    *("postgres postgresql psql pg", "kubernetes k8s kube", "javascript js", "typescript ts", "python py", "golang go"),
    *("mongo mongodb", "github gh", "node nodejs", "database databases db dbs datenbank", "pr pull", "mr merge"),
    *(
        "ci continuous",
        "id identifier identifiers ids",
        "ui interface",
        "config configuration",
        "utc gmt",
        "qa quality",
    ),
    *(
        "repo repository",
        "docs documentation",
        "auth authentication",
        "env environment",
        "prod production",
        "os operating",
    ),
    *("e2e end", "i18n internationalization", "l10n localization", "iso", "ok okay", "vm virtual", "tz timezone"),
    *("macos mac", "gitlab gl", "elasticsearch elastic", "mb megabyte", "faq", "ssh", "dm direct", "eu european"),
)
_SAME_AS: Final = {word: frozenset(names.split()) for names in _SPELT for word in names.split()}
_BEFORE_NUMBERS: Final = frozenset(
    ["top", "mid", "pre", "post", "non", "level", "phase", "step", "tier", "stage", "day", "week", "year", "v"]
)
_DERIVED: Final = frozenset(
    [
        "ed",
        "d",
        "ing",
        "er",
        "ers",
        "ion",
        "ions",
        "ation",
        "ment",
        "ments",
        "al",
        "ally",
        "ly",
        "ity",
        "ication",
        "r",
        "y",
        "ies",
        "able",
        "ized",
        "ised",
    ]
)
_LEAST_STEM: Final = 4
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LEAST_CYRILLIC: Final = 3


def holds(detail: Detail, evidence: Evidence) -> bool:
    """Whether a detail occurs in what was shown, in this spelling or in an equal one."""
    if detail.before and _stands_behind(detail, evidence):
        return True
    return _HOLDS[detail.kind](detail.text, evidence)


def _stands_behind(detail: Detail, evidence: Evidence) -> bool:
    """Whether a number begins the version that was shown behind the same name: `Python 3` for `Python 3.12`."""
    measure = measure_of(detail.text)
    names = {detail.before} | _SAME_AS.get(detail.before, frozenset())
    starts = [value for value in measure.values if value.isdigit() and not measure.units]
    return any(evidence.has_folded([name, value, "."]) for name in names for value in starts)


def stands(text: str, evidence: Evidence) -> bool:
    """Whether all the words and marks of a text stand in what was shown, one after the other."""
    run = tokens(text)
    return not any(map(is_word, run)) or evidence.has(run)


def _holds_code(text: str, evidence: Evidence) -> bool:
    # Written so, `&lt;` stands as it is on the page, but nobody invented it.
    text = html.unescape(text)
    bare = _PROMPT.sub("", text.strip()).rstrip(" ,;:/\\")
    bare = bare.removesuffix("()") or text
    run = tokens(bare)
    if not any(map(is_word, run)) or evidence.has(run):
        return True
    if _PLAIN.match(bare) and evidence.has_folded(tokens(bare.casefold())):
        return True
    if (line := _LINE.match(bare)) is not None:
        return _holds_code(line[1], evidence) and line[2] in evidence.numbers
    inner = find_details(bare)
    alone = len(inner) == 1 and inner[0].end - inner[0].start == len(bare) and inner[0].kind not in {"quote", "name"}
    return alone and holds(inner[0], evidence)


def _holds_quote(text: str, evidence: Evidence) -> bool:
    for part in _LEFT_OUT.split(text):
        words = [token.casefold() for token in tokens(part) if is_word(token)]
        if words and not evidence.has_words(words):
            return False
    return True


def _holds_address(text: str, evidence: Evidence) -> bool:
    """Look for a URL, with or without its scheme; another scheme than the one shown is another address."""
    folded = text.casefold().rstrip("/")
    if evidence.has_folded(tokens(folded)):
        return True
    rest = _SCHEME.sub("", folded)
    if rest == folded:
        return False
    run = tokens(rest)
    return evidence.has_folded(run) and not evidence.has_folded([":", "/", "/", *run])


def _holds_path(text: str, evidence: Evidence) -> bool:
    bare = text.removesuffix("()").rstrip("/\\")
    while bare.startswith(("./", "../")):
        bare = bare.partition("/")[2]
    folded = bare.casefold()
    if not folded or evidence.has_folded(tokens(folded)):
        return True
    if (line := _LINE.match(bare)) is not None:
        return _holds_path(line[1], evidence) and line[2] in evidence.numbers
    steps = bare.split("/")
    if all(_HUMPED.search(step) and evidence.has(tokens(step)) for step in steps):
        return True  # names side by side, as in `readAll/writeAll`
    name, _, ending = folded.rpartition(".")
    return (ending == "js" and name in evidence.vocabulary) or folded.replace(".", "") in evidence.squeezed


def _holds_date(text: str, evidence: Evidence) -> bool:
    for year, month, day in dates_of(text):
        if (year, month, day) in evidence.days:
            return True
        if year in evidence.years and (None, month, day) in evidence.yearless:
            return True
    return False


def _holds_time(text: str, evidence: Evidence) -> bool:
    return clock_of(text) in evidence.clocks


def _holds_hash(text: str, evidence: Evidence) -> bool:
    return bool(has_prefix(evidence.hashes, text.casefold())) or evidence.has_folded(tokens(text.casefold()))


def _holds_version(text: str, evidence: Evidence) -> bool:
    bare = text.lower().removeprefix("v")
    if bare in evidence.versions:
        return True
    if bare.isdigit():
        spelt = ([f"v{bare}"], ["version", bare], ["v", bare])
        return f"{bare}." in evidence.versions or any(evidence.has_folded(run) for run in spelt)
    return evidence.has_folded(tokens(text.casefold()))


def _holds_number(text: str, evidence: Evidence) -> bool:
    measure = measure_of(text)
    if measure.glued and not _known_word(text, evidence):
        return False

    def known(value: str, units: frozenset[str]) -> bool:
        shown = evidence.numbers.get(value)
        return shown is not None and (not units or "" in shown or bool(units & shown))

    if any(known(value, measure.units) for value in measure.values):
        return True
    if any(value in evidence.versions for value in measure.values if "." in value and not measure.units):
        return True
    # With a unit behind it `18,240` is one number; its parts would take any unit.
    listed = measure.listed if measure.units <= {""} else ()
    return len(listed) > 1 and all(known(value, frozenset()) for value in listed)


def _known_word(text: str, evidence: Evidence) -> bool:
    return evidence.has_folded(tokens(text.casefold())) or text.casefold() in evidence.vocabulary


def _holds_issue(text: str, evidence: Evidence) -> bool:
    shown = evidence.numbers.get(text.removeprefix("#").lstrip("0") or "0", frozenset())
    return bool(shown - {TICKET})


def _holds_identifier(text: str, evidence: Evidence) -> bool:
    bare = text.removesuffix("()").strip("$%{}")
    run = tokens(bare)
    if evidence.has(run) or ("_" not in bare and evidence.has_folded([one.casefold() for one in run])):
        return True
    squeezed = re.sub(r"[-.]", "", bare).casefold()
    if "_" not in bare and (squeezed in evidence.squeezed or _same(squeezed, evidence)):
        return True
    if "-" in bare:
        steps = bare.casefold().split("-")
        return all(
            step in evidence.numbers if step.isdigit() else step in evidence.vocabulary or step in _BEFORE_NUMBERS
            for step in steps
        ) and (steps[0] in _BEFORE_NUMBERS or any(step.isdigit() for step in steps[:-1]))
    return False


def _holds_acronym(text: str, evidence: Evidence) -> bool:
    return _is_word_shown(text, evidence)


def _holds_name(text: str, evidence: Evidence) -> bool:
    return _is_word_shown(text, evidence)


def _is_word_shown(text: str, evidence: Evidence) -> bool:
    word = without_accents(text.casefold())
    vocabulary = evidence.vocabulary
    if _same(word, evidence) or f"{word}s" in vocabulary:
        return True
    if any(word.endswith(end) and word[: -len(end)] in vocabulary for end in _ENDINGS if len(word) > len(end) + 1):
        return True
    return _is_inflected(word, evidence) if len(word) >= _LEAST_STEM else False


def _same(word: str, evidence: Evidence) -> bool:
    return bool(({word} | _SAME_AS.get(word, frozenset())) & evidence.vocabulary)


def _is_inflected(word: str, evidence: Evidence) -> bool:
    """Whether another form of a word was shown: `Postgres` for `PostgreSQL`, `Released` for `release`."""
    if _CYRILLIC.search(word):
        return any(
            bool(has_prefix(evidence.stems, word[: len(word) - cut]))
            for cut in range(3)
            if len(word) - cut >= _LEAST_CYRILLIC
        )
    if has_prefix(evidence.stems, word):
        return True
    return any(word[:-size] in evidence.vocabulary and word[-size:] in _DERIVED for size in range(1, len(word) - 3))


_HOLDS: Final[dict[Kind, Callable[[str, Evidence], bool]]] = {
    "code": _holds_code,
    "quote": _holds_quote,
    "url": _holds_address,
    "email": _holds_address,
    "path": _holds_path,
    "date": _holds_date,
    "time": _holds_time,
    "hash": _holds_hash,
    "version": _holds_version,
    "number": _holds_number,
    "issue": _holds_issue,
    "identifier": _holds_identifier,
    "acronym": _holds_acronym,
    "name": _holds_name,
}
