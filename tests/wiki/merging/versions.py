"""Makes three versions of a page: as it was, as a commit left it, as a person left it. Each text stands once."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Literal, get_args

from hypothesis import strategies as st

HEADINGS = ("Causes", "設定の手順", "Steps", "Open questions", "Details")
Kind = Literal["text", "bullets", "steps", "table", "code", "quote"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass
class Leaf:
    text: str
    label: str = ""
    deep: bool = False

    @property
    def marked(self) -> str:
        return f"{self.text}[^{self.label}]" if self.label else self.text


@dataclass
class Block:
    kind: Kind
    leaves: list[Leaf]

    def render(self) -> str:
        if self.kind == "bullets":
            return "\n".join(
                f"{'  ' if leaf.deep and number else ''}- {leaf.marked}" for number, leaf in enumerate(self.leaves)
            )
        if self.kind == "steps":
            return "\n".join(f"{number}. {leaf.marked}" for number, leaf in enumerate(self.leaves, start=1))
        if self.kind == "table":
            return "\n".join(["| a | b |", "| --- | --- |", *(f"| {leaf.marked} | x |" for leaf in self.leaves)])
        if self.kind == "code":
            return "\n".join(["```sh", "# no heading", *(leaf.text for leaf in self.leaves), "```"])
        if self.kind == "quote":
            return "\n".join(f"> {leaf.marked}" for leaf in self.leaves[:1])
        return "\n\n".join(leaf.marked for leaf in self.leaves)


@dataclass
class Part:
    heading: str
    level: int
    blocks: list[Block]
    kept: bool = False

    def render(self) -> str:
        text = "\n\n".join(block.render() for block in self.blocks if block.leaves)
        if self.kept and text:
            text = f"<!-- keep -->\n\n{text}\n\n<!-- /keep -->"
        return "\n\n".join(part for part in (f"{'#' * self.level} {self.heading}", text) if part)


@dataclass
class Model:
    parts: list[Part]
    end: str = "\n"
    newline: str = "\n"

    def labels(self) -> list[str]:
        leaves = [
            leaf
            for part in self.parts
            for block in part.blocks
            for leaf in (block.leaves[:1] if block.kind == "quote" else block.leaves if block.kind != "code" else ())
        ]
        return list(dict.fromkeys(leaf.label for leaf in leaves if leaf.label))

    def body(self) -> str:
        text = "\n\n".join(part.render() for part in self.parts)
        notes = "\n".join(f"[^{label}]: 2026-11-29 14:03, who {label}" for label in self.labels())
        whole = f"{text}\n\n{notes}{self.end}" if notes else f"{text}{self.end}"
        return whole.replace("\n", self.newline)


class Maker:
    """Draws versions; every text that it makes is another one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0

    def text(self, who: str) -> str:
        self.count += 1
        words = self.draw(st.sampled_from(["port", "the cache", "`flag`", "値は", "*loud*", "retry"]))
        return f"{who}{self.count} {words} is {self.count * 7}."

    def leaf(self, who: str) -> Leaf:
        text = self.text(who)
        return Leaf(text, self.draw(st.sampled_from(["", f"o-{self.count:010x}"])), self.draw(st.booleans()))

    def block(self, who: str) -> Block:
        kind = self.draw(st.sampled_from(KINDS))
        return Block(kind, [self.leaf(who) for _ in range(self.draw(st.integers(1, 3)))])

    def part(self, who: str, heading: str, level: int) -> Part:
        return Part(heading, level, [self.block(who) for _ in range(self.draw(st.integers(0, 2)))])

    def model(self) -> Model:
        parts = [self.part("Was", "Title", 1)]
        for _ in range(self.draw(st.integers(0, 4))):
            heading = self.draw(st.sampled_from(HEADINGS))
            parts.append(self.part("Was", heading, self.draw(st.sampled_from([2, 2, 3]))))
        return Model(parts, self.draw(st.sampled_from(["\n", "\n", ""])))

    def edited(self, model: Model, who: str, edits: int) -> Model:
        """Change a version in some ways that both sides may."""
        model = copy.deepcopy(model)
        for _ in range(edits):
            part = self.draw(st.sampled_from(model.parts))
            blocks = [block for block in part.blocks if block.leaves and not part.kept]
            block = self.draw(st.sampled_from(blocks)) if blocks else None
            self._edit(model, part, block, who)
        return model

    def _edit(self, model: Model, part: Part, block: Block | None, who: str) -> None:
        ways = ["part", "block", "drop part", *(["add", "reword", "reword", "drop", "cite"] if block else [])]
        ways += ["rename", "keep", "move", "newline", "end"] if who == "Person" else []
        way = self.draw(st.sampled_from(ways))
        place = self.draw(st.integers(0, 3))
        if way in {"add", "reword", "drop", "cite"} and block is not None:
            self._edit_block(block, way, place, who)
        elif way in {"drop part", "rename", "move"} and part is not model.parts[0]:
            self._edit_outline(model, part, way, place, who)
        elif way == "part":
            model.parts.insert(max(1, place), self.part(who, self.draw(st.sampled_from((*HEADINGS, f"New {who}"))), 2))
        elif way == "block" and not part.kept:
            part.blocks.insert(place, self.block(who))
        part.kept |= way == "keep"
        model.newline = "\r\n" if way == "newline" else model.newline
        model.end = "" if way == "end" else model.end

    def _edit_outline(self, model: Model, part: Part, way: str, place: int, who: str) -> None:
        if way == "rename":
            part.heading = f"Renamed {self.text(who)}"
            return
        model.parts.remove(part)
        if way == "move":
            model.parts.insert(max(1, place), part)

    def _edit_block(self, block: Block, way: str, place: int, who: str) -> None:
        leaf = block.leaves[min(place, len(block.leaves) - 1)]
        if way == "add":
            block.leaves.insert(place, self.leaf(who))
        elif way == "drop":
            block.leaves.remove(leaf)
        elif way == "cite":
            self.count += 1
            leaf.label = f"o-{self.count + 1000:010x}"
        else:
            leaf.text = f"{leaf.text[:-1]}, says {self.text(who)}"


@st.composite
def versions(draw: st.DrawFn) -> tuple[Model, Model, Model]:
    """Give a page as it was, as the commit left it, and as it stands."""
    maker = Maker(draw)
    before = maker.model()
    after = maker.edited(before, "Commit", draw(st.integers(1, 4)))
    return before, after, maker.edited(before, "Person", draw(st.integers(1, 4)))
