"""The site of a new repository: the same files from a checkout and from an installed wheel."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from pipeline.reading.template import site_files
from pipeline.reading.unreadable import unreadable
from tests.reading.sample import CHECKOUT


def test_gives_the_checkouts_own_site() -> None:
    files = site_files("Harbour wiki")

    own = {path for path in (CHECKOUT / "site").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in files if path.startswith("site/")} == {
        path.relative_to(CHECKOUT).as_posix() for path in own
    }
    assert all(files[path.relative_to(CHECKOUT).as_posix()] == path.read_bytes() for path in own)
    assert {path for path in files if not path.startswith("site/")} == {"mkdocs.yml", "wiki/tags.md"}


@pytest.mark.parametrize("name", ["Harbour wiki", "Hafen: das Wiki", 'a "quoted" \\1 name', "#1", "港の wiki", "yes"])
def test_names_the_wiki(name: str) -> None:
    class Loader(yaml.SafeLoader):
        """Reads the generator's tags as what follows them."""

    Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)
    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda _loader, _suffix, _node: None)

    configuration = yaml.load(site_files(name)["mkdocs.yml"].decode(), Loader)

    assert configuration["site_name"] == name
    assert configuration["site_dir"] == ".build/site"
    assert configuration["theme"]["font"] is False
    assert list(configuration["markdown_extensions"][-1]) == ["pipeline.reading.safe_markdown"]
    assert [next(iter(plugin)) for plugin in configuration["plugins"]] == ["search", "tags"]
    assert "hooks" not in configuration


def test_the_tags_page_is_a_valid_page() -> None:
    raw = site_files()["wiki/tags.md"]
    front = yaml.safe_load(raw.decode().split("---\n")[1])

    assert unreadable("tags.md", raw) is None
    assert front["type"] == "Index"
    assert front["locked"] is True
    assert raw.endswith(b"<!-- material/tags -->\n")


def test_no_file_asks_another_host() -> None:
    for path, content in site_files().items():
        text = content.decode()
        if path.endswith((".css", ".js", ".svg")):
            assert "//" not in text.replace("http://www.w3.org/2000/svg", "").replace("// ", ""), path


@pytest.mark.slow
def test_the_same_from_an_installed_wheel(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    source = tmp_path / "source"
    skipped = shutil.ignore_patterns(
        ".git", ".build", ".venv", "__pycache__", "tests", "wiki", "observations", ".*_cache"
    )
    shutil.copytree(CHECKOUT, source, ignore=skipped)
    for name in ("README.md", "LICENSE"):
        (source / name).touch()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "wheels")],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (wheel,) = (tmp_path / "wheels").glob("wikimill-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    ask = (
        "import hashlib, pipeline.reading.template as t; f = t.site_files('x');"
        "print(t.__file__); [print(k, hashlib.sha256(v).hexdigest()) for k, v in f.items()]"
    )
    told = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=tmp_path / "installed",
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
    ).stdout.splitlines()

    assert Path(told[0]).is_relative_to(tmp_path / "installed")
    assert told[1:] == [f"{path} {hashlib.sha256(content).hexdigest()}" for path, content in site_files("x").items()]
