"""Which commits on a branch are wikimill's own, and which of a person's bring nothing of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.proposal.ours import Step, sort_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
BASE = "b" * 40
ONE, TWO = "wiki/acme/decisions/one.md", "wiki/acme/sessions/s1.md"
INDEX, RECORD = "wiki/acme/index.md", "wiki/.ledger/sessions/acme/s1.jsonl"


def oid(number: int) -> str:
    return f"{number:040x}"


def session(number: int, *, before: Mapping[str, str] | None = None, sealed: bool = True, name: str = "s1") -> Step:
    """Make a session's commit that writes two pages, of which `before` may tell what stood there."""
    after = {path: f"{path}@{number}" for path in (ONE, TWO, INDEX, RECORD)}
    pages = tuple(f"{path.removeprefix('wiki/')} 0123456789abcdef" for path in (ONE, TWO))
    trailers = {"Session": (f"acme/{name}",), "Page": pages, "Evidence": ("e" * 32,), "Content": ("c" * 40,)}
    told = {INDEX: "index@0", **(before or {})}
    return Step(oid(number), (BASE,), "wikimill", AT, "consolidate", "", trailers, told, after, sealed=sealed)


def person(
    number: int, undoes: Step | None = None, *, said: str = "", but: Mapping[str, str | None] | None = None
) -> Step:
    """Make a person's commit: the exact revert of another one, except for some paths (None: left alone)."""
    before = dict(undoes.after) if undoes else {}
    after = dict(undoes.before) if undoes else {}
    for path, what in (but or {}).items():
        before.pop(path, None) if what is None else before.setdefault(path, "x")
        after.pop(path, None)
        after.update({path: what} if what is not None else {})
    message = said or (f'Revert "a"\n\nThis reverts commit {undoes.id}.\n' if undoes else "mine\n")
    return Step(oid(number), (BASE,), "Dana", AT, message.partition("\n")[0], message, {}, before, after)


OURS = session(1)


def read(ids: Sequence[str]) -> list[bytes]:
    """Give objects whose names tell their lines."""
    return [one.replace("|", "\n").encode() for one in ids]


def told(*steps: Step) -> tuple[list[str], list[str], dict[str, str]]:
    found = sort_out(steps, read)
    return [one.id for one in found.ours], [one.id for one in found.foreign], dict(found.reverted or {})


def test_the_seal_alone_tells_what_is_ours() -> None:
    amended = session(2, sealed=False)
    mine = person(3)
    assert told(OURS, amended, mine) == ([OURS.id], [amended.id, mine.id], {})
    assert told() == ([], [], {})


def test_a_plain_merge_of_the_base_is_nobodys_work_and_any_other_merge_is() -> None:
    merge = Step(oid(2), (OURS.id, BASE), "Dana", AT, "Merge", "Merge", {}, {}, {INDEX: "i"}, plain_merge=True)
    other = Step(oid(3), (OURS.id, BASE), "Dana", AT, "Merge", "Merge", {}, {}, {INDEX: "i"})
    assert told(OURS, merge) == ([OURS.id], [], {})
    assert told(OURS, other) == ([OURS.id], [other.id], {})


def test_an_exact_revert_declines_the_session() -> None:
    assert told(OURS, person(2, OURS)) == ([OURS.id], [], {OURS.id: "Dana"})


def test_a_revert_brings_back_what_a_page_was() -> None:
    update = session(1, before={ONE: "one@0"})
    assert told(update, person(2, update)) == ([update.id], [], {update.id: "Dana"})
    deleted = person(2, update, but={ONE: None})
    assert told(update, deleted) == ([update.id], [deleted.id], {})


