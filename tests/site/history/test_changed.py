from __future__ import annotations

import pytest

from pipeline.site.history.changed import NOTHING, has_history, history_of, summary
from tests.site.making import revision

HEAD = """---
type: Decision
title: Cookies
status: stable
tags: [a]
generated: {{ by: x, at: {at} }}
{extra}---

# Cookies

"""
CLAIMS = "- The cache lives an hour.[^o-1]\n- Tokens are signed.[^o-1]\n"


def page(body: str = CLAIMS, extra: str = "", at: str = "2026-11-01") -> str:
    return HEAD.format(at=at, extra=extra) + body


def confirmed(who: str, at: str = "2026-11-30") -> str:
    return f"verified:\n- {{ by: human:{who}, at: {at} }}\n"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (page(), page(), NOTHING),
        (page(), page(at="2026-11-30"), NOTHING),
        (page(), page(CLAIMS.replace("\n", "\r\n")), NOTHING),
        (None, page(), "new page with 2 claims"),
        (None, page("- One.\n", confirmed("dana")), "new page with 1 claim, confirmed by dana"),
        (None, "", "new page"),
        (page(), page(CLAIMS + "- A third.\n"), "1 claim added"),
        (page(), page(CLAIMS + "- A third.\n\nA fourth.\n| a | fifth |\n"), "3 claims added"),
        (page(), page(CLAIMS.replace("an hour", "a day") + "- A third.\n"), "1 claim added, 1 changed"),
        (page(), page("- Tokens are signed.[^o-1]\n"), "1 claim removed"),
        (page(), page(CLAIMS.replace("hour.[^o-1]", "hour.[^o-1][^o-2]")), "1 claim given other sources"),
        (page(), page("- Tokens are signed.[^o-1]\n- The cache lives an hour.[^o-1]\n"), "1 claim moved"),
        (page(), page(extra=confirmed("dana")), "confirmed by dana"),
        (page(), page(CLAIMS + "- A third.\n", confirmed("dana")), "1 claim added, confirmed by dana"),
        (page(), page().replace("title: Cookies", "title: Tokens"), "title changed"),
        (page(), page().replace("[a]", "[b]").replace("title: Cookies", "title: T"), "title and tags changed"),
        (page(), page(extra="superseded_by: b.md\n").replace("stable", "deprecated"), "deprecated, successor changed"),
        (page(), page().replace("stable", "odd"), "status now “odd”"),
        (page(), page(CLAIMS + "\n## Why *so*\n\nBecause.\n"), "1 claim added, section “Why so” added"),
        (page("## A\n\n## B\n"), page("## C one\n\n## D two\n\n## E three\n"), "3 sections added, 2 sections removed"),
        (page("## Why so\n"), page("## Why not\n"), "section “Why not” renamed"),
        (page("> A note of mine\n"), page("> A note of yours\n"), "a note changed"),
        (page("```\na\n```\n"), page("```\nb\n```\n"), "code changed"),
        (page("[^o]: x y\n"), page("[^o]: x z\n"), "footnotes changed"),
        (page("Intro to this:\n"), page("Intro to that:\n"), "wording changed"),
    ],
)
def test_a_change_in_words(before: str | None, after: str, words: str) -> None:
    assert summary(None if before is None else revision(before), revision(after)) == words


def test_only_what_a_reader_sees_makes_a_history() -> None:
    made, again, other = revision(page()), revision(page(at="2026-12-01")), revision(page("- Other.\n"))
    assert not has_history(())
    assert not has_history((made,))
    assert not has_history((again, made, made))
    assert not has_history((revision(page(extra=confirmed("dana"))), made))
    assert has_history((other, made))
    assert has_history((again, made, other))


def test_what_changed_nothing_stands_with_what_it_follows() -> None:
    made = revision(page(), commit="1")
    again = revision(page(at="2026-12-01"), commit="2")
    edited = revision(page(CLAIMS + "- A third.\n"), commit="3", author="Dana", model="", session="")
    reviewed = revision(page(CLAIMS + "- A third.\n", confirmed("dana")), commit="4")
    touched = revision(page(CLAIMS + "- A third.\n", confirmed("dana"), "2026-12-03"), commit="5")
    told = list(history_of((touched, reviewed, edited, again, made)))
    assert [(one.revision.commit, one.words) for one in told] == [
        ("3", "1 claim added, confirmed by dana"),
        ("1", "new page with 2 claims"),
    ]
    assert not any(one.base for one in told)


def test_a_confirmation_is_told_with_the_text_that_was_confirmed() -> None:
    made = revision(page(), commit="1")
    first = revision(page(extra=confirmed("dana")), commit="2")
    edited = revision(page("- Tokens are signed.\n", confirmed("dana")), commit="3")
    told = [(one.revision.commit, one.words) for one in history_of((edited, first, made))]
    assert told == [
        ("3", "1 claim removed, 1 given other sources"),
        ("1", "new page with 2 claims, confirmed by dana"),
    ]


def test_a_revert_is_told_and_so_is_where_the_known_history_begins() -> None:
    one, two = page(), page(CLAIMS + "- A third.\n")
    base = revision(one, commit="1", author="", subject="", model="", session="")
    told = list(history_of((revision(one, commit="3"), revision(two, commit="2"), base)))
    assert [(each.revision.commit, each.words, each.base) for each in told] == [
        ("3", "1 claim removed", False),
        ("2", "1 claim added", False),
        ("1", "new page with 2 claims", True),
    ]


def test_hostile_names_stay_in_one_line_and_are_cut() -> None:
    after = page("## " + "x\u202e\u2028<b>" * 90 + "\n\nText.\n", confirmed("'a\u202e" + "b" * 200 + "'"))
    words = summary(revision(page("Text.\n")), revision(after))
    assert len(words) < 300
    assert not set(words) & {"\u202e", "\u2028", "\n"}
