"""Gathering what the site is derived from: quotations and revisions come without secrets, hidden files not at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.config import parse_settings
from pipeline.publishing.gathering import Asked, gather
from pipeline.publishing.known_pages import KnownPages
from pipeline.wiki.revision.sources import source_id
from tests.publishing.test_building import git
from tests.publishing.trees import ENVIRONMENT
from tests.reading.sample import write_repository

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.site.values import Inputs

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
SECRET = "ghp_" + "a1B2" * 9
LABEL = source_id("one")


def cited(line: int, more: str = "") -> str:
    return (
        f"---\ntype: Decision\ntitle: Cookies\nsources:\n- id: {LABEL}\n"
        f"  resource: ../../observations/acme/2026.jsonl#L{line}\n  title: '2026-11-12 09:14 dana: we'\n---\n\n"
        f"# Cookies\n\nText.[^{LABEL}]{more}\n\n[^{LABEL}]: 2026-11-12 09:14, dana\n"
    )


def observation(own: str, body: str) -> str:
    return json.dumps(
        {
            "id": own,
            "ts": "2026-11-12T09:14:00Z",
            "session_id": "s1",
            "project": "acme",
            "agent_kind": "claude-code",
            "author": "dana",
            "role": "user",
            "kind": "decision",
            "body": body,
        }
    )


def repository(tmp_path: Path, page: str, *lines: str) -> Path:
    pages = {"index.md": "# Home\n", "tags.md": "# Tags\n", "acme/cookies.md": page, "acme/pic.png": "no picture"}
    hidden = {"_prompts/x.md": "wishes", ".ledger/files.jsonl": "", "acme/_draft.md": "no", "acme/.x/y.md": "no"}
    root = write_repository(tmp_path, pages={**pages, **hidden})
    (root / "observations/acme").mkdir(parents=True)
    (root / "observations/acme/2026.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return root


def gathered(root: Path, settings: str = "", *, offline: bool = False, site_url: str | None = None) -> Inputs:
    asked = Asked(NOW, ENVIRONMENT, offline=offline, site_url=site_url)
    return gather(root, parse_settings(settings), asked, KnownPages(root / ".wikimill" / "site", "pages")).inputs


def test_published_files_and_nothing_hidden(tmp_path: Path) -> None:
    inputs = gathered(repository(tmp_path, "# Cookies\r\n"))
    assert sorted(inputs.files) == ["acme/cookies.md", "index.md"]
    assert inputs.files["acme/cookies.md"] == b"# Cookies\r\n"
    assert inputs.others == {"acme/pic.png"}
    assert (inputs.quoted, inputs.revisions, inputs.moved, inputs.sessions) == ({}, {}, {}, ())
    assert inputs.site.today == NOW.date()
    assert inputs.site.folder == "wiki"


def test_the_words_behind_a_footnote_come_without_secrets_from_the_line_where_they_stand_now(tmp_path: Path) -> None:
    lines = (observation("other", "else"), observation("one", f"We took cookies, token {SECRET}."))
    inputs = gathered(repository(tmp_path, cited(1), *lines))
    quoted = inputs.quoted["acme/cookies.md", LABEL]
    assert quoted.words == "We took cookies, token [REDACTED:github-token]."
    assert (quoted.who, quoted.agent_kind, quoted.session_id) == ("dana", "claude-code", "s1")
    assert (quoted.file, quoted.line) == ("observations/acme/2026.jsonl", 2)
    assert quoted.when == datetime(2026, 11, 12, 9, 14, tzinfo=UTC)


def test_without_quotations_no_observation_is_read(tmp_path: Path) -> None:
    root = repository(tmp_path, cited(1), observation("one", "We took cookies."))
    inputs = gathered(root, "[site]\nquotations = false\n")
    assert inputs.quoted == {}
    assert not inputs.site.quotations


def test_a_source_that_is_not_there_or_a_page_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    assert gathered(repository(tmp_path / "one", cited(7))).quoted == {}
    assert gathered(repository(tmp_path / "two", "---\nsources: [\n---\n# X\n")).quoted == {}


def findings(root: Path) -> list[tuple[str, str, str]]:
    found = gather(root, parse_settings(""), Asked(NOW, ENVIRONMENT), KnownPages(root / ".wikimill" / "site", "pages"))
    return [(one.where, one.rule, one.severity) for one in found.findings]


def test_quotations_that_cannot_be_had_are_told(tmp_path: Path) -> None:
    other = source_id("two")
    entry = f"- id: {other}\n  resource: ../../observations/acme/gone.jsonl#L1\n---"
    both = cited(1, f"[^{other}]").replace("---\n\n#", f"{entry}\n\n#")
    assert findings(repository(tmp_path / "some", both, observation("one", "We took cookies."))) == [
        ("observations", "quotation-missing", "warning")
    ]
    assert findings(repository(tmp_path / "none", cited(1))) == [("observations", "quotation-missing", "note")]
    assert findings(repository(tmp_path / "all", cited(1), observation("one", "We took cookies."))) == []


def test_a_clone_without_its_history_is_told(tmp_path: Path) -> None:
    root = repository(tmp_path / "root", cited(1), observation("one", "We took cookies."))
    for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "One"], ["commit", "-qm", "Two", "--allow-empty"]):
        git(root, *step)
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "clone")
    assert findings(root) == []
    assert findings(tmp_path / "clone") == [(".git", "history-cut", "warning")]


def test_revisions_come_without_secrets_and_follow_a_page(tmp_path: Path) -> None:
    root = repository(tmp_path, cited(1, f" Our token is {SECRET}."), observation("one", "x"))
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", f"Write with {SECRET}")
    (root / "wiki/acme/cookies.md").write_text(cited(1), encoding="utf-8")
    git(root, "commit", "-qam", "Take the token out")
    git(root, "mv", "wiki/acme/cookies.md", "wiki/acme/sessions.md")
    git(root, "commit", "-qm", "Move")
    inputs = gathered(root)
    newest, former = inputs.revisions["acme/sessions.md"]
    assert newest.subject == "Take the token out"
    assert newest.raw == inputs.files["acme/sessions.md"]
    assert former.subject == "Write with [REDACTED:github-token]"
    assert b"[REDACTED:github-token]" in former.raw
    assert SECRET.encode() not in former.raw
    assert inputs.moved == {"acme/cookies.md": "acme/sessions.md"}


def test_a_wiki_that_is_not_committed_has_no_history(tmp_path: Path) -> None:
    root = repository(tmp_path, "# Cookies\n")
    git(root, "init", "-q")
    assert gathered(root).revisions == {}
    git(root, "add", "mkdocs.yml")
    git(root, "commit", "-qm", "first")
    assert gathered(root).revisions == {}


def test_where_the_site_is_served_and_how_may_be_told(tmp_path: Path) -> None:
    root = repository(tmp_path, "# Cookies\n")
    assert gathered(root).site.directory_urls
    site = gathered(root, offline=True, site_url="http://127.0.0.1:8000/").site
    assert not site.directory_urls
    assert site.url == "http://127.0.0.1:8000/"


def test_files_that_can_run_script_are_withheld_and_told(tmp_path: Path) -> None:
    root = repository(tmp_path, "# Page\n")
    for name in ("drawing.svg", "page.html", "PAGE.XHTML", "code.js", "table.csv"):
        (root / "wiki" / name).write_bytes(b"x")
    found = gather(root, parse_settings(""), Asked(NOW, ENVIRONMENT), KnownPages(root / "state", "pages"))
    assert found.inputs.others == {"acme/pic.png", "table.csv"}
    told = {one.where for one in found.findings if one.rule == "file-withheld"}
    assert told == {"drawing.svg", "page.html", "PAGE.XHTML", "code.js"}
