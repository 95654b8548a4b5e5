"""What is ours stands around a page's text, and nothing of the page gets there."""

from __future__ import annotations

import json
import re

import pytest

from pipeline.site.document import Document
from pipeline.site.elements import Html
from pipeline.site.frame import Frame
from pipeline.site.library_reading import read_library
from pipeline.site.pages import page_documents
from pipeline.site.values import Inputs, Site
from pipeline.wiki.format.page import parse_page
from tests.reading.generating import rendered
from tests.reading.payloads import BODIES, FRAME, FRONT, IMG, hostile_pages
from tests.reading.test_safe_markdown import Elements

ABOVE, BELOW_TITLE, BELOW = "<nav>above</nav>", '<div class="wm-origin">origin</div>', "<section>below</section>"
FRAMED = Frame("Told", Html(ABOVE), Html(BELOW_TITLE), {"o-1": Html("<p>note</p>")}, Html(BELOW))


def derived(body: str, frame: Frame = FRAMED, front: dict[str, object] | None = None, path: str = "a/b/c.md") -> str:
    text = Document(path, {}, body, frame).render().decode()
    return rendered(path, text, front, options={"derived": True})


def test_stands_around_the_text() -> None:
    text = derived("# Title\n\nText.\n\n## More\n\nOther text.")

    parts = [ABOVE, '<h1 id="title">', BELOW_TITLE, "<p>Text.</p>", '<h2 id="more">', BELOW]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert all(text.count(part) == 1 for part in parts)
    assert "Told" not in text


def test_a_page_without_a_title_gets_one() -> None:
    frame = Frame("A <b> & C", below_title=Html(BELOW_TITLE))

    assert derived("Text.", frame) == f"<h1>A &lt;b&gt; &amp; C</h1>{BELOW_TITLE}<p>Text.</p>"
    assert derived("", frame) == f"<h1>A &lt;b&gt; &amp; C</h1>{BELOW_TITLE}"


@pytest.mark.parametrize("inner", ["> # Quoted", "- # Listed", "!!! note\n    # Boxed"])
def test_a_title_inside_something_else_is_none(inner: str) -> None:
    text = derived(f"{inner}\n\nText.")

    assert text.startswith(f"{ABOVE}<h1>Told</h1>{BELOW_TITLE}")


def test_the_title_is_what_a_page_begins_with() -> None:
    text = derived("<!-- x -->\n\n# Title\n\nText.\n\n# Other")
    assert text.index('id="title"') < text.index(BELOW_TITLE) < text.index('id="other"')


@pytest.mark.parametrize("before", ["> # Quoted", "Text.", "![x](x.png)", "***"])
def test_nothing_stands_above_what_is_told_of_a_page(before: str) -> None:
    text = derived(f"{before}\n\n# Title\n\nText.")
    assert text.startswith(f"{ABOVE}<h1>Told</h1>{BELOW_TITLE}")
    assert 'id="title"' in text


def test_notes_stand_in_the_footnotes() -> None:
    text = derived("# T\n\nA.[^o-1] B.[^o-1] C.[^o-2]\n\n[^o-1]: one\n[^o-2]: two")

    assert '<div class="footnote"><h2 id="wm-sources" class="wm-sources">Sources</h2>' in text
    assert '<li id="fn:o-1" class="wm-cited"><p>note</p>\n<p>one' in text
    assert '<li id="fn:o-2">' in text


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("2026-11-12 09:14, dana", ""),
        ("2026-11-12 09:14, assistant", ""),
        ("2026-11-12 09:14, claude-code", ""),
        ("2026-11-12 09:15, dana", "2026-11-12 09:15, dana"),
        ("2026-11-12 09:14, miguel", "2026-11-12 09:14, miguel"),
        ("2026-11-12 09:14, dana said so in the call", "2026-11-12 09:14, dana said so in the call"),
        ("2026-11-12 09:14, dana, and [the plan](y.md)", "2026-11-12 09:14, dana, and"),
        ("dana", "dana"),
    ],
)
def test_what_a_note_tells_is_not_told_again(own: str, kept: str) -> None:
    note = Html('<p class="wm-source"><span>dana</span> <b>claude-code (agent)</b> <time>2026-11-12 09:14</time></p>')
    frame = Frame("T", notes={"o-1": note})

    text = derived(f"A.[^o-1]\n\n[^o-1]: {own}", frame)
    behind = text.partition(note)[2]
    assert behind.strip().startswith(f"<p>{kept}" if kept else '<p><a class="footnote-backref"')
    assert own in derived(f"A.[^o-2]\n\n[^o-2]: {own}", frame) or "[" in own


def test_without_notes_there_is_no_heading_for_them() -> None:
    assert "wm-sources" not in derived("A.[^o-2]\n\n[^o-2]: two")


@pytest.mark.parametrize(
    "forged",
    [
        "- item {: #fn:o-1 }\n- other",
        "- item\n{: #fn:o-1 }",
        "Paragraph\n{: #fn:o-1 }",
        "## Heading {: #fn:o-1 }",
        "A.[^o-1]\n\n[^o-1]: text\n\n    - inner {: #fn:o-1 }\n    - other",
    ],
)
def test_no_other_element_passes_for_a_footnote(forged: str) -> None:
    text = derived(f"{forged}\n\nB.[^o-2]\n\n[^o-2]: two")

    assert text.count("<p>note</p>") == ("[^o-1]:" in forged)
    assert text.count('id="fn:o-1"') == ("[^o-1]:" in forged)


def test_nothing_that_a_footnote_says_of_itself_hides_its_note() -> None:
    text = derived("A.[^o-1]\n\n[^o-1]: text\n    {: title=x lang=en .note }")

    assert '<li id="fn:o-1" class="wm-cited"><p>note</p>' in text


