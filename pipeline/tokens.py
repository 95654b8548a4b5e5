"""Owns the estimate of tokens, which no tokenizer is asked for; knows nothing of prompts and budgets.

A token of a language model is a run of characters that is frequent enough. So the estimate walks over pairs of
neighbours and adds, in hundredths of a token, how likely a new token begins between them: seldom inside `th`,
nearly always inside `xq`, before a digit, or where the kind of character changes. Outside ASCII it goes by the
script, and where no measurement stands behind a character it takes what no tokenizer exceeds: one token for each
byte of UTF-8.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Final

_ONE: Final = 100
_MARGIN: Final = 5
"""Per cent that the estimate adds to what the measured rates say."""

# Letters, and the letters after them that mostly stand in the same token; every other pair is dear.
_CHEAP: Final = {
    "a": "lnrst",
    "c": "hot",
    "d": "e",
    "e": "cdlnrst",
    "f": "i",
    "g": "e",
    "h": "ae",
    "i": "dlnost",
    "l": "ei",
    "m": "ae",
    "n": "cdegost",
    "o": "mnru",
    "p": "e",
    "r": "aeio",
    "s": "eist",
    "t": "aehior",
    "u": "nrs",
    "v": "e",
}
_MIDDLING: Final = {
    "a": "cdgimp",
    "b": "elu",
    "c": "aeklru",
    "d": "aio",
    "e": "aefmpwx",
    "f": "or",
    "g": "i",
    "h": "io",
    "i": "cefgmr",
    "k": "e",
    "l": "alouy",
    "m": "imop",
    "n": "ai",
    "o": "cdfiklopstw",
    "p": "alort",
    "r": "nrsty",
    "s": "achopu",
    "t": "stuy",
    "u": "elmpt",
    "v": "ai",
    "w": "hi",
    "x": "t",
    "y": "p",
}

# What a character costs after another one; rows are the kinds before it: lowercase, uppercase, digit, mark
# (punctuation), space, line end, tab, any other. Pairs of letters and of equal marks have rules of their own.
_KINDS: Final = "LUDPSNTX"
_AFTER: Final[dict[str, tuple[int, ...]]] = {
    #     L    U    D    P    S    N    T    X
    "L": (100, 100, 90, 100, 100, 115, 100, 90),
    "U": (105, 100, 80, 175, 170, 170, 170, 100),
    "D": (120, 150, 100, 110, 180, 100, 100, 180),
    "P": (65, 75, 100, 95, 115, 110, 110, 100),
    "S": (0, 0, 0, 0, 15, 25, 60, 0),
    "N": (100, 100, 100, 60, 110, 100, 100, 100),
    "T": (60, 60, 100, 60, 100, 60, 100, 100),
}
_LETTERS: Final = {("L", "L"): (20, 45, 100), ("U", "L"): (45, 100, 100), ("U", "U"): (65, 95, 100)}
"""Pairs of letters by their case, then cheap, middling and dear ones."""
_RULERS: Final = frozenset("-=_#*./")
"""Marks whose long runs are tokens; a run of any other mark costs a token for each."""
_APART: Final = 200
"""From this rate on, words are in no vocabulary, so that the space after one is a token of its own."""
_START: Final = 150
"""What any text costs at least: words at its edges have fewer neighbours to merge with."""

# First and last code point, and tokens in hundredths for each character of running text.
_SCRIPTS: Final = (
    (0x00C0, 0x024F, 105),  # Latin with marks
    (0x0370, 0x03FF, 135),  # Greek
    (0x0400, 0x045F, 75),  # Cyrillic
    (0x0590, 0x05FF, 145),  # Hebrew
    (0x0600, 0x06FF, 130),  # Arabic
    (0x0900, 0x097F, 140),  # Devanagari
    (0x0980, 0x09FF, 210),  # Bengali
    (0x0B80, 0x0BFF, 210),  # Tamil
    (0x0C00, 0x0D7F, 240),  # Telugu, Kannada, Malayalam
    (0x0E00, 0x0E7F, 185),  # Thai
    (0x10A0, 0x10FF, 210),  # Georgian
    (0x1E00, 0x1EFF, 165),  # Vietnamese
    (0x2500, 0x257F, 110),  # lines of boxes and trees
    (0x3040, 0x30FF, 120),  # Kana
    (0x4E00, 0x9FFF, 290),  # Han, except the frequent ones below
    (0xAC00, 0xD7AF, 160),  # Hangul
)
# Characters that each of the measured tokenizers knows as one token.
_KNOWN_MARKS: Final = (
    "\u00a0£§©«\u00ad®°±²³´µ·º»\u200b\u2013—\u2015\u2018\u2019“”„†•…\u2032″€™→\u2212█■●"
    "\u3000、。「」【】\uff01（）\uff0c\uff1a\uff1b\uff1f\uff5e\ufffd"
)
_KNOWN_HAN: Final = (
    "一万三上下不与专业东两个中为主么义之也书了事二于五些交产京人今从他付代以们件价任份企会传但位体何余作你使例供保信修值停像元先入全公"
    "共关其具内册再写出击分列则初利别到制前力功加务动動包化北区十华单南即历原去县参及反发取变口只可台右号司合同名后向否含启告员周命和品商"
    "器四回因国图土在地场型城基報場增处备复外多大天失头好如始子字存学安完定实客家容密对导将小少就局展山州工左已市布常平年并广序库应店度建"
    "开式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手打技投报持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時"
    "景更最月有服期未本机权束条来板构果查标样格案模次止正此步段每比民水求江没治法注活流海消清游源点然片版物特率环现理生用由电画界登的目直相"
    "省看真知码确示社票种科称移程空立站章端符第等简算管类系素索约级线组经结给统编网置老考者而联能自至色节英行表装西要见规视角解言計计认议记"
    "论设证评试话该详语误说请读调象责败账费资起超路身车转载输达过运近还这进连述退送选通速造道部都配释里重量金错长開間関門问间队限院除集需非"
    "面音页项题首验高"
)
_FIRST_RATE: Final = 0x80
"""Classes of characters outside ASCII are single characters too: this code point plus the rate."""


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a language model counts for `text`, on the high side; 0 for the empty text.

    Measured against ten tokenizers (o200k and cl100k; three generations of Claude, two of them reconstructed;
    Llama 3; Qwen; DeepSeek; Mistral's Tekken and its earlier one of 32,000 tokens) on 7,600 texts in prose of a
    hundred languages, source code, logs, JSON, Base64 and other encodings: between 0.75 and 2.4 times the highest
    of the ten counts, at least that count in 99.6 % of the texts, 1.2 times in the middle. For all texts together
    it lies between 1.4 times (Claude's latest) and 2.1 times (o200k) each one's own count. What falls below the
    highest count are lists of words in rare languages, and letters of a script thrown together at random.

    It takes linear time. For any texts `a` and `b`, the estimate of `a + b` is at least that of either and at
    most one more than that of both together.
    """
    if not text:
        return 0
    classes = text.translate(_CLASSES)
    hundredths = max(_START, _rate(classes[0]))
    pairs = Counter(pairwise(classes))
    hundredths += sum(_cost(before, after) * times for (before, after), times in pairs.items())
    return -(-hundredths * (100 + _MARGIN) // (100 * _ONE))


class _Classes(dict[int, str]):
    """Maps a code point to its class: most of ASCII to itself, digits to `0`, all else by its rate."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _class_of(code)
        return found


def _class_of(code: int) -> str:
    if code >= _FIRST_RATE:
        return chr(_FIRST_RATE + _measure(code))
    return "0" if chr(code).isdigit() else chr(code)


def _measure(code: int) -> int:
    rates = (rate for first, last, rate in _SCRIPTS if first <= code <= last)
    return next(rates, len(chr(code).encode("utf-8", "surrogatepass")) * _ONE)


_CLASSES: Final = _Classes({ord(known): chr(_FIRST_RATE + _ONE + 10) for known in _KNOWN_MARKS + _KNOWN_HAN})


def _rate(kind: str) -> int:
    return ord(kind) - _FIRST_RATE


@cache
def _cost(before: str, after: str) -> int:
    """Hundredths of a token that `after` adds when it follows `before`."""
    if _rate(after) >= 0:
        return _rate(after)
    kinds = (_kind(before), _kind(after))
    if kinds == ("X", "S"):
        return _ONE if _rate(before) >= _APART else 0
    if kinds == ("P", "P") and before == after:
        return 45 if after in _RULERS else _ONE
    if kinds in _LETTERS:
        return _LETTERS[kinds][_dearness(before.lower(), after.lower())]
    return _AFTER[kinds[1]][_KINDS.index(kinds[0])] if kinds[1] in _AFTER else _ONE


def _dearness(before: str, after: str) -> int:
    if after in _CHEAP.get(before, ""):
        return 0
    return 1 if after in _MIDDLING.get(before, "") else 2


def _kind(character: str) -> str:
    if _rate(character) >= 0:
        return "X"
    for kind, members in (("S", " "), ("N", "\n\r"), ("T", "\t"), ("D", "0")):
        if character in members:
            return kind
    if character.isalpha():
        return "L" if character.islower() else "U"
    return "P" if character.isprintable() else "X"
