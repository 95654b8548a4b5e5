"""Owns the actions that the workflows use, played by what each of them does with files on the machine."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.workflows.expressions import Value


@dataclass(frozen=True)
class Bench:
    """What an action finds: a job's work tree, the bare repository, and the place of artifacts and caches."""

    tree: Path
    origin: Path
    place: Path
    ref: str
    app_token: str


class Failed(Exception):
    """An action fails."""


def check_out(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    assert (given["persist-credentials"], given["fetch-depth"]) == ("false", "0")
    git = ["git", "-C", str(bench.tree), "-c", "advice.detachedHead=false"]
    if bench.ref.startswith("refs/heads/"):
        branch = given.get("ref") or bench.ref.removeprefix("refs/heads/")
        subprocess.run([*git, "clone", "--quiet", f"--branch={branch}", bench.origin.as_uri(), "."], check=True)
    else:  # anything else than a branch is checked out as a commit alone, as the action does
        subprocess.run([*git, "clone", "--quiet", "--no-checkout", bench.origin.as_uri(), "."], check=True)
        subprocess.run([*git, "fetch", "--quiet", "origin", f"+{bench.ref}:refs/remotes/pull"], check=True)
        subprocess.run([*git, "checkout", "--quiet", "--detach", "refs/remotes/pull"], check=True)
    return {}


def upload(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    source = bench.tree / given["path"].rstrip("/")
    hidden = given.get("include-hidden-files") == "true"
    found = [path for path in sorted(source.rglob("*")) if path.is_file() and (hidden or not _is_hidden(bench, path))]
    if not found and given.get("if-no-files-found") == "error":
        raise Failed(f"no files were found at {given['path']}")
    target = bench.place / "artifacts" / given["name"]
    if target.exists() and given.get("overwrite") != "true":
        raise Failed("an artifact of this name exists")
    shutil.rmtree(target, ignore_errors=True)
    for path in found:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return {}


def _is_hidden(bench: Bench, path: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(bench.tree).parts)


def download(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    source = bench.place / "artifacts" / given["name"]
    if not source.is_dir():
        raise Failed("there is no such artifact")
    shutil.copytree(source, bench.tree / given["path"], dirs_exist_ok=True)
    return {}


def restore(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    kept = bench.place / "caches"
    matching = sorted(kept.glob(f"{given['restore-keys']}*"), key=lambda path: path.stat().st_mtime_ns)
    exact = kept / given["key"]
    source = exact if exact.is_dir() else matching[-1] if matching else None
    if source is not None:
        shutil.copytree(source, bench.tree / given["path"], dirs_exist_ok=True)
    return {"cache-hit": "true" if source == exact else "false"}


def save(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    target = bench.place / "caches" / given["key"]
    if not target.exists():  # one that stands is never changed
        shutil.copytree(bench.tree / given["path"], target)
    return {}


def app_token(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    if not given["client-id"] or not given["private-key"]:
        raise Failed("client-id and private-key are needed")
    return {"token": bench.app_token}


def upload_pages(bench: Bench, given: Mapping[str, str]) -> dict[str, Value]:
    if not (bench.tree / given["path"]).is_dir():
        raise Failed("there is no site")
    shutil.copytree(bench.tree / given["path"], bench.place / "pages", dirs_exist_ok=True)
    return {}


ACTIONS: Mapping[str, Callable[[Bench, Mapping[str, str]], dict[str, Value]]] = {
    "actions/checkout": check_out,
    "actions/setup-python": lambda _bench, _given: {},
    "actions/upload-artifact": upload,
    "actions/download-artifact": download,
    "actions/cache/restore": restore,
    "actions/cache/save": save,
    "actions/create-github-app-token": app_token,
    "actions/configure-pages": lambda _bench, _given: {"base_url": "https://acme.github.io/wiki"},
    "actions/upload-pages-artifact": upload_pages,
    "actions/deploy-pages": lambda _bench, _given: {"page_url": "https://acme.github.io/wiki/"},
}
