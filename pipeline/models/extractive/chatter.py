"""Owns what is noise: what tools and harnesses write in people's names, pasted output, and small talk.

Knows no page and no subject. What it lets through is not yet worth keeping; it only may be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import terms

if TYPE_CHECKING:
    from pipeline.models.extractive.tongues.ear import Ear

_TAGGED = re.compile(r"<(?P<tag>[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)(?:\s[^>]*)?>.*?</(?P=tag)>", re.DOTALL)
_LONE_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+(?:\s[^>]*)?/?>")
_HARNESS = re.compile(
    r"""\s*(?:
      \[request\ interrupted|operation\ stopped\ by\ hook|caveat:\ the\ messages\ below|stop\ hook\ feedback|
      (?:pre|post)tooluse:|userpromptsubmit\ |sessionstart(?::|\ hook)|base\ directory\ for\ this\ skill|
      this\ session\ is\ being\ continued\ from|this\ conversation\ is\ being\ continued|
      your\ task\ is\ to\ create\ a\ detailed\ summary|please\ continue\ the\ conversation\ from\ where|
      \#?\s*agents\.md\ instructions|tool\ (?:use|result|loaded)\b|todos\ have\ been\ modified|
      api\ error|no\ response\ requested|unknown\ (?:slash\ command|skill)|\(no\ (?:content|output)\)|
      <(?:environment_context|user_instructions|instructions|permissions)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SLASH_COMMAND = re.compile(r"^\s*/[\w:.-]+(?:\s+\S{1,40}){0,3}\s*$")
_LOG = re.compile(
    r"""^\s*(?:
      [$❯➜⎿⏺⧉●•⨯✘✗✓]\s | >\s*[$>] | <\w+>\s | (?:---|\+\+\+|===|@@|\*\*\*)[\s=]? | (?:\+|-)\s{2,} |
      at\s+[\w.$<>]+\( | File\ "[^"]+",\ line | Traceback | goroutine\ \d | panic: | Caused\ by: |
      \d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d | (?:INFO|WARN|ERROR|DEBUG|FATAL|TRACE)\b[\s:\]] |
      (?:---\s)?(?:FAIL|PASS|ok)(?::|\s{2,}|\t) | [\w./\\-]+\.\w{1,5}:\d+(?::\d+)?:?\s | [\w-]+@[\w-]+[ :~] |
      (?:error|warning|fatal)(?:\[\w+\])?:\s | npm\ ERR | [│├└┌╭╰┃║▸▾>v]\s*[│├└╭╰v] | [\da-f]{7,40}\s |
      [a-z]+:\s\d+$ | .*[\[(][Yy]/[Nn][)\]] | \d+\s*[+-]\s | exit\ (?:code|status) | [{}\[\]()]\s*$ | "[\w-]+":\s |
      (?:import|from|func|def|class|const|let|var|return|if|for)\s.*[({:;]\s*$
    )""",
    re.VERBOSE,
)
_PADDED = re.compile(r"\S {4,}\S")
_SYMBOLS = re.compile(r"[{}\[\]<>=;|\\$^~@&%*+]")
_CODE_SPAN = re.compile(r"`[^`\n]*`|https?://\S+")
_LETTER = re.compile(r"[^\W\d_]")
_CALL = re.compile(r"\w\(|:=|=>|->|==|!=|&&|\|\||::|\)\.")
_ASSIGNMENT = re.compile(
    r"^`?(?:\w*_\w*|[a-z]+[A-Z]\w*)`?\s*[:=]\s*\S{1,24}(?:\s*\(.*\))?\s*$|"
    r"^(?:[a-z]+ ){1,5}[a-z]+: (?:[^:\s]+ ){1,12}[^:\s]+: "
)
_FEWEST_LETTERS = 8
_FEWEST_UNSPACED = 4
_FEWEST_TERMS = 2
_FEWEST_SYMBOLS = 3
_LETTERS_A_SYMBOL = 9
"""Prose has more letters than this for each symbol of code."""
_MOST_CALLS = 3


def machine_made(text: str) -> bool:
    """Say whether a text that stands under a person's name was written by the harness around them."""
    bare = spoken(text)
    return not bare or _HARNESS.match(bare) is not None or _SLASH_COMMAND.match(bare) is not None


def spoken(text: str) -> str:
    """Leave out what a harness wrapped into a text: reminders, command tags, captured output."""
    if "<" not in text:
        return text.strip()
    return _LONE_TAG.sub("", _TAGGED.sub("", text)).strip()


def is_paste(text: str) -> bool:
    """Say whether a block of a person's text comes from a harness, or most of its lines from a terminal."""
    lines = [line for line in text.split("\n") if line.strip()]
    return _HARNESS.match(text) is not None or sum(map(pasted, lines)) * 2 > len(lines)


def pasted(line: str) -> bool:
    """Say whether a line comes from a terminal, a log, a diff or a program."""
    return _LOG.match(line) is not None or _PADDED.search(line.strip()) is not None or code_like(line)


def code_like(text: str) -> bool:
    """Say whether a piece of prose is rather a piece of code that nobody marked as such."""
    bare = _CODE_SPAN.sub("", text)
    letters = len(_LETTER.findall(bare))
    if _ASSIGNMENT.match(text):
        return True
    if letters == 0:
        return not _CODE_SPAN.search(text)
    symbols = len(_SYMBOLS.findall(bare)) - 2 * bare.count("**")
    crowded = symbols >= _FEWEST_SYMBOLS and symbols * _LETTERS_A_SYMBOL > letters
    return crowded or len(_CALL.findall(bare)) > _MOST_CALLS


def says_nothing(plain: str, ear: Ear) -> bool:
    """Say whether a sentence announces, greets, apologises or offers, or is too short to say anything."""
    fewest = _FEWEST_LETTERS if ear.tongue.spaced else _FEWEST_UNSPACED
    if len(_LETTER.findall(plain)) < fewest or len(terms(plain)) < _FEWEST_TERMS:
        return True
    return ear.chatter.match(plain) is not None


def merely_passes(plain: str, ear: Ear) -> bool:
    """Say whether a sentence tells only that checks pass or work is finished."""
    return ear.passing.fullmatch(plain.rstrip(".!")) is not None
