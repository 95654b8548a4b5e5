"""Owns asking GitLab about one project: addresses below `/projects/<path>`, and what its refusals mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.errors import ForgeError, NotPermitted
from pipeline.forge.gitlab.tokens import NEXT_STEP
from pipeline.forge.http import HostRefused, Moved, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.forge.gitlab.tokens import TokenKind
    from pipeline.forge.http import ForgeClient
    from pipeline.observations.observation import Json

PAGE: Final = 100
"""Entries a page; GitLab gives no more."""
_UNAUTHORIZED: Final = 401
_FORBIDDEN: Final = 403
_MISSING: Final = 404


class ProjectApi:
    """One project of one GitLab, by a client that sends one token."""

    def __init__(self, client: ForgeClient, path: str, *, kind: TokenKind, variable: str) -> None:
        self.client = client
        self.path = path
        self.kind = kind
        self.variable = variable or "GITLAB_TOKEN"
        self._home = f"/projects/{quoted(path)}"

    def get(self, below: str) -> Json:
        """Read one thing of the project."""
        try:
            return self.client.get(f"{self._home}{below}")
        except HostRefused as refused:
            raise self.explained(refused) from None

    def pages(self, below: str, params: Mapping[str, str | int] | None = None) -> Iterator[Json]:
        """Read a list of the project, item by item."""
        try:
            yield from self.client.pages(f"{self._home}{below}", {**(params or {}), "per_page": PAGE})
        except HostRefused as refused:
            raise self.explained(refused) from None

    def post(self, below: str, body: Mapping[str, Json]) -> Json:
        """Make something new, once; raises `HostRefused` unexplained, for whoever asks may have an answer to it."""
        return self.client.post(f"{self._home}{below}", body)

    def put(self, below: str, body: Mapping[str, Json]) -> Json:
        """Change something of the project."""
        try:
            return self.client.put(f"{self._home}{below}", body)
        except HostRefused as refused:
            raise self.explained(refused) from None

    def look(self, address: str, params: Mapping[str, str | int] | None = None) -> Json:
        """Read what the token may not be allowed to see, at an address below that of the API: null when it is not."""
        try:
            return self.client.get(address, params)
        except HostRefused:
            return None

    def status_of(self, below: str) -> tuple[int, Json]:
        """Read one thing of the project: 200 and what it is, or the status with which it is refused."""
        try:
            return 200, self.client.get(f"{self._home}{below}")
        except HostRefused as refused:
            return refused.status, None

    def status_of_token(self) -> tuple[int, Json]:
        """Read what GitLab tells of the token itself, or the status of its refusal (GitLab 15.5 and later)."""
        try:
            return 200, self.client.get("/personal_access_tokens/self")
        except HostRefused as refused:
            return refused.status, None

    def listed(self, below: str) -> list[Json] | None:
        """Read a whole list of the project that the token may not be allowed to see: None when it is not."""
        try:
            return list(self.client.pages(f"{self._home}{below}", {"per_page": PAGE}))
        except HostRefused:
            return None

    def explained(self, refused: HostRefused) -> ForgeError:
        """Say what a refusal means here, and what to do about it."""
        told, status = refused.message, refused.status
        if isinstance(refused, Moved):
            step = "Check the address of the API: it leads to a page for people."
            return ForgeError(told, next_step=step) if "sign_in" in told else refused
        if status == _FORBIDDEN and refused.says("moved project"):
            step = "Set proposal.repository and the git remote to what the project is called now."
            return NotPermitted(f"{told} The project was moved or renamed.", next_step=step)
        if status in {_UNAUTHORIZED, _FORBIDDEN, _MISSING} and not self.kind.opens:
            return NotPermitted(f"{told} GitLab does not let {self.kind.name} do this.", next_step=NEXT_STEP)
        if status in {_UNAUTHORIZED, _FORBIDDEN} or (status == _MISSING and refused.says("project")):
            meaning, step = self._forbidden(status)
            return NotPermitted(f"{told} {meaning}".rstrip(), next_step=step)
        return refused

    def _forbidden(self, status: int) -> tuple[str, str]:
        if status == _UNAUTHORIZED:
            step = f"Create a new one and store it in {self.variable}."
            return "The token is missing, wrong, revoked or expired.", step
        if status == _MISSING:
            step = f"Check proposal.repository, and that the user of the token in {self.variable} is a member."
            return f"There is no project {self.path}, or the token may not see it.", step
        step = f"The token in {self.variable} needs the role Developer or higher in {self.path} and the scope api"
        return "", f"{step} (read_api to read alone)."
