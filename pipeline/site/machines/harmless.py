"""Owns what must not stand in a published Markdown file: markup that some reader of Markdown would run.

A page is published as it was written. Only a tag that runs or loads something, any tag with attributes that are not
known to be harmless, a link to a script or to embedded data, and a list of attributes (`{: onclick=... }`) that runs or
hides something lose their teeth: `<` becomes `&lt;`, the bracket or brace gets a backslash. All stays readable. Code
stays as it is. Knows no page and no front matter.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.positions import is_escaped, read_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.markdown.positions import Source

_RUNNING = """
    animate animatemotion animatetransform applet audio base basefont bgsound body button command dialog embed fieldset
    foreignobject form frame frameset head html iframe image input isindex keygen link listing marquee math meta
    noembed noframes noscript object option output param picture plaintext portal script select set slot source
    style svg template textarea title track use video xml xmp xss
"""
_PLAIN = """
    a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4
    h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot
    th thead tr u ul var
"""
_VALUES = "id|class|name|title|alt|lang|dir|align|width|height|colspan|rowspan|start"
_HARMLESS_TAG = re.compile(
    rf"</?(?:{'|'.join(_PLAIN.split())})"
    rf"(?:\s++(?:open|reversed|(?:{_VALUES})=\"[^\"<>&]*+\""
    r"|(?:href|src)=\"(?:(?:https?://|mailto:)[^\"<>\s]*+|[^\":&<>\s\\\x00-\x1f]*+)\"))*+\s*+/?>",
    re.IGNORECASE,
)
_HARMLESS_ADDRESS = re.compile(r"<(?:https?://[^\s<>\"'`]+|mailto:[^\s<>\"'`]+|[\w.+-]+@[\w.-]+)>")
_ANGLED_TARGET = re.compile(r"<[^<>\n\r\"'=`/][^<>\n\r\"'=`]*>(?=\s*\)| +[\"'])")
_TAG = re.compile(
    rf"<(?:(?P<runs>/?(?:{'|'.join(_RUNNING.split())})(?![\w-])|(?:javascript|vbscript|data):)|(?!!--)[A-Za-z/!?])",
    re.IGNORECASE,
)
# A `>` that begins a line may be the mark of a quotation, which is taken away before tags are read.
_ENDS = re.compile(r"(?:\A|(?<=[\r\n]))[ \t>]+|(?P<end>>)|(?P<value>=)")
_IGNORED = r"\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff\\<>"
"""What browsers and readers of Markdown step over in front of an address, and the marks of quotations."""
_ADDRESS = re.compile(rf"\](?P<mark>[(:])(?=[{_IGNORED}]*+[jvd&])", re.IGNORECASE)
_SKIPPED = re.compile(rf"[{_IGNORED}]+")
_RUNS = ("javascript:", "vbscript:", "data:")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\r\n]{1,200}\Z")

_OPENS = re.compile(r"[<{]|\][(:]")
_BRACE = re.compile(r"\{")
_LINE_END = re.compile(r"[\r\n]|\Z")
_RUNS_IN_LIST = re.compile(
    r"(?<![\w-])(?:on\w+|style|srcdoc|srcset|src|href|xlink:href|action|formaction|data|background)\s*=", re.IGNORECASE
)

_MOST_ROUNDS = 8
_SHORT = 48
_LONG = 4_000
"""Characters of an address that are looked at, at first and when they hold next to nothing but fillers."""


def harmless(text: str) -> str:
    """Return a Markdown text in which nothing runs; one in which nothing did comes back as it is."""
    for _ in range(_MOST_ROUNDS):
        found = tuple(_found(text))
        if not found:
            return text
        source = read_source(text)
        # What a tag hid may be code or not once the tag is text, so each round looks at all of it again.
        changed = _without(text, [place for place in found if not _is_code(source, place)])
        if changed == text:
            return text
        text = changed
    return without_markup(text)


def without_markup(text: str) -> str:
    """Return a text in which nothing runs, for what is no Markdown: nothing counts as code there."""
    while found := tuple(_found(text)):
        text = _without(text, found)
    return text


def may_run(text: str) -> bool:
    """Whether something in a text could run, code or not."""
    return _OPENS.search(text) is not None and next(_found(text), None) is not None


def _without(text: str, places: list[int] | tuple[int, ...]) -> str:
    parts: list[str] = []
    done = 0
    for place in sorted(places):
        if text[place] == "<":
            # `\<` is no tag for CommonMark, and one for Python-Markdown.
            start = place - is_escaped(text, place)
            parts += [text[done:start], "&lt;"]
        elif text[place] == "{":
            parts += [text[done:place], "\\{"]
        else:
            parts += [text[done : place + 1], "\\"]
        done = place + 1
    return "".join((*parts, text[done:]))


def _is_code(source: Source, place: int) -> bool:
    """Whether every reader takes it for code; indented code is text for some."""
    code = source.code_at(place)
    return code is not None and code.certain and code.kind != "indented"


def _found(text: str) -> Iterator[int]:
    """Give where tags (their `<`), links (their `]`) and lists of attributes (their `{`) stand that may run."""
    if "<" in text:
        yield from _tags(text)
    if "](" in text or "]:" in text:
        yield from (found.start() for found in _ADDRESS.finditer(text) if _leads_to_script(text, found))
    if "{" in text:
        yield from _lists(text)


def _tags(text: str) -> Iterator[int]:
    ends = _ENDS.finditer(text)
    end = next(ends, None)
    for found in _TAG.finditer(text):
        start = found.start()
        while end is not None and (end.start() < start or end.lastgroup is None):
            end = next(ends, None)
        has_value = end is not None and end.lastgroup == "value"
        if not (found["runs"] or has_value) or _HARMLESS_TAG.match(text, start):
            continue
        if _HARMLESS_ADDRESS.match(text, start) or (
            text[max(start - 2, 0) : start] == "](" and _ANGLED_TARGET.match(text, start)
        ):
            continue
        yield start


def _lists(text: str) -> Iterator[int]:
    """Give the braces that may open a list of attributes with one that runs: it goes to the last brace of its line."""
    brace = text.find("{")
    while brace >= 0:
        end = _end_of_line(text, brace)
        last = text.rfind("}", brace, end)
        running = [found.start() for found in _RUNS_IN_LIST.finditer(text, brace, max(last, brace))]
        if running:
            braces = _BRACE.finditer(text, brace, running[-1])
            yield from (found.start() for found in braces if not is_escaped(text, found.start()))
        brace = text.find("{", end)


def _end_of_line(text: str, place: int) -> int:
    found = _LINE_END.search(text, place)
    return found.start() if found else len(text)


def _leads_to_script(text: str, found: re.Match[str]) -> bool:
    start = found.end()
    bare = _bare(text[start : start + _SHORT])
    if len(bare) < len(_RUNS[0]) and start + _SHORT < len(text):
        bare = _bare(text[start : start + _LONG])
        if len(bare) < len(_RUNS[0]) and start + _LONG < len(text):
            return True
    scheme = next((runs for runs in _RUNS if bare.startswith(runs)), "")
    if not scheme:
        return False
    is_footnote = found["mark"] == ":" and _FOOTNOTE.search(text, max(start - 204, 0), start - 2)
    # `[^a]: data: from the log` is the text of a footnote.
    return not (is_footnote and re.match(rf"\s*{scheme}(?:\s|\Z)", text[start : start + _SHORT], re.IGNORECASE))


def _bare(text: str) -> str:
    """Read the beginning of an address as a browser does: entities decoded, what it skips left out, lowercase."""
    return _SKIPPED.sub("", html.unescape(text)).lower()
