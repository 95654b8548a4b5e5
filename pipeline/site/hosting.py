"""Owns the addresses of the repository on its Git host: a file, a line, a commit, an edit, a new issue.

Knows no page and asks no host. Addresses are plain text; who puts one into HTML escapes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args
from urllib.parse import quote

HostKind = Literal["github", "gitlab", "gitea", "bitbucket"]
KINDS: Final[tuple[HostKind, ...]] = get_args(HostKind)

_TOLD_BY: Final[tuple[tuple[str, HostKind], ...]] = (
    ("gitlab", "gitlab"),
    ("bitbucket", "bitbucket"),
    ("gitea", "gitea"),
    ("codeberg", "gitea"),
    ("forgejo", "gitea"),
)
_LONGEST_ADDRESS: Final = 6_000
"""Characters of an address: GitHub answers longer ones with 414 from about 8,000 on."""


@dataclass(frozen=True, slots=True)
class Host:
    """Where a repository is hosted: its address there, the branch that links name, and what stands above it.

    `prefix` is the path of the wiki repository's folder within the hosted one, with a slash at its end, or empty.
    `report` is a template for reports, with `{title}`, `{body}` and `{page}`, such as `mailto:wiki@example.org`; empty:
    the host's own issues.
    """

    url: str
    kind: HostKind
    branch: str = "main"
    prefix: str = ""
    report: str = ""

    def shown(self, path: str, line: int = 0) -> str:
        """Give the address that shows a file, by its path from the wiki repository's top, or one line of it."""
        middle = {"github": "/blob/", "gitlab": "/-/blob/", "gitea": "/src/branch/", "bitbucket": "/src/"}[self.kind]
        plain = "?plain=1" if line and self.kind in {"github", "gitlab"} and path.endswith(".md") else ""
        mark = f"#lines-{line}" if self.kind == "bitbucket" else f"#L{line}"
        return f"{self._file(middle, path)}{plain}{mark if line else ''}"

    def edited(self, path: str) -> str:
        """Give the address that opens a file for editing."""
        if self.kind == "bitbucket":
            return f"{self._file('/src/', path)}?mode=edit"
        return self._file({"github": "/edit/", "gitlab": "/-/edit/", "gitea": "/_edit/"}[self.kind], path)

    def commit(self, commit: str) -> str:
        """Give the address that shows a commit."""
        middle = {"github": "/commit/", "gitlab": "/-/commit/", "gitea": "/commit/", "bitbucket": "/commits/"}
        return f"{self.url}{middle[self.kind]}{quote(commit, safe='')}"

    def report_on(self, page: str, title: str, body: str) -> str:
        """Give the address that opens a new report, filled in already; `body` is cut so that the address is valid."""
        if self.report:
            values = {"{title}": title, "{body}": body, "{page}": page}
            filled = self.report
            for name, value in values.items():
                filled = filled.replace(name, quote(value, safe=""))
            return filled[:_LONGEST_ADDRESS]
        if self.kind == "bitbucket":
            return f"{self.url}/issues/new?title={quote(title, safe='')}"
        names = ("issue[title]", "issue[description]") if self.kind == "gitlab" else ("title", "body")
        where = "/-/issues/new" if self.kind == "gitlab" else "/issues/new"
        head = f"{self.url}{where}?{quote(names[0], safe='')}={quote(title, safe='')}&{quote(names[1], safe='')}="
        while len(head) + len(quote(body, safe="")) > _LONGEST_ADDRESS and body:
            body = body[: len(body) * 3 // 4]
        return head + quote(body, safe="")

    def _file(self, middle: str, path: str) -> str:
        return f"{self.url}{middle}{quote(self.branch)}/{quote(self.prefix + path)}"


_USER = re.compile(r"\A(https?://)[^/?#]*@")
"""A user and a password, which are nobody else's business."""


def read_host(  # what a configuration may say of a host
    url: str, *, kind: str = "", branch: str = "main", prefix: str = "", report: str = ""
) -> Host | None:
    """Make a host of what the configuration tells; None without the address of a repository on the web."""
    base = _USER.sub(r"\1", url.strip().rstrip("/"))
    if not base.startswith(("https://", "http://")):
        return None
    told = next((known for known in KINDS if known == kind), None)
    guessed: HostKind = next((named for word, named in _TOLD_BY if word in base), "github")
    safe = report if report.startswith(("mailto:", "https://", "http://")) else ""
    return Host(base, told or guessed, branch or "main", prefix, safe)
