"""Owns which rules the wiki is held to; each rule stands beside this file, by subject.

Pure: the wiki comes in as bytes, and so do the answers of everything outside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.wiki.linting import fronts, likeness, open_questions, reserved, texts, ties, wholes
from pipeline.wiki.linting.sheets import read_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import date

    from pipeline.config import LintSettings
    from pipeline.finding import Finding
    from pipeline.wiki.linting.sheets import Sheet


def lint(
    wiki: Mapping[str, bytes],
    *,
    settings: LintSettings,
    today: date,
    observation_exists: Callable[[str, int], bool] | None = None,
    finds: Callable[[str], tuple[str, ...]] | None = None,
) -> tuple[Finding, ...]:
    """Hold every file of a wiki to the rules; the findings come sorted.

    `observation_exists` says whether a file, by its path below the repository's root, has a line, from 1; `finds`
    names the kinds of secrets in a text. What starts with a dot or an underscore is not published and not looked at.
    """
    files = frozenset(path for path in wiki if _is_published(path))
    sheets = [read_sheet(path, wiki[path]) for path in sorted(files) if path.casefold().endswith(".md")]
    findings: set[Finding] = set(wholes.check_paths(files))
    for sheet in sheets:
        findings.update(_of_one(sheet, files, settings, today))
        findings.update(texts.check_sources(sheet, observation_exists))
        if finds is not None:
            findings.update(texts.check_secrets(sheet, finds))
    findings.update(ties.check(sheets, files))
    findings.update(_of_all(sheets))
    return tuple(sorted(findings, key=lambda found: (found.where.rpartition(":")[0] or found.where, found)))


def _is_published(path: str) -> bool:
    return not any(part.startswith((".", "_")) for part in path.split("/"))


def _of_one(sheet: Sheet, files: frozenset[str], settings: LintSettings, today: date) -> Iterator[Finding]:
    yield from texts.check_keep_markers(sheet)
    if sheet.reserved:
        yield from reserved.check(sheet)
        return
    yield from fronts.check(sheet, files)
    yield from texts.check_metadata(sheet)
    yield from texts.check_footnotes(sheet)
    yield from texts.check_claims(sheet)
    yield from open_questions.check_contradictions(sheet)
    yield from texts.check_size(sheet, settings)
    yield from texts.check_age(sheet, settings, today)


def _of_all(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    catalogue = [sheet.entry for sheet in sheets]
    listed = [entry for entry in catalogue if entry is not None]
    yield from wholes.check_titles(listed)
    yield from likeness.check_likeness(
        {sheet.path: (sheet.entry, sheet.body) for sheet in sheets if sheet.entry is not None}
    )
    yield from wholes.check_indexes(listed, {sheet.path: sheet for sheet in sheets})
