"""What `mkdocs.yml` tells, and what a generator gets for derived documents."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
import yaml

from pipeline.errors import ConfigError
from pipeline.reading.configuration import EXTENSION, derived_configuration, read_site
from pipeline.site.document import Document, Hub
from pipeline.site.elements import element, link
from pipeline.site.frame import Frame
from pipeline.site.hosting import Host
from pipeline.site.values import Site
from tests.reading.generating import ENGINES, build
from tests.reading.payloads import BRANCHES
from tests.reading.sample import CHECKOUT, write_repository

if TYPE_CHECKING:
    from pathlib import Path

OWN = (CHECKOUT / "mkdocs.yml").read_bytes()
TODAY = date(2026, 11, 30)


class _Loader(yaml.SafeLoader):
    """Reads the tags of the generators as what they tag."""


def _tagged(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.SequenceNode):
        return (suffix, loader.construct_sequence(node))
    return (suffix, node.value)


_Loader.add_multi_constructor("!", _tagged)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _tagged)


def site(text: str | bytes, **environment: str) -> Site:
    raw = text.encode() if isinstance(text, str) else text
    return read_site(raw, environment=environment, today=TODAY, folder="wiki")


def derived(
    text: str | bytes, hubs: tuple[Hub, ...] = (), root: str = "/r", *, directory_urls: bool = True
) -> dict[str, object]:
    raw = text.encode() if isinstance(text, str) else text
    made = derived_configuration(
        raw, root=root, documents="docs", hubs=hubs, site=Site(folder="pages", directory_urls=directory_urls)
    )
    return dict(yaml.load(made, _Loader))


def test_the_site_is_read_from_our_configuration() -> None:
    found = site(OWN, SITE_URL="https://a.example/w", REPO_URL="https://gitlab.com/a/b/", WIKI_BRANCH="trunk")

    assert found.name == "wikimill"
    assert found.url == "https://a.example/w/"
    assert (found.language, found.directory_urls, found.today, found.folder) == ("en", True, TODAY, "wiki")
    assert found.host == Host("https://gitlab.com/a/b", "gitlab", "trunk")


def test_without_an_environment_little_is_known() -> None:
    found = site(OWN)

    assert (found.url, found.host) == ("", None)


@pytest.mark.parametrize(
    ("value", "branch"),
    [
        ("!ENV [A, B, main]", "b"),
        ("!ENV [A, main]", "main"),
        ("!ENV B", "b"),
        ("!ENV [B]", "b"),
        ("!ENV A", "main"),
        ("!ENV [A, null]", "main"),
        ("1.10", "1.10"),
        ("[x]", "main"),
    ],
)
def test_values_come_from_the_environment(value: str, branch: str) -> None:
    found = site(
        f"markdown_extensions:\n- {EXTENSION}: {{ repository: 'https://github.com/a/b', branch: {value} }}", B="b"
    )

    assert found.host == Host("https://github.com/a/b", "github", branch)


@pytest.mark.parametrize("branch", BRANCHES)
def test_a_branch_of_any_name_stays_within_its_address(branch: str) -> None:
    host = site(OWN, REPO_URL="https://github.com/a/b", WIKI_BRANCH=branch).host

    assert host is not None
    assert not set("<>\"'# ?&") & set(host.shown("a.md"))


def test_the_other_options_are_read_too() -> None:
    options = "host: gitea, prefix: docs/, report: 'mailto:a@b.example', site_url: 'https://c.example'"
    found = site(
        f"markdown_extensions:\n  {EXTENSION}: {{ repository: 'https://git.example/a', {options} }}\n"
        "use_directory_urls: false\ntheme: material\n"
    )

    assert found.host == Host("https://git.example/a", "gitea", "main", "docs/", "mailto:a@b.example")
    assert (found.url, found.directory_urls, found.language) == ("https://c.example/", False, "en")


@pytest.mark.parametrize(
    ("told", "served"),
    [
        ("https://x.example", "https://x.example/"),
        ("https://x.example/team//", "https://x.example/team/"),
        ("HTTP://X.example:8080/a", "http://x.example:8080/a/"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("https://x.example/my team/über", "https://x.example/my%20team/%C3%BCber/"),
        ("https://bücher.example/a%20b", "https://xn--bcher-kva.example/a%20b/"),
    ],
)
def test_where_the_site_is_served_is_an_address_as_browsers_write_it(told: str, served: str) -> None:
    assert site(f"site_url: {json.dumps(told)}").url == served


@pytest.mark.parametrize(
    "told",
    [
        "x.example",
        "/team/",
        "ftp://x.example/",
        "javascript:alert(1)",
        "https://",
        "https:///team",
        "https://x.example/?a=b",
        "https://x.example/#b",
        "https://user:password@x.example/",
        "http://[x/",
        "https://x.example:port/",
        "https://x.example/\nHost: y",
        'https://x.example/"><script>',
        f"https://{'x' * 70}.example/",
    ],
)
def test_what_is_no_address_of_a_site_is_refused_and_not_repeated(told: str) -> None:
    with pytest.raises(ConfigError, match=r"mkdocs\.yml.*site_url") as fault:
        site(f"site_url: {json.dumps(told)}")
    assert "password@" not in str(fault.value)


@pytest.mark.parametrize("raw", [b"", b"- a", b"a: [", b"\xff\xfe\xfd", b"a: b: c"])
def test_what_is_no_configuration_is_refused(raw: bytes) -> None:
    with pytest.raises(ConfigError, match=r"mkdocs\.yml"):
        read_site(raw, environment={}, today=None, folder="wiki")
    with pytest.raises(ConfigError):
        derived_configuration(raw, root="/r", documents="docs", hubs=(), site=Site())


def test_tags_of_the_generator_stand() -> None:
    made = derived(OWN)

    assert made["site_url"] == ("ENV", ["SITE_URL", ""])
    extensions = made["markdown_extensions"]
    assert isinstance(extensions, list)
    named = {key: value for entry in extensions if isinstance(entry, dict) for key, value in entry.items()}
    assert named["toc"]["slugify"] == ("name:pipeline.reading.safe_markdown.anchors.anchor", "")
    assert named[EXTENSION] == {
        "repository": ("ENV", ["REPO_URL", ""]),
        "branch": ("ENV", ["WIKI_BRANCH", "main"]),
        "derived": True,
        "folder": "pages",
    }


def test_nothing_is_listed_looked_up_or_indexed() -> None:
    made = derived(f"nav: [a.md]\ndraft_docs: x\nvalidation: {{ anchors: warn }}\nmarkdown_extensions: [{EXTENSION}]")

    assert "nav" not in made
    assert "draft_docs" not in made
    assert (made["docs_dir"], made["plugins"], made["not_in_nav"], made["exclude_docs"]) == ("docs", [], "*", "")
    validation = made["validation"]
    assert isinstance(validation, dict)
    assert {rule for part in validation.values() for rule in part.values()} == {"ignore"}
    assert made["markdown_extensions"] == [{EXTENSION: {"derived": True, "folder": "pages"}}]


@pytest.mark.parametrize(
    ("plugins", "kept"),
    [
        ("[search, tags]", []),
        ("[search: {lang: en}, offline, material/tags, minify: {a: b}]", ["offline", {"minify": {"a": "b"}}]),
        ("{search: {}, offline: {}}", {"offline": {}}),
        ("{material/search: {}}", []),
        ("null", []),
    ],
)
def test_other_plugins_stay(plugins: str, kept: object) -> None:
    assert derived(f"plugins: {plugins}\nmarkdown_extensions: [{EXTENSION}]")["plugins"] == kept


def test_paths_are_those_of_the_repository() -> None:
    made = derived(
        "INHERIT: ../base.yml\ntheme: { name: material, custom_dir: site/overrides }\nhooks: [a.py]\n"
        f"watch: [x]\nmarkdown_extensions: [{EXTENSION}]",
        root="/r/wiki",
    )

    assert made["INHERIT"] == "/r/wiki/../base.yml"
    assert made["theme"] == {"name": "material", "custom_dir": "/r/wiki/site/overrides"}
    assert (made["hooks"], made["watch"]) == (["/r/wiki/a.py"], ["/r/wiki/x"])


def test_hubs_are_told_to_the_theme() -> None:
    made = derived(OWN, (Hub("Home", "index.md"), Hub("<é> 'x'", "types/d.md", "Kinds")))

    extra = made["extra"]
    assert isinstance(extra, dict)
    assert extra["wikimill"]["derived"] is True
    assert extra["wikimill"]["hubs"] == [
        {"title": "Home", "path": "index.md", "place": "", "group": ""},
        {"title": "<é> 'x'", "path": "types/d.md", "place": "types/d/", "group": "Kinds"},
    ]


@pytest.mark.parametrize("directory_urls", [True, False])
def test_pages_that_are_files_navigate_by_loading_them(*, directory_urls: bool) -> None:
    features = "[navigation.instant, navigation.top, navigation.instant.prefetch, search.share]"
    raw = f"theme: {{ name: material, features: {features} }}\nmarkdown_extensions: [{EXTENSION}]"
    theme = derived(raw, directory_urls=directory_urls)["theme"]

    assert isinstance(theme, dict)
    kept = ["navigation.top", "search.share"]
    instant = ["navigation.instant", "navigation.instant.prefetch"]
    assert sorted(theme["features"]) == sorted([*kept, *instant] if directory_urls else kept)


def test_what_stands_below_extra_stays() -> None:
    made = derived(f"extra: {{ wikimill: {{ csp: x }}, a: b }}\nmarkdown_extensions: [{EXTENSION}]")

    assert made["extra"] == {"wikimill": {"csp": "x", "derived": True, "hubs": []}, "a": "b"}


@pytest.mark.parametrize("extensions", ["[toc]", "{toc: {}}", "null"])
def test_without_our_extension_nothing_is_published(extensions: str) -> None:
    with pytest.raises(ConfigError, match="lacks"):
        derived(f"markdown_extensions: {extensions}")


@pytest.mark.parametrize("engine", ENGINES)
def test_each_generator_renders_a_document_without_the_others(tmp_path: Path, engine: str) -> None:
    root = write_repository(tmp_path / "wiki", pages={"index.md": "# Home\n"})
    place = tmp_path / "made"
    frame = Frame(
        "Told",
        above=element("nav", link("../../../", "Home")),
        below_title=link("../../rules/r/", "rule"),
        notes={"o-1": element("p", "a note")},
        below=element("p", link("../x.md", "Markdown")),
    )
    body = "Text with [a link](y.md#z), [one out](../../../o.jsonl), ![plan](plan.png) and a claim.[^o-1]\n\n[^o-1]: x"
    document = Document("p/decisions/x.md", {"title": "Told", "status": "draft"}, body, frame)
    (place / "docs/p/decisions").mkdir(parents=True)
    (place / "docs" / document.path).write_bytes(document.render())
    (place / "docs/index.md").write_bytes(Document("index.md", {"title": "Home"}, "", Frame("Home")).render())
    raw = (root / "mkdocs.yml").read_bytes()
    made = derived_configuration(raw, root=str(root), documents="docs", hubs=(Hub("Home", "index.md"),), site=Site())
    (place / "mkdocs.yml").write_bytes(made)

    site_folder = build(engine, place, REPO_URL="https://github.com/a/b")

    text = (site_folder / "p/decisions/x/index.html").read_text(encoding="utf-8")
    for part in (
        '<nav><a href="../../../">Home</a></nav><h1>Told</h1><a href="../../rules/r/">rule</a>',
        '<a data-preview="" href="../y/#z">a link</a>',
        '<a href="https://github.com/a/b/blob/main/o.jsonl">one out</a>',
        'src="../plan.png"',
        '<li id="fn:o-1" class="wm-cited"><p>a note</p>',
    ):
        assert part in text
    assert '<a href="../x.m%64">' in text or '<a href="../x.md">' in text
    assert "wikimill-frame" not in text
    assert "<h1>Home</h1>" in (site_folder / "index.html").read_text(encoding="utf-8")
