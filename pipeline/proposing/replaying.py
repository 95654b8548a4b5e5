"""Owns how our commits are laid anew over where the base stands by now, without the pages that people declined.

What a person did on the base stays; where both changed one section, what is new comes as an addition. Commits whose
work the base holds already are left out. So is one that brings something to a page which was moved, or cannot be read:
its session is not on record then, and the run takes it again. Nothing is pushed, and no branch moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.git.message import with_remarks
from pipeline.observations.evidence import digest_of
from pipeline.proposal.ledgers import evidence_in
from pipeline.proposal.messages import redeclare, with_evidence
from pipeline.proposal.ours import DECLINED, PAGE, SESSION, VERIFIED
from pipeline.proposing.committing import sealed_commit
from pipeline.proposing.placing import without_place
from pipeline.proposing.stamping import still_reviewed
from pipeline.report import PageOutcome
from pipeline.wiki.catalogue import is_page, read_catalogue
from pipeline.wiki.derived.derived import derive
from pipeline.wiki.derived.indexes import is_index
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.ledger import FILES, is_record, key_in
from pipeline.wiki.markdown.unlinking import unlink
from pipeline.wiki.merging import BESIDE, GONE, carry_over, holds_evidence
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.revision.supersede import superseded_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.git import NewCommit
    from pipeline.proposal.ours import Step
    from pipeline.proposing.opening import Hosted


@dataclass(frozen=True, slots=True)
class Replayed:
    """Where the branch stands after it, what a person may want to know, and which pages were declined in all."""

    tip: str
    findings: tuple[Finding, ...] = ()
    declined: tuple[str, ...] = ()


def replay(  # noqa: PLR0913  # what it is laid over, and what is left out
    hosted: Hosted,
    base_tip: str,
    steps: Sequence[Step],
    *,
    ignored: Collection[str] = (),
    reverted: Collection[str] = (),
    marks: bool = True,
    at: datetime,
) -> Replayed:
    """Lay commits over `base_tip`, the oldest first.

    `ignored` names pages, by their path below the wiki's root, that no commit may bring; `reverted` commits, by id,
    none of whose pages come. Their sessions stay recorded as consolidated, so that nobody proposes them anew. Without
    `marks` it stays open how far observation files were read: where a commit is missing, what it had settled would be
    passed over.
    """
    told: list[Finding] = []
    homeless: dict[str, Finding] = {}
    while True:
        kept = [step for step in steps if step.id not in homeless]
        replayed, found = _replay(
            hosted, base_tip, kept, ignored=ignored, reverted=reverted, marks=marks and not homeless, at=at
        )
        if not found:
            return replace(replayed, findings=(*told, *replayed.findings))
        homeless |= found
        told += found.values()


def _replay(  # noqa: PLR0913  # as above
    hosted: Hosted,
    base_tip: str,
    steps: Sequence[Step],
    *,
    ignored: Collection[str],
    reverted: Collection[str],
    marks: bool,
    at: datetime,
) -> tuple[Replayed, dict[str, Finding]]:
    """Lay commits over `base_tip`; also name, by its id, the first of them that found no place for what it brings."""
    standing_already = tuple(page for step in steps for page in step.trailers.get(DECLINED, ()))
    if marks and not ignored and not reverted and _follows(base_tip, steps):
        return Replayed(steps[-1].id if steps else base_tip, (), tuple(sorted({*standing_already}))), {}
    base = hosted.repository.snapshot(base_tip, hosted.folder)
    wiki = Overlay(base)
    folders = {"/".join(path.split("/")[:depth]) for path in base.entries for depth in range(1, path.count("/") + 1)}
    chain: list[NewCommit] = []
    findings: list[Finding] = []
    declined: set[str] = set(standing_already)
    for step in steps:
        changed = _changed(hosted, step)
        if not marks:
            changed.pop(FILES, None)
        if SESSION in step.trailers and _is_held(changed, wiki):
            continue
        message = step.message
        if VERIFIED in step.trailers:
            changed, message = still_reviewed(step, changed, wiki)
        pages = {told.rpartition(" ")[0] for told in step.trailers.get(PAGE, ())}
        dropped = pages if step.id in reverted else pages & set(ignored)
        declined |= dropped
        # Nobody takes the place of a page when the one that was to take it is declined.
        left_out = {*dropped, *(path for path in pages if _superseded_in(path, changed.get(path)) in dropped)}
        files, told = _carried(step, changed, wiki, left_out, gone=declined)
        for path in folders & files.keys():
            del files[path]
            told = (*told, Finding(path, GONE, "warning", "a folder stands in the place of the page.", "Rename it."))
        homeless = without_place(hosted, base_tip, step, changed, base, told)
        if homeless is not None:
            return Replayed(base_tip), {step.id: homeless}
        findings += told
        if not files:
            continue
        wiki.put(files)
        if dropped or any(step.trailers.get(PAGE, ())):
            written = {path: digest_of(raw) for path in sorted(pages - left_out) if (raw := wiki.get(path)) is not None}
            message = redeclare(message, written=written, declined={*step.trailers.get(DECLINED, ()), *dropped})
        message = with_remarks(_evidenced(message, step, changed, wiki), _to_keep(step, told))
        chain.append(sealed_commit(hosted, files, message, standing=base.entries, at=step.at))
    tip = hosted.repository.build_chain(base_tip, chain, at=at)[-1] if chain else base_tip
    return Replayed(tip, tuple(dict.fromkeys(findings)), tuple(sorted(declined))), {}


def _to_keep(step: Step, told: Iterable[Finding]) -> list[str]:
    """Write down where a person's edit stands beside what the commit brought: that is to be seen until it is merged."""
    kept = [f"[{one.rule}] {one.where}: {one.message}" for one in told if one.rule == BESIDE]
    return kept if SESSION in step.trailers else []


