"""The parts of GitLab's client that ask nobody: answers, texts, names of machines, addresses, patterns."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import ForgeError
from pipeline.forge.gitlab.addresses import new_request_page, site_of
from pipeline.forge.gitlab.answers import commit, fields, is_from_here, moment, proposal
from pipeline.forge.gitlab.branch_rules import matches
from pipeline.forge.gitlab.people import is_named_like_a_machine
from pipeline.forge.gitlab.push_rules import _found
from pipeline.forge.gitlab.tokens import ACCESS, JOB, UNKNOWN, kind_of
from pipeline.forge.gitlab.wording import commanding_nothing, is_draft, titled

if TYPE_CHECKING:
    from pipeline.forge.gitlab.answers import Fields

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
MERGED: dict[str, Any] = {
    "iid": 7,
    "state": "merged",
    "sha": "a" * 40,
    "author": {"id": 1, "username": "project_7_bot_ab12"},
    "merge_user": {"id": 2, "username": "dana"},
    "merged_at": "2026-11-30T09:00:00.123+01:00",
    "source_branch": "b",
    "target_branch": "main",
}


def nobody(_: Fields) -> bool:
    return False


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"merge_commit_sha": "m", "squash_commit_sha": "s"}, "m"),
        ({"merge_commit_sha": None, "squash_commit_sha": "s"}, "s"),
        ({}, "a" * 40),
        ({"state": "closed", "merge_commit_sha": "m"}, ""),
    ],
)
def test_the_commit_of_a_merge(told: dict[str, Any], expected: str) -> None:
    assert proposal({**MERGED, **told}, nobody).merge_commit == expected


def test_who_merged_in_older_versions() -> None:
    older = {**MERGED, "merged_by": {"id": 3, "username": "kim"}, "merge_user": None}
    one = proposal(older, nobody)
    assert (one.merged_by, one.merged_by_person) == ("kim", True)
    assert one.merged_at == datetime(2026, 11, 30, 8, 0, 0, 123_000, tzinfo=UTC)
    unknown = proposal({**MERGED, "merge_user": None}, nobody)
    assert (unknown.merged_by, unknown.merged_by_person) == ("", False)


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(sorted(MERGED)), JSON, max_size=3))
def test_odd_answers_are_read_or_refused(odd: dict[str, Any]) -> None:
    try:
        one = proposal({**MERGED, **odd}, nobody)
    except ForgeError:
        return
    assert one.number > 0
    assert one.state in {"open", "merged", "closed"}


@given(JSON)
def test_anything_may_be_answered(value: Any) -> None:  # noqa: ANN401
    for read in (lambda: proposal(value, nobody), lambda: commit(value)):
        with pytest.raises(ForgeError):
            read()
    assert not is_from_here(fields(value), "b")
    assert moment(fields(value), "at") is None


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2026-12-07T06:00:00.000Z", datetime(2026, 12, 7, 6, tzinfo=UTC)),
        ("2026-12-07", datetime(2026, 12, 7, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("soon", None),
        (5, None),
    ],
)
def test_moments(told: object, expected: datetime | None) -> None:
    assert moment({"at": told}, "at") == expected  # type: ignore[dict-item]


def test_a_fork_whose_project_is_gone_is_not_from_here() -> None:
    told: dict[str, Any] = {"source_branch": "b", "source_project_id": None, "target_project_id": 7}
    assert not is_from_here(told, "b")
    assert is_from_here({**told, "source_project_id": 7}, "b")
    assert not is_from_here({**told, "source_project_id": 7}, "B")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "project_7_bot",
        "project_7_bot3",
        "project_7_bot_0a1b2c3d4e5f",
        "group_12_bot_ff",
        "service_account_group_12_ab34",
        "service_account_ab34",
        "ghost",
        "Ghost1",
        "support-bot",
        "alert-bot2",
        "GitLab-Security-Bot",
        "GitLabDuo",
        "gitlab-security-policy-project-9-bot",
    ],
)
def test_names_of_machines(name: str) -> None:
    assert is_named_like_a_machine(name)


@pytest.mark.parametrize(
    "name", ["dana", "botanist", "robot", "project_bot", "project_x_bot", "ghostwriter", "kim-bot-fan"]
)
def test_names_that_may_be_of_people(name: str) -> None:
    assert not is_named_like_a_machine(name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/merge", " /merge"),
        ("a\n/close\nb", "a\n /close\nb"),
        ("a\r\n/close", "a\r\n /close"),
        ("a\r/close", "a\r /close"),
        ("a\n\r\r/close", "a\n\r\r /close"),
        ("see /close", "see /close"),
        (" /close", " /close"),
        ("/\n//x\na/b", " /\n //x\na/b"),
        ("/\rclose", " /\rclose"),
        ("```\n/etc/hosts\n```", "```\n /etc/hosts\n```"),
        ("/Ärger", " /Ärger"),
    ],
)
def test_lines_that_would_command(before: str, after: str) -> None:
    assert commanding_nothing(before) == after
    assert commanding_nothing(after) == after


@given(st.text(alphabet="/a \n\r"))
def test_no_line_commands_when_carriage_returns_are_gone(text: str) -> None:
    seen = commanding_nothing(text).replace("\r", "")
    assert all(not line.startswith("/") for line in seen.split("\n"))


@pytest.mark.parametrize(
    ("title", "draft", "expected"),
    [
        ("A\nb", False, "A b"),
        ("A", True, "Draft: A"),
        ("Draft: A", True, "Draft: A"),
        ("wip: A", True, "wip: A"),
        ("x" * 300, True, "Draft: " + "x" * 247 + "…"),
    ],
)
def test_titles(title: str, expected: str, *, draft: bool) -> None:
    assert titled(title, draft=draft) == expected
    assert is_draft(titled(title, draft=draft)) or not draft


@pytest.mark.parametrize(
    ("pattern", "branch", "found"),
    [
        ("main", "main", True),
        ("main", "Main", False),
        ("*", "a/b", True),
        ("a/*", "a/", True),
        ("a/*", "a", False),
        ("*-stable", "x-stable", True),
        ("*a*", "bab", True),
        ("a*a", "a", False),
        ("a*b*c", "a1b2c", True),
        ("a*b*c", "a1c2b", False),
        ("a.c", "abc", False),
        ("*a" * 5_000, "a" * 20_000, True),
        ("*a" * 5_000 + "b", "a" * 20_000, False),
    ],
)
def test_wildcards(pattern: str, branch: str, *, found: bool) -> None:
    assert matches(pattern, branch) is found


@given(st.text("ab*", max_size=6), st.text("ab", max_size=8))
def test_wildcards_are_those_of_a_plain_search(pattern: str, branch: str) -> None:
    def plain(rest: str, left: str) -> bool:
        if not rest:
            return not left
        if rest[0] == "*":
            return any(plain(rest[1:], left[at:]) for at in range(len(left) + 1))
        return bool(left) and left[0] == rest[0] and plain(rest[1:], left[1:])

    assert matches(pattern, branch) == plain(pattern, branch)


def test_a_pattern_that_takes_for_ever_is_given_up() -> None:
    begun = time.monotonic()
    assert _found("(a|b|ab)*c", "ab" * 400) in {None, False}
    assert _found("^(a|aa)+$", "a" * 200 + "!") is None
    assert _found("x" * 600, "x") is None
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("token", "variable", "kind"),
    [
        ("glpat-x", "CI_JOB_TOKEN", ACCESS),
        ("glcbt-x", "GITLAB_TOKEN", JOB),
        ("eyJ.x.y", "CI_JOB_TOKEN", JOB),
        ("0a1b2c", "GITLAB_TOKEN", UNKNOWN),
    ],
)
def test_kinds_of_tokens(token: str, variable: str, kind: object) -> None:
    assert kind_of(token, variable) is kind


def test_addresses_for_people() -> None:
    assert site_of("https://git.example.org/tools/gitlab/api/v4/") == "https://git.example.org/tools/gitlab"
    page = new_request_page("https://gitlab.com/api/v4", "acme/wiki", base="ma&in", branch="w/ü #1")
    assert page == (
        "https://gitlab.com/acme/wiki/-/merge_requests/new?merge_request%5Bsource_branch%5D=w%2F%C3%BC%20%231"
        "&merge_request%5Btarget_branch%5D=ma%26in"
    )
