"""Owns what the double of GitHub answers to each request, as its documentation of the REST API (2022-11-28) says.

It refuses what GitHub refuses, in GitHub's words: several of them stand in no documentation, but in what people report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlencode

from tests.forge.github_state import BODY_LIMIT, LISTED_COMMITS, Pull, show_commit
from tests.forge.served import Answer

if TYPE_CHECKING:
    from tests.forge.github_double import GitHubDouble
    from tests.forge.github_state import Token
    from tests.forge.served import Asked

DOCS: Final = "https://docs.github.com/rest"


class Refused(Exception):
    """The request gets an error."""

    def __init__(self, status: int, message: str, errors: list[dict[str, Any]] | None = None) -> None:
        told: dict[str, Any] = {"message": message, "documentation_url": DOCS, "status": str(status)}
        self.answer = Answer(status, {**told, **({"errors": errors} if errors else {})})


def invalid(message: str = "", **named: str) -> Refused:
    error = {"resource": "PullRequest", "code": "custom", **named, **({"message": message} if message else {})}
    return Refused(422, "Validation Failed", [error])


def respond(double: GitHubDouble, asked: Asked) -> Answer:
    """Answer a request of whatever kind."""
    try:
        return _respond(double, asked)
    except Refused as refusal:
        return refusal.answer
    except _Elsewhere as moved:
        return Answer(301, {"message": "Moved Permanently", "url": moved.place}, {"location": moved.place})


def _respond(double: GitHubDouble, asked: Asked) -> Answer:
    token = _token(double, asked)
    _count(double)
    path = _inside(double, asked.path)
    for method, pattern, permission, answer in ROUTES:
        if method == asked.method and (found := re.fullmatch(pattern, path)):
            _permit(double, token, permission)
            told = answer(double, asked, token, *(unquote(part) for part in found.groups()))
            return Answer(told.status, told.json, {**told.headers, **(token.headers() if token else {})})
    raise Refused(404, "Not Found")


class _Elsewhere(Exception):
    def __init__(self, place: str) -> None:
        self.place = place


def _token(double: GitHubDouble, asked: Asked) -> Token | None:
    given = asked.headers.get("authorization", "")
    if not given:
        return None
    token = double.tokens.get(given.removeprefix("Bearer "))
    if token is None:
        raise Refused(401, "Bad credentials")
    return token


def _count(double: GitHubDouble) -> None:
    left = double.settings.requests_left
    if left is None:
        return
    double.settings.requests_left = max(left - 1, 0)
    if left == 0:
        refusal = Refused(403, "API rate limit exceeded for installation ID 1.")
        reset = int(double.now().timestamp()) + double.settings.limit_resets_in
        told = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)}
        refusal.answer = Answer(403, refusal.answer.json, told)
        raise refusal


def _inside(double: GitHubDouble, path: str) -> str:
    """Give the path within the repository, under its name or its number; an old name sends elsewhere."""
    for name in (f"/repos/{double.name}", "/repositories/1"):
        if path == name or path.startswith(f"{name}/"):
            return path.removeprefix(name)
    for old in double.old_names:
        if path == f"/repos/{old}" or path.startswith(f"/repos/{old}/"):
            raise _Elsewhere(f"{double.url}/repositories/1{path.removeprefix(f'/repos/{old}')}")
    raise Refused(404, "Not Found")


def _permit(double: GitHubDouble, token: Token | None, wanted: str) -> None:
    """Hold a token to `permission:level`, or `one|other:level`."""
    names, _, level = wanted.partition(":")
    if token is None:
        if level == "write":
            raise Refused(401, "Requires authentication")
        if double.settings.private or names == "administration":
            raise Refused(404, "Not Found")
        return
    if not token.sees:
        raise Refused(404, "Not Found")
    if not any(token.may(name, level) for name in names.split("|")) and (
        level == "write" or double.settings.private or names in {"administration", "actions", "pages"}
    ):
        if token.kind == "classic":
            raise Refused(404, "Not Found")
        kind = "personal access token" if token.kind == "fine-grained" else "integration"
        raise Refused(403, f"Resource not accessible by {kind}")
    if level == "write" and double.settings.archived:
        raise Refused(403, "Repository was archived so is read-only.")


def _page(double: GitHubDouble, asked: Asked, items: list[Any]) -> Answer:
    """Give one page of a list, and where the others are."""
    size = min(int(asked.query.get("per_page", "30")), 100)
    number = int(asked.query.get("page", "1"))
    last = max(-(-len(items) // size), 1)
    links = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
    told = [
        f'<{double.url}{asked.path}?{urlencode({**asked.query, "page": target})}>; rel="{name}"'
        for name, target in links.items()
        if 1 <= target <= last and not (name == "next" and number >= last)
    ]
    headers = {"link": ", ".join(told)} if last > 1 else {}
    return Answer(200, items[(number - 1) * size : number * size], headers)


def _repository(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    settings = double.settings
    told: dict[str, Any] = {
        "id": 1,
        "full_name": double.name,
        "default_branch": double.repository.main,
        "private": settings.private,
        "archived": settings.archived,
        "disabled": settings.disabled,
        "fork": settings.fork,
        "has_pages": settings.pages is not None,
    }
    if token is not None:
        # Of an App, and of the token of Actions, GitHub tells nothing of use here.
        is_person = token.kind in {"classic", "fine-grained"}
        told["permissions"] = {"push": is_person and token.owner.login in settings.collaborators, "pull": is_person}
    return Answer(200, told)


def _pulls(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    query = asked.query
    found = [pull for pull in double.pulls.values() if query.get("state", "open") in {"all", pull.state}]
    if ":" in query.get("head", ""):
        found = [pull for pull in found if f"{pull.owner}:{pull.branch}" == query["head"]]
    if "base" in query:
        found = [pull for pull in found if pull.base == query["base"]]
    # Equal times come in any order: the number is none of its sort keys.
    found.sort(key=lambda pull: pull.created_at, reverse=query.get("direction", "desc") == "desc")
    return _page(double, asked, [pull.shown(double.name, double.url, double.web_url) for pull in found])


def _alone(double: GitHubDouble, pull: Pull, status: int = 200) -> Answer:
    return Answer(status, pull.shown(double.name, double.url, double.web_url, commits=len(double.commits(pull))))


def _pull(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    return _alone(double, _numbered(double, number))


def _numbered(double: GitHubDouble, number: str) -> Pull:
    if int(number) not in double.pulls:
        raise Refused(404, "Not Found")
    return double.pulls[int(number)]


def _open(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    assert token is not None
    wanted, repository = asked.body, double.repository
    if token.kind == "actions" and not double.settings.actions_may_propose:
        raise Refused(403, "GitHub Actions is not permitted to create or approve pull requests.")
    branch, base = wanted["head"].rpartition(":")[2], wanted["base"]
    if not wanted.get("title"):
        raise invalid(field="title", code="missing_field")
    _check_body(wanted.get("body"))
    if wanted.get("draft") and not double.settings.drafts:
        raise Refused(422, "Draft pull requests are not supported in this repository.")
    tip, base_tip = repository.tip(branch), repository.tip(base)
    if not base_tip:
        raise invalid(field="base", code="invalid")
    if not tip:
        raise invalid(field="head", code="invalid")
    if any(pull.state == "open" and (pull.branch, pull.base) == (branch, base) for pull in double.ours()):
        raise invalid(f"A pull request already exists for {double.owner}:{branch}.")
    if not repository.commits(base_tip, tip):
        raise invalid(f"No commits between {base} and {branch}")
    pull = double.add(branch, base, wanted["title"], wanted.get("body") or "", token.owner)
    pull.draft = bool(wanted.get("draft"))
    return _alone(double, pull, 201)


def _check_body(body: str | None) -> None:
    if len(body or "") > BODY_LIMIT:
        raise invalid(f"body is too long (maximum is {BODY_LIMIT} characters)", field="body")


def _change(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    pull, wanted = _numbered(double, number), asked.body
    assert token is not None
    _check_body(wanted.get("body"))
    pull.title = wanted.get("title", pull.title)
    pull.body = wanted.get("body", pull.body) or ""
    if wanted.get("state") == "closed" and pull.state == "open":
        double.shut(pull, token.owner.login)
    elif wanted.get("state") == "open" and pull.state == "closed":
        if pull.merged_at or double.repository.tip(pull.branch) != pull.head:
            raise invalid("state cannot be changed. The branch was force-pushed or recreated.", field="state")
        pull.state, pull.closed_at = "open", None
    return _alone(double, pull)


def _pull_commits(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    commits = double.commits(_numbered(double, number))[:LISTED_COMMITS]
    return _page(double, asked, [show_commit(commit) for commit in commits])


def _commits(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    start = asked.query.get("sha", double.repository.main)
    if not double.repository.knows(double.repository.tip(start) or start):
        raise Refused(404, "Not Found")
    return _page(double, asked, [show_commit(commit) for commit in double.repository.history(start, 10_000)])


def _reviews(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    reviews = _numbered(double, number).reviews
    return _page(double, asked, [review.shown(place) for place, review in enumerate(reviews, start=1)])


def _ask_reviewers(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    pull, names = _numbered(double, number), [*asked.body.get("reviewers", []), *asked.body.get("team_reviewers", [])]
    if pull.user.login in names:
        raise Refused(422, "Review cannot be requested from pull request author.")
    if not set(names) <= {*double.settings.collaborators}:
        raise Refused(
            422, "Reviews may only be requested from collaborators. One or more of the users are not collaborators."
        )
    pull.reviewers += [name for name in names if name not in pull.reviewers]
    return _alone(double, pull, 201)


def _label(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    pull = _numbered(double, number)
    pull.labels += [name for name in asked.body["labels"] if name not in pull.labels]
    return Answer(200, [{"name": name} for name in pull.labels])


def _comment(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    assert token is not None
    _check_body(asked.body["body"])
    _numbered(double, number).comments.append((token.owner.login, asked.body["body"]))
    return Answer(201, {"id": 1, "body": asked.body["body"]})


def _branch(double: GitHubDouble, asked: Asked, token: Token | None, name: str) -> Answer:
    tip = double.repository.tip(name)
    if not tip:
        raise Refused(404, "Branch not found")
    protected = name in double.settings.protected or bool(double.settings.rules.get(name))
    return Answer(200, {"name": name, "commit": {"sha": tip}, "protected": protected})


def _rules(double: GitHubDouble, asked: Asked, token: Token | None, name: str) -> Answer:
    return _page(double, asked, double.settings.rules.get(name, []))


def _ruleset(double: GitHubDouble, asked: Asked, token: Token | None, number: str) -> Answer:
    known = {rule.get("ruleset_id") for rules in double.settings.rules.values() for rule in rules}
    if int(number) not in known:
        raise Refused(404, "Not Found")
    bypass = "always" if token is not None and token.bypasses else "never"
    return Answer(200, {"id": int(number), "name": "rules", "current_user_can_bypass": bypass})


def _secrets(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    names = double.settings.secrets if asked.path.endswith("/actions/secrets") else ()
    return Answer(200, {"total_count": len(names), "secrets": [{"name": name} for name in names]})


def _actions(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    allowed = double.settings.actions_may_propose
    return Answer(200, {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": allowed})


def _workflow(double: GitHubDouble, asked: Asked, token: Token | None, name: str) -> Answer:
    if name not in double.settings.workflows:
        raise Refused(404, "Not Found")
    return Answer(200, {"name": name, "state": double.settings.workflows[name], "path": f".github/workflows/{name}"})


def _runs(double: GitHubDouble, asked: Asked, token: Token | None, name: str) -> Answer:
    runs = double.settings.runs
    return Answer(200, {"total_count": len(runs), "workflow_runs": runs[: int(asked.query.get("per_page", "30"))]})


def _pages(double: GitHubDouble, asked: Asked, token: Token | None) -> Answer:
    if double.settings.pages is None:
        raise Refused(404, "Not Found")
    return Answer(200, double.settings.pages)


NUMBER: Final = r"(\d+)"
ROUTES: Final = (
    ("GET", "", "metadata:read", _repository),
    ("GET", "/pulls", "pull_requests:read", _pulls),
    ("POST", "/pulls", "pull_requests:write", _open),
    ("GET", f"/pulls/{NUMBER}", "pull_requests:read", _pull),
    ("PATCH", f"/pulls/{NUMBER}", "pull_requests:write", _change),
    ("GET", f"/pulls/{NUMBER}/commits", "pull_requests:read", _pull_commits),
    ("GET", f"/pulls/{NUMBER}/reviews", "pull_requests:read", _reviews),
    ("POST", f"/pulls/{NUMBER}/requested_reviewers", "pull_requests:write", _ask_reviewers),
    ("POST", f"/issues/{NUMBER}/labels", "issues|pull_requests:write", _label),
    ("POST", f"/issues/{NUMBER}/comments", "issues|pull_requests:write", _comment),
    ("GET", "/commits", "contents:read", _commits),
    ("GET", "/branches/([^/]+)", "contents:read", _branch),
    ("GET", "/rules/branches/([^/]+)", "metadata:read", _rules),
    ("GET", f"/rulesets/{NUMBER}", "metadata:read", _ruleset),
    ("GET", "/actions/permissions/workflow", "administration:read", _actions),
    ("GET", "/actions/secrets", "secrets:read", _secrets),
    ("GET", "/actions/organization-secrets", "secrets:read", _secrets),
    ("GET", "/actions/workflows/([^/]+)", "actions:read", _workflow),
    ("GET", "/actions/workflows/([^/]+)/runs", "actions:read", _runs),
    ("GET", "/pages", "pages:read", _pages),
)
"""Method, path within the repository, the permission that it takes, and what answers."""
