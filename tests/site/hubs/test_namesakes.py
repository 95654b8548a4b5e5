"""Pages of one name are told apart on a page of their own."""

from __future__ import annotations

from pipeline.site.hubs.names import names_of
from pipeline.site.library import Ambiguous
from pipeline.site.library_reading import read_library
from tests.site.hubs.making import html, made_of, targets


def page(title: str, more: str = "") -> bytes:
    return f"---\ntype: Concept\ntitle: '{title}'\n{more}---\n\n# X\n".encode()


FILES = {
    "acme/concepts/port.md": page("Port", "description: A number.\n"),
    "acme/gotchas/harbour.md": page("Harbour", "aliases: [PORT]\n"),
    "other/concepts/port.md": page("port"),
    "old/port.md": page("Port", "superseded_by: ../other/concepts/port.md\n"),
    "acme/concepts/c.md": page("C"),
    "acme/concepts/cpp.md": page("C++"),
    "acme/concepts/alone.md": page("Alone"),
}


def test_each_name_that_several_pages_bear_has_a_page() -> None:
    library = read_library(FILES)
    assert library.ambiguous == (
        Ambiguous("C", ("acme/concepts/c.md", "acme/concepts/cpp.md")),
        Ambiguous(
            "Port", ("acme/concepts/port.md", "acme/gotchas/harbour.md", "old/port.md", "other/concepts/port.md")
        ),
    )
    documents = made_of(library)
    called = [path for path in documents if path.startswith("called/")]
    assert called == ["called/c.md", "called/port.md"]
    port = documents["called/port.md"]
    assert port.frame.title == "Called “Port”"
    assert "4 pages can be meant by this name." in html(port)
    assert "A number." in html(port)
    assert {"acme/concepts/port/", "acme/gotchas/harbour/", "other/concepts/port/", "old/port/"} <= targets(port)


def test_a_name_that_very_many_bear_is_no_name_to_tell_apart() -> None:
    same = {f"a/concepts/{number}.md": page("Untitled") for number in range(201)}
    assert read_library(same).ambiguous == ()
    assert len(read_library(dict(list(same.items())[:200])).ambiguous) == 1


def test_names_that_read_the_same_in_an_address_stand_apart() -> None:
    files = {
        f"a/concepts/{number}.md": page(title) for number, title in enumerate(("课", "課", "课", "課", "?!", "?!"))
    }
    names = names_of(read_library(files))
    assert len(set(names.called)) == len(names.called)
    assert set(names.told_apart.values()) == set(names.called)


def test_a_wiki_may_have_a_folder_of_that_name() -> None:
    files = {**FILES, "called/port.md": page("Mine")}
    assert "called-1/port.md" in made_of(read_library(files))


def test_a_page_leads_to_the_list_of_its_own_title() -> None:
    files = {
        "a/concepts/1.md": page("Zone", "aliases: [C]\n"),
        "a/concepts/2.md": page("C"),
        "b/concepts/3.md": page("Zone"),
    }
    names = names_of(read_library(files))
    assert names.told_apart == {
        "a/concepts/1.md": "called/zone.md",
        "a/concepts/2.md": "called/c.md",
        "b/concepts/3.md": "called/zone.md",
    }
