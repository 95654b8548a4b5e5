"""Making the site from a derived tree: only what changed is rendered, and nobody can tell from the result."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError, StoreError, WikiError
from pipeline.site.values import Site
from tests.publishing.trees import BASE, ENVIRONMENT, FILES, contents, make, order, site_root, tree

if TYPE_CHECKING:
    from pipeline.publishing.making import Made

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return site_root(tmp_path / "repository")


def same_as_full(root: Path, documents: dict[str, str], files: dict[str, bytes] | None = None) -> Made:
    """Make the site after a change, and hold it against one that is made of nothing."""
    derived = tree(documents, FILES if files is None else files)
    made = make(root, derived)
    full = make(root, derived, output=root / ".build/other", full=True)
    assert full.rendered == full.pages == made.pages
    assert contents(root / ".build/site") == contents(root / ".build/other")
    assert made.findings == full.findings
    return made


def test_the_first_build_renders_everything_and_leaves_nothing_beside(root: Path) -> None:
    made = make(root, tree(others=frozenset({"pic.txt"})))
    site = contents(root / ".build/site")
    assert (made.pages, made.rendered, made.findings) == (5, 5, ())
    assert {"index.html", "a/one/index.html", "über/grün/index.html", "404.html", "assets/own.css"} <= set(site)
    assert site["kb/index.json"] == b"{}"
    assert site["a/one.md"] == b"# One\n"
    assert site["pic.txt"] == b"picture"
    assert "sitemap.xml" not in site
    assert "hook.py" not in site
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]
    assert sorted(path.name for path in (root / ".wikimill/site").iterdir()) == ["site.json", "site.lock"]


def test_nothing_is_rendered_where_nothing_changed(root: Path) -> None:
    make(root, tree())
    before = contents(root / ".build/site")
    (root / "hook.py").chmod(0o644)
    made = same_as_full(root, dict(BASE))
    assert made.rendered == 0
    assert contents(root / ".build/site") == before


@pytest.mark.parametrize(
    ("changed", "rendered"),
    [
        ({**BASE, "a/two.md": "# Two\n\n## Part\n\nOther.\n"}, 1),
        ({**BASE, "a/three.md": "# Three\n"}, 1),
        ({path: text for path, text in BASE.items() if path != "über/grün.md"}, 0),
        ({path.replace("grün", "gelb"): text for path, text in BASE.items()}, 1),
        ({**BASE, "a/two.md": BASE["a/two.md"].replace("\n", "\r\n")}, 1),
        ({**BASE, "a/two/deep.md": "# Deep\n"}, 1),
    ],
    ids=["changed", "added", "removed", "renamed", "windows-line-ends", "below-a-page"],
)
def test_only_what_changed_is_rendered_and_the_site_is_that_of_a_full_build(
    root: Path, changed: dict[str, str], rendered: int
) -> None:
    make(root, tree())
    assert same_as_full(root, changed).rendered == rendered


def test_static_files_follow(root: Path) -> None:
    make(root, tree())
    files = {"kb/index.json": b"[]", "find/0.js": b"0"}
    assert same_as_full(root, dict(BASE), files).rendered == 0


def test_a_changed_theme_configuration_hook_variable_or_site_is_a_full_build(root: Path) -> None:
    make(root, tree())
    (root / "theme/assets/own.css").write_bytes(b"p { margin: 1em }\n")
    assert same_as_full(root, dict(BASE)).rendered == 5
    (root / "theme/404.html").write_bytes(b"<p>lost</p>")
    assert same_as_full(root, dict(BASE)).rendered == 5
    (root / "hook.py").write_bytes(b"def on_page_markdown(markdown, **_):\n    return markdown + '\\n\\nhooked'\n")
    assert same_as_full(root, dict(BASE)).rendered == 5
    assert b"hooked" in (root / ".build/site/a/one/index.html").read_bytes()
    assert make(root, tree(), environment={**ENVIRONMENT, "NAME_OF_SITE": "Other"}).rendered == 5
    assert make(root, tree(), environment={**ENVIRONMENT, "NAME_OF_SITE": "Other", "UNNAMED": "x"}).rendered == 0
    assert make(root, tree()).rendered == 5
    assert make(root, tree(), Site(url="https://wiki.example/")).rendered == 5
    assert make(root, tree(), generator="properdocs").rendered == 5


def test_a_damaged_manifest_or_site_is_mended(root: Path) -> None:
    make(root, tree())
    manifest = root / ".wikimill/site/site.json"
    manifest.write_bytes(manifest.read_bytes()[:-200])
    assert same_as_full(root, dict(BASE)).rendered == 5
    (root / ".build/site/a/one/index.html").write_bytes(b"tampered")
    (root / ".build/site/a/two/index.html").unlink()
    (root / ".build/site/kb/index.json").write_bytes(b"[tampered]")
    (root / ".build/site/a/.DS_Store").write_bytes(b"left by a desktop")
    assert same_as_full(root, dict(BASE)).rendered == 2
    (root / ".build/site/assets/own.css").unlink()
    assert same_as_full(root, dict(BASE)).rendered == 5


def test_a_link_that_leads_nowhere_ends_a_strict_build_and_names_the_page(root: Path) -> None:
    make(root, tree())
    before = contents(root / ".build/site")
    without = tree({path: text for path, text in BASE.items() if path != "a/two.md"})
    with pytest.raises(WikiError) as caught:
        make(root, without)
    said = str(caught.value)
    # The page that links did not change, and was not read again.
    assert "a/one.md: error [site-link] links to 'a/two.md', which is not on the site. Correct the link" in said
    assert "--no-strict" in said
    assert contents(root / ".build/site") == before
    made = make(root, without, strict=False)
    assert [(one.where, one.rule) for one in made.findings] == [("a/one.md", "site-link")]
    again = make(root, without, strict=False)
    assert (again.rendered, again.findings) == (0, made.findings)


def test_an_anchor_that_went_is_found_though_the_linking_page_is_as_before(root: Path) -> None:
    make(root, tree())
    with pytest.raises(
        WikiError, match=re.escape("a/one.md: error [site-link] links to 'a/two.md#part', and there is no")
    ):
        make(root, tree({**BASE, "a/two.md": "# Two\n"}))


def test_a_page_that_the_generator_cannot_render_leaves_the_former_site(root: Path) -> None:
    make(root, tree())
    before = contents(root / ".build/site")
    (root / "hook.py").write_bytes(b"def on_page_markdown(markdown, **_):\n    raise ValueError('\\x1b[31mno')\n")
    with pytest.raises(StoreError, match="the site was not built") as caught:
        make(root, tree())
    assert "\x1b" not in str(caught.value)
    assert contents(root / ".build/site") == before
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


def test_shards_give_the_same_site_as_one_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {**BASE, **{f"p/page-{number}.md": f"# Page {number}\n" for number in range(20)}}
    make(root, tree(pages))
    monkeypatch.setattr("pipeline.reading.generator.DOCUMENTS_A_PROCESS", 6)
    made = make(root, tree(pages), output=root / ".build/other", processors=3)
    assert made.rendered == 25
    assert contents(root / ".build/site") == contents(root / ".build/other")


def test_zensical_renders_all_or_nothing(root: Path) -> None:
    pages = {"index.md": "# Home\n", "a/one.md": "# One\n"}
    assert make(root, tree(pages), generator="zensical").rendered == 2
    assert make(root, tree(pages), generator="zensical").rendered == 0
    made = make(root, tree({**pages, "a/three.md": "# Three\n"}), generator="zensical")
    assert (made.pages, made.rendered) == (3, 3)


def test_a_file_of_the_wiki_never_takes_the_place_of_one_of_ours(root: Path) -> None:
    for path in ("index.html", "KB/index.json", "kb", "a/one.md/x.txt", "fine/kb"):
        place = root / "wiki" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.write_bytes(b"theirs")
    others = frozenset({"index.html", "KB/index.json", "kb", "a/one.md/x.txt", "fine/kb"})
    made = make(root, tree(others=others), strict=False)
    assert [one.where for one in made.findings] == ["KB/index.json", "a/one.md/x.txt", "index.html", "kb"]
    site = contents(root / ".build/site")
    assert [path for path, raw in site.items() if raw == b"theirs"] == ["fine/kb"]


def test_two_documents_at_one_address(root: Path) -> None:
    made = make(root, tree({**BASE, "README.md": "# Read me\n", "a/README.md": "# Read me\n"}))
    assert [(one.where, one.rule) for one in made.findings] == [
        ("README.md", "site-name"),
        ("a/README.md", "site-name"),
    ]
    assert made.pages == 5


@pytest.mark.parametrize(
    ("document", "taken"),
    [
        ("feed.xml/x.md", "feed.xml"),
        ("FEED.xml/deep/x.md", "feed.xml"),
        ("404.html/x.md", "404.html"),
        ("feed.xml.md", "feed.xml"),
    ],
)
def test_a_page_that_needs_a_folder_where_the_site_has_a_file_is_named(root: Path, document: str, taken: str) -> None:
    files = {**FILES, "feed.xml": b"<feed/>", document: b"# X\n"}
    odd = tree({**BASE, document: "# X\n"}, files)
    with pytest.raises(WikiError, match=f"{document}.*'{taken}'"):
        make(root, odd)
    made = make(root, odd, strict=False)
    assert [(one.where, one.rule) for one in made.findings] == [(document, "site-name")]
    site = contents(root / ".build/site")
    assert site["feed.xml"] == b"<feed/>"
    assert not [path for path, raw in site.items() if b"<h1" in raw and b">X<" in raw]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", ["CNAME", "mine/thesis.txt", "assets/mine.txt", "kb/mine.json", "a/one/mine.html"])
def test_what_lies_in_the_output_and_no_build_made_is_never_lost(root: Path, name: str, *, full: bool) -> None:
    make(root, tree())
    place = root / ".build/site" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"years of work")
    before = contents(root / ".build/site")
    with pytest.raises(ConfigError, match=re.escape(f"holds '{name}', which no build made")):
        make(root, tree({**BASE, "a/one.md": "# Changed\n"}), full=full)
    assert contents(root / ".build/site") == before


@pytest.mark.parametrize("forgotten", ["site.json", ""])
def test_where_nothing_is_remembered_what_no_generator_makes_is_not_lost_either(root: Path, forgotten: str) -> None:
    make(root, tree({**BASE, "gone.md": "# Gone\n"}, {**FILES, "gone.md": b"# Gone\n"}))
    if forgotten:
        (root / ".wikimill/site" / forgotten).unlink()
    else:
        (root / ".build/site/404.html").write_bytes(b"by another generator")
    (root / ".build/site/notes.txt").write_bytes(b"years of work")
    before = contents(root / ".build/site")
    with pytest.raises(ConfigError, match=r"holds 'notes\.txt', which no build made"):
        make(root, tree())
    assert contents(root / ".build/site") == before
    (root / ".build/site/notes.txt").unlink()
    make(root, tree())
    assert "gone/index.html" not in contents(root / ".build/site")


def test_what_cannot_be_written_is_told(root: Path) -> None:
    (root / ".build").write_bytes(b"a file")
    with pytest.raises(StoreError, match="the site cannot be written"):
        make(root, tree())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_output_is_told(root: Path) -> None:
    make(root, tree())
    before = contents(root / ".build/site")
    (root / ".build").chmod(0o555)
    try:
        with pytest.raises(StoreError, match="the site cannot be written"):
            make(root, tree())
    finally:
        (root / ".build").chmod(0o755)
    assert contents(root / ".build/site") == before


def test_where_nothing_can_be_remembered_every_build_is_full(root: Path) -> None:
    (root / ".wikimill").write_bytes(b"a file")
    assert make(root, tree()).rendered == 5
    assert make(root, tree()).rendered == 5


def test_two_builds_at_once_wait_for_each_other(root: Path) -> None:
    done: list[Made] = []
    threads = [threading.Thread(target=lambda: done.append(make(root, tree()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made.rendered for made in done) == [0, 0, 5]
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("delay", [0.15, 0.4, 0.7])
def test_a_build_that_is_killed_leaves_the_former_site(root: Path, delay: float) -> None:
    make(root, tree())
    before = contents(root / ".build/site")
    script = (
        "import pathlib, sys; from tests.publishing.trees import *;"
        "make(pathlib.Path(sys.argv[1]), tree({**BASE, 'a/new.md': '# New'}), full=True)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(root)],
        env={**ENVIRONMENT, "PYTHONPATH": str(CHECKOUT)},
        start_new_session=True,
    )
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    after = contents(root / ".build/site")
    assert after == before or "a/new/index.html" in after
    make(root, tree())
    assert contents(root / ".build/site") == before
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


def test_a_build_that_was_killed_between_the_last_two_steps_is_undone(root: Path) -> None:
    make(root, tree())
    scratch = root / ".build/.site.wikimill-killed"
    scratch.mkdir()
    (root / ".build/site").rename(scratch / "former")
    assert make(root, tree()).rendered == 0
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


def test_the_configuration_of_an_order_names_its_folder(root: Path) -> None:
    assert str(root).encode() in order(root).configuration
