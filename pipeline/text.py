"""Owns cutting text, and offers its measure in tokens; knows nothing of what a text stands for.

Lengths are Unicode characters (code points), never bytes. A cut never splits a grapheme, which is what a reader
sees as one character: a letter with its accents, an emoji with its skin tone, a flag, a Hangul syllable, CR LF.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from pipeline.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Excerpt", "cut", "estimate_tokens", "fenced", "graphemes", "head_and_tail", "one_line"]

# `\X` alone counts back over a whole run of flags at each of them, which is quadratic; the first branch is
# what `\X` would find at the start of a flag.
_GRAPHEME = regex.compile(r"\p{RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X")
# Between two such characters every grapheme ends, whatever stands around them: a scan may start there.
_CERTAIN_START = regex.compile(
    r"(?r)(?<=[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}\n])(?=[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}])"
)
_TERMINAL_SEQUENCE = regex.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
# Control characters, lone surrogates, the byte order mark, and what reorders the text around it.
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\ufeff\u202a-\u202e\u2066-\u2069]+")
_SPACE = regex.compile(r"\s+")
_ONE_LINE = regex.compile(r"(?:[!-~]++(?: [!-~]++)*+)?+")
"""What needs no mending: words of ASCII with one space between them."""
_BACKTICKS = regex.compile(r"`+")
_LONG_RUN = regex.compile(r"`{17,}")
_LONGEST_RUN = 16

_HEAD_SHARE = 0.6
_CLOSE = 8
"""A line or word boundary is close to a cut when it lies within an eighth of the part that is kept."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is left of a text, and how many Unicode characters of it were left out."""

    text: str
    missing: int


def graphemes(text: str) -> Iterator[str]:
    """Yield the extended grapheme clusters (UAX 29) of `text` in order; joined they are the text again."""
    return (found.group() for found in _GRAPHEME.finditer(text))


def cut(text: str, limit: int) -> str:
    """Return the longest beginning of `text` with at most `limit` Unicode characters that splits no grapheme.

    It is empty when the first grapheme alone is longer than `limit`.
    """
    return text[: _boundary(text, limit)]


def head_and_tail(text: str, limit: int) -> Excerpt:
    """Shorten `text` to at most `limit` Unicode characters: its head (about 60 %), a marker, and its tail.

    The marker stands on a line of its own, counts in the limit, and says exactly how many Unicode characters
    are missing. The cuts move to a line or word boundary when one is close. A limit that has no room for
    the marker gets the mere beginning.
    """
    if len(text) <= limit:
        return Excerpt(text, 0)
    room = limit - len(_marker(len(text)))
    if room < 0:
        kept = cut(text, max(limit, 0))
        return Excerpt(kept, len(text) - len(kept))
    for_head = round(room * _HEAD_SHARE)
    head = _end_of_head(text, for_head)
    tail = _start_of_tail(text, max(len(text) - (room - for_head), head))
    missing = tail - head
    return Excerpt(f"{text[:head]}{_marker(missing)}{text[tail:]}", missing)


def utf16_units(text: str) -> int:
    """Count the UTF-16 code units of a text; a lone surrogate is one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def one_line(text: str, limit: int) -> str:
    """Bring `text` into one line of at most `limit` Unicode characters, with an ellipsis where it was cut.

    Runs of whitespace become one space; control characters, terminal sequences and direction overrides go.
    """
    if len(text) <= limit and _ONE_LINE.fullmatch(text):
        return text
    seen = _UNSEEN.sub("", _SPACE.sub(" ", _TERMINAL_SEQUENCE.sub("", text))).strip()
    seen = _SPACE.sub(" ", seen)
    if len(seen) <= limit:
        return seen
    return f"{cut(seen, limit - 1).rstrip()}…" if limit > 0 else ""


def fenced(text: str, info: str) -> str:
    """Wrap `text` in a Markdown fence that no run of backticks in it can close; `info` stands after the opening.

    Runs of more than 16 backticks are shortened to 16, so that the fence never outweighs what it holds.
    """
    inside = _LONG_RUN.sub("`" * _LONGEST_RUN, text)
    longest = max((len(run) for run in _BACKTICKS.findall(inside)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{info}\n{inside}\n{fence}"


def _boundary(text: str, limit: int) -> int:
    """Find the last end of a grapheme at or before `limit`."""
    if limit >= len(text):
        return len(text)
    if limit <= 0:
        return 0
    start = _CERTAIN_START.search(text, 0, limit)
    end = start.start() if start else 0
    for found in _GRAPHEME.finditer(text, end):
        if found.end() > limit:
            break
        end = found.end()
    return end


def _end_of_head(text: str, limit: int) -> int:
    end = _boundary(text, limit)
    nearest = end - end // _CLOSE
    line = text.rfind("\n", nearest, end + 1)
    if line >= nearest and line > 0:
        return line - 1 if text[line - 1] == "\r" else line
    word = max(text.rfind(" ", nearest, end + 1), text.rfind("\t", nearest, end + 1))
    return word if word > 0 and _boundary(text, word) == word else end


def _start_of_tail(text: str, earliest: int) -> int:
    start = _boundary(text, earliest)
    if start < earliest:
        following = _GRAPHEME.match(text, start)
        start = following.end() if following else len(text)
    farthest = start + (len(text) - start) // _CLOSE
    line = text.find("\n", start - 1 if start else 0, farthest)
    if line >= 0:
        return line + 1
    word = text.find(" ", start, farthest)
    return word + 1 if word >= 0 and _boundary(text, word + 1) == word + 1 else start


def _marker(missing: int) -> str:
    return f"\n[... {missing:,} characters left out ...]\n"
