"""What the pipeline writes is a bundle of the Open Knowledge Format, by the word of a validator that is not ours."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from vault2okf import validate_bundle

from pipeline.config import LintSettings
from pipeline.draft import KINDS, ConsolidatedBatch
from pipeline.observations.observation import SessionKey
from pipeline.wiki.derived.indexes import render_indexes
from pipeline.wiki.derived.log import add_entry, describe
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.linting.lint import lint
from pipeline.wiki.revision.revise import revise
from tests.gates.drafts import update_of, window_of
from tests.wiki.revision.test_revise import STAMP

OUTSIDE_THE_BUNDLE = {"OKF032"}
"""A source is a line of an observation file, outside the bundle: the validator looks for a file named `...#L1`."""


def wiki_of_two_projects() -> dict[str, bytes]:
    wiki: dict[str, bytes] = {}
    for session in (SessionKey("default", "acme", "s-1"), SessionKey("Lab", "Web: App", "s-2")):
        window = window_of("We use cookies: `a: b`.", "# It failed", "- [x] *done*", session=session)
        first = [
            update_of(f"Said.[^o1]\n\n## More\n\n- {kind}[^o2]\n- more[^o3]\n", kind=kind, title=f"{kind}: a #1 [x]")
            for kind in KINDS
        ]
        second = [update_of("Now this.[^o3]\n", title="Now", supersedes=[path_of(session, "decisions/decision-a-1-x")])]
        for updates in (first[:4], first[4:], second):
            revision = revise(
                ConsolidatedBatch(updates=tuple(updates)), window=window, wiki=wiki, shown_paths=(), stamp=STAMP
            )
            wiki |= revision.pages
            assert revision.findings == ()
            log = path_of(session, "log")
            wiki[log] = add_entry(wiki.get(log), date(2026, 11, 30), describe(revision.outcomes, page=log))
    entries = [
        catalogue_entry(path, parse_page(path, raw)) for path, raw in wiki.items() if not path.endswith("log.md")
    ]
    return wiki | render_indexes(entries, [entry.path for entry in entries], {})


def path_of(session: SessionKey, name: str) -> str:
    return f"acme/{name}.md" if session.workspace == "default" else f"lab/web-app/{name}.md"


def written(folder: Path, wiki: dict[str, bytes]) -> Path:
    root = folder / "wiki"
    for path, raw in wiki.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
    return root


def test_a_validator_accepts_the_wiki(tmp_path: Path) -> None:
    report = validate_bundle(written(tmp_path, wiki_of_two_projects()))
    assert report.concepts > 2 * len(KINDS)
    assert report.okf_version == "0.2"
    assert report.errors == 0
    # OKF011: it does not read a title that holds escaped brackets.
    assert {one.code for one in report.diagnostics} <= OUTSIDE_THE_BUNDLE | {"OKF011"}


def test_the_wiki_of_this_repository_is_accepted() -> None:
    report = validate_bundle(Path(__file__).parents[2] / "wiki")
    assert report.concepts > 10
    assert report.errors == 0
    assert {one.code for one in report.diagnostics} <= OUTSIDE_THE_BUNDLE


def test_it_has_no_findings_of_our_own() -> None:
    findings = lint(wiki_of_two_projects(), settings=LintSettings(), today=date(2026, 12, 1))
    assert findings == ()
