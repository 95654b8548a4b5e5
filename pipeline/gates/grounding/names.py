"""Owns which words are names: acronyms anywhere, capitalised words where the language gives capitals to names alone.

Knows nothing of what was shown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.draft import FOLDERS
from pipeline.gates.grounding.characters import CJK
from pipeline.gates.grounding.detail import Detail
from pipeline.gates.grounding.sentences import is_abbreviated

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(rf"[^\W\d_{CJK}][^\W_{CJK}]*")
_ACRONYM = re.compile(rf"(?<![^\W{CJK}])[A-Z](?=[A-Z0-9]*[A-Z])[A-Z0-9]++(?:s|es)?(?![^\W{CJK}])")
_LATIN = re.compile(r"[A-Za-z]")
_OTHER_SCRIPT = re.compile(rf"[\u0400-\u04ff{CJK}]")
_STARTS: Final = frozenset('.!?:;…|"“«„‹「『•·→>/=-。！？：；、，（')
_OPENING: Final = frozenset("([")
_CLOSING: Final = frozenset(")],")

_ADDRESSED = re.compile(r"\b(?:Herrn?|Frau|Hr\.|Fr\.)\s+(?:Dr\.\s+)?\Z")
"""Stands before the name of a person in a language that gives every noun a capital."""

_EMPHASIS_WORDS: Final = (
    "not must never always all any and or only no yes do don't none note warning important todo fixme ok okay before"
    " after should shall may will required if is are the a an to be every each both now new old first last tbd caution"
    " info tip very still without with until nicht nie immer kein und oder ja nein muss jamais toujours non oui et ou"
    " nunca siempre sí não sim sempre не никогда всегда нет да"
)
_EMPHASIS: Final = frozenset(_EMPHASIS_WORDS.split())
"""Words that are written in capitals to stress them."""

_ORDINARY_WORDS: Final = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec"
    " english german french spanish portuguese russian chinese japanese internet web markdown mr mrs ms dr ok"
)
_ORDINARY: Final = frozenset((*_ORDINARY_WORDS.split(), *FOLDERS, *FOLDERS.values()))
"""Words with a capital that are no names, or say nothing that could be wrong; and what kinds of pages are called."""

_GERMAN_WORDS: Final = (
    "der die das und ist nicht wird wurde wir mit für auf ein eine den dem des im zu von sich auch dass wenn nach bei"
    " über oder sind hat haben beim zum zur als aus nur einen einer eines noch durch werden ins am vom steht es war"
)
_GERMAN: Final = frozenset(_GERMAN_WORDS.split())
_OTHER_WORDS: Final = (
    "the and is of to was in for with on that it as by are at from has were this le la les et est une dans pour que"
    " el los y es una por con para se o os e um uma do da no na não foi en"
)
_OTHERS: Final = frozenset(_OTHER_WORDS.split())


def is_german(text: str) -> bool | None:
    """Whether a text is in a language that gives every noun a capital; None when it does not tell."""
    words = [word.lower() for word in _WORD.findall(text)]
    german, others = sum(word in _GERMAN for word in words), sum(word in _OTHERS for word in words)
    if german == others:
        return None
    return german > others


def find_names(text: str, masked: str, *, nouns: bool, title: bool) -> Iterator[Detail]:
    """Find names in a text; those parts that `masked` does not hold are other details already.

    With `nouns` every noun has a capital, so that only acronyms count; with `title` so may any word.
    """
    yield from _acronyms(masked)
    foreign = _OTHER_SCRIPT.search(text) is not None and len(_OTHER_SCRIPT.findall(text)) * 2 > len(
        _LATIN.findall(text)
    )
    for found in _WORD.finditer(masked):
        word = found.group()
        latin = _LATIN.match(word) is not None
        if len(word) == 1 or not word[0].isupper() or word.lower() in _ORDINARY or (word.isupper() and latin):
            continue
        # Among letters of another script a Latin word with a capital is a name wherever it stands.
        addressed = nouns and _ADDRESSED.search(text, max(0, found.start() - _NEAR), found.start()) is not None
        certain = addressed or (foreign and latin)
        if certain or not (nouns or title or _begins(text, found.start(), found.end())):
            yield Detail("name", found.start(), found.end(), word)


def _acronyms(masked: str) -> Iterator[Detail]:
    for found in _ACRONYM.finditer(masked):
        if found.group().lower() not in _EMPHASIS:
            yield Detail("acronym", found.start(), found.end(), found.group())


def _begins(text: str, start: int, end: int) -> bool:
    """Whether a word stands where a sentence, a label or a quotation may begin, so that its capital says nothing."""
    before = text[:start].rstrip() if start < _NEAR else text[start - _NEAR : start].rstrip()
    if before.endswith(".") and is_abbreviated(before[:-1]):
        return False
    if not before or before[-1] in _STARTS:
        return not (before and before[-1] in "/-" and text[start - 1] in "/-" and before[:-1][-1:].isalnum())
    if before[-1] in _OPENING:
        return text[end : end + 1] not in _CLOSING
    return not (before[-1].isalnum() or before[-1] in "),]%'\"&+_")


_NEAR: Final = 20
"""Characters before a word that are looked at."""
