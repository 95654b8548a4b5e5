"""Owns how YAML that a person may have written becomes values; knows nothing of pages.

What has a plain meaning is read and reported, what has none is refused. `1.10`, `010` and `10:30` stay the text
that their writer saw, whatever number YAML makes of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml.constructor import SafeConstructor

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.format.yaml_text import LONGEST_KEY, float_text

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from pipeline.finding import Severity
    from pipeline.wiki.format.yaml_text import Yaml

LARGEST = 256 * 1024
"""Characters of a block; a page with a thousand sources needs less."""

_MOST_VALUES = 20_000
_DEEPEST = 20
_TAGS = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_KINDS = frozenset({"bool", "int", "float", "timestamp", "value"})
_TRUE = frozenset({"yes", "true", "on"})
_TABS = re.compile(r"^[ ]*\t[ \t]*|(?<=[:-])[ ]*\t[ \t]*", re.MULTILINE)
_MEND = "Mend the front matter by hand; wikimill leaves the page as it is until then."

TEXT_KEYS = frozenset(
    {
        "agent_kind",
        "aliases",
        "author",
        "by",
        "description",
        "id",
        "resource",
        "session_id",
        "status",
        "tags",
        "title",
        "type",
    }
)
"""Keys whose values are texts: `title: 2026` and `tags: [on, 1.0]` mean what is written."""

_HOLD_TEXT_KEYS = frozenset({"generated", "sources", "verified"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """The values of a block, the line (from 0) on which each key stands, and what was wrong with them."""

    front: dict[str, Yaml]
    lines: tuple[tuple[str, int], ...] = ()
    findings: tuple[Finding, ...] = ()


def read_yaml(block: str, where: str) -> Parsed | None:
    """Read a block whose lines end with a line feed; None when it holds a text or a list and no keys.

    Raises `Rejected` when it cannot be parsed, is too large, or holds what only a program could mean.
    """
    if len(block) > LARGEST:
        raise Rejected(f"the front matter has more than {LARGEST:,} characters.", where=where, next_step=_MEND)
    node, tabs = _compose(block, where)
    reader = _Reader(where)
    if tabs:
        reader.tell("front-matter-tabs", "warning", "the front matter holds tabs; they were read as spaces.")
    if node is None:
        return Parsed({}, (), tuple(reader.findings))
    if not isinstance(node, yaml.MappingNode):
        return None
    front = reader.mapping(node, TEXT_KEYS, 0)
    lines = tuple((_written(key), key.start_mark.line) for key, _ in node.value)
    return Parsed(front, lines, tuple(reader.findings))


class _Nodes:
    """A loader that stops at the nodes, for python-frontmatter; the C parser is ten times faster where it is there."""

    def __init__(self, stream: str) -> None:
        self._loader = yaml.CSafeLoader(stream) if yaml.__with_libyaml__ else yaml.SafeLoader(stream)

    def get_single_data(self) -> yaml.Node | None:
        return self._loader.get_single_node()

    def dispose(self) -> None:
        self._loader.dispose()


def _compose(block: str, where: str) -> tuple[yaml.Node | None, bool]:
    try:
        return _parse(block), False
    except yaml.YAMLError as fault:
        without_tabs = _TABS.sub(lambda found: "  " * max(found.group().count("\t"), 1), block)
        if without_tabs != block:
            try:
                return _parse(without_tabs), True
            except yaml.YAMLError:
                pass
        raise Rejected(f"the front matter is not valid YAML{_place(fault)}.", where=where, next_step=_MEND) from None
    except RecursionError:
        raise Rejected("the front matter is nested too deeply.", where=where, next_step=_MEND) from None


def _parse(block: str) -> yaml.Node | None:
    node: object = YAMLHandler().load(block, Loader=_Nodes)
    return node if isinstance(node, yaml.Node) else None


def _place(fault: yaml.YAMLError) -> str:
    if not isinstance(fault, yaml.MarkedYAMLError) or fault.problem_mark is None:
        return ""
    # The block begins on the page's second line.
    return f" (line {fault.problem_mark.line + 2}: {fault.problem})"


def _written(node: yaml.Node) -> str:
    return node.value if isinstance(node, yaml.ScalarNode) and isinstance(node.value, str) else ""


@dataclass(slots=True)
class _Reader:
    where: str
    findings: list[Finding] = field(default_factory=list)
    values: int = 0

    def tell(self, rule: str, severity: Severity, message: str) -> None:
        self.findings.append(Finding(self.where, rule, severity, message))

    def mapping(self, node: yaml.MappingNode, text_keys: Collection[str], depth: int) -> dict[str, Yaml]:
        entries: dict[str, Yaml] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key in entries:
                message = f"the key '{key[:60]}' stands twice in the front matter; the last one counts."
                self.tell("front-matter-duplicate-key", "warning", message)
            inner = TEXT_KEYS if depth == 0 and key in _HOLD_TEXT_KEYS else ()
            entries[key] = self._value(value_node, key, inner, depth=depth + 1, text=key in text_keys)
        return entries

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag == f"{_TAGS}merge":
            raise self._refused("holds a key that is no text")
        if len(_written(node)) > LONGEST_KEY:
            raise self._refused(f"holds a key of more than {LONGEST_KEY} characters")
        if node.tag != f"{_TAGS}str":
            message = f"the key '{node.value[:60]}' is no text for YAML; write it in quotes."
            self.tell("front-matter-key", "warning", message)
        return _written(node)

    def _value(self, node: yaml.Node, key: str, text_keys: Collection[str], *, depth: int, text: bool) -> Yaml:
        self.values += 1
        if self.values > _MOST_VALUES or depth > _DEEPEST:
            raise self._refused("holds too many values, or nests them too deeply")
        if not node.tag.startswith(_TAGS):
            raise self._refused("holds a tag that only a program could mean")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, key, text=text)
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAGS}map":
            return self.mapping(node, text_keys, depth)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAGS}seq":
            return [self._value(item, key, text_keys, depth=depth + 1, text=text) for item in node.value]
        raise self._refused("holds a tag that only a program could mean")

    def _scalar(self, node: yaml.ScalarNode, key: str, *, text: bool) -> Yaml:
        kind = node.tag.removeprefix(_TAGS)
        written = _written(node)
        if kind == "str":
            return written
        if kind == "null":
            return None
        if kind not in _KINDS:
            raise self._refused("holds a tag that only a program could mean")
        value = None if text else _typed(node, kind, written)
        if value is None:
            message = (
                f"the value of '{key[:60]}' is no text for YAML; it was read as it is written. Write it in quotes."
            )
            self.tell("front-matter-text", "note", message)
            return written
        return value

    def _refused(self, what: str) -> Rejected:
        return Rejected(f"the front matter {what}.", where=self.where, next_step=_MEND)


def _typed(node: yaml.ScalarNode, kind: str, written: str) -> bool | int | float | date | None:
    """Read what is no text; None for a number in a form that another reader could take for another value."""
    if kind == "bool":
        return written.lower() in _TRUE
    try:
        if kind == "int":
            return int(written) if _INTEGER.fullmatch(written) else None
        if kind == "float":
            number = float(written.replace(".inf", "inf").replace(".nan", "nan"))
            return number if float_text(number) == written else None
        if kind == "timestamp":
            moment: date = SafeConstructor().construct_yaml_timestamp(node)
            return moment
    except (ValueError, OverflowError):
        pass
    return None
