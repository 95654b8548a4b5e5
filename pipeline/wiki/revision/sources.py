"""Owns what stands for an observation on a page: a footnote label, a source in the front matter, a definition.

A draft cites handles (`[^o12]`) that live as long as a run; a page cites labels (`[^o-3f2a9c1e55]`) that hold for
ever, because they are made from the observation's id. Knows no draft and no section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from pipeline.text import one_line
from pipeline.wiki.markdown.links import decode, encode, join, relative
from pipeline.wiki.markdown.quoting import quote_inline

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.observations.observation import Observation
    from pipeline.projection import Shown
    from pipeline.wiki.format.frontmatter import Yaml

_HANDLE = re.compile(r"o[1-9][0-9]*\Z")
_LABEL = re.compile(r"o-[0-9a-f]{10,}\Z")
_RESOURCE = re.compile(r"(?P<path>.+)#L(?P<line>[1-9][0-9]*)\Z")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b")
_TITLE = re.compile(r"(?P<time>\d{4}-\d{2}-\d{2} \d{2}:\d{2}) (?P<who>.+?): ")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/")

_SIZES = (5, 8, 16, 32)
"""Bytes of a label, in the order in which they are tried; the first is enough unless two labels collide."""

_QUOTED = 80
_LOOKED_AT = 2_000
_BLOCK_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|(?:`{3,}|~{3,})[^\n`]*$)", re.MULTILINE)
_PAIRED = re.compile(r"(\*\*|`)(?=\S)([^*`\n]+?)(?<=\S)\1")
_NAME = 60


def is_handle(label: str) -> bool:
    """Whether a footnote label has the form of a handle, such as `o12`."""
    return _HANDLE.match(label) is not None


def is_label(label: str) -> bool:
    """Whether a footnote label has the form of a source id, such as `o-3f2a9c1e55`."""
    return _LABEL.match(label) is not None


def source_id(observation_id: str, size: int = _SIZES[0]) -> str:
    """Make the label of an observation from its id; a larger `size` tells apart two that collide."""
    return f"o-{blake2b(observation_id.encode('utf-8', 'surrogatepass'), digest_size=size).hexdigest()}"


def labels_of(observation_id: str) -> tuple[str, ...]:
    """Give every label, of whatever length, that can have been made from an id; the usual one first."""
    return tuple(source_id(observation_id, size) for size in _SIZES)


def who(observation: Observation) -> str:
    """Name who an observation comes from, in one line: the author, else the role."""
    return one_line(observation.author, _NAME) or observation.role


def actor(observation: Observation) -> str:
    """Name who an observation comes from in the form of OKF, section 7."""
    if observation.role == "user":
        return f"human:{one_line(observation.author, _NAME) or 'unknown'}"
    agent = one_line(observation.agent_kind, _NAME).replace("/", "-").replace(" ", "-")
    return f"{agent or 'unknown'}/unversioned"


def moment(observation: Observation) -> str:
    """Write an observation's time to the minute, in UTC, as sources and footnotes have it."""
    return f"{observation.ts:%Y-%m-%d %H:%M}"


def definition(observation: Observation) -> str:
    """Render what an observation's footnote says."""
    return f"{moment(observation)}, {quote_inline(who(observation))}"


def resource(page: str, observation: Observation, *, folder: str, depth: int) -> str:
    """Give the path from a page to an observation's line.

    `folder` is the observations folder, below the repository's root; `depth` says how many folders the wiki's
    root lies below it.
    """
    up = "../" * (page.count("/") + depth)
    return f"{up}{encode(folder)}/{encode(observation.place.file)}#L{observation.place.line}"


def located(page: str, address: str) -> tuple[str, int] | None:
    """Read a resource that `resource` wrote: the file, below the repository's root, and the line."""
    found = _RESOURCE.match(address)
    if found is None or "://" in address:
        return None
    path = decode(join(page, found["path"]))
    while path.startswith("../"):
        path = path.removeprefix("../")
    return path, int(found["line"])


def describe(shown: Shown, label: str, page: str, *, folder: str, depth: int) -> dict[str, Yaml]:
    """Make the entry of an observation in the front matter's `sources`."""
    observation = shown.observation
    return {
        "id": label,
        "resource": resource(page, observation, folder=folder, depth=depth),
        "title": f"{moment(observation)} {who(observation)}: {_beginning(shown.text)}",
        "author": actor(observation),
    }


