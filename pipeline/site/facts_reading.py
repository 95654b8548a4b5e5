"""Owns how a page becomes facts: its front matter checked, its Markdown parsed once. Knows no other page and no HTML.

Whatever a page holds, something is told of it and nothing is raised: what is not of the right form counts as absent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.draft import FOLDERS
from pipeline.site.facts import Facts, Outgoing, Verified
from pipeline.site.passages import Passages
from pipeline.wiki.format.page import trust_tier
from pipeline.wiki.linting.texts import as_day
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import UNSOURCED, claims_of
from pipeline.wiki.markdown.links import resolve
from pipeline.wiki.markdown.remarks import CONTRADICTION, is_contradiction
from pipeline.wiki.revision.sources import newest_time
from pipeline.wiki.sections.keep import keep_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.site.facts import Origin, Section, Status
    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.format.page import Page
    from pipeline.wiki.markdown.blocks import Blocks

_OURS: Final = "wikimill/"
_PERSON: Final = "human:"
_MOST_SUPPORTED: Final = 3
"""Statements that are kept of those which one footnote supports."""
_LONGEST_SUPPORTED: Final = 400
"""Unicode characters of such a statement."""
_KINDS: Final = frozenset(FOLDERS.values())
_STATUSES: Final[dict[str, Status]] = {"stable": "stable", "draft": "draft", "deprecated": "deprecated"}
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_DIRECTIONS: Final = frozenset({"ltr", "rtl", "auto"})


def read_facts(path: str, page: Page) -> Facts:
    """Tell what there is to know of the page at `path`, below the wiki's root; its Markdown is parsed once."""
    front = page.front
    blocks = read_blocks(page.body)
    passages = Passages(page.body, blocks)
    sections = tuple(passages.sections())
    by, generated_on = _generated(front)
    project, kind = _home(path)
    claims, unsourced, contradicted = _counted(page.body, blocks, is_ours=by.startswith(_OURS))
    return Facts(
        path=path,
        page=page,
        title=_title(path, front, sections),
        type=page.type,
        description=page.description,
        tags=tuple(dict.fromkeys(page.tags)),
        aliases=tuple(dict.fromkeys(page.aliases)),
        status=_STATUSES.get(page.status, "other"),
        tier=trust_tier(page),
        origin=_origin(by),
        model="" if by.startswith(_PERSON) else by.removeprefix(_OURS),
        generated_on=generated_on,
        changed_on=generated_on or newest_time(front)[:10],
        verified=tuple(_verified(front)),
        stale_after=_day(front.get("stale_after")),
        sources=page.sources,
        session_ids=_session_ids(front),
        agent_kind=_text(front.get("agent_kind")),
        project=project,
        folder=path.rpartition("/")[0],
        kind=kind,
        superseded_by=_successor(path, front),
        links=tuple(_outgoing(path, passages)),
        sections=sections,
        cited=passages.cited(),
        claims=claims,
        unsourced=unsourced,
        contradicted=contradicted,
        supported=_supported(blocks),
        language=language_of(front),
        direction=direction_of(front),
    )


def is_ours(facts: Facts) -> bool:
    """Whether wikimill wrote a page, with a model or without one."""
    return _generated(facts.page.front)[0].startswith(_OURS)


def _text(value: Yaml) -> str:
    if value is None or isinstance(value, list | dict):
        return ""
    return " ".join(str(value).split())


def _day(value: Yaml) -> str:
    day = as_day(value)
    return day.isoformat() if day else ""


def _title(path: str, front: Mapping[str, Yaml], sections: tuple[Section, ...]) -> str:
    heading = next((section.title for section in sections if section.level == 1 and section.title), "")
    return _text(front.get("title")) or heading or path.rpartition("/")[2].removesuffix(".md").replace("-", " ")


def _generated(front: Mapping[str, Yaml]) -> tuple[str, str]:
    value = front.get("generated")
    return (_text(value.get("by")), _day(value.get("at"))) if isinstance(value, dict) else ("", "")


def _origin(by: str) -> Origin:
    return "hand" if not by or by.startswith(_PERSON) else "extractive" if by == f"{_OURS}extractive" else "model"


def _verified(front: Mapping[str, Yaml]) -> Iterator[Verified]:
    value = front.get("verified")
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict) and _text(entry.get("by")):
            yield Verified(_text(entry.get("by")), _day(entry.get("at")))


def _session_ids(front: Mapping[str, Yaml]) -> tuple[str, ...]:
    listed = front.get("sessions")
    named = [_text(one) for one in (listed if isinstance(listed, list) else [])]
    return tuple(dict.fromkeys(filter(None, named))) or tuple(filter(None, [_text(front.get("session_id"))]))


def _home(path: str) -> tuple[str, str]:
    """Give the project and the kind of a page's folder; outside the known kinds the first folder is the project."""
    parts = path.split("/")[:-1]
    place = next((number for number in range(len(parts) - 1, 0, -1) if parts[number] in _KINDS), 0)
    return ("/".join(parts[:place]), parts[place]) if place else (parts[0] if parts else "", "")


def _successor(path: str, front: Mapping[str, Yaml]) -> str:
    value = front.get("superseded_by")
    address = value[0] if isinstance(value, list) and value else value
    target = resolve(path, address.strip()) if isinstance(address, str) and address.strip() else None
    return "" if target is None or target.outside or target.path == path else target.path


def _outgoing(path: str, passages: Passages) -> Iterator[Outgoing]:
    for link in passages.links:
        target = resolve(path, link.address)
        if target is not None and not target.outside and target.path not in {"", path}:
            yield Outgoing(target.path, target.anchor, passages.sentence(link))


def _counted(body: str, blocks: Blocks, *, is_ours: bool) -> tuple[int, int, int]:
    """Count the claims, those of them without a source, and the remarks that two claims contradict each other.

    What people wrote needs no source: on their own pages, and between keep markers on ours, only what says itself
    that it is unsourced counts.
    """
    claims = claims_of(blocks)
    kept = keep_blocks(body) if "<!--" in body else ()
    unsourced = 0
    for claim in claims:
        if claim.labels:
            continue
        theirs = not is_ours or any(block.start <= claim.start < block.end for block in kept)
        unsourced += UNSOURCED in claim.bare or not theirs
    contradicted = sum(is_contradiction(one.text) for one in blocks.statements) if CONTRADICTION in body else 0
    return len(claims), unsourced, contradicted


def _supported(blocks: Blocks) -> dict[str, tuple[str, ...]]:
    """Tell which statements each footnote supports, as they are written."""
    found: dict[str, list[str]] = {}
    for statement in blocks.statements:
        for label in statement.labels:
            supported = found.setdefault(label, [])
            if len(supported) < _MOST_SUPPORTED:
                supported.append(statement.bare[:_LONGEST_SUPPORTED])
    return {label: tuple(statements) for label, statements in found.items()}


def language_of(front: Mapping[str, Yaml]) -> str:
    """Give the language that front matter names, such as `pt-BR`, or nothing."""
    value = front.get("lang")
    return value if isinstance(value, str) and _LANGUAGE.fullmatch(value) else ""


def direction_of(front: Mapping[str, Yaml]) -> str:
    """Give the direction of writing that front matter names, or nothing."""
    value = front.get("dir")
    return value if isinstance(value, str) and value in _DIRECTIONS else ""
