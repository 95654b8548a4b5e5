"""Owns taking every effect from untrusted text that is shown on GitHub or GitLab; knows not what the text is about.

Both hosts look for mentions and references in what Markdown has become, so that neither a backslash nor an entity
hides `@someone` or `#12` from GitHub. Neither host looks into code. GitLab looks for words that close an issue in the
source itself, code or not, and so does whoever reads the message of a squashed commit. Hence:

- what a host could take for more than words goes into a code span, as short as it can be;
- a word that closes issues never stands right before what it could close, not even inside code;
- every other mark of Markdown or HTML is escaped;
- characters that nobody sees are taken out, those apart that join letters and emoji.

What comes out is one line of inline Markdown that reads as the text did, for a place behind words of one's own: it
does not care for what has a meaning at the beginning of a line.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from pipeline.text import cut
from pipeline.wiki.markdown.inline import read_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.wiki.markdown.inline import Atom

_JOINERS: Final = frozenset("\u200c\u200d")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters or symbols and show nothing."""

_WORD = re.compile(r"[!-~]+")
"""What a host could take for a reference consists of these."""
_ACTIVE = re.compile(
    r"""[@#$~]|[!%][\w"{]|&\d|\*\w+:"""  # mentions, references, labels, milestones, epics, snippets, formulas
    r"|://|\bwww\."  # addresses of any scheme
    r"|\b(?:mailto|xmpp|tel|rdar|javascript|vbscript|data|file|blob|about):"
    r"|(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])"  # commits
    r"|(?<![a-z0-9])g[hl]-\d|(?-i:(?<![A-Za-z0-9])[A-Z][A-Z0-9_]+-\d)"  # GH-12, GL-12, keys of Jira and its like
    r"|:(?:[+-]1|100|1234|[\w+-]*[a-z][\w+-]*):"  # emoji
    r"|\[\[|\]\]|\[\w+:|\[!|[\[{][+-]|[+-][\]}]"  # wiki links, work items, alerts, inline diffs
    r"|\A/\w",  # quick actions
    re.IGNORECASE,
)
_BEFORE: Final = "(\"'"
_BEHIND: Final = ".,;:!?)\"'"
"""Punctuation around a word that need not be code with it."""

_PARTED = re.compile(
    r"(?P<kept>\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|issues?):?)"
    r" +(?=\S*[#/&!-]\d)"
    r"|(?P<skips>\[(?:skip|ci|no|actions)) +"
    r"|(?P<mark>\||<(?=!))",
    re.IGNORECASE,
)
"""Where code is cut: behind a word that closes what follows or skips checks, at a bar, which would end the cell of a
table, and at the beginning of a comment, such as the marks of the region."""

_TICKS = re.compile(r"`+")
_ESCAPED: Final = str.maketrans(
    {mark: f"\\{mark}" for mark in "\\*_[]{}"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;", "|": "&vert;", "`": "&grave;"}
)
_HTML: Final = str.maketrans({mark: f"&#x{ord(mark):X};" for mark in "<>&\"'\\`*_{}[]|~^=#@!$%:"})
"""Entities that hold no `#` before a digit, which would be a reference to whoever reads the source."""

_Piece = tuple[bool, str]
"""Whether it is code, and what it says."""


def neutral(text: str, limit: int) -> str:
    """Render untrusted Markdown as one harmless line; of one longer than `limit` characters the beginning and `…`.

    Code stays code; emphasis goes; a link is left with its words, and with a web address that they do not tell.
    """
    return _written(_pieces(_visible(text, limit)))


def plainly(text: str, limit: int) -> str:
    """Render untrusted text that is no Markdown, such as a name or a message, in the same way."""
    return _written(_read(_visible(text, limit)))


def code(text: str, limit: int = 300) -> str:
    """Render an untrusted name, such as a path, as code; an empty one as nothing."""
    return _written([(True, _visible(text, limit))])


def in_html(text: str, limit: int) -> str:
    """Render untrusted text that is no Markdown inside an element of HTML, where Markdown is not read."""
    return "".join(
        f"<code>{value.translate(_HTML)}</code>" if is_code else value.translate(_HTML)
        for is_code, value in _cut(_joined(_read(_visible(text, limit))))
    )


def _visible(text: str, limit: int) -> str:
    """Bring text into one line without invisible characters; the work depends on `limit` alone."""
    looked_at = text[: limit * 4 + 200]
    seen = "".join(" " if char.isspace() else char for char in looked_at if _is_seen(char))
    line = " ".join(seen.split())
    if len(line) <= limit and len(looked_at) == len(text):
        return line
    return f"{cut(line, max(limit - 1, 0)).rstrip()}…"


def _is_seen(character: str) -> bool:
    if character.isspace() or character in _JOINERS:
        return True
    return character not in _FILLERS and unicodedata.category(character) not in _UNSEEN


def _pieces(line: str) -> Iterator[_Piece]:
    """Read a line of Markdown."""
    atoms = read_inline(line)
    text = ""
    for number, atom in enumerate(atoms):
        if atom.kind == "code":
            yield from _read(text)
            text = ""
            yield True, atom.value
        elif atom.kind == "text" or not _is_emphasis(atoms, number):
            text += atom.value
    yield from _read(text)


def _is_emphasis(atoms: Sequence[Atom], number: int) -> bool:
    """Whether a run of marks stands at the edge of words, and neither within a name nor by itself."""
    before = atoms[number - 1].value[-1] if number else " "
    after = atoms[number + 1].value[0] if number + 1 < len(atoms) else " "
    return not (before.isalnum() and after.isalnum()) and not (before.isspace() and after.isspace())


def _read(text: str) -> Iterator[_Piece]:
    """Tell what is active in a text from what is not."""
    done = 0
    for found in _WORD.finditer(text):
        start, end = found.span()
        if not _ACTIVE.search(text[start:end]):
            continue
        word = text[start:end]
        begin = len(word) - len(word.lstrip(_BEFORE))
        core = word[begin:].rstrip(_BEHIND)
        if core and _ACTIVE.search(core):
            start, end = start + begin, start + begin + len(core)
        yield False, text[done:start]
        yield True, text[start:end]
        done = end
    yield False, text[done:]


def _joined(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Join neighbours of one kind: code right beside code would be read otherwise."""
    kind, value = False, ""
    for is_code, part in pieces:
        if not part:
            continue
        if is_code != kind:
            if value:
                yield kind, value
            kind, value = is_code, ""
        value += part
    if value:
        yield kind, value


def _cut(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Cut code where it must not be whole."""
    for is_code, value in pieces:
        done = 0
        for found in _PARTED.finditer(value) if is_code else ():
            end = max(found.end("kept"), found.end("skips"))
            yield True, value[done : end if end >= 0 else found.start()]
            yield False, found["mark"] or " "
            done = found.end()
        yield is_code, value[done:]


def _written(pieces: Iterable[_Piece]) -> str:
    return "".join(
        _as_code(value) if is_code else value.translate(_ESCAPED) for is_code, value in _cut(_joined(pieces))
    )


def _as_code(content: str) -> str:
    content = content.strip()
    if not content:
        return ""
    lengths = {len(run) for run in _TICKS.findall(content)}
    ticks = "`" * next(length for length in range(1, len(lengths) + 2) if length not in lengths)
    pad = " " if content[0] == "`" or content[-1] == "`" else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"