def test_in_indexes_and_ledger_later_lines_stay_and_nothing_is_written() -> None:
    revert = person(2, OURS)
    before = {**revert.before, INDEX: f"{OURS.after[INDEX]}|later", RECORD: f"{OURS.after[RECORD]}|later"}
    after = {**revert.after, INDEX: "index@0|later", RECORD: "later"}
    assert told(OURS, replace(revert, before=before, after=after)) == ([OURS.id], [], {OURS.id: "Dana"})
    edited = replace(revert, before=before, after={**after, INDEX: "index@0|later|by hand"})
    assert told(OURS, edited) == ([OURS.id], [edited.id], {})
    without = person(2, OURS, but={INDEX: None, RECORD: None})
    assert told(OURS, without) == ([OURS.id], [], {OURS.id: "Dana"})
    cut = replace(revert, before=before, after={**after, INDEX: "index@0"})
    assert told(OURS, cut) == ([OURS.id], [cut.id], {})


@pytest.mark.parametrize(
    "but",
    [
        pytest.param({TWO: None}, id="one of two pages"),
        pytest.param({ONE: "one@better"}, id="and edits a page"),
        pytest.param({"wiki/acme/rules/mine.md": "mine"}, id="and adds a page"),
        pytest.param({"code.py": "code"}, id="and changes code"),
        pytest.param({ONE: None, TWO: None}, id="nothing but the index"),
    ],
)
def test_whoever_does_more_or_less_than_revert_has_done_work(but: dict[str, str | None]) -> None:
    theirs = person(2, OURS, but=but)
    assert told(OURS, theirs) == ([OURS.id], [theirs.id], {})


@pytest.mark.parametrize(
    "said",
    [
        "Revert it\n\nThis reverts commit 0000000.\n",
        f"Revert it\n\nThis reverts commit {oid(9)}.\n",
        f"Revert it\n\nSee: This reverts commit {oid(1)}.\n",
        f"Revert it\n\nThis reverts commit {oid(1)}0.\n",
        "Revert it\n",
    ],
)
def test_a_revert_must_name_what_it_reverts(said: str) -> None:
    theirs = person(2, OURS, said=said)
    assert told(OURS, theirs) == ([OURS.id], [theirs.id], {})


def test_two_sessions_are_reverted_one_by_one() -> None:
    other = session(2, before={path: f"{path}@1" for path in (ONE, TWO, INDEX, RECORD)}, name="s2")
    back, further = person(3, other), person(4, OURS)
    assert told(OURS, other, back, further) == ([OURS.id, other.id], [], {other.id: "Dana", OURS.id: "Dana"})
    early = person(3, OURS)
    assert told(OURS, other, early) == ([OURS.id, other.id], [], {OURS.id: "Dana"})


def test_one_commit_that_reverts_two_sessions_is_work_of_a_person() -> None:
    other = session(2, name="s2")
    both = person(3, OURS, but={"wiki/acme/decisions/two.md": "gone"})
    assert told(OURS, other, both)[1] == [both.id]


def test_who_reverts_the_revert_takes_the_decline_back() -> None:
    back = person(2, OURS)
    again = person(3, back)
    once_more = person(4, again)
    assert told(OURS, back, again) == ([OURS.id], [], {})
    assert told(OURS, back, again, once_more) == ([OURS.id], [], {OURS.id: "Dana"})
    edited = person(3, back, but={ONE: "one@better"})
    assert told(OURS, back, edited) == ([OURS.id], [edited.id], {OURS.id: "Dana"})


def test_only_a_session_can_be_declined_by_a_revert() -> None:
    verified = Step(oid(1), (BASE,), "wikimill", AT, "verify", "", {"Verified": ("a.md",)}, {}, {ONE: "x"}, sealed=True)
    theirs = person(2, verified)
    assert told(verified, theirs) == ([verified.id], [theirs.id], {})


def test_a_commit_is_known_again_by_what_it_rests_on() -> None:
    assert OURS.key == session(7).key
    assert OURS.evidence == "e" * 32
    other = Step(oid(1), (BASE,), "wikimill", AT, "x", "", {"Content": ("d" * 40,)}, {}, {})
    assert (other.key, other.evidence) == (f"Content {'d' * 40}", "")
