"""What a token may do on GitLab, seen before anything is paid for; and what runs there by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ForgeError
from pipeline.forge.gitlab.branch_rules import branch_findings
from pipeline.forge.gitlab.push_rules import push_findings
from pipeline.forge.gitlab.seeing import Seen
from tests.forge.gitlab_double import BOT, JOB_TOKEN, TOKEN, Token
from tests.forge.gitlab_double.at_hand import BRANCH, Hand, at_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.forge.gitlab.answers import Fields
    from pipeline.observations.observation import Json
    from pipeline.proposal.proposal import Access

    Change = Callable[[Hand], object]

SELF, PROJECT, BASE = "GET /personal_access_tokens/self", "GET /", "GET /repository/branches/main"


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    made = at_hand(tmp_path)
    yield made
    made.stop()


def examined(
    hand: Hand, *, token: str = TOKEN, will_push: bool = True, branch: str = BRANCH, email: str = ""
) -> Access:
    return hand.client(token, author_email=email).examine(base="main", branch=branch, will_push=will_push)


def rules(access: Access) -> list[tuple[str, str]]:
    return [(one.rule, one.severity) for one in access.findings]


def setting(**values: object) -> Change:
    return lambda hand: hand.double.project.settings.update(values)


def token(**values: object) -> Change:
    return lambda hand: hand.double.tokens.update({TOKEN: Token(**values)})  # type: ignore[arg-type]


def roles(own: int, group: int = 0, shared: int = 0) -> Change:
    def change(hand: Hand) -> None:
        project = hand.double.project
        project.roles = {name: role for name, role in project.roles.items() if name != BOT}
        for known, role in ((project.roles, own), (project.group_roles, group), (project.shared_roles, shared)):
            if role:
                known[BOT] = role

    return change


def test_nothing_stands_in_the_way(hand: Hand) -> None:
    access = examined(hand)
    assert access.findings == ()
    assert access.token_kind == "a personal, project or group access token"
    assert access.told == (
        f"{hand.double.web_url}, acme/wiki, a personal, project or group access token with api, until 2027-06-30, "
        "Developer"
    )
    assert hand.double.asked() == [SELF, PROJECT, BASE, "GET /protected_branches", "GET /push_rule"]


def test_reading_asks_for_less(hand: Hand) -> None:
    hand.double.tokens[TOKEN] = Token(scopes=("read_api",))
    roles(20)(hand)
    hand.double.protect("*", push=0)
    assert examined(hand, will_push=False).findings == ()
    assert hand.double.asked() == [SELF, PROJECT]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (setting(archived=True), ("project-archived", "error")),
        (setting(merge_requests_access_level="disabled"), ("merge-requests-off", "error")),
        (setting(merge_requests_enabled=False), ("merge-requests-off", "error")),
        (setting(only_allow_merge_if_pipeline_succeeds=True), ("pipelines-required", "note")),
        (setting(pages_access_level="public"), ("pages-public", "warning")),
        (setting(pages_access_level="public", visibility="internal"), ("pages-public", "warning")),
        (setting(pages_access_level="public", visibility="public"), None),
        (token(scopes=("read_api", "write_repository")), ("token-scope", "error")),
        (token(expires_at="2026-12-14"), ("token-expires", "warning")),
        (token(expires_at="2026-12-15"), None),
        (token(expires_at=None), None),
        (token(expires_at="2026-11-30"), ("token-expired", "error")),
        (roles(20), ("role-too-low", "error")),
        (roles(0, group=40), None),
        (roles(20, group=30), None),
        (roles(0, shared=30), None),
    ],
)
def test_each_setting_in_the_way_is_named(hand: Hand, change: Change, found: tuple[str, str] | None) -> None:
    change(hand)
    access = examined(hand)
    assert rules(access) == ([found] if found else [])
    assert all(one.next_step for one in access.findings)


def test_scopes_of_fine_grained_tokens_are_not_judged(hand: Hand) -> None:
    hand.double.tokens[TOKEN] = Token(scopes=("granular", "api"))
    assert examined(hand).findings == ()


def test_a_member_of_nothing_may_not_push_to_a_public_project(hand: Hand) -> None:
    hand.double.project.settings["visibility"] = "public"
    roles(0)(hand)
    assert rules(examined(hand)) == [("role-too-low", "error")]
    hand.double.project.admins.add(BOT)
    assert rules(examined(hand)) == [("role-unseen", "warning")]


def test_a_token_that_is_not_taken(hand: Hand) -> None:
    access = examined(hand, token="glpat-wrong")
    assert rules(access) == [("token-refused", "error")]
    assert access.findings[0].where == "GITLAB_TOKEN"
    assert hand.double.asked() == [SELF, PROJECT]
    assert "glpat-wrong" not in str(access)


def test_a_private_project_answers_404(hand: Hand) -> None:
    roles(0)(hand)
    access = examined(hand)
    assert rules(access) == [("project-unseen", "error")]
    assert "private projects answer 404" in access.findings[0].next_step
    assert access.told.endswith("nothing of the project is visible")


def test_a_base_that_is_not_there(hand: Hand) -> None:
    access = hand.client().examine(base="trunk", branch=BRANCH, will_push=True)
    assert rules(access) == [("base-missing", "error")]
    assert access.findings[0].where == "proposal.base"


def test_the_token_of_a_job(hand: Hand) -> None:
    access = examined(hand, token=JOB_TOKEN)
    assert rules(access) == [("token-kind", "error")]
    assert access.token_kind == "the token of a CI/CD job"
    assert "role Developer and the scope api" in access.findings[0].next_step
    assert hand.double.asked() == [PROJECT]
    reading = examined(hand, token=JOB_TOKEN, will_push=False)
    assert rules(reading) == [("token-kind", "warning")]
    assert "scope read_api" in reading.findings[0].next_step


def test_the_token_of_a_job_pushes_where_that_is_allowed(hand: Hand) -> None:
    assert rules(examined(hand, token=JOB_TOKEN, branch="main")) == [("job-token-push", "warning")]
    hand.double.project.settings |= {"visibility": "public", "ci_push_repository_for_job_token_allowed": True}
    assert rules(examined(hand, token=JOB_TOKEN, branch="main")) == []


@pytest.mark.parametrize("secret", ["gldt-abc", "glptt-abc", "glrt-abc"])
def test_tokens_of_the_wrong_kind(hand: Hand, secret: str) -> None:
    access = examined(hand, token=secret)
    assert ("token-kind", "error") in rules(access)
    assert secret not in str(access)


def test_no_token(hand: Hand) -> None:
    assert rules(examined(hand, token=""))[0] == ("no-token", "error")
    hand.double.project.settings["visibility"] = "public"
    access = examined(hand, token="", will_push=False)
    assert (access.findings, access.token_kind) == ((), "")


@pytest.mark.parametrize(
    ("pattern", "level", "force", "found"),
    [
        ("main", {"access_level": 40}, False, []),
        ("wikimill/*", {"access_level": 40}, True, ["branch-protected"]),
        ("*", {"access_level": 30}, False, ["force-push-forbidden"]),
        (BRANCH, {"access_level": 30}, True, []),
        ("wiki*idate", {"access_level": 0}, False, ["branch-protected", "force-push-forbidden"]),
        (BRANCH, {"user_id": 70}, True, []),
        (BRANCH, {"user_id": 71}, True, ["branch-protected"]),
        (BRANCH, {"group_id": 5}, True, []),
        (BRANCH, {"access_level": 30, "deploy_key_id": 5}, True, ["branch-protected"]),
    ],
)
def test_protected_branches(pattern: str, level: dict[str, Json], found: list[str], *, force: bool) -> None:
    rule: Json = {"name": pattern, "push_access_levels": [level], "allow_force_push": force}
    seen = Seen(role=30, token={"user_id": 70})
    told = branch_findings([rule], BRANCH, seen, here="GitLab acme/wiki", rewrites=True)
    assert [one.rule for one in told] == found


def test_the_most_permissive_rule_holds(hand: Hand) -> None:
    hand.double.protect("*", push=0)
    hand.double.protect("wikimill/*", push=30, force=True)
    assert examined(hand).findings == ()


def test_direct_pushes_need_no_merge_requests_and_rewrite_nothing(hand: Hand) -> None:
    hand.double.project.settings["merge_requests_access_level"] = "disabled"
    hand.double.protect("main", push=30)
    assert examined(hand, branch="main").findings == ()
    hand.double.project.protected[0]["code_owner_approval_required"] = True
    assert rules(examined(hand, branch="main")) == [("code-owners", "warning")]


@pytest.mark.parametrize(
    ("rule", "email", "found"),
    [
        ({}, "", []),
        ({"commit_message_regex": "^(consolidate|ledger|verify)"}, "", []),
        ({"commit_message_regex": r"[A-Z]+-\d+"}, "", [("push-rule-commit-message-regex", "error")]),
        ({"commit_message_regex": "(?i)^LEDGER|session|verify"}, "", []),
        ({"commit_message_regex": "(unclosed"}, "", [("push-rule-commit-message-regex", "warning")]),
        ({"commit_message_negative_regex": "ledger"}, "", [("push-rule-commit-message-negative-regex", "error")]),
        ({"branch_name_regex": "^(feature|hotfix)/"}, "", [("push-rule-branch-name-regex", "error")]),
        ({"branch_name_regex": "^wikimill/"}, "", []),
        ({"file_name_regex": r"\.md$"}, "", [("push-rule-file-name-regex", "error")]),
        ({"file_name_regex": r"\.(exe|jar)$"}, "", []),
        ({"author_email_regex": "@acme.org$"}, "", [("push-rule-author-email-regex", "warning")]),
        ({"author_email_regex": "@acme.org$"}, "a@acme.org", []),
        ({"author_email_regex": "@acme.org$"}, "a@example.org", [("push-rule-author-email-regex", "error")]),
        ({"prevent_secrets": True}, "", [("push-rule-prevent-secrets", "note")]),
        ({"reject_unsigned_commits": True}, "", [("push-rule-reject-unsigned-commits", "error")]),
        ({"reject_non_dco_commits": True}, "", [("push-rule-reject-non-dco-commits", "error")]),
        ({"member_check": True}, "", [("push-rule-member-check", "warning")]),
        ({"commit_committer_check": None, "max_file_size": 0}, "", []),
    ],
)
def test_push_rules(rule: Fields, email: str, found: list[tuple[str, str]]) -> None:
    told = list(push_findings(rule, here="GitLab acme/wiki", branch=BRANCH, default_branch="main", email=email))
    assert [(one.rule, one.severity) for one in told] == found
    assert all(one.next_step.startswith("Settings > Repository > Push rules > ") for one in told)


def test_push_rules_are_asked_for(hand: Hand) -> None:
    roles(40)(hand)
    hand.double.set_push_rule(author_email_regex="@acme.org$", branch_name_regex="^feature/")
    assert rules(examined(hand, email="a@example.org")) == [
        ("push-rule-branch-name-regex", "error"),
        ("push-rule-author-email-regex", "error"),
    ]
    assert rules(examined(hand, email="a@acme.org", branch="main")) == []


def test_push_rules_that_were_never_set_or_are_not_shown(hand: Hand) -> None:
    assert examined(hand).findings == ()
    roles(40)(hand)
    hand.double.project.push_rule = None
    assert examined(hand).findings == ()


@pytest.mark.parametrize(
    "part", ["/protected_branches", "/push_rule", "/repository/branches", "/personal_access_tokens"]
)
def test_what_the_token_may_not_see_raises_nothing(hand: Hand, part: str) -> None:
    hand.double.fail("GET", part, "403", times=3)
    assert all(one.severity != "error" for one in examined(hand).findings)


def test_a_page_for_people_in_place_of_the_api(hand: Hand) -> None:
    hand.double.fail("GET", "/self", "page")
    with pytest.raises(ForgeError, match="no JSON"):
        examined(hand)


@pytest.mark.parametrize(
    ("change", "forbids"),
    [
        (setting(), ""),
        (setting(archived=True), "The project is archived and takes no pushes."),
        (setting(merge_requests_enabled=False), "Merge requests are switched off."),
        (token(scopes=("read_api",)), "The token has the scopes read_api, and not api."),
        (token(expires_at="2026-12-01"), ""),
        (roles(20), "The token has the role Reporter, which may not push."),
        (roles(0), "GitLab shows no such project to the token (404)."),
    ],
)
def test_whether_a_merge_request_may_be_opened(hand: Hand, change: Change, forbids: str) -> None:
    change(hand)
    told, step = hand.client().may_open(base="main")
    assert told == forbids
    assert bool(step) == bool(forbids)
    assert all(request.method == "GET" for request in hand.double.requests)


def test_a_job_token_may_open_nothing(hand: Hand) -> None:
    told, step = hand.client(JOB_TOKEN).may_open(base="main")
    assert "opens no merge request" in told
    assert "GITLAB_TOKEN" in step
    assert hand.client().may_open(base="trunk")[0] == "GitLab has no such branch."


# Watching.


def test_a_schedule_that_runs(hand: Hand) -> None:
    hand.double.schedule()
    told, findings = hand.client().watch()
    assert told == "1 of 1 pipeline schedules active, the next at 2026-12-07 06:00 UTC; project private, pages private"
    assert findings == ()
    assert hand.double.asked() == [PROJECT, "GET /pipeline_schedules", "GET /members/all/71"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda hand: hand.double.schedule(active=False), ("schedule-inactive", "warning")),
        (lambda hand: hand.double.schedule(owner=None), ("schedule-owner", "error")),
        (lambda hand: hand.double.schedule(owner="gone"), ("schedule-owner", "error")),
        (lambda hand: hand.double.schedule(due="2026-11-28T06:00:00Z"), ("schedule-late", "warning")),
        (lambda hand: hand.double.schedule(due=None), None),
        (lambda hand: None, ("no-schedule", "note")),
        (setting(pages_access_level="public"), ("pages-public", "warning")),
        (setting(jobs_enabled=False), ("pipelines-off", "error")),
    ],
)
def test_what_does_not_run(hand: Hand, change: Change, found: tuple[str, str] | None) -> None:
    change(hand)
    if not hand.double.project.schedules and found != ("no-schedule", "note"):
        hand.double.schedule()
    _, findings = hand.client().watch()
    assert [(one.rule, one.severity) for one in findings] == ([found] if found else [])


def test_the_schedule_of_a_blocked_owner(hand: Hand) -> None:
    hand.double.schedule()
    hand.double.project.user_states["dana"] = "blocked"
    (found,) = hand.client().watch()[1]
    assert found.message == "Its owner dana is blocked: its pipelines fail or do not run."


def test_schedules_that_the_token_may_not_see(hand: Hand) -> None:
    roles(20)(hand)
    told, findings = hand.client().watch()
    assert told == "schedules are not visible to this token; project private, pages private"
    assert findings == ()
    roles(0)(hand)
    assert hand.client().watch() == (
        "schedules are not visible to this token; settings of the project are not visible",
        (),
    )


def test_the_clock_is_that_which_is_given(tmp_path: Path) -> None:
    made = at_hand(tmp_path)
    made.double.project.clock = lambda: datetime(2027, 7, 1, tzinfo=UTC)
    try:
        assert rules(examined(made)) == [("token-expired", "error")]
    finally:
        made.stop()