def _beginning(text: str) -> str:
    """Give how an observation begins, without the marks of Markdown: a title is shown as the plain text that it is."""
    seen = _PAIRED.sub(r"\2", _BLOCK_MARK.sub("", text[:_LOOKED_AT]))
    return one_line(seen, _QUOTED) or one_line(text, _QUOTED)


def entries(front: Mapping[str, Yaml]) -> list[Mapping[str, Yaml]]:
    """Give the entries of `sources` that are mappings; a single one may stand without a list."""
    listed = front.get("sources")
    return [entry for entry in (listed if isinstance(listed, list) else [listed]) if isinstance(entry, dict)]


def newest_time(front: Mapping[str, Yaml]) -> str:
    """Find the time of a page's newest source (`2026-11-29 14:03`), else the day of its last change, else nothing."""
    titles = (entry.get("title") for entry in entries(front))
    times = [found.group() for title in titles if isinstance(title, str) and (found := _TIME.match(title))]
    generated = front.get("generated")
    at = generated.get("at") if isinstance(generated, dict) else None
    return max(times, default=str(at)[:10] if at else "")


def definition_of(entry: Mapping[str, Yaml]) -> str:
    """Render what the footnote of an entry in `sources` says."""
    title = one_line(str(entry.get("title") or entry.get("resource") or ""), _QUOTED)
    found = _TITLE.match(title)
    return f"{found['time']}, {quote_inline(found['who'])}" if found else quote_inline(title)


@dataclass(frozen=True, slots=True)
class Standing:
    """A source of another page that the model was shown."""

    page: str
    entry: Mapping[str, Yaml]


@dataclass(slots=True)
class Footnotes:
    """Turns the labels of a draft into those of one page, and remembers what they need in order to stand there.

    `shown` are the window's observations by handle, `standing` the page's sources by id, `elsewhere` those of the
    other pages that the model was shown, `own` the labels that the page itself defines, a person's among them.
    """

    page: str
    folder: str
    depth: int
    shown: Mapping[str, Shown]
    standing: Mapping[str, Mapping[str, Yaml]]
    elsewhere: Mapping[str, Standing] = field(default_factory=dict)
    own: Collection[str] = ()
    added: dict[str, dict[str, Yaml]] = field(default_factory=dict)
    """New entries for `sources`, by label, in the order of their first citation."""
    definitions: dict[str, str] = field(default_factory=dict)
    """What the footnotes of new entries say, by label."""
    unknown: list[str] = field(default_factory=list)
    """Labels that name nothing that was shown."""
    observations: set[str] = field(default_factory=set)
    """Ids of the observations that were cited."""
    _labels: dict[str, str] = field(default_factory=dict)

    def is_own(self, label: str) -> bool:
        """Whether a label is a person's: the page defines it, and it names no source and nothing that was shown."""
        return label in self.own and label not in self.shown and not is_label(label)

    def mark(self, label: str) -> str:
        """Give the text that stands for `[^label]` on the page."""
        if self.is_own(label):
            return f"[^{label}]"
        if is_handle(label):
            found = self._cite(self.shown[label]) if label in self.shown else ""
        elif is_label(label):
            found = self._keep(label)
        else:
            return f"\\[^{label}]"
        if not found:
            self.unknown.append(label)
        return f"[^{found}]" if found else ""

    def _cite(self, shown: Shown) -> str:
        identity = shown.observation.id
        self.observations.add(identity)
        if identity not in self._labels:
            self._labels[identity] = self._label(shown)
        return self._labels[identity]

    def _label(self, shown: Shown) -> str:
        for size in _SIZES:
            label = source_id(shown.observation.id, size)
            entry = describe(shown, label, self.page, folder=self.folder, depth=self.depth)
            other = self.standing.get(label)
            if other is not None and _same(other, entry):
                break
            if other is None and label not in self.added:
                self.added[label] = entry
                self.definitions[label] = definition(shown.observation)
                break
        return label

    def _keep(self, label: str) -> str:
        if label in self.standing or label in self.added:
            return label
        found = self.elsewhere.get(label)
        if found is None:
            return ""
        entry = dict(found.entry)
        address = entry.get("resource")
        if isinstance(address, str) and not _SCHEME.match(address):
            entry["resource"] = relative(self.page, join(found.page, address))
        self.added[label] = entry
        return label


def _same(one: Mapping[str, Yaml], other: Mapping[str, Yaml]) -> bool:
    if one.get("resource") == other.get("resource"):
        return True
    return bool(one.get("title")) and all(one.get(key) == other.get(key) for key in ("title", "author"))
