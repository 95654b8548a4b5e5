"""Building the site of a whole repository: it holds all pages, the former site stays, and nothing else is touched."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.config import parse_settings
from pipeline.errors import ConfigError, StoreError, WikiError, WikimillError
from pipeline.publishing.building import Built, Wish, build_site
from pipeline.reading.published import check_published
from tests.publishing.trees import ENVIRONMENT, contents
from tests.reading.sample import CHECKOUT, sample_pages, write_repository

if TYPE_CHECKING:
    from collections.abc import Callable

NEW = "---\ntype: Concept\ntitle: Über 潮位\n---\n\n# Über 潮位\n\nNeu.\n"
ONE = "---\ntype: Concept\ntitle: One\n---\n\n# One\n"
NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def build(
    root: Path,
    *,
    strict: bool = True,
    full: bool = False,
    settings: str = "",
    output: Path | None = None,
    state: Path | None = None,
) -> Built:
    wish = Wish(strict=strict, full=full, output=output, state=state)
    return build_site(root, parse_settings(settings), now=NOW, environment=ENVIRONMENT, wish=wish)


def small(root: Path, **pages: str) -> Path:
    texts = {name.replace("__", "/") + ".md": text for name, text in pages.items()}
    return write_repository(root, pages={"index.md": "# Home\n", **texts})


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, dict[str, bytes]]:
    built = build(write_repository(tmp_path_factory.mktemp("sample")))
    return built, contents(built.output)


def test_the_sample_is_built_without_a_finding(sample: tuple[Built, dict[str, bytes]]) -> None:
    built, site = sample
    assert [one for one in built.findings if one.severity != "note"] == []
    assert built.rendered == built.pages > len(sample_pages())
    assert {"index.html", "404.html", "tidemark/decisions/session-cookies/index.html"} <= set(site)
    assert {"kb/index.json", "llms.txt", "feed.xml", "search/index.html", "assets/wikimill.css"} <= set(site)
    assert sorted(path.name for path in built.output.parent.iterdir()) == ["site"]


def test_neither_ledger_nor_prompts_are_published(sample: tuple[Built, dict[str, bytes]]) -> None:
    _, site = sample
    assert not [path for path in site if ".ledger" in path or "_prompts" in path or path.startswith(".")]
    assert not [path for path, content in site.items() if b"Secret wishes" in content]


def test_a_second_build_renders_nothing_and_a_full_one_gives_the_same_bytes(tmp_path: Path) -> None:
    root = write_repository(tmp_path)
    first = contents(build(root).output)
    again = build(root)
    assert again.rendered == 0
    assert again.unchanged == again.pages
    assert contents(again.output) == first
    full = build(root, full=True)
    assert full.rendered == full.pages == again.pages
    assert contents(full.output) == first


def test_after_any_change_an_incremental_build_gives_what_a_full_one_gives(tmp_path: Path) -> None:
    root = write_repository(tmp_path / "repository")
    build(root)
    wiki = root / "wiki/tidemark"
    cookies = wiki / "decisions/session-cookies.md"
    steps: dict[str, Callable[[], object]] = {
        "changed": lambda: cookies.write_bytes(cookies.read_bytes().replace(b"12 hours", b"13 hours")),
        "windows": lambda: cookies.write_bytes(cookies.read_bytes().replace(b"\n", b"\r\n")),
        "added": lambda: (wiki / "concepts/über-潮位.md").write_text(NEW, encoding="utf-8"),
        "renamed": lambda: (wiki / "rules/readings-table.md").rename(wiki / "rules/table.md"),
        "removed": (wiki / "sessions/2026-11-18-gauge-7.md").unlink,
        "theme": lambda: (root / "site/overrides/assets/wikimill.css").write_bytes(b"p { margin: 0 }\n"),
    }
    for name, step in steps.items():
        step()
        built = build(root, strict=False)
        full = build(root, strict=False, full=True, output=tmp_path / "full" / name, state=tmp_path / "state")
        assert contents(built.output) == contents(full.output), name
        assert built.findings == full.findings, name
        # A page more or less may change the order of the navigation, which stands on every page.
        assert built.rendered < built.pages or name in {"added", "removed", "theme"}, name


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("# One\n\n[gone](two.md)\n", WikimillError, "concepts/one.md"),
        ("# One\n\n[gone](#nowhere)\n", WikimillError, "nowhere"),
        ("---\ntitle: Foo: bar\n---\n# One\n", WikiError, "concepts/one.md: error [unreadable-front-matter]"),
        ("---\ntags: a, b\n---\n# One\n", WikiError, "concepts/one.md"),
    ],
)
def test_a_failing_build_leaves_the_former_site(
    tmp_path: Path, text: str, error: type[WikimillError], says: str
) -> None:
    root = small(tmp_path, p__concepts__one="# One\n")
    before = contents(build(root).output)
    (root / "wiki/p/concepts/one.md").write_text(text, encoding="utf-8")
    with pytest.raises(error) as caught:
        build(root)
    assert says in str(caught.value)
    assert contents(root / ".build/site") == before
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


def test_without_strict_the_site_is_built_and_findings_name_the_pages(tmp_path: Path) -> None:
    root = small(
        tmp_path,
        p__concepts__one="# One\n\n[gone](two.md)\n",
        p__concepts__three="---\ntitle: Foo: bar\n---\n# Three\n",
    )
    built = build(root, strict=False)
    assert {"p/concepts/one.md", "p/concepts/three.md"} <= {one.where.partition("#")[0] for one in built.findings}
    assert (built.output / "p/concepts/one/index.html").is_file()


def test_without_git_and_in_a_repository_that_holds_no_page_there_is_no_history(tmp_path: Path) -> None:
    root = small(tmp_path / "repository", p__concepts__one="# One\n")
    alone = contents(build(root).output)
    assert not [path for path in alone if path.startswith("history/")]
    git(root, "init", "-q")
    assert contents(build(root, full=True).output) == alone


def git(root: Path, *arguments: str) -> None:
    own = {"GIT_AUTHOR_NAME": "Dana", "GIT_AUTHOR_EMAIL": "d@x.example", "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(root)}
    environment = {**ENVIRONMENT, **own, "GIT_COMMITTER_NAME": "Dana", "GIT_COMMITTER_EMAIL": "d@x.example"}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, env=environment, capture_output=True)


def test_a_page_that_moved_is_found_at_its_former_address(tmp_path: Path) -> None:
    root = small(tmp_path, p__concepts__one="# One\n\n" + "A sentence that stays.\n" * 5)
    git(root, "init", "-q")
    git(root, "add", "wiki")
    git(root, "commit", "-qm", "first")
    git(root, "mv", "wiki/p/concepts/one.md", "wiki/p/concepts/two.md")
    git(root, "commit", "-qm", "second")
    site = contents(build(root).output)
    assert b"two/" in site["p/concepts/one/index.html"]
    assert b'"p/concepts/one/":"p/concepts/two/"' in site["kb/redirects.json"].replace(b" ", b"")


def test_a_copy_for_reading_without_a_server_is_packed(tmp_path: Path) -> None:
    root = write_repository(tmp_path)
    plain = contents(build(root).output)
    wish = Wish(offline=True)
    built = build_site(root, parse_settings(""), now=NOW, environment=ENVIRONMENT, wish=wish)
    assert built.output == root / ".build/site-offline"
    assert built.archive == root / ".build/site.zip"
    with zipfile.ZipFile(root / ".build/site.zip") as packed:
        names = packed.namelist()
        assert {name: packed.read(name) for name in names} == contents(built.output)
        assert names == sorted(names, key=lambda name: name.split("/"))
    assert "tidemark/decisions/session-cookies.html" in names
    home = (built.output / "index.html").read_text(encoding="utf-8")
    linked = re.findall(r'href="([^":#?]+)', home)
    assert linked
    assert all((built.output / link).is_file() for link in linked if link != "."), linked
    before = (root / ".build/site.zip").read_bytes()
    build_site(root, parse_settings(""), now=NOW, environment=ENVIRONMENT, wish=wish)
    assert (root / ".build/site.zip").read_bytes() == before
    assert contents(root / ".build/site") == plain
    assert sorted(path.name for path in (root / ".build").iterdir()) == ["site", "site-offline", "site.zip"]


def test_a_project_may_be_called_templates(tmp_path: Path) -> None:
    root = small(tmp_path, templates__index="# Templates\n", templates__concepts__one="# One\n")
    assert (build(root).output / "templates/concepts/one/index.html").is_file()


def test_a_page_that_went_breaks_no_build_where_only_generated_pages_name_it(tmp_path: Path) -> None:
    log = "# Update log\n\n## 2026-11-30\n\n* created [Old & gone](decisions/old%20one.md#why), [Here](here.md).\n"
    root = small(tmp_path, acme__log=log, acme__index="# acme\n\n* [Old](decisions/old.md)\n", acme__here="# Here\n")
    built = build(root)
    site = contents(built.output)
    assert b'href="../here/"' in site["acme/log/index.html"]
    assert b"Old &amp; gone" in site["acme/log/index.html"]
    assert {one.severity for one in built.findings} <= {"note", "warning"}


def test_a_site_of_many_pages_stays_small(tmp_path: Path) -> None:
    front = "---\ntype: Concept\ntitle: Page {number}\ntags: [tag{tag}]\n---\n\n# Page {number}\n\n"
    pages = {
        f"p__{folder}__page-{number}": front.format(number=number, tag=number % 7) + "Some text. " * 180
        for folder in ("concepts", "decisions", "gotchas")
        for number in range(40)
    }
    built = build(small(tmp_path, **pages))
    site = contents(built.output)
    assert not [one for one in built.findings if one.rule == "site-size"]
    assert len(site["p/concepts/page-1/index.html"]) < 30 * 1024
    assert site["p/concepts/page-1/index.html"].count(b"md-nav__item") < 30


def test_a_wrong_configuration_is_the_operators(tmp_path: Path) -> None:
    root = small(tmp_path)
    good = (root / "mkdocs.yml").read_bytes()
    for wrong, says in ((b"\ntheme: [\n", "YAML"), (b"\nedit_uri_template: {x\n", "YAML")):
        (root / "mkdocs.yml").write_bytes(good + wrong)
        with pytest.raises(ConfigError, match=says):
            build(root)
    (root / "mkdocs.yml").write_bytes(good.replace(b"name: material", b"name: no-such-theme"))
    with pytest.raises(ConfigError, match="does not accept it"):
        build(root)


def test_without_a_folder_of_pages_says_how_to_get_one(tmp_path: Path) -> None:
    root = small(tmp_path)
    (root / "wiki").rename(root / "elsewhere")
    with pytest.raises(StoreError, match="there are no pages yet"):
        build(root)


@pytest.mark.parametrize(
    ("written", "refused"),
    [
        ("docs_dir: wiki", False),
        ("docs_dir: ./wiki/", False),
        ("docs_dir: !ENV [PAGES, wiki]", False),
        ("docs_dir: pages", True),
        ("", True),  # the generator's own default is another one
    ],
)
def test_the_site_is_made_of_the_wikis_pages(tmp_path: Path, written: str, *, refused: bool) -> None:
    root = small(tmp_path)
    text = (root / "mkdocs.yml").read_text(encoding="utf-8").replace("docs_dir: wiki", written)
    (root / "mkdocs.yml").write_text(text, encoding="utf-8")
    if refused:
        with pytest.raises(ConfigError, match="Write `docs_dir: wiki` there"):
            check_published(root, "wiki")
    else:
        check_published(root, "wiki")


def test_without_a_configuration_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wikimill init"):
        build(tmp_path)


@pytest.mark.parametrize("output", [".", "..", "wiki", "site", "observations", "wiki/inner", "site/overrides", ".git"])
def test_refuses_to_replace_what_is_no_site(tmp_path: Path, output: str) -> None:
    root = small(tmp_path / "repository")
    before = contents(tmp_path)
    with pytest.raises(ConfigError):
        build(root, output=root / output)
    assert contents(tmp_path) == before


def test_refuses_a_folder_with_other_files(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(ConfigError, match="no build made"):
        build(root, output=tmp_path / "mine")
    assert (tmp_path / "mine/thesis.txt").read_text(encoding="utf-8") == "years of work"


@pytest.mark.parametrize("foreign", [".git/HEAD", "CNAME", ".nojekyll"])
def test_refuses_a_site_that_something_else_keeps_files_in(tmp_path: Path, foreign: str) -> None:
    root = small(tmp_path / "repository")
    for name in ("404.html", "assets/wikimill.css", foreign):
        (tmp_path / "pub" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pub" / name).write_bytes(b"theirs")
    before = contents(tmp_path / "pub")
    with pytest.raises(ConfigError, match=f"holds '{foreign.partition('/')[0]}', which no build made"):
        build(root, output=tmp_path / "pub")
    assert contents(tmp_path / "pub") == before


def test_a_site_of_something_else_is_never_replaced(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    for name in ("404.html", "sitemap.xml", "index.html", "assets/style.css"):
        (tmp_path / "pub" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pub" / name).write_bytes(b"theirs")
    with pytest.raises(ConfigError, match="holds files that no build made"):
        build(root, output=tmp_path / "pub")
    assert len(contents(tmp_path / "pub")) == 4


def test_a_page_may_be_called_as_what_hosts_read(tmp_path: Path) -> None:
    root = small(tmp_path, CNAME="---\ntype: Concept\ntitle: CNAME\n---\n", CNAME__concepts__one=ONE)
    build(root)
    assert build(root).rendered == 0


def test_an_archive_that_no_build_made_is_never_replaced(tmp_path: Path) -> None:
    root = small(tmp_path)
    (root / ".build").mkdir()
    (root / ".build/site.zip").write_bytes(b"years of work")
    wish = Wish(offline=True)
    with pytest.raises(ConfigError, match="is no archive that a build made"):
        build_site(root, parse_settings(""), now=NOW, environment=ENVIRONMENT, wish=wish)
    assert (root / ".build/site.zip").read_bytes() == b"years of work"


def test_a_file_is_never_replaced_by_a_site(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    with pytest.raises(ConfigError, match="is no folder"):
        build(root, output=root / "mkdocs.yml")
    assert (root / "mkdocs.yml").is_file()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("there", [True, False])
def test_a_link_to_a_folder_stays_and_its_folder_gets_the_site(tmp_path: Path, *, there: bool) -> None:
    root = small(tmp_path / "repository")
    if there:
        (tmp_path / "served").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "served")
    build(root, output=tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "served/index.html").is_file()


def test_names_of_any_kind_are_published_linked_and_redirected(tmp_path: Path) -> None:
    root = small(tmp_path, p__concepts__one=ONE)
    names = ["a#b", "c d", "e(f)", "g[h]", "i'j", "k%20l", "日本 語", "m?n", "o&p", "q*r", "s;t=u"]
    if os.name == "nt":
        names = [name for name in names if not set(name) & set("?*")]
    lines = []
    for number, name in enumerate(names):
        (root / f"wiki/p/concepts/{name}.md").write_text(
            f"---\ntype: Concept\ntitle: T{number}\n---\n", encoding="utf-8"
        )
        lines.append(json.dumps({"from": f"p/concepts/former-{number}.md", "to": f"p/concepts/{name}.md"}))
    (root / "wiki/.ledger").mkdir(exist_ok=True)
    (root / "wiki/.ledger/moved.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    built = build(root)

    assert [one for one in built.findings if one.severity != "note"] == []
    for number, name in enumerate(names):
        assert (built.output / f"p/concepts/{name}/index.html").is_file()
        assert "has moved" in (built.output / f"p/concepts/former-{number}/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("generator", ["mkdocs", "properdocs", "zensical"])
def test_a_page_may_be_called_and_titled_as_an_index(tmp_path: Path, generator: str) -> None:
    titled = "---\ntype: readme\ntitle: {}\n---\n\n# One\n\n## " + "long " * 80 + "\n"
    names = {"a": "readme", "b": "Readme", "c": "README", "d": "guide-1", "e": "guide-2"}
    root = small(tmp_path, **{f"{folder}__guides__{name}": titled.format("README") for folder, name in names.items()})

    built = build(root, settings=f"[site]\ngenerator = '{generator}'\n")

    assert [one for one in built.findings if one.severity != "note"] == []
    site = contents(built.output)
    for file in ("a/guides/readme", "b/guides/Readme", "c/guides", "d/guides/guide-1", "called/readme", "types/readme"):
        assert f"{file}/index.html" in site
    assert re.search(rb"""href=["'][^"']*README\.md""", site["c/guides/index.html"])


@pytest.mark.skipif(os.name == "nt", reason="names are text there, and links need a privilege")
def test_what_cannot_be_read_for_its_name_is_told(tmp_path: Path) -> None:
    root = small(tmp_path, p__concepts__one=ONE)
    (root / "wiki/p/concepts/link.md").symlink_to(root / "mkdocs.yml")
    try:
        Path(os.fsdecode(os.fsencode(root / "wiki/p/concepts") + b"/caf\xe9.md")).write_bytes(b"# X\n")
        odd = ["p/concepts/caf\\udce9.md"]
    except OSError:
        odd = []  # a disk that takes UTF-8 alone
    told = [one.where for one in build(root).findings if one.rule == "file-withheld"]
    assert told == [*odd, "p/concepts/link.md"]


def test_another_output_may_lie_anywhere(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    assert build(root, output=tmp_path / "a/b/public").output == tmp_path / "a/b/public"
    assert (tmp_path / "a/b/public/index.html").is_file()


@pytest.mark.parametrize("generator", ["properdocs", "zensical"])
def test_other_generators_build_the_sample_strictly(tmp_path: Path, generator: str) -> None:
    pytest.importorskip(generator)
    root = write_repository(tmp_path)
    built = build(root, settings=f'[site]\ngenerator = "{generator}"\n')
    assert [one for one in built.findings if one.severity != "note"] == []
    assert (built.output / "tidemark/decisions/session-cookies/index.html").is_file()


def test_plain_mkdocs_builds_a_site_of_the_same_repository_and_never_touches_the_theme(tmp_path: Path) -> None:
    root = write_repository(tmp_path)
    before = contents(root / "site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=root,
        env={**ENVIRONMENT, "PYTHONPATH": str(CHECKOUT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert contents(root / "site") == before
    # Its site is one that a build of ours may replace.
    assert build(root).rendered > 0


def test_this_repository_is_configured_as_a_new_one(tmp_path: Path) -> None:
    own = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    new = (write_repository(tmp_path) / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    assert [line for line in own if line not in new] == ["site_name: wikimill"]


def test_the_environment_is_the_one_given(tmp_path: Path) -> None:
    root = small(tmp_path)
    environment = {**ENVIRONMENT, "SITE_URL": "https://wiki.example/acme/"}
    built = build_site(root, parse_settings(""), now=NOW, environment=environment)
    text = (built.output / "index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://wiki.example/acme/">' in text
    assert os.environ.get("SITE_URL") != environment["SITE_URL"]