def _evidenced(
    message: str, step: Step, changed: Mapping[str, tuple[bytes | None, bytes | None]], wiki: Overlay
) -> str:
    """Name the evidence that the session's record holds by now: the base may know more of the session than it did."""
    made = evidence_in({path: after for path, (_, after) in changed.items() if after is not None and is_record(path)})
    path = next((path for path, evidence in made.items() if evidence == step.evidence), None)
    stands = wiki.get(path) if path is not None else None
    if path is None or stands is None:
        return message
    return with_evidence(message, evidence_in({path: stands}).get(path, step.evidence))


def _superseded_in(path: str, sides: tuple[bytes | None, bytes | None] | None) -> str:
    """Name the page that takes the place of this one by a change, given its bytes before and after; else nothing."""
    before, after = (_successor(path, raw) for raw in sides or (None, None))
    return "" if after == before else after


def _successor(path: str, raw: bytes | None) -> str:
    if raw is None or b"superseded_by" not in raw:
        return ""
    try:
        return superseded_by(parse_page(path, raw), path)
    except WikimillError:
        return ""


def is_held(hosted: Hosted, step: Step, base_tip: str) -> bool:
    """Whether the base holds the work of a session's commit; asks nobody but git."""
    changed = _changed(hosted, step)
    wiki = Overlay(hosted.repository.snapshot(base_tip, hosted.folder))
    return SESSION not in step.trailers or _is_held(changed, wiki)


def _is_held(changed: Mapping[str, tuple[bytes | None, bytes | None]], wiki: Overlay) -> bool:
    """Whether the work of a session's commit stands already, however it came there.

    All that it knows is known; and the record of the session is not what it was before the commit, as it would be where
    a session was only taken again. One that was taken again with the record that it had is known by its pages.
    """
    records = {path: both for path, both in changed.items() if is_record(path)}
    if not records:
        return all(wiki.get(path) == after for path, (_, after) in changed.items() if is_page(path))
    if any(before is not None and wiki.get(path) == before for path, (before, _) in records.items()):
        return False
    return holds_evidence({path: after for path, (_, after) in records.items() if after is not None}, wiki)


def _follows(base_tip: str, steps: Sequence[Step]) -> bool:
    """Whether the commits stand on the base already, one upon the other."""
    tips = [base_tip, *(step.id for step in steps)]
    return all(step.parents == (below,) for step, below in zip(steps, tips, strict=False))


def _changed(hosted: Hosted, step: Step) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Read what a commit changed below the wiki's root: bytes before and after by path."""
    start = hosted.folder + "/"
    paths = [path for path in sorted({*step.before, *step.after}) if path.startswith(start)]
    ids = [one for path in paths for one in (step.before.get(path), step.after.get(path)) if one]
    raw = dict(zip(ids, hosted.repository.read_objects(ids), strict=True))
    return {
        path.removeprefix(start): (
            raw[step.before[path]] if path in step.before else None,
            raw[step.after[path]] if path in step.after else None,
        )
        for path in paths
    }


def _carried(
    step: Step,
    changed: Mapping[str, tuple[bytes | None, bytes | None]],
    wiki: Overlay,
    dropped: Collection[str],
    *,
    gone: Iterable[str],
) -> tuple[dict[str, bytes | None], tuple[Finding, ...]]:
    """Carry one commit over; where pages are left out, what follows from pages is derived anew from the others."""
    if not dropped:
        carried = carry_over(changed, wiki)
        files = dict(carried.files)
    else:
        kept = {path: both for path, both in changed.items() if path not in dropped and not _is_derived(path)}
        carried = carry_over(kept, wiki)
        files = dict(carried.files)
    missing = {path for path in gone if path not in wiki and files.get(path) is None}
    for path, raw in files.items():
        if raw is not None and missing and path.endswith(".md"):
            text = raw.decode("utf-8", "surrogateescape")
            files[path] = unlink(text, path, missing).encode("utf-8", "surrogateescape")
    if dropped:
        files |= _derived(step, changed, wiki, files)
    return {path: raw for path, raw in files.items() if wiki.get(path) != raw}, carried.findings


def _derived(
    step: Step,
    changed: Mapping[str, tuple[bytes | None, bytes | None]],
    wiki: Overlay,
    files: Mapping[str, bytes | None],
) -> dict[str, bytes]:
    """Make indexes and log for the pages that are left."""
    key = next((key for path, (_, raw) in changed.items() if raw and (key := key_in(path, raw))), None)
    if key is None:
        return {}
    after = wiki.copy()
    after.put(files)
    catalogue, _ = read_catalogue(after)
    outcomes = [
        PageOutcome(path, catalogue[path].title, "updated" if path in wiki else "created")
        for path, raw in sorted(files.items())
        if raw is not None and is_page(path) and path in catalogue
    ]
    return derive(after, catalogue, key, outcomes, step.at.date())


def _is_derived(path: str) -> bool:
    return is_index(path) or path.rpartition("/")[2] == LOG
