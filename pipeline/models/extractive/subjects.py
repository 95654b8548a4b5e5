"""Owns what a statement is about: the subject of a sentence, and what can be a tag. Knows no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import subject_terms, terms
from pipeline.models.extractive.tongues.tongue import words
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from pipeline.models.extractive.tongues.ear import Ear

PATH = re.compile(r"^\S*\w[/\\]\w\S*\.\w{1,5}\b|\S+[/\\]\S+[/\\]\S+\.\w{1,5}\b|\S+\.\w{1,5}:\d+")
HASH = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
SYMBOLS = re.compile(r"[{}<>=;|\\$^~→✓✅❌⚠]|\)\.|::|&&")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

_LONGEST_WORDS = 5
_FARTHEST_VERB = 90
_SHORTEST = 4
_SHORTEST_UNSPACED = 2
_WORD = re.compile(r"[^\W_][\w'’.-]*")
_LETTER = re.compile(r"[^\W\d_]")
_NOUN = re.compile(r"(?:[^\s,;:.!?()→–—]+\s+){0,4}?[^\s,;:!?()→–—]+(?:\(\))?")
_NO_NOUN = re.compile(r"(?:^|\s)-|ly$|\b(?:now|then|later|also|still|already|only|just|and|or)$", re.IGNORECASE)
_IN_CODE = re.compile(r"[a-z][A-Z]|_|\(\)|^--")
_POINTING = words("this that these those all any some such other same which dieser diese dieses")
_LINKING = words("of to in on for with via from by at into von mit für auf aus zu de du des del do da dos das")
_TAG = re.compile(r"[\w .:/-]{2,40}")


def subject_of(text: str, ear: Ear) -> str:
    """Find the subject of a sentence (raw) that says what something is or does; empty when it has none to speak of."""
    plain = readable(text)
    verb = verb_of(plain, ear)
    if verb is None or ear.imperative.match(plain) or ear.done.match(plain):
        return ""
    before = plain[:verb].rstrip()
    article = ear.articles.match(before)
    noun = before[article.end() if article else 0 :]
    if not _NOUN.fullmatch(noun) or _NO_NOUN.search(noun):
        return ""
    name = _bare_name(noun.strip(" '’\""), ear)
    return name if names_something(name, ear) else ""


def names_its_subject(text: str, ear: Ear) -> bool:
    """Say whether a sentence (plain) that begins with an article names a thing, and not `the fix` or `the fields`."""
    article = ear.articles.match(text)
    if article is None:
        return True
    verb = verb_of(text, ear)
    noun = text[article.end() : verb] if verb else text[article.end() :].split(" ", 1)[0]
    return bool(subject_terms(noun)) or len(terms(noun)) > 1


def verb_of(plain: str, ear: Ear) -> int | None:
    """Find where the verb of a plain sentence begins; a word that may be one is a noun when a verb follows it."""
    found = None
    for match in ear.concept.finditer(plain, 0, _FARTHEST_VERB):
        if found is None or not plain[found[1] : match.start()].strip():
            found = match.span()
        else:
            break
    return found[0] if found else None


def names_something(noun: str, ear: Ear) -> bool:
    """Say whether a noun phrase names one thing of this project rather than any thing."""
    tongue = ear.tongue
    parts = [word.casefold() for word in _WORD.findall(noun)]
    if not parts or len(parts) > _LONGEST_WORDS or parts[0][0].isdigit() or noun.count('"') % 2:
        return False
    if any(pattern.search(noun) for pattern in (PATH, HASH, SYMBOLS, ear.pointers)):
        return False
    if not tongue.function_words.isdisjoint(parts) or parts[-1] in tongue.vague_heads:
        return False
    if not _POINTING.isdisjoint(parts) or not _LINKING.isdisjoint(parts[1:]):
        return False
    if (len(parts) > 1 and parts[0] in tongue.hollow) or parts[-1].endswith(("'s", "’s")):
        return False
    return bool(subject_terms(noun)) and len(noun) >= (_SHORTEST_UNSPACED if UNSPACED.search(noun) else _SHORTEST)


def tag_of(text: str) -> str:
    """Turn an identifier into a tag; empty when it cannot be one."""
    tag = readable(text).strip("`'\"()[]{}.,:;!? ").removesuffix("()")
    fits = _TAG.fullmatch(tag) and _LETTER.search(tag) and not tag.startswith(("-", ".", "/"))
    return tag if fits else ""


def _bare_name(noun: str, ear: Ear) -> str:
    """Leave `resume function` as it is, make `resumeBranch` of `resumeBranch function`."""
    name, _, rest = noun.partition(" ")
    kind = rest.partition(" ")[0].casefold()
    return name if _IN_CODE.search(name) and kind in ear.tongue.kinds_of_name else noun
