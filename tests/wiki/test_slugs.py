from __future__ import annotations

import re
import unicodedata

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.wiki.slugs import LONGEST, page_path, portable, project_folder, slugify

TITLES = st.text(max_size=120) | st.text(st.sampled_from("aAßİſΣς-_.·/\\:~ \u0301\u200d\ufe0f🏴é한ㅤ1²ǅ"), max_size=90)
RESERVED = {"index", "log", "con", "prn", "aux", "nul", "com1", "lpt9", "com¹", "clock"}


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Session cookies instead of JWT", "session-cookies-instead-of-jwt"),
        ("Don't panic: it’s fine", "dont-panic-its-fine"),
        ("Über Straßen & Brücken", "über-straßen-brücken"),
        ("U\u0308ber", "über"),
        ("ΛΌΓΟΣ", "λόγος"),
        ("हिन्दी में लिखना", "हिन्दी-में-लिखना"),
        ("日本語のタイトル", "日本語のタイトル"),
        ("v1.2.3", "v1-2-3"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\x00b\u202ec", "a-bc"),
        ("  --trailing-- . ", "trailing"),
        (".git", "git"),
        ("CON", "con-page"),
        ("con.txt", "con-txt"),
        ("COM¹", "com¹-page"),
        ("index", "index-page"),
        ("Log", "log-page"),
        ("1️⃣ first", "1-first"),
        ("❤️ love", "love"),
        ("पहला\u200dदूसरा", "पहलादूसरा"),
    ],
)
def test_names_read_like_their_titles(title: str, slug: str) -> None:
    assert slugify(title) == slug


@pytest.mark.parametrize("title", ["", "   ", "!!!", "🏴‍☠️", "\u3164", "\u0301"])
def test_a_title_without_letters_gets_a_name_of_its_own(title: str) -> None:
    assert re.fullmatch(r"page-[0-9a-f]{8}", slugify(title))
    assert slugify(title) != slugify(title + "?")


def test_a_long_title_ends_with_a_whole_word() -> None:
    title = "The quick brown fox jumps over the lazy dog and then goes home to sleep"
    assert slugify(title) == "the-quick-brown-fox-jumps-over-the-lazy-dog-and-then-goes"
    assert slugify("x" * 100) == "x" * 60
    assert slugify("क्षि" * 40) == "क्षि" * 15


@settings(max_examples=100, deadline=None)
@given(TITLES)
def test_a_name_is_possible_everywhere_and_stays(title: str) -> None:
    slug = slugify(title)
    assert slugify(slug) == slug
    assert 1 <= len(slug) <= LONGEST
    assert slug not in RESERVED
    assert regex.fullmatch(r"[\p{L}\p{N}\p{Mn}\p{Mc}]+(?:-[\p{L}\p{N}\p{Mn}\p{Mc}]+)*", slug)
    assert unicodedata.is_normalized("NFC", slug)
    assert slug == slug.lower()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_portable_forgets_case_and_normal_form(path: str) -> None:
    key = portable(path)
    assert portable(key) == key
    assert portable(unicodedata.normalize("NFD", path)) == key
    assert portable(path.casefold()) == key
    assert key.count("/") == path.count("/")


def test_names_that_some_file_system_confuses_are_told_apart() -> None:
    taken = ["acme/concepts/STRASSE.md", "acme/concepts/U\u0308ber.md"]
    assert re.fullmatch(r"acme/concepts/straße-[0-9a-f]{8}\.md", page_path("acme/concepts", "Straße", taken))
    assert re.fullmatch(r"acme/concepts/über-[0-9a-f]{8}\.md", page_path("acme/concepts", "Über", taken))
    assert page_path("acme/concepts", "Anders", taken) == "acme/concepts/anders.md"
    assert page_path("acme/gotchas", "Straße", taken) == "acme/gotchas/straße.md"


@settings(max_examples=60, deadline=None)
@given(st.lists(TITLES, max_size=6))
def test_pages_never_collide(titles: list[str]) -> None:
    taken: list[str] = []
    for title in (*titles, *titles, *titles):
        path = page_path("p/concepts", title, taken)
        assert page_path("p/concepts", title, reversed(taken)) == path
        assert len(path) <= len("p/concepts/.md") + LONGEST
        taken.append(path)
    assert len({portable(path) for path in taken}) == len(taken)


@pytest.mark.parametrize(
    ("workspace", "project", "folder"),
    [
        ("default", "wikimill", "wikimill"),
        ("default", "My App", "my-app"),
        ("Acme Corp", "API", "acme-corp/api"),
        ("default", "..", "page-e6fc5bb9"),
        ("acme", "decisions", "acme/decisions-project"),
        ("default", "Tags", "tags-project"),
        ("tags", "site", "tags-project/site"),
        ("acme", "tags", "acme/tags"),
        ("default", "default", "default"),
    ],
)
def test_a_project_has_a_folder(workspace: str, project: str, folder: str) -> None:
    assert project_folder(workspace, project) == folder
