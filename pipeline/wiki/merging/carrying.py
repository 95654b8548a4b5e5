"""Owns which way each file of a commit is carried over, by what kind of file it is, and the whole that comes of it.

Reads of what stands only the files that the commit changed; all pages where an index must be made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.derived.indexes import is_index
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.merging.listings import merge_log, renew_indexes
from pipeline.wiki.merging.pages import merge_page, page_gone
from pipeline.wiki.merging.records import is_record, merge_record
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.revision.supersede import superseded_by
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Mapping

Change = tuple["bytes | None", "bytes | None"]


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """The files to write, by path below the wiki's root (nothing for one that goes), and what is to be told."""

    files: Mapping[str, bytes | None]
    findings: tuple[Finding, ...]


def carry_over(changed: Mapping[str, Change], standing: Mapping[str, bytes]) -> CarriedOver:
    """Carry what a commit changed over to the wiki that stands.

    `changed` gives each path that the commit changed, below the wiki's root, with its bytes before and after;
    `standing` may read its files when they are asked for. Files that stay as they are are left out. The same commit
    once more on what came of it changes nothing.
    """
    desk = _Desk(changed, standing)
    for path in sorted(changed):
        desk.carry(path)
    desk.renew()
    return desk.carried()


class _Desk:
    def __init__(self, changed: Mapping[str, Change], standing: Mapping[str, bytes]) -> None:
        self._changed = changed
        self._wiki = standing
        self._result: dict[str, bytes | None] = {}
        self._findings: list[Finding] = []
        self._met = False
        self._names: dict[str, str] | None = None

    def carried(self) -> CarriedOver:
        """Give what has been done."""
        files = {path: raw for path, raw in sorted(self._result.items()) if raw != self._wiki.get(path)}
        return CarriedOver(files, tuple(dict.fromkeys(self._findings)))

    def carry(self, path: str) -> None:
        """Carry one file over, but for an index that must be made anew."""
        before, after = self._changed[path]
        target = self._twin(path) if before is None and is_page(path) else path
        stands = self._wiki.get(target)
        if is_page(path) and after is not None and not self._successor_stands(path, before, after):
            return
        if stands in {before, after}:
            self._result[target] = after
            return
        self._met |= is_page(path) or is_index(path)
        if not is_index(path):
            self._result[target] = self._merge(target, before, after, stands)

    def renew(self) -> None:
        """Make the indexes above what changed anew, where a page or an index met another change."""
        if not self._met:
            return
        overlay = Overlay(self._wiki)
        overlay.put({path: raw for path, raw in self._result.items() if not is_index(path)})
        indexes = {path for path in self._changed if is_index(path)}
        pages = [path for path, raw in self._result.items() if is_page(path) and raw != self._wiki.get(path)]
        made = renew_indexes(overlay, [*pages, *sorted(indexes)])
        # What the commit made of an index is told from other pages than those that stand now.
        self._result = {path: raw for path, raw in self._result.items() if not is_index(path)}
        self._result |= {path: raw for path, raw in made.items() if path in indexes or path in self._wiki}

    def _merge(self, path: str, before: bytes | None, after: bytes | None, stands: bytes | None) -> bytes | None:
        if is_record(path):
            return merge_record(path, before, after, stands)
        if path.rpartition("/")[2].casefold() == LOG:
            return merge_log(before, after, stands)
        if stands is None and before is not None and after is not None:
            gone = page_gone(path, before, after) if is_page(path) else _kept(path, "was removed", "stays so")
            self._findings.append(gone)
        elif stands is not None and after is None:
            self._findings.append(_kept(path, "was changed", "stays, though the commit removed it"))
        elif stands is not None and after is not None and is_page(path):
            merged = merge_page(path, before, after, stands)
            self._findings += merged.findings
            return merged.raw
        else:
            self._findings.append(_kept(path, "was changed", "stays as it is"))
        return stands

    def _twin(self, path: str) -> str:
        """Find the page that stands under a name which some systems take for that of a new one."""
        if path in self._wiki:
            return path
        if self._names is None:
            self._names = {portable(one): one for one in self._wiki}
        return self._names.get(portable(path), path)

    def _successor_stands(self, path: str, before: bytes | None, after: bytes) -> bool:
        """Whether the page that supersedes this one by the commit is there; else this one stays in force."""
        if b"superseded_by" not in after:
            return True
        try:
            page = parse_page(path, after)
            successor = superseded_by(page, path)
            old = superseded_by(parse_page(path, before), path) if before is not None else ""
        except Rejected:
            return True
        made = self._changed.get(successor, (None, None))
        there = successor in self._wiki or (made[0] is None and made[1] is not None)
        if not successor or successor == old or there:
            return True
        message = f"the page stays in force: {successor}, which was to supersede it, was removed meanwhile."
        self._findings.append(Finding(path, "successor-gone", "warning", message))
        return False


def _kept(path: str, done: str, outcome: str) -> Finding:
    message = f"the file {done} meanwhile, and {outcome}."
    return Finding(path, "file-kept", "warning", message, "Compare the two, and keep what holds.")
