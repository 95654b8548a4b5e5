"""What a token may do on GitHub, whether proposals may be opened, whether schedule and site are awake: the double."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.errors import ForgeUnavailable
from tests.forge.on_github import BRANCH, NEW, OnGitHub, on_github
from tests.forge.served import Answer, Fault, html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.proposal.proposal import Access
    from tests.forge.github_state import TokenKind

ADMIN = {"metadata": "read", "contents": "write", "pull_requests": "write", "administration": "read"}
WATCHES = {"metadata": "read", "actions": "read", "pages": "read"}


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[OnGitHub]:
    with on_github(tmp_path) as made:
        yield made
        assert made.double.violations() == []


def examine(ground: OnGitHub, token: str | None = None, *, branch: str = BRANCH, will_push: bool = True) -> Access:
    return ground.client(token).examine(base="main", branch=branch, will_push=will_push)


def rules(access: Access) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity) for finding in access.findings]


def test_the_token_of_actions_in_a_fresh_repository(ground: OnGitHub) -> None:
    access = examine(ground)
    assert access.findings == ()
    assert access.token_kind == "an installation token, of GitHub Actions or an App"
    assert access.told == (
        f"GitHub, acme/wiki at {ground.double.url}, with an installation token, of GitHub Actions or an App: rights "
        "show when they are used; whether GitHub Actions may open pull requests cannot be seen with this token"
    )
    assert ground.asked() == [
        "GET /",
        "GET /rules/branches/wikimill%2Fconsolidate",
        "GET /branches/wikimill%2Fconsolidate",
        "GET /actions/permissions/workflow",
    ]


def test_reading_asks_one_thing(ground: OnGitHub) -> None:
    access = examine(ground, will_push=False)
    assert access.findings == ()
    assert ground.asked() == ["GET /"]


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("classic", "a classic personal access token"),
        ("fine-grained", "a fine-grained personal access token"),
        ("app", "an installation token, of GitHub Actions or an App"),
    ],
)
def test_kinds_of_tokens(ground: OnGitHub, kind: TokenKind, named: str) -> None:
    assert examine(ground, ground.double.token(kind)).token_kind == named


@pytest.mark.parametrize("text", ["gho_SECRETSECRET", "ghu_SECRETSECRET", "ab12SECRETSECRET"])
def test_tokens_that_are_not_taken_are_a_finding(ground: OnGitHub, text: str) -> None:
    access = examine(ground, text)
    assert rules(access) == [("repository-unseen", "error")]
    assert "expired or revoked" in access.findings[0].next_step
    assert access.token_kind
    assert text not in f"{access}"


def test_without_a_token_a_public_repository_is_read_and_no_more(ground: OnGitHub) -> None:
    assert examine(ground, "", will_push=False).findings == ()
    access = examine(ground, "")
    assert rules(access) == [("token-missing", "error")]
    assert access.token_kind == ""
    assert "with no token" in access.told


def test_a_repository_that_cannot_be_seen_is_a_finding(ground: OnGitHub) -> None:
    access = examine(ground, ground.double.token(sees=False))
    assert rules(access) == [("repository-unseen", "error")]
    assert "cannot see acme/wiki" in access.findings[0].next_step


@pytest.mark.parametrize(
    ("setting", "rule"), [("archived", "repository-archived"), ("disabled", "repository-disabled")]
)
def test_repositories_that_take_nothing(ground: OnGitHub, setting: str, rule: str) -> None:
    setattr(ground.double.settings, setting, True)
    assert rules(examine(ground)) == [(rule, "error")]
    assert rules(examine(ground, will_push=False)) == ([] if setting == "archived" else [(rule, "error")])


def test_people_who_may_not_push(ground: OnGitHub) -> None:
    reader = ground.double.token("fine-grained", login="reader")
    assert rules(examine(ground, reader)) == [("push-not-permitted", "error")]
    assert examine(ground, reader, will_push=False).findings == ()
    assert ": push; " in examine(ground, ground.double.token("classic")).told


def test_scopes_and_the_end_of_a_token(ground: OnGitHub) -> None:
    token = ground.double.token
    assert rules(examine(ground, token("classic", scopes="gist, read:org"))) == [("scope-missing", "error")]
    assert examine(ground, token("classic", scopes="public_repo")).findings == ()
    soon = examine(ground, token("fine-grained", expires="2026-12-10 08:00:00 UTC"))
    assert rules(soon) == [("token-expires", "warning")]
    assert "2026-12-10 08:00 UTC" in soon.findings[0].message
    offset = examine(ground, token("fine-grained", expires="2026-12-10 08:00:00 +0200"))
    assert "2026-12-10 06:00 UTC" in offset.findings[0].message
    for fine in ("2027-12-10 08:00:00 UTC", "some day", "2026-99-99 08:00:00 UTC"):
        assert examine(ground, token("fine-grained", expires=fine)).findings == ()


def test_the_setting_for_actions_as_an_administrator_sees_it(ground: OnGitHub) -> None:
    admin = ground.double.token("fine-grained", permissions=ADMIN)
    assert "GitHub Actions may open pull requests" in examine(ground, admin).told
    ground.double.settings.actions_may_propose = False
    access = examine(ground, admin)
    assert rules(access) == [("actions-may-not-propose", "warning")]
    assert "Allow GitHub Actions to create and approve pull requests" in access.findings[0].next_step


def test_a_renamed_repository(ground: OnGitHub) -> None:
    client = ground.client(name="acme/wiki")
    ground.double.rename("acme/handbook")
    access = client.examine(base="main", branch=BRANCH, will_push=True)
    assert rules(access) == [("repository-renamed", "error")]
    assert "acme/handbook" in access.findings[0].next_step


REFUSING = [
    ("creation", "Restrict creations"),
    ("update", "Restrict updates"),
    ("non_fast_forward", "Block force pushes"),
    ("required_signatures", "Require signed commits"),
    ("pull_request", "Require a pull request before merging"),
    ("required_status_checks", "Require status checks to pass"),
]


def ruled(kind: str, **named: str) -> dict[str, Any]:
    return {"type": kind, "ruleset_id": 7, "ruleset_source_type": "Repository", "ruleset_source": "acme/wiki", **named}


@pytest.mark.parametrize(("kind", "name"), REFUSING)
def test_rules_that_refuse_the_branch(ground: OnGitHub, kind: str, name: str) -> None:
    ground.double.settings.rules = {BRANCH: [ruled(kind)], "main": [ruled("pull_request")]}
    access = examine(ground)
    assert rules(access) == [(f"branch-rule-{kind.replace('_', '-')}", "error")]
    (finding,) = access.findings
    assert finding.where == f"branch {BRANCH}"
    assert f"'{name}' in ruleset 7" in finding.message
    assert "Settings > Rules > Rulesets (https://github.test/acme/wiki/settings/rules)" in finding.next_step
    assert "GET /rulesets/7" in ground.asked()
    # Who stands in the bypass list is not held by it; reading asks for no rules.
    assert examine(ground, ground.double.token("app", bypasses=True)).findings == ()
    assert examine(ground, will_push=False).findings == ()


def test_rules_of_the_base_count_for_direct_pushes_alone(ground: OnGitHub) -> None:
    kinds = [
        "creation",
        "non_fast_forward",
        "pull_request",
        "deletion",
        "commit_message_pattern",
        "copilot_code_review",
    ]
    ground.double.settings.rules = {"main": [ruled(kind) for kind in kinds]}
    assert examine(ground).findings == ()
    ground.asked()
    assert rules(examine(ground, branch="main")) == [
        ("branch-rule-pull-request", "error"),
        ("branch-rule-deletion", "warning"),
        ("branch-rule-commit-message-pattern", "warning"),
    ]
    # A direct push asks nothing about pull requests, and for each ruleset once.
    assert ground.asked() == ["GET /", "GET /rules/branches/main", "GET /rulesets/7", "GET /branches/main"]


def test_rules_of_an_organisation_name_it_and_stand_when_they_cannot_be_seen(ground: OnGitHub) -> None:
    ground.double.settings.rules = {
        BRANCH: [ruled("update", ruleset_source_type="Organization", ruleset_source="acme")]
    }
    ground.double.faults.append(Fault(path="/rulesets/7", answer=Answer(404, {"message": "Not Found"})))
    (finding,) = examine(ground).findings
    assert "in ruleset 7 of acme" in finding.message


def test_protection_of_the_older_kind(ground: OnGitHub) -> None:
    ground.push()
    ground.double.settings.protected = (BRANCH, "main")
    assert rules(examine(ground)) == [("branch-protected", "warning")]
    (finding,) = examine(ground, branch="main").findings
    assert "Settings > Branches (https://github.test/acme/wiki/settings/branches)" in finding.next_step


def test_a_base_that_is_not_there(ground: OnGitHub) -> None:
    access = ground.client().examine(base="trunk", branch="trunk", will_push=True)
    assert rules(access) == [("base-missing", "error")]


def test_what_a_token_may_not_see_raises_nothing(ground: OnGitHub) -> None:
    refusal = Answer(403, {"message": "Resource not accessible by integration"})
    for path in ("/rules/branches", "/branches/", "/permissions/workflow"):
        ground.double.faults.append(Fault(path=path, answer=refusal))
    assert examine(ground).findings == ()


def test_a_host_that_does_not_answer_is_told(ground: OnGitHub) -> None:
    ground.double.faults.append(Fault(answer=html(502), times=99))
    with pytest.raises(ForgeUnavailable):
        examine(ground)


def test_whether_proposals_may_be_opened_is_asked_without_opening_one(ground: OnGitHub) -> None:
    assert ground.client().may_open(base="main") == ("", "")
    ground.double.settings.actions_may_propose = False
    reason, setting = ground.client().may_open(base="main")
    assert "not permitted to create or approve pull requests" in reason
    assert "Allow GitHub Actions to create and approve pull requests" in setting
    assert "compare/" not in setting
    reason, setting = ground.client(ground.double.token(permissions={"pull_requests": "read"})).may_open(base="main")
    assert "Resource not accessible by integration" in reason
    assert "`permissions: pull-requests: write`" in setting
    assert ground.asked() == ["POST /pulls"] * 3
    assert ground.double.pulls == {}


def test_a_probe_that_opens_one_after_all_closes_it(ground: OnGitHub) -> None:
    ground.push()
    ground.client().open(NEW)
    told = ground.double.pulls[1].shown("acme/wiki", ground.double.url, ground.double.web_url)
    ground.double.faults.append(Fault("POST", "/pulls", answer=Answer(201, told)))
    client = ground.client(ground.double.token("app"))
    assert client.may_open(base="main") == ("", "")
    assert [(finding.rule, finding.severity) for finding in client.findings] == [("probe-opened", "warning")]
    assert ground.double.pull(1).state == "closed"


def watch(ground: OnGitHub) -> tuple[str, list[str]]:
    told, findings = ground.client(ground.double.token("fine-grained", permissions=WATCHES)).watch()
    assert all(finding.severity == "warning" and finding.next_step for finding in findings)
    return told, [finding.rule for finding in findings]


def test_all_is_awake(ground: OnGitHub) -> None:
    ground.double.settings.runs = [
        {"status": "completed", "conclusion": "success", "created_at": "2026-11-29T04:17:00Z"}
    ]
    ground.double.settings.pages = {
        "status": "built",
        "html_url": "https://acme.github.test/wiki",
        "build_type": "workflow",
    }
    told, found = watch(ground)
    assert found == []
    assert told == (
        "consolidate.yml is active; its last run of 2026-11-29: success; Pages at https://acme.github.test/wiki"
    )
    assert ground.asked() == [
        "GET /",
        "GET /actions/workflows/consolidate.yml",
        "GET /actions/workflows/consolidate.yml/runs",
        "GET /pages",
    ]


@pytest.mark.parametrize(
    ("state", "rule", "said"),
    [
        ("disabled_inactivity", "workflow-disabled-inactivity", "60 days"),
        ("disabled_manually", "workflow-disabled-manually", "somebody switched it off"),
        ("disabled_fork", "workflow-disabled-fork", "is a fork"),
        ("deleted", "workflow-off", "its state is deleted"),
    ],
)
def test_schedules_that_sleep(ground: OnGitHub, state: str, rule: str, said: str) -> None:
    ground.double.settings.workflows["consolidate.yml"] = state
    told, found = watch(ground)
    assert found == [rule, "pages-off"]
    assert said in told


def test_schedules_that_are_missing_or_fail(ground: OnGitHub) -> None:
    ground.double.settings.runs = [
        {"status": "completed", "conclusion": "failure", "html_url": "https://github.test/acme/wiki/actions/runs/1"}
    ]
    assert watch(ground)[1] == ["last-run-failed", "pages-off"]
    ground.double.settings.runs = []
    assert "it has not run yet" in watch(ground)[0]
    ground.double.settings.workflows = {}
    assert watch(ground)[1] == ["workflow-missing", "pages-off"]


def test_sites_that_want_attention(ground: OnGitHub) -> None:
    settings = ground.double.settings
    settings.pages = {"status": "errored", "html_url": "https://x.test", "build_type": "legacy", "public": True}
    assert watch(ground)[1] == ["pages-legacy", "pages-errored"]
    settings.private = True
    assert watch(ground)[1] == ["pages-legacy", "pages-public", "pages-errored"]
    settings.pages = {**settings.pages, "status": None, "build_type": "workflow", "public": False}
    assert watch(ground)[1] == []


def test_watching_raises_nothing_that_a_token_may_not_see(ground: OnGitHub) -> None:
    ground.double.settings.pages = {"status": "built"}
    told, findings = ground.client().watch()
    assert told == "consolidate.yml cannot be seen with this token; Pages cannot be seen with this token"
    assert findings == ()
    told, findings = ground.client(ground.double.token(sees=False)).watch()
    assert (told, findings) == ("acme/wiki cannot be seen with this token", ())


def test_no_finding_holds_the_token(ground: OnGitHub) -> None:
    token = ground.double.token("fine-grained", permissions=ADMIN)
    said = Answer(403, {"message": f"no {token}"})
    ground.double.faults.append(Fault(path="", answer=said, times=1))
    access = examine(ground, token)
    ground.double.faults.append(Fault("POST", "/pulls", answer=said))
    told = f"{access} {ground.client(token).may_open(base='main')}"
    assert token not in told
    assert "no [REDACTED]" in told
