"""A handed-over page names its run, and its sources as they were observed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pipeline.proposal.comparing import compare
from tests.proposal.samples import account
from tests.proposal.test_checking import KNOWN, PAGE, A, check, messages, page
from tests.proposal.text.test_render import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

CITED = f"We keep it in cookies.[^{A}]"
GOOD = page(CITED, sources={A: ""})


@pytest.mark.parametrize("by", ["human:dana", "", "wikimil/gpt", "Wikimill/gpt", "somebody"])
def test_a_new_page_is_signed_by_its_run(by: str) -> None:
    found = messages(check({}, {PAGE: page(CITED, by=by, sources={A: ""})}))
    assert len(found) == 1
    assert found[0].startswith(f"{PAGE}: does not name who wrote it: a run has written it, and it says: ")


def test_what_is_not_signed_at_all_is_refused_unless_it_stood_so() -> None:
    bare = b"\n".join(line for line in GOOD.split(b"\n") if not line.startswith(b"generated:"))
    assert ["does not name who wrote it" in one for one in messages(check({}, {PAGE: bare}))] == [True]
    assert check({PAGE: bare}, {PAGE: bare.replace(b"in cookies.", b"in signed cookies.")}) == ()
    assert check({}, {PAGE: bare}, published={PAGE: bare}) == ()


def test_the_page_of_a_person_stays_theirs_and_cannot_become_so() -> None:
    mine = page("My words.", by="human:dana")
    assert check({PAGE: mine}, {PAGE: page("My words.", CITED, by="human:dana", sources={A: ""})}) == ()
    taken = check({PAGE: GOOD}, {PAGE: page(CITED, by="human:dana", sources={A: ""})})
    assert ["does not name who wrote it" in one for one in messages(taken)] == [True]


@pytest.mark.parametrize(
    "change",
    [
        {"author: human:dana": "author: human:erin"},
        {"author: human:dana": "author: claude-code/unversioned"},
        {"  author: human:dana\n": ""},
        {"08:00 dana: t": "08:00 erin: t"},
        {"2026-11-29 08:00 dana: t": "2026-11-28 08:00 dana: t"},
        {'  title: "2026-11-29 08:00 dana: t"\n': ""},
    ],
)
def test_a_source_is_told_as_it_was_observed(change: Mapping[str, str]) -> None:
    text = GOOD.decode()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    forged = {PAGE: text.encode()}
    told = [one for one in messages(check({}, forged)) if "is not told as it was observed, by human:dana" in one]
    assert len(told) == 1
    assert not [one for one in messages(check(forged, {PAGE: page(CITED, sources={A: ""})})) if "as it was" in one]
    assert not [one for one in messages(check({}, forged, published=forged)) if "as it was" in one]


def test_a_source_of_before_may_have_moved_to_another_line() -> None:
    old = GOOD.replace(b"dana: t", b"somebody: what an older version wrote")
    moved = old.replace(b"day.jsonl#L1", b"day.jsonl#L2")
    assert check({PAGE: old}, {PAGE: moved}, known=KNOWN) == ()
    assert check({PAGE: old}, {PAGE: moved.replace(b"somebody", b"the boss")}, known=KNOWN) != ()


def test_a_claim_without_a_source_is_for_the_reviewer_to_judge() -> None:
    after = page(CITED, "Nobody told me this.", sources={A: ""})
    assert check({PAGE: GOOD}, {PAGE: after}) == ()
    (change,) = compare({PAGE: GOOD}, {PAGE: after}, [PAGE])
    told = replace(account(), pages=(change,), quotations={})
    assert "### Could not verify (1)" in text_of(told)
