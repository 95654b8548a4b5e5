"""Owns what a detail that was not shown costs the fields of an update that are no Markdown body."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.gates.contradiction.words import LIGHT, spelt
from pipeline.gates.grounding.removal import cut_sentences
from pipeline.wiki.markdown.blocks import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.draft import ConsolidatedPageUpdate
    from pipeline.gates.grounding.judging import Judge

Found = tuple[str, str, str]
"""A detail, the text that was taken out, and the field that held it."""

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_TELLING: Final = 4
_EDGES: Final = " \t,;:–—-/|()[]"
_MOST_LOOKS: Final = 8
_LEADING: Final = spelt(
    """
    a an the to for of on in at by with from via into and or der die das den dem ein eine zu zum zur für von vom auf im
    mit bei aus und oder le la les un une à au aux de du des en dans sur pour avec et ou el los las una al del por para
    con y o um uma do da no na em com e в на с к по из для и
    """
)
"""Small words that say nothing at the end of a title."""


def clean_fields(update: ConsolidatedPageUpdate, judge: Judge) -> tuple[ConsolidatedPageUpdate, list[Found]]:
    """Clean the title, the description, the tags and the aliases; a title may be left empty."""
    found: list[Found] = []
    title = _clean_title(update.title, judge, found)
    description, told = clean_text(update.description, judge)
    found += [(*one, "the description") for one in told]
    changed = {
        "title": title,
        "description": description,
        "tags": _clean_entries(update.tags, judge, found, "the tags"),
        "aliases": _clean_entries(update.aliases, judge, found, "the aliases"),
    }
    return (update.model_copy(update=changed) if found else update), found


def clean_text(text: str, judge: Judge) -> tuple[str, list[tuple[str, str]]]:
    """Take sentences out of a text of one paragraph; also give the details, each with its sentence."""
    found: list[tuple[str, str]] = []
    for _ in range(_MOST_LOOKS):
        judged = judge.sentences(text)
        wrong = [bool(one.details) for one in judged]
        if not any(wrong):
            break
        found += [(", ".join(one.details), one.text) for one in judged if one.details]
        if all(one.details or one.blank for one in judged):
            return "", found
        text = replace(text, cut_sentences(text, 0, [one.span for one in judged], wrong)).strip()
    return text, found


def _clean_title(title: str, judge: Judge, found: list[Found]) -> str:
    """Take the details out of a title; it is left empty when nothing that tells something remains."""
    whole = title
    details: list[str] = []
    for _ in range(_MOST_LOOKS):
        spans = judge.spans(title, title=is_title_case(title))
        if not spans:
            break
        details += [title[start:end] for start, end in spans]
        title = _cut(title, spans)
    if details:
        found.append((", ".join(details), ", ".join(details) if title else whole, "the title"))
    return title


def _cut(title: str, spans: Iterable[tuple[int, int]]) -> str:
    """Cut spans out of a title, each with the small words that led to it; nothing is left without a telling word."""
    kept: list[str] = []
    done = 0
    for start, end in sorted(spans):
        kept += title[done:start].split()
        done = max(done, end)
        following = title[done:].strip(_EDGES).split()
        if not following or following[0].casefold() in _LEADING:
            while kept and kept[-1].strip(_EDGES).casefold() in _LEADING | {""}:
                kept.pop()
    left = " ".join((*kept, *title[done:].split())).strip(_EDGES)
    return left if any(word.casefold() not in LIGHT for word in _WORD.findall(left)) else ""


def _clean_entries(entries: tuple[str, ...], judge: Judge, found: list[Found], field: str) -> tuple[str, ...]:
    kept = []
    for entry in entries:
        wrong = judge.spans(entry, title=True)
        if wrong:
            found.append((", ".join(entry[start:end] for start, end in wrong), entry, field))
        else:
            kept.append(entry)
    return tuple(kept)


def is_title_case(text: str) -> bool:
    """Whether every telling word but the first has a capital, so that a capital says nothing."""
    words = [word for word in _WORD.findall(text) if len(word) >= _LEAST_TELLING][1:]
    return not words or all(word[0].isupper() for word in words)
