"""Owns the addresses of a GitLab's pages for people, worked out from that of its API; pure."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlencode

_API: Final = "/api/v4"


def site_of(api_url: str) -> str:
    """Give the address of a GitLab for people, with the relative address that a self-hosted one may stand below."""
    return api_url.rstrip("/").removesuffix(_API)


def project_page(api_url: str, path: str) -> str:
    """Give the page of a project."""
    return f"{site_of(api_url)}/{quote(path)}"


def file_page(api_url: str, path: str, *, branch: str, file: str, line: int) -> str:
    """Give the page that shows a line of a file on a branch."""
    return f"{project_page(api_url, path)}/-/blob/{quote(branch, safe='/')}/{quote(file, safe='/')}#L{line}"


def new_request_page(api_url: str, path: str, *, base: str, branch: str) -> str:
    """Give the page on which a merge request is opened by hand, filled in with its branches."""
    chosen = {"merge_request[source_branch]": branch, "merge_request[target_branch]": base}
    return f"{project_page(api_url, path)}/-/merge_requests/new?{urlencode(chosen, quote_via=quote, safe='')}"
