"""The door to the generator: documents are rendered by processes of their own, which tell nothing raw."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError, StoreError
from pipeline.reading import generator
from pipeline.reading.generator import Rendered, Task, check_generator, render, workers_for

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.reading.generator import GeneratorName

CONFIGURATION = b"""\
site_name: Harbour
docs_dir: elsewhere
site_dir: /nowhere
site_url: https://wrong.example/
theme: { name: material, font: false }
plugins: []
not_in_nav: '*'
validation: { links: { not_found: warn } }
extra: { tagged: !ENV [NAMED, fallback] }
"""
DOCUMENTS = {
    "index.md": b"# Home\n",
    "a/one.md": b"# One\n",
    "a/index.md": b"# A\n",
    "\xfc/gr\xfcn.md": "# Grün\n".encode(),
}
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}}


def rendered(
    tmp_path: Path,
    documents: dict[str, bytes] | None = None,
    *,
    name: GeneratorName = "mkdocs",
    strict: bool = True,
    directory_urls: bool = True,
    workers: int = 1,
    configuration: bytes = CONFIGURATION,
) -> Rendered:
    task = Task(
        tmp_path,
        configuration,
        ENVIRONMENT,
        generator=name,
        strict=strict,
        directory_urls=directory_urls,
        site_url="https://wiki.example/acme/",
        workers=workers,
    )
    return render(DOCUMENTS if documents is None else documents, tmp_path / "scratch", task)


@pytest.mark.parametrize("name", ["mkdocs", "properdocs", "zensical"])
def test_each_generator_renders_every_document_and_the_theme(tmp_path: Path, name: GeneratorName) -> None:
    pytest.importorskip(name)
    done = rendered(tmp_path, name=name)
    assert sorted(done.pages) == ["a/index.html", "a/one/index.html", "index.html", "ü/grün/index.html"]
    assert "404.html" in done.theme
    assert not {"sitemap.xml", "sitemap.xml.gz"} & set(done.theme)
    text = done.pages["a/one/index.html"].read_text(encoding="utf-8")
    assert ">One" in text
    assert "https://wiki.example/acme/a/one/" in text
    assert done.findings == ()


@pytest.mark.parametrize("name", ["mkdocs", "zensical"])
def test_without_directory_addresses_every_page_is_a_file(tmp_path: Path, name: GeneratorName) -> None:
    done = rendered(tmp_path, name=name, directory_urls=False)
    assert sorted(done.pages) == ["a/index.html", "a/one.html", "index.html", "ü/grün.html"]


def test_several_processes_give_the_pages_of_one(tmp_path: Path) -> None:
    one = rendered(tmp_path / "one")
    several = rendered(tmp_path / "several", workers=3)
    assert {path: place.read_bytes() for path, place in one.pages.items()} == {
        path: place.read_bytes() for path, place in several.pages.items()
    }
    assert set(one.theme) == set(several.theme)
    assert len({place.parents[len(path.split("/"))] for path, place in several.pages.items()}) == 3


def test_without_documents_the_theme_is_rendered_all_the_same(tmp_path: Path) -> None:
    done = rendered(tmp_path, {})
    assert not done.pages
    assert "404.html" in done.theme


def test_a_warning_fails_a_strict_build_and_is_a_finding_otherwise(tmp_path: Path) -> None:
    documents = {"index.md": b"# Home\n\n[gone](<two\x1b[31m\xe2\x80\xae.md>)\n"}
    with pytest.raises(StoreError, match=r"index\.md") as caught:
        rendered(tmp_path / "strict", documents)
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    done = rendered(tmp_path / "lenient", documents, strict=False)
    assert [(one.where, one.rule, one.severity) for one in done.findings] == [("index.md", "site-warning", "warning")]


def test_one_process_that_fails_ends_the_build(tmp_path: Path) -> None:
    documents = {**DOCUMENTS, "a/zzz.md": b"[gone](two.md)\n"}
    with pytest.raises(StoreError, match=r"zzz\.md"):
        rendered(tmp_path, documents, workers=3)


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text("def on_post_build(config): raise OSError(28, 'No space left on device')\n")
    hooked = CONFIGURATION + f"hooks: ['{(tmp_path / 'hook.py').as_posix()}']\n".encode()
    with pytest.raises(StoreError, match=r"the disk is full.*Free some space"):
        rendered(tmp_path / "site", configuration=hooked)


def test_a_wrong_configuration_is_the_operators(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not accept it"):
        rendered(tmp_path / "one", configuration=CONFIGURATION.replace(b"material", b"no-such-theme"))
    with pytest.raises(ConfigError, match="holds no keys"):
        rendered(tmp_path / "two", configuration=b"- a list\n")


def test_a_document_that_the_generator_passes_over_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"\.hidden\.md: the site generator left it out"):
        rendered(tmp_path, {"index.md": b"# Home\n", ".hidden.md": b"# Hidden\n"})


def test_a_folder_called_pipeline_in_the_repository_is_not_taken_for_ours(tmp_path: Path) -> None:
    for name in ("pipeline", "mkdocs", "material"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    configuration = CONFIGURATION + b"markdown_extensions: [pipeline.reading.safe_markdown]\n"
    assert len(rendered(tmp_path, configuration=configuration).pages) == 4


def test_a_generator_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    check_generator("mkdocs")
    monkeypatch.setattr(generator, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="pip install zensical"):
        check_generator("zensical")


def test_a_generator_that_cannot_be_started_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(StoreError, match="cannot be started"):
        rendered(tmp_path)


@pytest.mark.parametrize(
    ("documents", "processors", "workers"),
    [(0, 8, 1), (1, 8, 1), (399, 8, 1), (400, 8, 2), (1_200, 8, 4), (10_000, 8, 8), (10_000, 2, 2), (10_000, 0, 1)],
)
def test_as_many_processes_as_pay(documents: int, processors: int, workers: int) -> None:
    assert workers_for(documents, processors) == workers
