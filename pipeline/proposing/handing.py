"""Owns what one job hands to another in `.wikimill/proposal/`: commits, report, and what the proposal was then.

`commits.bundle` is git's own format; `report.json` that of `.wikimill/runs`; `seen.json` is described by `Seen`. The
one who takes it over trusts none of it: it is held against what stands on the remote and the host.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import StoreError
from pipeline.report import as_json, from_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.git import Repository
    from pipeline.observations.observation import Json
    from pipeline.observations.redaction.redact import Scrubbed
    from pipeline.proposing.preparing import Prepared
    from pipeline.report import Report

FOLDER = ".wikimill/proposal"
BUNDLE, REPORT, SEEN = "commits.bundle", "report.json", "seen.json"
MOST_BUNDLE_BYTES = 512 * 1024 * 1024
MOST_JSON_BYTES = 64 * 1024 * 1024
VERSION = 1

_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Halves of a character, which JSON can hold and no text that goes to a host."""

_AGAIN = "Run `wikimill run --prepare` first, and let this command find what it left in .wikimill/proposal."


@dataclass(frozen=True, slots=True)
class Seen:
    """What the proposal was when the run began, and what the run made of it. Commits are full ids."""

    base_tip: str
    branch: str
    head: str
    """Where the branch stood on the remote; empty when it did not exist."""
    number: int
    """Of the open proposal; 0 when none was open."""
    tip: str
    """The commit that is to be proposed; that of the base when there is nothing."""
    hands_off: bool = False
    rebase: bool = False
    """Whether somebody asked to bring the base in although no page changes by it."""
    ticked: tuple[str, ...] = ()
    """Controls that the run has followed: `rebase`, `recreate`, or the path of a page that was declined."""
    suppressed_by: tuple[int, ...] = ()
    """Closed proposals whose content was not proposed again."""
    declined_pages: tuple[str, ...] = ()
    verified_pages: tuple[str, ...] = ()
    version: int = field(default=VERSION)


def seen_of(prepared: Prepared, tip: str, *, suppressed_by: tuple[int, ...]) -> Seen:
    """Sum up what a run saw and did."""
    standing = prepared.standing
    controls = standing.controls
    return Seen(
        base_tip=standing.base_tip,
        branch=standing.branch,
        head=standing.head or "",
        number=standing.proposal.number if standing.proposal else 0,
        tip=tip,
        hands_off=standing.hands_off,
        rebase=controls.rebase or controls.recreate,
        ticked=controls.ticks,
        suppressed_by=suppressed_by,
        declined_pages=prepared.declined_pages,
        verified_pages=prepared.verified_pages,
    )


def hand_over(root: Path, repository: Repository, seen: Seen, report: Report) -> None:
    """Write the folder anew; an older one goes first, so that nobody takes over half of each."""
    folder = root / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (SEEN, REPORT, BUNDLE):
            (folder / name).unlink(missing_ok=True)
        if seen.tip != seen.base_tip and not seen.hands_off:
            repository.write_bundle(folder / BUNDLE, base=seen.base_tip, head=seen.tip)
        (folder / REPORT).write_bytes(_render(as_json(report)))
        (folder / SEEN).write_bytes(_render(asdict(seen)))
    except OSError as fault:
        raise StoreError(
            f"cannot be written: {fault.strerror}.", where=FOLDER, next_step="Make room or give yourself the right."
        ) from None


def take_over(root: Path, repository: Repository, scrub: Callable[[str], Scrubbed]) -> tuple[Seen, Report]:
    """Read what was handed over, and make its commits known to git under `refs/wikimill/handed`.

    The report is told on the host, so that whoever wrote it could have put a secret there: `scrub` takes it out.
    """
    folder = root / FOLDER
    seen = _read_seen(folder)
    try:
        value = _scrubbed(_read(folder / REPORT), scrub)
        report = from_json(value if isinstance(value, dict) else {})
    except ValueError as fault:
        raise StoreError(
            f"is not the report of a run: {fault}.", where=f"{FOLDER}/{REPORT}", next_step=_AGAIN
        ) from None
    if seen.tip != seen.base_tip and not seen.hands_off:
        handed = repository.read_bundle(folder / BUNDLE, limit=MOST_BUNDLE_BYTES)
        if handed != seen.tip:
            raise StoreError("holds other commits than the run told.", where=f"{FOLDER}/{BUNDLE}", next_step=_AGAIN)
    return seen, report


def _scrubbed(value: Json, scrub: Callable[[str], Scrubbed]) -> Json:
    """Take the secrets out of every text of a document, names of fields included."""
    if isinstance(value, str):
        return scrub(value).text
    if isinstance(value, list):
        return [_scrubbed(one, scrub) for one in value]
    if isinstance(value, dict):
        return {scrub(name).text: _scrubbed(one, scrub) for name, one in value.items()}
    return value


def _read_seen(folder: Path) -> Seen:
    value = _read(folder / SEEN)
    where = f"{FOLDER}/{SEEN}"
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise StoreError("is not what this version of wikimill writes.", where=where, next_step=_AGAIN)
    try:
        return Seen(
            base_tip=_commit(value["base_tip"]),
            branch=_text(value["branch"]),
            head=_commit(value["head"], empty=True),
            number=_number(value["number"]),
            tip=_commit(value["tip"]),
            hands_off=value["hands_off"] is True,
            rebase=value["rebase"] is True,
            ticked=_texts(value["ticked"]),
            suppressed_by=tuple(map(_number, _list(value["suppressed_by"]))),
            declined_pages=_texts(value["declined_pages"]),
            verified_pages=_texts(value["verified_pages"]),
        )
    except (KeyError, TypeError, ValueError):
        raise StoreError("is damaged.", where=where, next_step=_AGAIN) from None


def _commit(value: Json, *, empty: bool = False) -> str:
    text = _text(value)
    if not (empty and not text) and (len(text) not in {40, 64} or set(text) - set("0123456789abcdef")):
        raise ValueError(text)
    return text


def _text(value: Json) -> str:
    if not isinstance(value, str) or _SURROGATE.search(value):
        raise TypeError(value)
    return value


def _number(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(value)
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


def _read(path: Path) -> Json:
    where = f"{FOLDER}/{path.name}"
    try:
        if path.exists() and not path.is_file():
            raise StoreError("is no file.", where=where, next_step=_AGAIN)
        with path.open("rb") as source:
            raw = source.read(MOST_JSON_BYTES + 1)
        if len(raw) > MOST_JSON_BYTES:
            raise StoreError("is too large.", where=where, next_step=_AGAIN)
        value: Json = json.loads(raw)
    except FileNotFoundError:
        raise StoreError("is missing: there is nothing to propose.", where=where, next_step=_AGAIN) from None
    except OSError as fault:
        raise StoreError(f"cannot be read: {fault.strerror}.", where=where, next_step=_AGAIN) from None
    except (ValueError, RecursionError):
        raise StoreError("is not JSON.", where=where, next_step=_AGAIN) from None
    return value


def _render(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode()