def test_only_our_line_counts() -> None:
    text = derived(f"# T\n\n{FRAME}\n\ntext\n\n{FRAME}")

    assert "FORGED" not in text
    assert text.count(BELOW) == 1


@pytest.mark.parametrize("name", [name for name in BODIES if name.startswith("frame")])
def test_a_page_of_the_wiki_brings_no_frame(name: str) -> None:
    text = rendered("a/b/c.md", BODIES[name], {"type": "Concept", "frame": FRAME, "title": "T"})

    for tag, attributes in Elements(text).found:
        assert tag not in {"script", "img"}
        assert "FORGED" not in "".join(attributes.values())
    assert text.count('class="wm-origin"') == 1


@pytest.mark.parametrize(
    ("front", "opening"),
    [
        ({"lang": "ja"}, '<div lang="ja">'),
        ({"lang": "ar", "dir": "rtl"}, '<div lang="ar" dir="rtl">'),
        ({"dir": "rtl"}, '<div dir="rtl">'),
        ({"lang": 'x" onclick="y', "dir": "up"}, ""),
        ({"lang": ["en"], "dir": {"a": "b"}}, ""),
    ],
)
def test_a_page_says_its_language(front: dict[str, object], opening: str) -> None:
    text = derived("# T\n\nText.[^o-1]\n\n[^o-1]: x", front=front)

    assert text.count("<div lang") + text.count("<div dir") == (2 if opening else 0)
    assert text.startswith(f"{ABOVE}{opening}<h1")
    assert ('</div><div class="footnote">' in text) is bool(opening)


def test_front_matter_of_a_page_becomes_its_header() -> None:
    front: dict[str, object] = {
        "type": "Decision",
        "title": "Cookies & <so>",
        "status": "stable",
        "generated": {"by": "wikimill/extractive", "at": "2026-11-30T08:00:00Z"},
        "sources": [
            {"id": "o-1", "resource": "../../../observations/a.jsonl#L3", "title": "2026-11-12 09:14 dana: yes"}
        ],
    }
    options = {"repository": "https://github.com/a/b", "branch": "trunk"}
    text = rendered("a/decisions/c.md", "Claim.[^o-1]\n\n[^o-1]: 2026, dana", front, options=options)

    assert "<h1>Cookies &amp; &lt;so&gt;</h1>" in text
    assert text.index("</h1>") < text.index('class="wm-origin"') < text.index("Claim.")
    assert 'class="wm-cited"' in text
    assert "https://github.com/a/b/blob/trunk/observations/a.jsonl" in text
    assert front["title"] == "Cookies &amp; &lt;so&gt;"
    assert "status" not in front


def test_indexes_and_logs_get_no_header() -> None:
    for path in ("index.md", "a/index.md", "a/log.md", "tags.md"):
        assert "wm-origin" not in rendered(path, "# T", {"type": "Index"})


def test_an_index_without_a_title_is_called_after_its_folder() -> None:
    assert "<h1>gateway</h1>" in rendered("acme/gateway/index.md", "Text.")
    assert "<h1>Harbour wiki</h1>" in rendered("index.md", "Text.")


@pytest.mark.parametrize("zensical", [False, True])
def test_hostile_front_matter_stays_text(*, zensical: bool) -> None:
    front = json.loads(json.dumps(FRONT))
    text = rendered("a/decisions/c.md", "Claim.[^o-1]\n\n[^o-1]: x", front, zensical=zensical)

    for tag, attributes in Elements(text).found:
        assert tag not in {"script", "img", "iframe"}
        assert not [name for name in attributes if name.startswith("on")]
        assert not attributes.get("href", "").lower().startswith(("javascript:", "data:"))
    assert IMG not in text


DOCUMENTS = {
    document.path: document
    for files in [{path: text.encode() for path, text in hostile_pages().items()}]
    for document in page_documents(Inputs(Site(), files), read_library(files))
}


@pytest.mark.parametrize("path", DOCUMENTS)
def test_hostile_pages_stay_harmless_as_derived_documents(path: str) -> None:
    found = parse_page(path, DOCUMENTS[path].render())
    front: dict[str, object] = dict(found.front)
    text = rendered(path, found.body, front, options={"derived": True})

    for tag, attributes in Elements(text).found:
        assert tag not in {"script", "iframe", "object", "embed", "base", "style", "math", "form"}, tag
        assert not [name for name in attributes if name.startswith("on")], attributes
        assert "FORGED" not in attributes.get("class", "") + attributes.get("id", "")
        assert not attributes.get("href", "").lower().startswith(("javascript:", "vbscript:", "data:"))
        source = attributes.get("src", "")
        assert not source.startswith("//"), source
        assert ":" not in source.split("/")[0], source
    # Names of pages become addresses, such as that of the list of all pages of a name.
    without_addresses = re.sub(r'href="[^"<>]*"', "", text)
    assert "wikimill-frame" not in without_addresses.replace("&lt;!--wikimill-frame", "")
    assert not set("<>") & set(
        str(front.get("title", "")) + str(front.get("description", "")) + str(front.get("tags", ""))
    )


def test_numbers_that_python_does_not_write_out_stop_nothing() -> None:
    front: dict[str, object] = {"title": 1 << 100_000, "tags": [1 << 100_000], "x": 1 << 100_000, "type": "T"}

    assert "wm-origin" in rendered("a/decisions/c.md", "Text.", front)


def test_a_word_behind_a_hash_is_no_heading() -> None:
    assert derived("#123 was fixed", Frame()) == "<p>#123 was fixed</p>"
    assert derived("## A #b ##", Frame()).startswith('<h2 id="a-b">A #b<')
