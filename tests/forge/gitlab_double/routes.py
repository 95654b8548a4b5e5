"""Owns the routes of the double's API: who asks, what they may, and what GitLab answers them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode

from tests.forge.gitlab_double import telling
from tests.forge.gitlab_double.state import DEVELOPER, MAINTAINER, PROJECT, MergeRequest, Project, Token
from tests.forge.served import Answer, html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.forge.served import Asked


Told = Answer | list[Any]
"""A list is given page by page."""

SIGN_IN = html(200, "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>")


@dataclass
class Caller:
    name: str | None
    token: Token | None
    known: bool = True

    @property
    def reads(self) -> bool:
        return self.token is not None and bool({"api", "read_api"} & set(self.token.scopes))

    @property
    def writes(self) -> bool:
        return self.token is not None and "api" in self.token.scopes


class Refusal(Exception):
    def __init__(self, status: int, says: Any, *, of: str = "message") -> None:  # noqa: ANN401
        super().__init__(says)
        self.answer = Answer(status, {of: says})


@dataclass
class Routes:
    """The API of one project; `web_url` is the address for people, which answers hold."""

    project: Project
    tokens: Mapping[str, Token]
    web_url: str
    relative: str = ""
    job_refusal: int = 401
    links: bool = True
    """Whether pages are named by the header `Link` also, or by `x-next-page` alone."""
    most_per_page: int = 100

    def answer(self, request: Asked) -> Answer:
        if request.path == f"{self.relative}/users/sign_in":
            return SIGN_IN
        prefix = f"{self.relative}/api/v4"
        if not request.path.startswith(f"{prefix}/"):
            return html(404)
        self.project.refresh()
        try:
            told = self._route(request, request.path.removeprefix(prefix))
        except Refusal as refusal:
            return refusal.answer
        return self._paged(request, told) if isinstance(told, list) else told

    def _paged(self, request: Asked, listed: list[Any]) -> Answer:
        size = min(int(request.query.get("per_page", "20")), self.most_per_page)
        page = int(request.query.get("page", "1"))
        following = str(page + 1) if page * size < len(listed) else ""
        headers = {"x-page": str(page), "x-per-page": str(size), "x-next-page": following}
        if self.links:
            query = urlencode({**request.query, "page": following or "1"})
            address = f"{self.web_url.removesuffix(self.relative)}{request.path}?{query}"
            headers["Link"] = f'<{address}>; rel="{"next" if following else "first"}"'
        return Answer(200, listed[(page - 1) * size : page * size], headers)

    def _route(self, request: Asked, path: str) -> Told:
        caller = self._caller(request)
        if not caller.known:
            raise Refusal(401, "401 Unauthorized")
        if path == "/personal_access_tokens/self":
            return self._token(caller)
        if path == "/user":
            told = telling.user(self.project, caller.name)
            return Answer(200, {**(told or {}), "is_admin": caller.name in self.project.admins})
        if path == "/users":
            name = request.query.get("username", "")
            found = [one for one in self.project.users if one.lower() == name.lower()]
            return [telling.user(self.project, one) for one in found]
        if one := re.fullmatch(r"/users/(\d+)", path):
            return self._user(int(one[1]), caller)
        if not path.startswith("/projects/"):
            raise Refusal(404, "404 Not Found")
        return self._of_project(request, caller, path)

    def _of_project(self, request: Asked, caller: Caller, path: str) -> Told:
        name, _, rest = path.removeprefix("/projects/").partition("/")
        if unquote(name) in self.project.old_paths:
            if request.method != "GET":
                raise Refusal(403, "403 Forbidden - Non GET methods are not allowed for moved projects")
            place = f"{self.web_url}/api/v4/projects/{PROJECT}{'/' if rest else ''}{rest}?{urlencode(request.query)}"
            return Answer(301, {"message": f"This resource has been moved permanently to {place}"}, {"Location": place})
        if name not in {str(PROJECT), telling.path_of(self.project)}:
            raise Refusal(404, "404 Project Not Found")
        return self._below(request, caller, rest)

    def _caller(self, request: Asked) -> Caller:
        sent = request.headers.get("private-token") or request.headers.get("authorization", "").removeprefix("Bearer ")
        job = request.headers.get("job-token", "")
        if not sent and not job:
            return Caller(None, None)
        token = self.tokens.get(job or sent)
        if token is None or not token.active or token.job is not bool(job) or token.deploy:
            return Caller(None, None, known=False)
        return Caller(token.user, token)

    def _token(self, caller: Caller) -> Answer:
        if caller.token is None or caller.token.job:
            raise Refusal(401, "401 Unauthorized")
        return Answer(200, telling.token(self.project, caller.token))

    def _user(self, identity: int, caller: Caller) -> Answer:
        name = next((name for name, number in self.project.users.items() if number == identity), None)
        if name is None or caller.token is None or caller.token.job:
            raise Refusal(404, "404 User Not Found")
        return Answer(200, {**(telling.user(self.project, name) or {}), "bot": name in self.project.machines})

    def _below(self, request: Asked, caller: Caller, rest: str) -> Told:
        job = caller.token is not None and caller.token.job
        if job and not (request.method == "GET" and re.fullmatch(r"merge_requests(/\d+(/notes)?)?", rest)):
            if request.method != "GET" or self.job_refusal == 403:
                raise Refusal(self.job_refusal, {401: "401 Unauthorized", 403: "403 Forbidden"}[self.job_refusal])
            caller = Caller(None, None)
        private = self.project.settings["visibility"] != "public"
        if private and not (caller.name and (self.project.role(caller.name) or caller.name in self.project.admins)):
            raise Refusal(404, "404 Project Not Found")
        if caller.token is not None and not job:
            self._hold_to_scopes(request, caller)
        if request.method == "GET":
            return self._read(request, caller, rest)
        if caller.name is None:
            raise Refusal(401, "401 Unauthorized")
        return self._write(request, caller.name, rest)

    def _hold_to_scopes(self, request: Asked, caller: Caller) -> None:
        if not (caller.reads if request.method == "GET" else caller.writes):
            raise Refusal(403, "insufficient_scope", of="error")

    def _read(self, request: Asked, caller: Caller, rest: str) -> Told:
        role = self.project.role(caller.name) if caller.name else 0
        if not rest:
            return Answer(200, telling.whole_project(self.project, caller.name))
        if rest.startswith("merge_requests"):
            return self._read_request(request, rest)
        if rest.startswith("repository/branches/"):
            if not self.project.hosted.tip(unquote(rest.removeprefix("repository/branches/"))):
                raise Refusal(404, "404 Branch Not Found")
            return Answer(200, {"name": "main"})
        if one := re.fullmatch(r"members/all/(\d+)", rest):
            name = next((name for name, number in self.project.users.items() if number == int(one[1])), "")
            if not self.project.role(name):
                raise Refusal(404, "404 Not found")
            return Answer(200, {**(telling.user(self.project, name) or {}), "access_level": self.project.role(name)})
        if rest in {"protected_branches", "push_rule", "pipeline_schedules", "variables"}:
            return self._read_setting(rest, role)
        raise Refusal(404, "404 Not Found")

    def _read_setting(self, rest: str, role: int) -> Told:
        if role < (MAINTAINER if rest in {"push_rule", "variables"} else DEVELOPER):
            raise Refusal(403, "403 Forbidden")
        if rest == "variables":
            return [{"key": name, "value": "hidden"} for name in self.project.variables]
        if rest == "protected_branches":
            return self.project.protected
        if rest == "push_rule":
            if self.project.push_rule == "unlicensed":
                raise Refusal(404, "404 Not Found")
            return Answer(200, self.project.push_rule)
        return [{**one, "owner": telling.user(self.project, one["owner"])} for one in self.project.schedules]

    def _read_request(self, request: Asked, rest: str) -> Told:
        if rest == "merge_requests":
            return self._listed(request.query)
        one, below = self._one(rest)
        if not below:
            return Answer(200, telling.merge_request(self.project, one, self.web_url))
        if below == "commits":
            return [telling.commit(each) for each in reversed(one.commits)]
        if below == "notes":
            newest = request.query.get("sort", "desc") == "desc"
            notes = sorted(one.notes, key=lambda note: note.at, reverse=newest)
            return [telling.note(self.project, each) for each in notes]
        if below == "approvals":
            return Answer(200, telling.approvals(self.project, one))
        if below == "versions":
            made = [
                {"id": number, "head_commit_sha": head, "created_at": telling.at(when), "state": "collected"}
                for number, (when, head) in enumerate(one.versions, 1)
            ]
            return made[::-1]
        raise Refusal(404, "404 Not Found")

    def _listed(self, params: dict[str, str]) -> Told:
        if self.project.settings["merge_requests_access_level"] == "disabled":
            raise Refusal(403, "403 Forbidden")
        state, branch, base = params.get("state", "all"), params.get("source_branch"), params.get("target_branch")
        found = [
            one
            for one in self.project.requests.values()
            if state in {"all", one.state} and branch in {None, one.branch} and base in {None, one.base}
        ]
        found.sort(key=lambda one: one.at, reverse=params.get("sort", "desc") == "desc")
        return [telling.merge_request(self.project, one, self.web_url) for one in found]

    def _one(self, rest: str) -> tuple[MergeRequest, str]:
        found = re.fullmatch(r"merge_requests/(\d+)(?:/(\w+))?", rest)
        one = self.project.requests.get(int(found[1])) if found else None
        if found is None or one is None:
            raise Refusal(404, "404 Not found")
        return one, found[2] or ""

    def _write(self, request: Asked, name: str, rest: str) -> Answer:
        if self.project.role(name) < DEVELOPER or self.project.settings["archived"]:
            raise Refusal(403, "403 Forbidden")
        if request.method == "POST" and rest == "merge_requests":
            return self._create(request.body, name)
        one, below = self._one(rest)
        if request.method == "POST" and below == "notes":
            self.project.comment(one, name, self._obeyed(one, request.body["body"]))
            return Answer(201, telling.note(self.project, one.notes[-1]))
        if request.method == "PUT" and not below:
            return self._update(one, request.body)
        raise Refusal(405, "405 Method Not Allowed")

    def _create(self, body: dict[str, Any], name: str) -> Answer:
        branch, base = body["source_branch"], body["target_branch"]
        if not self.project.settings["merge_requests_enabled"]:
            raise Refusal(403, "403 Forbidden")
        if branch == base:
            raise Refusal(422, ["You can't use same project/branch for source and target"])
        if not self.project.hosted.tip(branch):
            raise Refusal(400, {"source_branch": ["does not exist"]})
        self._hold_to_limits(body)
        if same := [one for one in self.project.open_ones(branch) if one.base == base]:
            told = f"Another open merge request already exists for this source branch: !{same[0].number}"
            raise Refusal(409, [told])
        ids = {number: user for user, number in self.project.users.items()}
        reviewers = [ids[number] for number in body.get("reviewer_ids", []) if self.project.role(ids[number])]
        one = self.project.create(name, branch, base, body["title"], body["description"])
        one.labels = [label for label in body.get("labels", "").split(",") if label]
        one.reviewers = reviewers[:1] if self.project.one_reviewer else reviewers
        one.removes_branch = body.get("remove_source_branch", False)
        one.body = self._obeyed(one, one.body)
        return Answer(201, telling.merge_request(self.project, one, self.web_url))

    def _update(self, one: MergeRequest, body: dict[str, Any]) -> Answer:
        self._hold_to_limits(body)
        one.title = body.get("title", one.title)
        one.body = self._obeyed(one, body.get("description", one.body))
        if body.get("state_event") == "close" and one.state == "opened":
            one.state, one.closed_at = "closed", self.project.moment()
        return Answer(200, telling.merge_request(self.project, one, self.web_url))

    def _hold_to_limits(self, body: dict[str, Any]) -> None:
        if len(body.get("title", "")) > 255:
            raise Refusal(400, {"title": ["is too long (maximum is 255 characters)"]})
        if len(body.get("description", "")) > 1_048_576:
            raise Refusal(400, {"description": ["is too long (maximum is 1048576 characters)"]})

    def _obeyed(self, one: MergeRequest, text: str) -> str:
        """Carry out quick actions at the beginnings of lines, as GitLab does, and take them out."""
        text = text.replace("\r", "")
        for found in re.finditer(r"(?mi)^/(close|merge|label|assign|approve)\b.*$", text):
            self.project.violations.append(f"!{one.number} carried out {found[0]}")
        return text
