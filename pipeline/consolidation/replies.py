"""Owns how a model's answer becomes a draft: what is tolerated, what is a fault, and what is left when faults stay.

Tolerated is what changes no meaning: another spelling of a kind, a list written as a text. A text that is too long
is cut rather than asked for again. A fault is told to the
model once; what it cannot mend costs the one update that holds it. Knows no gate and no page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from pipeline.draft import (
    FOLDERS,
    KINDS,
    LONGEST_DESCRIPTION,
    LONGEST_REASON,
    LONGEST_TITLE,
    MOST_NAMES,
    MOST_UPDATES,
    ConsolidatedBatch,
    ConsolidatedPage,
    ConsolidatedPageUpdate,
)
from pipeline.finding import Finding
from pipeline.prompt import name_of
from pipeline.reply_text import read_object
from pipeline.text import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.draft import Kind
    from pipeline.observations.observation import Json
    from pipeline.prompt import Request

_MOST_FAULTS: Final = 8
_NO_UPDATES: Final = "`updates` must be a list of one to five changes; write the session's page at least."
_EMPTY: Final = {
    "body": "state there what the observations say, each statement with its handle, or leave the change out",
    "title": "name the subject of the page, or leave the change out",
}
_SYNONYMS: Final[Mapping[str, Kind]] = {
    **{kind: kind for kind in KINDS},
    **{folder: kind for kind, folder in FOLDERS.items()},
    "adr": "decision",
    "choice": "decision",
    "pitfall": "gotcha",
    "bug": "gotcha",
    "error": "gotcha",
    "problem": "gotcha",
    "issue": "gotcha",
    "howto": "procedure",
    "guide": "procedure",
    "runbook": "procedure",
    "steps": "procedure",
    "guideline": "rule",
    "convention": "rule",
    "policy": "rule",
    "note": "concept",
    "component": "concept",
    "overview": "concept",
    "summary": "session",
    "sessionsummary": "session",
    "sessionpage": "session",
    "log": "session",
    "pinned": "slot",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply holds for one session: a draft, if any of it can be used, and what is wrong with the reply."""

    batch: ConsolidatedBatch | None
    faults: tuple[str, ...] = ()

    def findings(self, where: str) -> tuple[Finding, ...]:
        """Tell what was left out because it could not be used."""
        step = "Nothing is lost: the observations stay, and the session's next consolidation may say it."
        return tuple(
            Finding(where, "reply-fault", "warning", f"left out of the reply: {fault}", step) for fault in self.faults
        )


def read_reply(request: Request, text: str) -> tuple[Answer, ...]:
    """Read a reply to `request`: one answer for each of its windows.

    Raises `Truncated` when the text ends inside its object, and `InvalidReply` when it holds none.
    """
    found = read_object(text)
    if request.mode == "single":
        return (_single(found, request.session_page),)
    entries = [_alone(found)] if len(request.windows) == 1 else _several(request, found)
    return tuple(_answer(request, number, entry) for number, entry in enumerate(entries))


def _answer(request: Request, number: int, entry: dict[str, Json] | str) -> Answer:
    """Read what a reply holds for one session, or say why it holds nothing; miss the page of one that has none yet."""
    if isinstance(entry, str):
        return Answer(None, (entry,))
    has_page = bool(request.session_pages[number]) or request.windows[number].number > 1
    if has_page and entry.get("updates") == []:
        return Answer(ConsolidatedBatch.model_construct(updates=(), rationale=""))  # nothing new is a good answer
    answer = _batch(entry)
    if answer.batch is None or has_page:
        return answer
    if any(update.kind == "session" for update in answer.batch.updates):
        return answer
    name = name_of(request, number)
    return Answer(answer.batch, (*answer.faults, f"the session page{f' of {name}' if name else ''} is missing."))


def _single(found: dict[str, Json], path: str) -> Answer:
    """Take the one page of a session, which stands at `path` already or nowhere, for a batch of one."""
    updates = found.get("updates")
    if isinstance(updates, list) and updates and isinstance(updates[0], dict):
        found = updates[0]
    page = {**_names(found), "body": _body(found)}
    try:
        read = ConsolidatedPage.model_validate({key: page[key] for key in ("title", "description", "tags", "body")})
    except ValidationError as fault:
        return Answer(None, _told(fault, "page"))
    update = ConsolidatedPageUpdate(
        path=path, kind="session", title=read.title, description=read.description, tags=read.tags, body=read.body
    )
    return Answer(ConsolidatedBatch(updates=(update,)))


def _alone(found: dict[str, Json]) -> dict[str, Json]:
    """Find the batch in what a model made of it: one session of several, or one update by itself."""
    sessions = found.get("sessions")
    if "updates" not in found and isinstance(sessions, list) and len(sessions) == 1 and isinstance(sessions[0], dict):
        return sessions[0]
    return {"updates": [found]} if "updates" not in found and {"title", "body"} <= found.keys() else found


