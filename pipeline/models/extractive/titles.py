"""Owns what a page may be called: titles cut out of statements, headings and requests.

A title is cut at the end of a clause; it is never made up, and what is left must be no fragment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.signals import closed
from pipeline.models.extractive.similarity import subject_terms, terms
from pipeline.models.extractive.subjects import HASH, PATH, SYMBOLS, UNSPACED
from pipeline.models.extractive.tongues.all import function_words, heading_act
from pipeline.models.extractive.tongues.tongue import words
from pipeline.models.extractive.wording import readable
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.tongues.ear import Ear

LONGEST = 72
_LONGEST_UNSPACED = 40
_A_LITTLE = 8
_LONGEST_SHORTENED = 90
_POOR = 30
"""A title that would be cut down to less may be a little longer than it should."""
_SHORTEST = 8
_SHORTEST_UNSPACED = 4
_SHORTEST_CLAUSE = 12
_SHORTEST_ADJUNCT = 24
_SPEAKING_LEAD = 3
"""Terms from which on a lead-in says enough to be a title."""
_FEWEST_TERMS = 2
_TRIES = 6
_EMOJI = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]+")
_NUMBERING = re.compile(
    r"^(?:[#(]?\d{1,3}[.):]\s+|(?:[A-Z]\d{1,2}\s*)?#?\d{1,3}\s*[:–—-]\s+|[A-Z]\d{1,2}(?:\s*#\d+)?\s*[:–—-]\s+|#\d+\s+)"
)
_LABEL = re.compile(r"^(?P<label>[^:：–—]{1,40}?)(?:\s*[:：]\s*|\s+[–—-]{1,2}\s+)(?=\S)")
_STATUS = re.compile(
    r"\s*[(\[](?:fixed|done|resolved|completed?|new|updated|optional|wip|pending|both \w+ \w+|behoben|erledigt)[)\]]$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s*#?\d+$|^(?:the|a|an)\s+", re.IGNORECASE)
_MERE_NUMBER = re.compile(r"[A-Z]{0,2}[\d#. ]*")
_JOINT = re.compile(r"^(?:[\s,:;–—]|-\s)+")
_AND = r"(?:or|and|und|oder|et|ou|y|o|e|и|или)\s"
_IN_A_LIST = re.compile(rf"[,，、]\s*[\w-]+(?:[,，、]|\s{_AND}|$)")
_ENDS_A_LIST = re.compile(rf"[,，、]\s*{_AND}")
_COMMA = re.compile(r"[,，、]\s*")
_STOP = re.compile(r"[.!?]\s|[。！？]")
_HARD_BREAK = re.compile(r"\s+[–—-]{1,2}\s+|;\s+|[:：]\s+|；")
_BRACKET = re.compile(r"\s*[(（][^()（）]*[)）]\s*(?=$|[.,;:。、，])")
_SPACE = re.compile(r"\s+(?=\S)")
_TRAILING = re.compile(r"[\s,;:，；：。.!！…–—-]+$")
_CAMEL = re.compile(r"\b\w*[a-z][A-Z]\w*")
_WORD = re.compile(r"[^\W_][\w'’.-]*")
_LETTER = re.compile(r"[^\W\d_]")
_IN_CODE = re.compile(r"[_./()\d]|[a-z][A-Z]")
_BROKEN = re.compile(
    r"\bI['’]\w+|\bI (?:can|will|could|would|want|need|have|think)\b|\blines? \d|"
    r"^\w+ \(|^\w+ (?:to )?#?\d+\b|\w\. \w|\b[Ll]et's\b|^[Dd]o [\"“]|\.\.$|#\d+\. |\[REDACTED|…|\.\.\."
)
_SPEAKERS = re.compile(r"\b(?:I|you|me|my|your)\b", re.IGNORECASE)
_GOOD_ENDS = words("only off on out up down set use used once back made doing done first last")


def title_of(text: str, ear: Ear, *, heading: bool = False, asked: bool = False) -> str:
    """Cut a title out of a claim (raw); empty when none can be.

    In a heading nothing is polite; what a person reports when they ask (`asked`) may be of the moment.
    """
    title = _without_labels(_without_marks(text))
    if not heading:
        title = ear.pleads.sub("", _main_clause(_without_manners(title, ear), ear))
    fit = (cut for cut in _cuts(title, ear, idle=heading) if _is_presentable(cut, ear, asked=asked))
    title = next((cut for cut in fit if heading or not cut[0].isdigit()), "")
    return _capitalised(title, text)


def shortened_title(text: str, ear: Ear) -> str:
    """Cut a title out of words (plain) that make no good one: at a clause's end, else after a whole word."""
    title = _TRAILING.sub("", text)
    if len(title) <= _LONGEST_SHORTENED:
        return title
    ends = {*_clause_ends(title, ear), *(found.start() for found in _COMMA.finditer(title))}
    for end in sorted(ends, reverse=True):
        if _POOR <= end <= _LONGEST_SHORTENED and closed(title[:end]) and not _in_a_list(title, end):
            return _TRAILING.sub("", title[:end])
    at = title.rfind(" ", _POOR, _LONGEST_SHORTENED)
    return f"{_TRAILING.sub('', title[:at])}…" if at > 0 else one_line(title, _LONGEST_SHORTENED)


