"""Building and serving the site: the former site stays when a build fails, and nothing else is ever touched."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError, StoreError, WikiError, WikimillError
from pipeline.reading.build import Built, build_site, serve_site
from pipeline.reading.published import check_published
from tests.browser.surfing import free_port
from tests.reading.payloads import page
from tests.reading.sample import CHECKOUT, sample_pages, write_repository

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}}


def build(root: Path, *, strict: bool = True, output: Path | None = None, **variables: str) -> Built:
    return build_site(root, strict=strict, output=output, environment={**ENVIRONMENT, **variables})


def small(root: Path, **pages: str) -> Path:
    texts = {name.replace("__", "/") + ".md": text for name, text in pages.items()}
    return write_repository(root, pages={"index.md": "# Home\n", **texts})


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_builds_the_sample_without_a_warning(tmp_path: Path) -> None:
    root = write_repository(tmp_path)

    built = build(root)

    assert built.output == root / ".build/site"
    assert built.findings == ()
    assert built.pages == len([path for path in sample_pages() if path.endswith(".md") and path[0] not in "._"]) + 1
    assert (built.output / "tidemark/decisions/session-cookies/index.html").is_file()
    assert (built.output / "404.html").is_file()
    assert sorted(path.name for path in (root / ".build").iterdir()) == ["site"]


def test_a_page_that_went_breaks_no_build_where_only_generated_pages_name_it(tmp_path: Path) -> None:
    log = "# Update log\n\n* created [Old & gone](decisions/old%20one.md#why), [Here](here.md), [web](https://a.example/x.md).\n"
    root = small(tmp_path, acme__log=log, acme__index="# acme\n\n* [Old](decisions/old.md)\n", acme__here="# Here\n")

    built = build(root)

    told = (built.output / "acme/log/index.html").read_text(encoding="utf-8")
    assert built.findings == ()
    assert "<span>Old &amp; gone</span>" in told
    assert 'href="../here/"' in told
    assert 'href="https://a.example/x.md"' in told


def test_a_persons_link_to_a_page_that_went_stops_a_strict_build(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=re.escape("contains a link 'gone.md'")):
        build(small(tmp_path, acme__here="# Here\n\nSee [it](gone.md).\n"))


def test_neither_ledger_nor_prompts_are_published(tmp_path: Path) -> None:
    published = files(build(write_repository(tmp_path)).output)

    assert not [path for path in published if ".ledger" in path or "_prompts" in path]
    assert not [path for path, content in published.items() if b"Secret wishes" in content]
    assert "assets/wikimill.css" in published
    assert not [path for path in published if path.endswith(".md")]


def test_a_project_may_be_called_templates(tmp_path: Path) -> None:
    root = small(tmp_path, templates__index="# Templates\n", templates__concepts__one="# One\n")

    assert (build(root).output / "templates/concepts/one/index.html").is_file()


def test_a_build_replaces_the_former_site(tmp_path: Path) -> None:
    root = small(tmp_path, concepts__one="# One\n")
    build(root)
    (root / "wiki/concepts/one.md").unlink()

    built = build(root)

    assert not (built.output / "concepts").exists()


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("# One\n\n[gone](two.md)\n", StoreError, "concepts/one.md"),
        ("# One\n\n[gone](#nowhere)\n", StoreError, "#nowhere"),
        ("---\ntitle: Foo: bar\n---\n# One\n", WikiError, "concepts/one.md: error [unreadable-front-matter]"),
        ("---\ntags: a, b\n---\n# One\n", WikiError, "concepts/one.md"),
    ],
)
def test_a_failing_build_leaves_the_former_site(
    tmp_path: Path, text: str, error: type[WikimillError], says: str
) -> None:
    root = small(tmp_path, concepts__one="# One\n")
    before = files(build(root).output)
    (root / "wiki/concepts/one.md").write_text(text, encoding="utf-8")

    with pytest.raises(error, match=r"(?s).*") as caught:
        build(root)

    assert says in str(caught.value)
    assert files(root / ".build/site") == before
    assert [path.name for path in (root / ".build").iterdir()] == ["site"]


def test_without_strict_the_site_is_built_and_findings_name_the_pages(tmp_path: Path) -> None:
    root = small(
        tmp_path, concepts__one="# One\n\n[gone](two.md)\n", concepts__three="---\ntitle: Foo: bar\n---\n# Three\n"
    )

    built = build(root, strict=False)

    assert [(finding.where, finding.rule) for finding in built.findings] == [
        ("concepts/three.md", "unreadable-front-matter"),
        ("concepts/one.md", "site-warning"),
    ]
    assert (built.output / "concepts/three/index.html").is_file()


def test_what_the_generator_says_reaches_no_terminal_raw(tmp_path: Path) -> None:
    root = small(tmp_path, concepts__one="# One\n\n[gone](<two\x1b[31m\u202e.md>)\n")

    with pytest.raises(StoreError) as caught:
        build(root)

    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


def test_a_wrong_configuration_is_the_operators(tmp_path: Path) -> None:
    root = small(tmp_path)
    with (root / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write("\nuse_directory_urls: perhaps\n")

    with pytest.raises(ConfigError, match="use_directory_urls"):
        build(root)


def test_a_configuration_that_is_no_yaml_is_the_operators(tmp_path: Path) -> None:
    root = small(tmp_path)
    with (root / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write("\ntheme: [\n")

    with pytest.raises(ConfigError, match="the site generator does not accept it"):
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


@pytest.mark.parametrize("output", [".", "..", "wiki", "site", "observations"])
def test_refuses_to_replace_what_is_no_site(tmp_path: Path, output: str) -> None:
    root = small(tmp_path / "repository")
    before = files(tmp_path)

    with pytest.raises(ConfigError):
        build(root, output=root / output)

    assert files(tmp_path) == before


def test_refuses_a_folder_with_other_files(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work", encoding="utf-8")

    with pytest.raises(ConfigError, match="no build made"):
        build(root, output=tmp_path / "mine")

    assert (tmp_path / "mine/thesis.txt").read_text(encoding="utf-8") == "years of work"


def test_another_output_may_lie_anywhere(tmp_path: Path) -> None:
    root = small(tmp_path / "repository")

    assert build(root, output=tmp_path / "a/b/public").output == tmp_path / "a/b/public"
    assert (tmp_path / "a/b/public/index.html").is_file()


def test_a_folder_called_pipeline_in_the_repository_is_not_taken_for_ours(tmp_path: Path) -> None:
    root = small(tmp_path)
    (root / "pipeline").mkdir()
    (root / "pipeline/__init__.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")

    build(root)


def test_the_environment_is_the_one_given(tmp_path: Path) -> None:
    root = small(tmp_path)

    text = (build(root, SITE_URL="https://wiki.example/acme/").output / "index.html").read_text(encoding="utf-8")

    assert '<link rel="canonical" href="https://wiki.example/acme/">' in text


def plain_mkdocs(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", *arguments],
        cwd=root,
        env={**ENVIRONMENT, "PYTHONPATH": str(CHECKOUT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_plain_mkdocs_builds_the_same_site_and_never_touches_the_theme(tmp_path: Path) -> None:
    root = write_repository(tmp_path)
    ours = files(build(root, output=tmp_path / "ours").output)
    before = files(root / "site")

    done = plain_mkdocs(root, "--strict")

    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert files(root / "site") == before
    theirs = files(root / ".build/site")
    changing = {"sitemap.xml.gz"}
    assert {path: theirs[path] for path in theirs if path not in changing} == {
        path: ours[path] for path in ours if path not in changing
    }


def test_this_repository_is_configured_as_a_new_one(tmp_path: Path) -> None:
    own = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    new = (write_repository(tmp_path) / "mkdocs.yml").read_text(encoding="utf-8").splitlines()

    assert [line for line in own if line not in new] == ["site_name: wikimill"]


def test_a_site_of_many_pages_stays_small_and_quick(tmp_path: Path) -> None:
    pages = {"index.md": "# Home\n\n- [P](p/index.md)\n", "p/index.md": "# P\n"}
    for folder in ("concepts", "decisions", "gotchas"):
        pages[f"p/{folder}/index.md"] = f"# {folder}\n"
        for number in range(40):
            front = {"type": "Concept", "title": f"Page {number}", "tags": [f"tag{number % 7}"]}
            pages[f"p/{folder}/page-{number}.md"] = page(front, f"# Page {number}\n\nText. " * 40)
    root = write_repository(tmp_path, pages=pages)

    began = time.monotonic()
    built = build(root)

    assert time.monotonic() - began < 30
    text = (built.output / "p/concepts/page-1/index.html").read_text(encoding="utf-8")
    assert "page-2" not in text
    assert len(text) < 40_000
    assert text.count("md-nav__item") < 12


def test_serves_on_this_machine_until_interrupted(tmp_path: Path) -> None:
    root = small(tmp_path)
    port = free_port()
    script = (
        "import os, pathlib, sys; from pipeline.reading.build import serve_site;"
        "serve_site(pathlib.Path(sys.argv[1]), port=int(sys.argv[2]), environment=os.environ)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(root), str(port)],
        env={**ENVIRONMENT, "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        text = wait_for(f"http://127.0.0.1:{port}/", process)
        assert "<h1" in text
        assert "livereload" in text
        assert "script-src 'self' 'unsafe-inline'" in text
        (root / "wiki/index.md").write_text("# Renamed\n", encoding="utf-8")
        assert "Renamed" in wait_for(f"http://127.0.0.1:{port}/", process, says="Renamed")
    finally:
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 0, told
    assert not (root / ".build").exists()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2)


def wait_for(address: str, process: subprocess.Popen[bytes], says: str = "") -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                text = str(answer.read().decode())
                if says in text:
                    return text
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(address)


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_cannot_be_used_is_named(tmp_path: Path, port: int) -> None:
    with pytest.raises(ConfigError, match=f"127.0.0.1:{port}"):
        serve_site(small(tmp_path), port=port, environment=ENVIRONMENT)