def _several(request: Request, found: dict[str, Json]) -> list[dict[str, Json] | str]:
    """Find the part of each session, or say what is wrong with it."""
    entries = found.get("sessions")
    by_name: dict[str, dict[str, Json]] = {}
    twice: set[str] = set()
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            name = _text(entry.get("session")).strip().lower()
            twice |= {name} & by_name.keys()
            by_name.setdefault(name, entry)
    told: list[dict[str, Json] | str] = []
    for number in range(len(request.windows)):
        name = name_of(request, number)
        if name in twice:
            told.append(f"the session {name} stands twice.")
        else:
            told.append(by_name.get(name, f"the session {name} is missing."))
    return told


def _batch(found: Mapping[str, Json]) -> Answer:
    """Keep every update that can be used, and say what is wrong with the others."""
    entries = found.get("updates")
    if not isinstance(entries, list) or not entries:
        return Answer(None, (_NO_UPDATES,))
    faults: list[str] = []
    kept: list[ConsolidatedPageUpdate] = []
    for number, entry in enumerate(entries):
        where = f"updates[{number}]"
        update, wrong = _update(entry, where)
        wrong = wrong or _clashes(update, kept, where)
        if update is None or wrong:
            faults += wrong
        else:
            kept.append(update)
    if len(kept) > MOST_UPDATES:
        left = ", ".join(f"“{one_line(one.title, 80)}”" for one in kept[MOST_UPDATES:])
        faults.append(f"there are {len(kept)} updates, and at most {MOST_UPDATES} may be; too many: {left}.")
    told = tuple(faults[:_MOST_FAULTS])
    if not kept:
        return Answer(None, told)
    rationale = cut(_text(found.get("rationale")), LONGEST_REASON)
    return Answer(ConsolidatedBatch(updates=tuple(kept[:MOST_UPDATES]), rationale=rationale), told)


def _clashes(
    update: ConsolidatedPageUpdate | None, kept: Sequence[ConsolidatedPageUpdate], where: str
) -> tuple[str, ...]:
    if update is None:
        return ()
    title = one_line(update.title, 80)
    if update.path and any(other.path == update.path for other in kept):
        return (f"{where} (“{title}”): the page {one_line(update.path, 200)} stands twice; join the two.",)
    if update.kind == "session" and any(other.kind == "session" for other in kept):
        return (f"{where} (“{title}”): there is more than one session page; join them.",)
    return ()


def _update(entry: Json, where: str) -> tuple[ConsolidatedPageUpdate | None, tuple[str, ...]]:
    if not isinstance(entry, dict):
        return None, (f"{where} must be an object.",)
    kind = _text(entry.get("kind") or entry.get("type")).lower()
    kind = "".join(character for character in kind if character.isalnum())
    told = {
        **_names(entry),
        "path": _text(entry.get("path")).strip(),
        "kind": _SYNONYMS.get(kind, kind),
        "body": _body(entry),
        "removed_sections": _list(entry.get("removed_sections")),
        "supersedes": _list(entry.get("supersedes")),
        "contradiction": cut(_text(entry.get("contradiction")), LONGEST_REASON),
    }
    known = ConsolidatedPageUpdate.model_fields
    try:
        return ConsolidatedPageUpdate.model_validate({key: told[key] for key in told if key in known}), ()
    except ValidationError as fault:
        return None, _told(fault, where)


def _body(entry: Mapping[str, Json]) -> str:
    """Give the body; one of nothing but blanks is none."""
    body = _text(entry.get("body"))
    return body if body.strip() else ""


def _names(entry: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "title": cut(_text(entry.get("title")).strip(), LONGEST_TITLE),
        "description": cut(_text(entry.get("description")).strip(), LONGEST_DESCRIPTION),
        "tags": _list(entry.get("tags"))[:MOST_NAMES],
        "aliases": _list(entry.get("aliases"))[:MOST_NAMES],
    }


def _text(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is None or isinstance(value, (dict, list)) else str(value)


def _list(value: Json) -> list[Json]:
    """Read a list of texts, also one that stands as a text, or a lone null."""
    entries = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [text for entry in entries if (text := _text(entry).strip())]


def _told(fault: ValidationError, where: str) -> tuple[str, ...]:
    """Say what is wrong in words that tell a model what to write; asked for a character, it writes a placeholder."""
    told = []
    for error in fault.errors()[:_MOST_FAULTS]:
        field = ".".join(map(str, error["loc"]))
        empty = error["type"] == "string_too_short" and _EMPTY.get(field)
        told.append(f"{where}.{field} is empty: {empty}." if empty else f"{where}.{field}: {error['msg']}.")
    return tuple(told)