def _in_a_list(title: str, end: int) -> bool:
    """Say whether a comma parts the members of a list; one before `and` does when others came before it."""
    ends = _ENDS_A_LIST.match(title, end) is not None and _COMMA.search(title, 0, end) is not None
    return ends or _IN_A_LIST.match(title, end) is not None


def whole_title(piece: Piece, ear: Ear) -> str:
    """Take a whole statement for a title, somewhat longer than others; empty when it is too long or makes none."""
    title = _capitalised(_without_end(piece.body, ear), piece.raw)
    fits = len(title) <= _LONGEST_SHORTENED and _STOP.search(title) is None
    return title if fits and _is_presentable(title, ear) else ""


def claim_title(piece: Piece, ear: Ear, *, asked: bool = False) -> str:
    """Cut a title out of a statement: its lead-in when that says enough, else the claim behind it."""
    if not piece.lead_kept:
        return title_of(piece.raw, ear, asked=asked)
    label = title_of(piece.lead, ear, heading=True)
    return label if len(terms(label)) >= _SPEAKING_LEAD else title_of(piece.body, ear)


def request_title(text: str, ear: Ear, *, wanted: bool = False) -> str:
    """Cut a title out of what somebody asked for: the request (raw) without its politeness.

    `wanted` says that the text is known to name something to do.
    """
    title = _EMOJI.sub("", readable(text)).strip()
    for _ in range(_TRIES):
        found = ear.polite.match(title) or ear.dropped.match(title)
        if not found or not found.end():
            break
        wanted = wanted or ear.request.search(found.group()) is not None
        title = _JOINT.sub("", title[found.end() :])
    asks = ear.asks.match(title) is not None
    if not (wanted or asks or _is_request(title, ear)):
        return ""
    whole = ear.pleads.sub("", title).rstrip("?？ .!")
    bare = ear.idle_end.sub("", whole)
    asks = asks and bare == whole
    cuts = _cuts(bare, ear, adjuncts=not asks)
    title = next((cut for cut in cuts if _is_presentable(cut, ear, question=asks, asked=True)), "")
    if asks and _SPEAKERS.search(title):
        return ""
    return _capitalised(f"{title}?" if asks and title and title == bare else title, text)


def _is_request(title: str, ear: Ear) -> bool:
    if ear.tongue.starts_imperative:
        return ear.imperative.match(title) is not None
    return ear.request.search(title) is not None


def _without_marks(text: str) -> str:
    return _STATUS.sub("", _NUMBERING.sub("", _EMOJI.sub("", readable(text)).strip()).strip())


def _without_labels(title: str) -> str:
    """Drop labels that say what kind of thing follows: `Bug:`, `Summary:`, `Problem 2:`."""
    for _ in range(_TRIES):
        found = _LABEL.match(title)
        if found is None:
            break
        bare = _COUNTED.sub("", _COUNTED.sub("", found["label"].strip())).strip()
        general = not bare or heading_act(bare) != "none" or not subject_terms(bare)
        if not general and not _MERE_NUMBER.fullmatch(bare):
            break
        title = title[found.end() :]
    return _NUMBERING.sub("", title).strip()


def _without_manners(title: str, ear: Ear) -> str:
    for _ in range(_TRIES):
        found = ear.dropped.match(title) or ear.claim.match(title)
        if not found or not 0 < found.end() < len(title):
            break
        title = _JOINT.sub("", title[found.end() :])
    return title


def _main_clause(title: str, ear: Ear) -> str:
    """Give what follows the circumstances: `when x happens, y is lost` becomes `y is lost`."""
    comma = _COMMA.search(title) if ear.setting.match(title) else None
    rest = title[comma.end() :] if comma else ""
    return rest if len(rest) >= _SHORTEST_CLAUSE else title


