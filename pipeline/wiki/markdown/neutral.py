"""Owns taking the teeth out of a Markdown body that a model wrote; knows nothing of rendering and of pages.

What runs or loads by itself becomes visible text or a plain link; nothing vanishes silently. Site generators
read Markdown a little differently from CommonMark, so that what only one of them takes for code is looked at too.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.positions import is_escaped, read_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.markdown.positions import Code, Source

_TAG = re.compile(r"<(?:(?P<name>/?[A-Za-z][A-Za-z0-9-]*)|/|!|\?)")
_HARMLESS_ADDRESS = re.compile(r"<(?:https?://[^\s<>\"'`]+|mailto:[^\s<>\"'`]+|[\w.+-]+@[\w.-]+)>")
_ANGLED_TARGET = re.compile(r"<[^<>\n\r\"'=`]*>(?=\s*\)| +[\"'])")
_BRACKET_OR_BREAK = re.compile(r"[\[\]]|(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]")
_END_OF_TARGET = re.compile(r"[()\\]|(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]")
_REFERENCE = re.compile(r"\s?\[(?P<label>[^\[\]]*)\]")
_DEFINITION = re.compile(r"\[(?P<label>[^\[\]^][^\[\]]*)\]:\s*(?P<address><?[^\s>]+)")
_ANY_DEFINITION = re.compile(r"\[[^\[\]]*\]:")
_ATTRIBUTES = re.compile(r"\{(?P<colon>:?)[ ]*(?P<content>[^}\n\r ][^}\n\r]*)\}(?P<rest>[ \t]*(?:[|\n\r\[!*_`<~]|\Z))?")
_ATTRIBUTE = re.compile(r"(?:^|\s)(?:[.#][\w-]|[\w:@.-]+\s*=)")
_WORD_BEFORE = re.compile(r"(?<!\S)\S+\Z")
# An element ends here, or a bare address that some readers make a link of.
_TAKES_ATTRIBUTES = re.compile(r"[*_`)\]>~]\Z|://|@|www\.", re.IGNORECASE)
_SNIPPET = re.compile(r"(?<=-8)<(?=-)")
_IGNORED_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff\\<]+")
_RUNS = ("javascript:", "vbscript:", "data:")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*:|[/\\]{2}")
_CONTAINER = re.compile(r" {0,3}(?:!!!|\?\?\?|===|///|:\s|\[\^|[-*+]\s|\d+[.)]\s)")
_FILLED_LINE = re.compile(r"^(?=[^\r\n])", re.MULTILINE)
_INDENT = re.compile(r"^(?: {4}|\t)", re.MULTILINE)

_MOST_ROUNDS = 8
_LONGEST_TARGET = 4_000

_TOLD = {
    "raw-html": "HTML became text",
    "script-link": "a link to a script or to embedded data lost its address",
    "remote-image": "an image that would load from elsewhere became a link",
    "attribute-list": "an attribute list became text",
    "snippet-include": "the inclusion of a file became text",
}


@dataclass(frozen=True, slots=True, order=True)
class _Edit:
    start: int
    end: int
    text: str
    rule: str
    detail: str = ""


@dataclass(slots=True)
class _Seen:
    """What was neutralised: for each rule how often, the first line, and names that help to find it."""

    count: int = 0
    line: int = 0
    details: list[str] = field(default_factory=list)


def neutralise(body: str) -> tuple[str, tuple[Finding, ...]]:
    """Make a model's body harmless; a clean one comes back byte for byte.

    Tags and comments become text, links that run something lose their address, remote images become links,
    attribute lists and inclusions of files become text. Code stays as it is. One finding a rule says how often.
    """
    seen: dict[str, _Seen] = {}
    return _settle(body, seen, 0), _findings(seen)


def _settle(body: str, seen: dict[str, _Seen], first_line: int) -> str:
    """Go on until nothing changes: what a tag hid may have teeth of its own."""
    for _ in range(_MOST_ROUNDS):
        changed = _round(body, seen, first_line)
        if changed == body:
            return body
        body = changed
    # Code and text that keep changing places are no honest page: here no angle bracket and no link survives.
    return body.replace("<", "&lt;").replace("](", "]\\(").replace("]:", "]\\:").replace("{", "\\{")


def _findings(seen: dict[str, _Seen]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            where=f"line {found.line + 1}",
            rule=rule,
            severity="warning",
            message=f"{_TOLD[rule]} ({found.count} in all{_names(found.details)}).",
        )
        for rule, found in sorted(seen.items())
    )


def _names(details: list[str]) -> str:
    distinct = list(dict.fromkeys(details))[:5]
    return f": {', '.join(distinct)}" if distinct else ""


def _round(body: str, seen: dict[str, _Seen], first_line: int) -> str:
    source = read_source(body)
    edits = (
        *_tags(source),
        *_links(source),
        *_definitions(source),
        *_attributes(source),
        *_snippets(source),
        *_containers(source, seen, first_line),
    )
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done:
            continue
        parts += [body[done : edit.start], edit.text]
        done = edit.end
        if edit.rule:
            found = seen.setdefault(edit.rule, _Seen(line=first_line + source.line_at(edit.start)))
            found.count += 1
            found.details += [edit.detail] if edit.detail else []
    return "".join((*parts, body[done:]))


def _is_code(source: Source, position: int) -> bool:
    """Whether every reader takes it for code: indented code in a list, say, is text for some."""
    code = source.code_at(position)
    if code is None or not code.certain:
        return False
    # After nothing but blank lines, an indented line is the first paragraph for some.
    before = source.text[: code.start]
    return code.kind != "indented" or not (code.nested or (before and not before.strip()))


def _tags(source: Source) -> Iterator[_Edit]:
    text = source.text
    for found in _TAG.finditer(text):
        start = found.start()
        if _is_code(source, start) or _HARMLESS_ADDRESS.match(text, start) or _is_target(text, start):
            continue
        # `\<` is no tag for CommonMark, and one for Python-Markdown.
        escaped = is_escaped(text, start)
        yield _Edit(start - escaped, start + 1, "&lt;", "raw-html", (found["name"] or "").lower().removeprefix("/"))


def _is_target(text: str, start: int) -> bool:
    before = text[:start].rstrip(" ")
    line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    return line.endswith("](") and "[" in line[:-2] and _ANGLED_TARGET.match(text, start) is not None


def _links(source: Source) -> Iterator[_Edit]:
    text = source.text
    defined = {found["label"].strip().casefold(): found["address"] for found in _DEFINITION.finditer(text)}
    waiting: list[int] = []
    for found in _BRACKET_OR_BREAK.finditer(text):
        position = found.start()
        if found.group() not in {"[", "]"}:
            waiting.clear()
        elif _is_code(source, position) or is_escaped(text, position):
            continue
        elif found.group() == "[":
            waiting.append(position)
        else:
            opening = waiting.pop() if waiting else None
            yield from _link(text, opening, position, defined)


def _link(text: str, opening: int | None, closing: int, defined: dict[str, str]) -> Iterator[_Edit]:
    image = opening is not None and opening > 0 and text[opening - 1] == "!" and not is_escaped(text, opening - 1)
    if text.startswith("(", closing + 1):
        address = _bare_address(text[closing + 2 : closing + 2 + _LONGEST_TARGET])
        if address.startswith(_RUNS):
            end = _end_of_target(text, closing + 2)
            if opening is None or end is None:
                yield _Edit(closing + 1, closing + 1, "\\", "script-link")
            else:
                yield _Edit(opening - image, opening + 1, "", "script-link")
                yield _Edit(closing, end, "", "")
        elif image and opening is not None and _REMOTE.match(address):
            yield _no_image(text, opening)
    elif image and opening is not None:
        label = text[opening + 1 : closing]
        reference = _REFERENCE.match(text, closing + 1)
        key = ((reference["label"] if reference else "") or label).strip().casefold()
        remote = _REMOTE.match(_bare_address(defined[key])) is not None if key in defined else reference is not None
        if remote:
            yield _no_image(text, opening)


def _no_image(text: str, opening: int) -> _Edit:
    """Take away the `!` before a bracket; another one before it must not take its place."""
    another = opening > 1 and text[opening - 2] == "!" and not is_escaped(text, opening - 2)
    return _Edit(opening - 1 - another, opening, "\\!" if another else "", "remote-image")


def _bare_address(text: str) -> str:
    """Read an address as a browser does: entities decoded, what it skips left out, lowercase."""
    return _IGNORED_IN_ADDRESS.sub("", html.unescape(text)).lower()


def _end_of_target(text: str, start: int) -> int | None:
    depth = 0
    for found in _END_OF_TARGET.finditer(text, start, start + _LONGEST_TARGET):
        if is_escaped(text, found.start()):
            continue
        if found.group() == "(":
            depth += 1
        elif found.group() == ")":
            if depth == 0:
                return found.end()
            depth -= 1
        elif found.group() != "\\":
            break
    return None


def _definitions(source: Source) -> Iterator[_Edit]:
    text = source.text
    for found in _ANY_DEFINITION.finditer(text):
        address = _bare_address(text[found.end() : found.end() + _LONGEST_TARGET])
        start = found.start()
        if not address.startswith(_RUNS) or is_escaped(text, start):
            continue
        code = source.code_at(start)
        # The address may stand on the next line, which need not be indented as well.
        indented = code is not None and code.kind == "indented" and _in_container(source, code)
        if indented or not _is_code(source, start):
            yield _Edit(start, start, "\\", "script-link")


def _attributes(source: Source) -> Iterator[_Edit]:
    text = source.text
    for found in _ATTRIBUTES.finditer(text):
        start = found.start()
        if _is_code(source, start) or is_escaped(text, start):
            continue
        listed = found["colon"] or _ATTRIBUTE.search(found["content"])
        word = _WORD_BEFORE.search(text, max(start - _LONGEST_TARGET, 0), start)
        at_end = word is None and found["rest"] is not None
        if listed or at_end or (word is not None and _TAKES_ATTRIBUTES.search(word.group())):
            yield _Edit(start, start, "\\", "attribute-list")


def _snippets(source: Source) -> Iterator[_Edit]:
    for found in _SNIPPET.finditer(source.text):
        if not _is_code(source, found.start()):
            yield _Edit(found.start(), found.end(), "&lt;", "snippet-include")


def _containers(source: Source, seen: dict[str, _Seen], first_line: int) -> Iterator[_Edit]:
    """Look into what is indented code for CommonMark and the content of a box, tab or footnote for others."""
    for code in source.code:
        if code.kind == "indented" and not code.nested and _in_container(source, code):
            inner = _INDENT.sub("", source.text[code.start : code.end])
            settled = _settle(inner, seen, first_line + source.line_at(code.start))
            if settled != inner:
                yield _Edit(code.start, code.end, _FILLED_LINE.sub("    ", settled), "")


def _in_container(source: Source, code: Code) -> bool:
    """Whether the lines above begin a box, a tab, a list item, a definition or a footnote that may go on here.

    It has ended when a paragraph begins at the margin.
    """
    at_margin = False
    for line in range(source.line_at(code.start) - 1, -1, -1):
        text = source.text[source.starts[line] : source.line_end(line)]
        if not text.strip():
            if at_margin:
                break
        elif _CONTAINER.match(text):
            return True
        else:
            at_margin = not text.startswith(("    ", "\t"))
    return False
