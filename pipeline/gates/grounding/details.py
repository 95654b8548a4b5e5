"""Owns finding the concrete details of a text as it reads; knows nothing of what was shown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.gates.grounding.characters import CJK, is_word, tokens
from pipeline.gates.grounding.dates import CLOCK, NUMERIC, WRITTEN, dates_of
from pipeline.gates.grounding.detail import Detail, Kind
from pipeline.gates.grounding.measures import NUMBER, VERSION, measure_of
from pipeline.gates.grounding.names import find_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_QUOTED = re.compile(
    r"\"([^\"]{3,2000})\"|«([^«»]{3,2000})»|»([^«»]{3,2000})«|„([^„“”\"]{3,2000})[“”\"]|「([^「」]{3,2000})」"
    r"|『([^『』]{3,2000})』|(?<!\w)'(?=[^\W_])([^'\"]{3,300})(?<=[\w.!?…])'(?!\w)"
)
_LEAST_WORDS: Final = 2
_LEAST_CJK: Final = 4

_LETTER: Final = rf"[^\W{CJK}]"
"""A letter, digit or underscore of a script that writes spaces."""

URL = re.compile(rf"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+-]*://[^\s<>\"'|{CJK}]+")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_IN_PATH: Final = rf"(?:{_LETTER}|[.@+%$-])"
_PATH = re.compile(
    rf"(?<!{_LETTER})(?<![./\\@~-])(?:[A-Za-z]:[\\/]|~?[\\/]|\.{{1,2}}[\\/])?{_IN_PATH}+(?:[\\/](?:{_IN_PATH}|:)+)*[\\/]?"
)
HASH = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=[0-9]*[A-Fa-f])(?=[A-Fa-f]*[0-9])[0-9a-fA-F]{7,128})(?![0-9A-Za-z])"
)
_HOST = r"[^\W_][\w-]*(?:\.[^\W_][\w-]*)+"
_DOTTED = re.compile(rf"(?<![\w.@-]){_HOST}(?::\d+)?(?:\(\))?", re.ASCII)
_ISSUE = re.compile(rf"(?<!{_LETTER})(?<![&#])#\d+(?!{_LETTER})")
_TICKET = re.compile(r"(?<![\w-])[A-Za-z](?:[A-Za-z0-9]|-(?=[A-Za-z0-9]))*+(?![\w-])", re.ASCII)
_NAMED = re.compile(
    r"(?<![\w-])--[A-Za-z][\w-]*"  # an option
    r"|(?<![\w./\\)])\.[A-Za-z][\w-]+(?:\.[\w-]+)*"  # a file without a name, such as .env
    r"|[$%]\{?[A-Za-z_]\w+(?::\w+)?[%}]?"  # a variable
    r"|(?<!\w)[A-Za-z]\w*\(\)"  # a call
    r"|(?<!\w)_*+[A-Za-z0-9]++(?:_++[A-Za-z0-9]++)++"  # snake_case, SCREAMING_CASE
    r"|(?<!\w)[A-Za-z]+\d\w*"  # p95, sha256
    r"|(?<!\w)[a-z]+[A-Z]\w*"  # camelCase
    r"|(?<!\w)[A-Z]+[a-z]\w*[A-Z]\w*",  # PascalCase
    re.ASCII,
)
_STEP = re.compile(
    r"\b(?:steps?|phase|part|schritte?|étapes?|pasos?|passos?|шаг|шага|шаге|步骤)\s*\Z|第\Z", re.IGNORECASE
)
_LOOK_BACK: Final = 16
_WORD_BEFORE = re.compile(r"([^\W_]+)[ -]\Z")
_CUT = re.compile(r"…|\.\.\.")
_GONE: Final = "\ufffc"
"""Stands for each character of a detail that was found, so that no other is found in it."""
_TRAILING: Final = ".,;:!?)]}'\"…"
_MARKED = re.compile(r"[\d_]|\.[A-Za-z]{1,8}\Z|[a-z][A-Z]|-")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+\Z")
_ALWAYS: Final = "24/7"
_SMALL_WORD = re.compile(r"[a-z]+(?:[.\\/][a-z]+)+\Z", re.ASCII)
_SUFFIXES: Final = frozenset(
    [
        "py",
        "js",
        "ts",
        "tsx",
        "jsx",
        "rs",
        "go",
        "rb",
        "kt",
        "java",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "php",
        "sh",
        "ps1",
        "sql",
        "md",
        "txt",
        "rst",
        "toml",
        "yaml",
        "yml",
        "json",
        "jsonl",
        "xml",
        "html",
        "css",
        "csv",
        "tsv",
        "pdf",
        "png",
        "svg",
        "log",
        "lock",
        "cfg",
        "conf",
        "ini",
        "env",
        "service",
        "timer",
        "com",
        "org",
        "net",
        "io",
        "dev",
        "app",
        "example",
        "test",
        "local",
    ]
)


def find_details(
    text: str, code: Sequence[tuple[int, int]] = (), *, nouns: bool = False, title: bool = False
) -> tuple[Detail, ...]:
    """Find every concrete detail of a text, in order; none lies in another, but for what stands in quotation marks.

    `code` are the pieces of it that are code, `nouns` says that its language gives all nouns a capital, `title` that
    any word may have one.
    """
    found: list[Detail] = []
    masked = _mask_code(text, code, found)
    masked = _mask_quotes(text, masked, found).replace(_ALWAYS, _GONE * len(_ALWAYS))
    for kind, pattern, accept in _ORDER:
        masked = _mask(pattern, masked, kind, accept, found)
    found += find_names(text, masked, nouns=nouns, title=title)
    kept = (
        _with_word_before(one, text)
        for one in found
        if one.kind in {"hash", "quote", "code"} or not _CUT.match(text, one.end)
    )
    return tuple(sorted(kept, key=lambda one: (one.start, -one.end)))


def _mask_code(text: str, code: Sequence[tuple[int, int]], found: list[Detail]) -> str:
    for start, end in code:
        if any(map(is_word, tokens(text[start:end]))):
            found.append(Detail("code", start, end, text[start:end]))
    return _blanked(text, code)


def _mask_quotes(text: str, masked: str, found: list[Detail]) -> str:
    """Find quotations of several words, or of one with a capital; what stands in one is not looked at once more."""
    quotes = []
    for quote in _QUOTED.finditer(text):
        inner = quote.group()[1:-1]
        words = [token for token in tokens(inner) if is_word(token)]
        wide = any("\u3000" < word < "\ufb00" for word in words)
        if len(words) >= (_LEAST_CJK if wide else _LEAST_WORDS):
            found.append(Detail("quote", quote.start(), quote.end(), inner))
            quotes.append(quote.span())
        elif inner.isalpha() and inner[0].isupper() and not inner.isupper():
            # The label of a button, say; in small letters it may be a word that the writer keeps at a distance.
            found.append(Detail("name", quote.start() + 1, quote.end() - 1, inner))
            quotes.append(quote.span())
    found[:] = [
        one for one in found if one.kind != "code" or not any(s <= one.start and one.end <= e for s, e in quotes)
    ]
    return _blanked(masked, quotes)


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts = []
    done = 0
    for start, end in spans:
        parts += [text[done:start], _GONE * (end - start)]
        done = end
    return "".join((*parts, text[done:]))


def _mask(
    pattern: re.Pattern[str], text: str, kind: Kind, accept: Callable[[str, re.Match[str]], str], found: list[Detail]
) -> str:
    """Note what the pattern finds and what `accept` leaves of it; give the text without it."""

    def gone(match: re.Match[str]) -> str:
        kept = accept(text, match)
        if not kept:
            return match.group()
        found.append(Detail(kind, match.start(), match.start() + len(kept), kept))
        return _GONE * len(kept) + match.group()[len(kept) :]

    return pattern.sub(gone, text)


def _whole(_: str, match: re.Match[str]) -> str:
    return match.group()


def _trimmed(_: str, match: re.Match[str]) -> str:
    kept = match.group().rstrip(_TRAILING)
    return f"{kept})" if "(" in kept and ")" not in kept and match.group()[len(kept) :].startswith(")") else kept


def _path(_: str, match: re.Match[str]) -> str:
    """Leave out what is no path: `and/or`, `3/4`, `TCP/IP`, single names."""
    kept = match.group().rstrip(".,:-%$")
    steps = [step for step in re.split(r"[\\/]", kept) if step]
    marks = kept.count("/") + kept.count("\\")
    if not marks or not any(any(map(str.isalpha, step)) for step in steps):
        return ""
    rooted = kept[0] in "/\\~." or kept[1:2] == ":" or kept[-1] in "/\\"
    deep = marks > 1 and _SMALL_WORD.match(kept) is not None
    compounds = all(_COMPOUND.match(step) for step in steps)  # as in `front-end/back-end`
    return kept if rooted or deep or (not compounds and any(_MARKED.search(step) for step in steps)) else ""


def _dotted(_: str, match: re.Match[str]) -> str:
    """Leave out abbreviations, decimals, and sentences without a space between them."""
    kept = match.group()
    steps = kept.removesuffix("()").partition(":")[0].split(".")
    if all(step.isdigit() for step in steps) or (min(map(len, steps)) == 1 and steps[-1].lower() not in _SUFFIXES):
        return ""
    if kept.endswith("()") or steps[-1].lower() in _SUFFIXES or steps[0][0].isupper():
        return kept
    return kept if all(step == step.lower() for step in steps) or _MARKED.search(kept.replace(".", "")) else ""


def _date(_: str, match: re.Match[str]) -> str:
    return match.group() if dates_of(match.group()) else ""


def _number(text: str, match: re.Match[str]) -> str:
    near = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if _STEP.search(near):
        return ""
    measure = measure_of(match.group())
    kept = match.group() if measure.units or measure.glued else match.group().removesuffix(measure.rest)
    return kept.rstrip(" -")


def _with_word_before(detail: Detail, text: str) -> Detail:
    """Tell a number with the word that it stands behind, as in `Python 3`."""
    if detail.kind != "number":
        return detail
    before = _WORD_BEFORE.search(text, max(0, detail.start - _LOOK_BACK), detail.start)
    return replace(detail, before=before[1].casefold()) if before else detail


def _ticket(_: str, match: re.Match[str]) -> str:
    return match.group() if "-" in match.group() and any(map(str.isdigit, match.group())) else ""


_ORDER: Final[tuple[tuple[Kind, re.Pattern[str], Callable[[str, re.Match[str]], str]], ...]] = (
    ("url", URL, _trimmed),
    ("email", EMAIL, _trimmed),
    ("date", WRITTEN, _date),
    ("date", NUMERIC, _date),
    ("time", CLOCK, _whole),
    ("path", _PATH, _path),
    ("hash", HASH, _whole),
    ("version", VERSION, _whole),
    ("path", _DOTTED, _dotted),
    ("issue", _ISSUE, _whole),
    ("identifier", _TICKET, _ticket),
    ("identifier", _NAMED, _whole),
    ("number", NUMBER, _number),
)