def _cuts(title: str, ear: Ear, *, adjuncts: bool = True, idle: bool = False) -> Iterator[str]:
    """Give what a title may be cut down to, the best first: the whole, up to a clause's end, up to an adjunct.

    The whole keeps its last words when they are never `idle`: a heading is short because somebody made it so.
    """
    title = _TRAILING.sub("", title) if idle else _without_end(title, ear)
    unspaced = len(UNSPACED.findall(title)) * 3 > len(title)
    limit = _LONGEST_UNSPACED if unspaced else LONGEST
    stop = _STOP.search(title)
    if stop and stop.start() >= _SHORTEST_CLAUSE:
        title = title[: stop.start()]
    ends = (end for end in set(_clause_ends(title, ear)) if _SHORTEST_CLAUSE <= end <= limit)
    clauses = [_without_end(title[:end], ear) for end in sorted(ends, reverse=True)]
    hard = _HARD_BREAK.search(title)
    in_one_piece = hard is None or hard.start() < _SHORTEST_CLAUSE
    poor = len(next(iter(clauses), "")) < _POOR
    if len(title) <= limit + _A_LITTLE * poor and (in_one_piece or (poor and len(title) > limit)):
        yield title
    yield from clauses
    if adjuncts and len(title) > limit:
        cuts = (_without_end(title[:end], ear) for end in _adjunct_ends(title, ear, limit))
        yield from (cut for cut in cuts if _has_verb(cut, ear))


def _clause_ends(title: str, ear: Ear) -> Iterator[int]:
    yield from (found.start() for found in _HARD_BREAK.finditer(title))
    yield from (found.start() for found in _BRACKET.finditer(title))
    yield from (found.start() for found in _COMMA.finditer(title) if ear.continues.match(title, found.end()))
    yield from (found.start() for found in _SPACE.finditer(title) if ear.breaks.match(title, found.end()))


def _adjunct_ends(title: str, ear: Ear, limit: int) -> list[int]:
    found = (space.start() for space in _SPACE.finditer(title) if ear.adjuncts.match(title, space.end()))
    return sorted((end for end in found if _SHORTEST_ADJUNCT <= end <= limit), reverse=True)


def _without_end(title: str, ear: Ear) -> str:
    """Drop punctuation and idle words at the end."""
    for _ in range(_TRIES):
        shorter = ear.idle_end.sub("", _TRAILING.sub("", title))
        if shorter == title:
            break
        title = shorter
    return title


def _has_verb(title: str, ear: Ear) -> bool:
    """Say whether a title that lost its end still says something, as far as the table knows verbs."""
    bare = _CAMEL.sub("", title)
    if ear.tongue.verbs and ear.verbs.search(bare):
        return True
    starts = (ear.imperative, ear.done, ear.result, ear.asks)
    if any(verb.match(bare) for verb in starts):
        return True
    return not ear.tongue.verbs and any(verb.search(bare) for verb in (ear.concept, ear.problem))


def _is_presentable(title: str, ear: Ear, *, question: bool = False, asked: bool = False) -> bool:
    """Say whether a title is whole, names something, and points at nothing that it does not hold."""
    if not _is_wording(title) or not subject_terms(title) or len(terms(title)) < _FEWEST_TERMS:
        return False
    unfit = [SYMBOLS, PATH, HASH, _BROKEN, ear.pointers]
    if not asked:
        unfit += [ear.passing_state, ear.hedge]
    if any(pattern.search(title) for pattern in unfit) or (not question and heading_act(title) != "none"):
        return False
    last = _WORD.findall(title)[-1].casefold()
    open_end = not question and last in function_words() - _GOOD_ENDS
    starts = (ear.speaker,) if question else (ear.speaker, ear.dangling, ear.setting)
    return not open_end and not any(start.match(title) for start in starts)


def _is_wording(title: str) -> bool:
    """Say whether a title is made of words, enough of them, with every bracket closed."""
    unspaced = UNSPACED.search(title) is not None
    if len(title) < (_SHORTEST_UNSPACED if unspaced else _SHORTEST) or not (unspaced or " " in title):
        return False
    shouting = title.isascii() and title.isupper()
    return len(_LETTER.findall(title)) * 2 >= len(title) and closed(title) and not shouting


def _capitalised(title: str, source: str) -> str:
    """Give the title a capital at its beginning, unless it begins with a name in code."""
    first = title.split(" ", 1)[0]
    if f"`{first}" in source or _IN_CODE.search(first) or not first[:1].islower():
        return title
    return title[:1].upper() + title[1:]
