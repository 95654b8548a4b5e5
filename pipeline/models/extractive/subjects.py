"""Owns what a statement is about and how that is called: titles and the subject of a sentence.

A title is cut out of a statement, at the end of a clause; it is never made up and never a fragment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.wording import readable
from pipeline.models.extractive.similarity import subject_terms, terms
from pipeline.models.extractive.tongues.all import function_words, heading_act, hollow_words, kinds_of_name, vague_heads

if TYPE_CHECKING:
    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.tongues.all import Ear

LONGEST_TITLE = 72
_LONGEST_UNSPACED = 40
_SHORTEST_CLAUSE = 12
_A_LITTLE = 8
_POOR = 30
"""A title that would be cut down to less may be a little longer than it should."""
_LONGEST_SUBJECT_WORDS = 5
_EMOJI = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]+")
_NUMBERING = re.compile(
    r"^(?:[#(]?\d{1,3}[.):]\s+|(?:[A-Z]\d{1,2}\s*)?#?\d{1,3}\s*[:–—-]\s+|[A-Z]\d{1,2}(?:\s*#\d+)?\s*[:–—-]\s+|#\d+\s+)"
)
_LABEL = re.compile(r"^(?P<label>[^:：–—]{1,40}?)(?:\s*[:：]\s*|\s+[–—-]{1,2}\s+)(?=\S)")
_COUNTED = re.compile(r"\s*#?\d+$|^(?:the|a|an)\s+", re.IGNORECASE)
_STOP = re.compile(r"[.!?]\s|[。！？]")
_HARD_BREAK = re.compile(r"\s+[–—-]{1,2}\s+|;\s+|[:：]\s+|；")
_BRACKET = re.compile(r"\s*[(（][^()（）]*[)）]\s*(?=$|[.,;:。、，])")
_JOINT = re.compile(r"^(?:[\s,:;–—]|-\s)+")
_COMMA = re.compile(r"[,，、]\s*")
_TRAILING = re.compile(
    r"(?:[\s,;:，；：。.!！…–—-]+|\s+(?:exactly|only|simply|just|mainly|probably|precisely|likely|partly|then|anyway|too|now))+$",
    re.IGNORECASE,
)
_LINES = re.compile(r"\s*[(（](?:at )?(?:lines?|L)\s*\d[^)]*[)）]|\s+(?:that|which) \w+s$", re.IGNORECASE)
_SOFT = re.compile(r"\s+(?=(?:without|with|via|using|for|on|in|at|from|into|across|during|through)\s)")
_SHORTEST_SOFT = 24
_CAMEL = re.compile(r"\b\w*[a-z][A-Z]\w*")
_TAIL = re.compile(r"[,;]?\s+(?:so |and )?(?:can|could|would) (?:you|we|i)\b[^,]*$", re.IGNORECASE)
_HASH = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
_POINTERS = re.compile(
    r"\b(?:this|these|those|it|its|them|they|their|above|below|following|earlier|previous|dies\w*|hier|ceci|cela|ça|esto|"
    r"eso|isso|isto|это|этот|эту|здесь)\b|^(?:that|here|there)\b|\b(?:that|here|there|both|too|again)$",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:let's|lets|i|we|you|he|she|my|your|our|i'm|i've|i'd|i'll|we've|we're|you're|be|like|him|ich|wir|du|je|nous|yo)\b", re.I)
_WORDS = re.compile(r"[^\W_][\w'’.-]*")
_PATH = re.compile(r"^\S*\w[/\\]\w\S*\.\w{1,5}\b|\S+[/\\]\S+[/\\]\S+\.\w{1,5}\b|\S+\.\w{1,5}:\d+")
_BROKEN = re.compile(r"^\w+ \(|^\w+ (?:to )?#?\d+\b|\w\. \w|\b[Ll]et's\b|^(?:Do|do) [\"“]|→|\.\.$|#\d+\. ")
_SPEAKER = re.compile(r"\b(?:I|you|me|my|your)\b", re.IGNORECASE)
_TO_YOU = re.compile(r"^(?:do|did|are|were|have|can|could|will|would|should|is|was)\s+(?:you|i|we|this|that|it|he|she|they|there)\b", re.I)
_NAME_ONLY = re.compile(r"^\S+$")
_LETTER = re.compile(r"[^\W\d_]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SYMBOLS = re.compile(r"[{}<>=;|\\$^~→✓✅❌⚠]|\)\.|::|&&")
_NOUN_PHRASE = re.compile(
    r"^(?:(?:the|an?|each|every|all|our|its|der|die|das|ein|eine|jede[rs]?|alle|le|la|les|un|une|chaque|el|los|las|una|"
    r"cada|o|os|as|um|uma)\s+|l['’])?(?P<noun>(?:[^\s,;:.!?()→–—]+\s+){0,4}?[^\s,;:!?()→–—]+(?:\(\))?)$",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(r"(?:^|\s)-|ly$|\b(?:now|then|later|also|still|already|only|just|and|or)$", re.IGNORECASE)
_POINTING = frozenset("this that these those all any some such other same which dieser diese dieses".split())
_LINKING = frozenset("of to in on for with via from by at into von mit für auf aus zu de du des del do da dos das".split())
_GOOD_ENDS = frozenset("off on out up down set use used once back made doing done now first last".split())


def title_of(text: str, ear: Ear, *, heading: bool = False, asked: bool = False) -> str:
    """A title cut out of a claim (raw or plain), or empty when none can be.

    In a heading nothing is polite; what a person reports when they ask (`asked`) may be of the moment.
    """
    title = _NUMBERING.sub("", _EMOJI.sub("", readable(text)).strip()).strip()
    title = _NUMBERING.sub("", _without_labels(title)).strip()
    if not heading:
        title = _without_manners(title, ear)
        title = ear.pleads.sub("", _main_clause(title, ear))
    title = _cut(title, ear)
    if not heading and title[:1].isdigit():
        return ""
    return _capitalised(title, text) if _presentable(title, ear, asked=asked) else ""


def claim_title(piece: Piece, ear: Ear, *, asked: bool = False) -> str:
    """A title out of a statement: its lead-in when that says enough, else the claim behind it."""
    if not piece.lead_kept:
        return title_of(piece.raw, ear, asked=asked)
    label = title_of(piece.lead, ear, heading=True)
    if len(terms(label)) >= 3:  # noqa: PLR2004
        return label
    return title_of(piece.body, ear)


def request_title(text: str, ear: Ear, *, wanted: bool = False) -> str:
    """A title for what somebody asked for: the request without its politeness.

    `wanted` says that the text is known to name something to do.
    """
    title = _EMOJI.sub("", readable(text)).strip()
    polite = wanted
    for _ in range(6):
        found = ear.polite.match(title) or ear.dropped.match(title)
        if not found or not found.end():
            break
        polite = polite or bool(ear.request.search(found.group()))
        title = _JOINT.sub("", title[found.end() :])
    asks = ear.asks.match(title) is not None
    if not (polite or asks) and not _requests(title, ear):
        return ""
    title = ear.pleads.sub("", title)
    bare = title.rstrip("?？ .!")
    if (tail := _TAIL.search(bare)) and tail.start() >= _SHORTEST_CLAUSE:
        bare, asks = bare[: tail.start()], False
    title = _cut(bare, ear, soft=not asks)
    if not _presentable(title, ear, question=asks, asked=True) or (asks and _TO_YOU.match(title)):
        return ""
    return _capitalised(title + ("?" if asks and title == bare else ""), text)


def _requests(title: str, ear: Ear) -> bool:
    if ear.tongue.starts_imperative:
        return ear.imperative.match(title) is not None
    return ear.request.search(title) is not None


def subject_of(text: str, ear: Ear) -> str:
    """The subject of a sentence that says what something is or does, plain; empty when it has none to speak of.

    `text` is the raw sentence. A subject that is all general nouns or pronouns is none.
    """
    plain = readable(text)
    found = ear.concept.search(plain, 0, 90)
    if found is None or found.start() < 2:
        return ""
    match = _NOUN_PHRASE.match(plain[: found.start()].rstrip())
    if match is None or _NO_NOUN.search(match["noun"]):
        return ""
    noun = match["noun"].strip(" '’\"")
    if ear.imperative.match(plain) or ear.done.match(plain):
        return ""
    noun = _bare_name(noun)
    return noun if names_something(noun) else ""


def _bare_name(noun: str) -> str:
    """`resume function` stays as it is, `resumeBranch function` is `resumeBranch`."""
    name, _, kind = noun.partition(" ")
    kind = kind.partition(" ")[0]
    in_code = re.search(r"[a-z][A-Z]|_|\(\)|^--", name)
    return name if name and " " not in name and in_code and kind.casefold() in kinds_of_name() else noun


def names_something(noun: str) -> bool:
    """Whether a noun phrase names one thing of this project rather than any thing."""
    words = [word.casefold() for word in _WORDS.findall(noun)]
    if not words or len(words) > _LONGEST_SUBJECT_WORDS or _PATH.search(noun) or _SYMBOLS.search(noun):
        return False
    if words[0] in function_words() or words[-1] in function_words() or _POINTERS.search(noun):
        return False
    if words[0][0].isdigit() or noun.count('"') % 2 or (len(words) > 1 and words[0] in hollow_words()):
        return False
    if any(word in _POINTING for word in words) or words[-1] in vague_heads() or words[-1].endswith(("'s", "’s")):
        return False
    if any(word in _LINKING for word in words[1:]) or _HASH.search(noun):
        return False
    return bool(subject_terms(noun)) and len(noun) >= (2 if _UNSPACED.search(noun) else 4)


def tag_of(text: str) -> str:
    """An identifier as a tag, or empty when it cannot be one."""
    tag = readable(text).strip("`'\"()[]{}.,:;!? ").removesuffix("()")
    fits = re.fullmatch(r"[\w .:/-]{2,40}", tag) and _LETTER.search(tag)
    return tag if fits and not tag.startswith(("-", ".", "/")) else ""


def _without_labels(title: str) -> str:
    """Drop labels that say what kind of thing follows: `Bug:`, `Summary:`, `Problem 2:`."""
    for _ in range(3):
        found = _LABEL.match(title)
        if found is None:
            break
        bare = _COUNTED.sub("", _COUNTED.sub("", found["label"].strip())).strip()
        general = not bare or heading_act(bare) != "none" or not subject_terms(bare)
        if not general and not re.fullmatch(r"[A-Z]{0,2}[\d#. ]*", bare):
            break
        title = title[found.end() :]
    return title


def _without_manners(title: str, ear: Ear) -> str:
    for _ in range(5):
        found = ear.dropped.match(title) or ear.claim.match(title)
        if not found or not found.end() or found.end() >= len(title):
            break
        title = _JOINT.sub("", title[found.end() :])
    return title


def _main_clause(title: str, ear: Ear) -> str:
    """What follows the circumstances: `when x happens, y is lost` becomes `y is lost`."""
    if not ear.setting.match(title):
        return title
    comma = _COMMA.search(title)
    rest = title[comma.end() :] if comma else ""
    return rest if len(rest) >= _SHORTEST_CLAUSE else title


def _cut(title: str, ear: Ear, *, soft: bool = True) -> str:
    """The title up to the last clause that fits, whole if it fits; empty when there is no such place."""
    limit = _LONGEST_UNSPACED if len(_UNSPACED.findall(title)) * 3 > len(title) else LONGEST_TITLE
    title = _TRAILING.sub("", _LINES.sub("", title))
    stop = _STOP.search(title)
    if stop and stop.start() >= _SHORTEST_CLAUSE:
        title = title[: stop.start()]
    if len(title) <= limit and not _HARD_BREAK.search(title):
        return title
    hard = [found.start() for found in _HARD_BREAK.finditer(title)]
    if len(title) <= limit and hard and hard[0] < _SHORTEST_CLAUSE:
        return title
    ends = hard + [found.start() for found in _BRACKET.finditer(title)]
    ends += [found.start() for found in _COMMA.finditer(title) if ear.continues.match(title, found.end())]
    ends += [found.start() for found in re.finditer(r"\s+(?=\S)", title) if _breaks(title, found.end(), ear)]
    for end in sorted((end for end in ends if _SHORTEST_CLAUSE <= end <= limit), reverse=True):
        cut = _TRAILING.sub("", title[:end])
        if _balanced(cut):
            return title if len(title) <= limit + _A_LITTLE and len(cut) < _POOR else cut
    if not ends and len(title) <= limit + _A_LITTLE:
        return title
    adjuncts = [found.start() for found in _SOFT.finditer(title) if soft and _SHORTEST_SOFT <= found.start() <= limit]
    cuts = [_TRAILING.sub("", title[:end]) for end in reversed(adjuncts)]
    return next((cut for cut in cuts if _balanced(cut) and _has_verb(cut, ear)), "")


def _has_verb(title: str, ear: Ear) -> bool:
    """Whether a title that lost its end still says something, as far as the table knows verbs."""
    title = _CAMEL.sub("", title)
    verbs = (ear.imperative, ear.done, ear.result, ear.asks)
    return any(verb.match(title) for verb in verbs) or any(verb.search(title) for verb in (ear.concept, ear.problem))


_CONJUNCTION = re.compile(
    r"(?:because|since|so that|which means|instead of|rather than|due to|but|and then|and (?:it|they|this|that|we|the)|"
    r"weil|damit|anstatt|statt|obwohl|parce que|puisque|au lieu|porque|en lugar|em vez|потому что|так как|чтобы|вместо)\s",
    re.IGNORECASE,
)


def _breaks(title: str, at: int, ear: Ear) -> bool:
    return _CONJUNCTION.match(title, at) is not None


def _balanced(text: str) -> bool:
    pairs = ("()", "[]", "（）", "「」", "“”", "{}", "«»")
    return all(text.count(one) == text.count(other) for one, other in pairs) and not text.count('"') % 2 and not text.count("`") % 2


def _presentable(title: str, ear: Ear, *, question: bool = False, asked: bool = False) -> bool:
    words = _WORDS.findall(title)
    if not words or not _balanced(title) or _SYMBOLS.search(title) or "[REDACTED" in title or "…" in title or "..." in title:
        return False
    if len(title) < (4 if _UNSPACED.search(title) else 8) or len(_LETTER.findall(title)) * 2 < len(title):
        return False
    if _PATH.search(title) or _HASH.search(title) or (_NAME_ONLY.match(title) and not _UNSPACED.search(title)):
        return False
    if not question and (
        words[-1].casefold() in function_words() - _GOOD_ENDS or ear.dangling.match(title) or ear.setting.match(title)
    ):
        return False
    if not asked and (ear.passing_state.search(title) or ear.hedge.search(title)):
        return False
    if _BROKEN.search(title) or (question and _SPEAKER.search(title)):
        return False
    if title.isascii() and title.isupper():
        return False
    if _PERSON.match(title) or _POINTERS.search(title) or heading_act(title) != "none":
        return False
    return bool(subject_terms(title)) and len(terms(title)) >= 2  # noqa: PLR2004


def _capitalised(title: str, source: str) -> str:
    """The title with a capital at its beginning, unless it begins with a name in code."""
    first = title.split(" ", 1)[0]
    if f"`{first}" in source or re.search(r"[_./()\d]|[a-z][A-Z]", first) or not first[:1].islower():
        return title
    return title[:1].upper() + title[1:]
