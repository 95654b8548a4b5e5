"""The days that the site names: whose edit counts as a change, and what was observed last."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.site.days import dated, day_of, edit_after, observed_at
from pipeline.site.library import Library
from tests.site.making import facts, quoted, revision, source

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.values import Revision


def changed_on(page: Facts, revisions: tuple[Revision, ...] = ()) -> str:
    """Give the day of a page's last change, as all that is derived tells it."""
    found = dated(Library({page.path: page}), {page.path: revisions}).pages[page.path]
    assert bool(found.edited_at) == (found.changed_on != page.changed_on)
    assert found.edited_at[:10] in {"", found.changed_on}
    return found.changed_on


MADE = "---\ntype: Rule\ngenerated: { by: wikimill/x, at: 2026-11-29 }\n---\n# A\n\nOld.\n"
EDITED = MADE.replace("Old", "New")
MERGED = EDITED.replace("2026-11-29", "2026-11-30")
VERIFIED = MADE.replace("type: Rule", "type: Rule\nverified: { by: 'human:dana' }")
PERSON = {"author": "Dana", "model": "", "session": ""}
LATER = datetime(2026, 12, 2, 8, tzinfo=UTC)
EARLIER = datetime(2026, 11, 20, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("newest", "told", "day"),
    [
        (EDITED, {**PERSON, "at": LATER}, "2026-12-02"),
        (EDITED, {**PERSON, "at": EARLIER}, "2026-11-29"),  # a clock that went wrong takes no change back
        (EDITED, {"at": LATER}, "2026-11-29"),  # a run's
        (MERGED, {**PERSON, "at": LATER}, "2026-11-29"),  # a merge of a run's work
        (VERIFIED, {**PERSON, "at": LATER}, "2026-11-29"),  # who confirms a page changes nothing in it
    ],
)
def test_a_later_edit_by_a_person_is_a_change(newest: str, told: dict[str, object], day: str) -> None:
    revisions = (revision(newest, **told), revision(MADE))
    assert changed_on(facts(), revisions) == day
    assert (edit_after(facts(), revisions) is not None) == (day == "2026-12-02")


def test_without_history_the_page_tells_its_day() -> None:
    assert changed_on(facts()) == "2026-11-29"
    assert changed_on(facts(changed_on="")) == ""


def test_a_page_written_by_hand_changes_with_each_revision_of_a_person() -> None:
    page = facts(origin="hand", generated_on="", changed_on="")
    assert changed_on(page, (revision("# A\n", **PERSON, at=EARLIER),)) == "2026-11-20"
    # Links that a run led elsewhere are no words of anybody.
    assert changed_on(page, (revision("# B\n", at=LATER), revision("# A\n", **PERSON, at=EARLIER))) == "2026-11-20"
    assert changed_on(page, (revision("# A\n", author="", subject="", model="", session=""),)) == ""


def test_the_newest_observation() -> None:
    titles = ("2026-01-02 08:00 dana: x", "2026-01-20 07:00 dana: y", "a book", "2026-13-20 07:00 d: z")
    page = facts(sources=tuple(source(f"o-{number}", title=title) for number, title in enumerate(titles)))
    assert observed_at(page) == "2026-01-20 07:00"
    assert day_of(observed_at(page)) == "2026-01-20"
    assert observed_at(page, [quoted(when=datetime(2026, 1, 21, 5, tzinfo=UTC))]) == "2026-01-21 05:00"
    assert observed_at(facts()) == ""
