"""What is published of the wiki's Markdown: the same bytes, unless the gate must act, and a valid OKF bundle."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vault2okf import validate_bundle

from pipeline.site.library_reading import read_library
from pipeline.site.machines.bundle import publishable
from pipeline.site.machines.fronts import ALLOWED, is_public
from pipeline.wiki.format.front_order import ORDER
from pipeline.wiki.format.page import parse_page
from tests.site.machines.wiki import FILES, INDEX, inputs_of, page
from tests.wiki.test_okf import OUTSIDE_THE_BUNDLE, wiki_of_two_projects, written

CHECKOUT = Path(__file__).resolve().parents[3]
PATH = "harbour/decisions/x.md"


def bundle_of(files: dict[str, bytes], others: frozenset[str] = frozenset()) -> dict[str, bytes]:
    return publishable(inputs_of(files, others=others), read_library(files))


def published(raw: str | bytes, path: str = PATH) -> str:
    return bundle_of({path: raw if isinstance(raw, bytes) else raw.encode()})[path].decode()


def test_pages_are_published_byte_for_byte() -> None:
    assert bundle_of(FILES) == dict(sorted(FILES.items()))


def test_the_wiki_of_this_repository_is_published_byte_for_byte() -> None:
    root = CHECKOUT / "wiki"
    files = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.rglob("*.md"))}
    assert len(files) > 10
    assert bundle_of(files) == files


def test_every_key_that_wikimill_writes_is_published() -> None:
    assert set(ORDER) <= ALLOWED


def test_other_keys_go_and_the_rest_keeps_its_lines() -> None:
    raw = (
        "\ufeff---\r\n"
        "type:   Decision   # the kind\r\n"
        "internal_note: do not tell\r\n"
        "title: 'Cookies'\r\n"
        "owner:\r\n"
        "  mail: dana@example.org\r\n"
        "tags: [ a,  b ]\r\n"
        "generated: { by: human:dana, at: 2026-11-29T14:03:00Z, host: laptop-7 }\r\n"
        "---\r\n\r\n"
        "# Cookies\r\n"
    )
    assert published(raw) == (
        "\ufeff---\r\n"
        "type:   Decision   # the kind\r\n"
        "title: 'Cookies'\r\n"
        "tags: [ a,  b ]\r\n"
        "generated: { by: human:dana, at: 2026-11-29T14:03:00Z }\r\n"
        "---\r\n\r\n"
        "# Cookies\r\n"
    )


PUBLISHED = frozenset({"harbour/decisions/x.md", "harbour/notes.md", "images/plan.png"})


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("../../../observations/2026-11-30.jsonl#L150", True),
        ("../../../observations/harbour/2026-11.jsonl#L1", True),
        ("../notes.md", True),
        ("/harbour/notes.md#part", True),
        ("gone.md", True),
        ("https://example.org/a?b=c", True),
        ("https://example.org/@dana", True),
        ("urn:isbn:9780131103627", True),
        ("all queries in project X", True),
        ("../../../observations/2026-11-30.jsonl", False),
        ("../../../private/notes.md", False),
        ("../../../../etc/passwd#L1", False),
        ("/home/dana/notes.md", False),
        ("//server/share/notes.md", False),
        ("\\\\server\\share\\notes.md", False),
        ("C:\\Users\\dana\\notes.md", False),
        ("c:/Users/dana/notes.md", False),
        ("~/notes.md", False),
        ("$HOME/notes.md", False),
        ("file:///home/dana/notes.md", False),
        ("FILE:notes.md", False),
        ("javascript:alert(1)", False),
        (" data:text/html,x", False),
        ("https://dana:secret@example.org/x", False),
        ("https:\\\\dana:secret@example.org\\x", False),
        ("ssh://git@example.org/x.git", False),
    ],
)
def test_a_source_is_named_where_that_is_harmless(address: str, public: bool) -> None:  # noqa: FBT001 - a table
    assert is_public(PATH, address, PUBLISHED) is public
    raw = page("X", more=f"sources:\n- id: s\n  resource: {address.strip()!r}\n  title: It\n")
    files = {PATH: raw, "harbour/notes.md": page("Notes")}
    found = parse_page(PATH, bundle_of(files, frozenset({"images/plan.png"}))[PATH])
    assert [source.resource for source in found.sources] == [address if public else "not published"]
    assert found.sources[0].title == "It"


def test_a_source_that_is_a_mere_text_is_held_back_as_well() -> None:
    assert "dana" not in published("---\ntype: X\nsources: [/home/dana/x.md]\n---\n")


def test_markup_that_runs_is_made_harmless() -> None:
    raw = page("X", "<script>x</script> [a](javascript:x)\n\n`<script>`\n")
    assert published(raw).endswith("# X\n\n&lt;script>x&lt;/script> [a]\\(javascript:x)\n\n`<script>`\n")
    assert published(raw).partition("\n\n")[0] == raw.decode().partition("\n\n")[0]


def test_markup_in_front_matter_becomes_words_and_takes_comments_along() -> None:
    raw = (
        "---\ntype: X # <script>x</script>\ntitle: '<img src=x onerror=y> [a](javascript:x)'\ntags: ['<b onclick=y>']\n"
        "---\n\nText.\n"
    )
    assert published(raw) == (
        "---\ntype: X\ntitle: ‹img src=x onerror=y› [a] (javascript:x)\ntags: [‹b onclick=y›]\n---\n\nText.\n"
    )
    assert published("---\n# <script>x</script>\n---\n\nText.\n") == "---\n---\n\nText.\n"


def test_indexes_and_logs_hold_no_front_matter_but_the_version() -> None:
    files = {
        "index.md": b'---\nokf_version: "0.2"\ntitle: Mine\n---\n\n# Projects\n',
        "a/index.md": b'---\nokf_version: "0.2"\ntitle: Mine\n---\n\n# Pages\n',
        "a/log.md": b"# Log\n\n## 2026-11-29\n\n* <script>x</script>\n",
    }
    assert bundle_of(files) == {
        "a/index.md": b"# Pages\n",
        "a/log.md": b"# Log\n\n## 2026-11-29\n\n* &lt;script>x&lt;/script>\n",
        "index.md": b'---\nokf_version: "0.2"\n---\n\n# Projects\n',
    }


def test_what_cannot_be_read_is_not_published() -> None:
    files = {"index.md": INDEX, "a.md": b"---\ntype: [\n---\n", "b.md": b"\xff\xfe", "c.md": b"---\ntype: X\n\nText"}
    assert list(bundle_of(files)) == ["index.md"]


@given(st.text(alphabet="<>abx=on \n-:[](){}#\"'`", max_size=60))
def test_the_gate_has_nothing_to_do_twice(body: str) -> None:
    raw = f"---\ntype: X\nmine: {{ a: b }}\n---\n\nText {body}\n".encode()
    once = bundle_of({PATH: raw})
    assert bundle_of(once) == once


def test_a_validator_accepts_the_bundle(tmp_path: Path) -> None:
    wiki = wiki_of_two_projects()
    made = bundle_of(wiki)
    assert made == dict(sorted(wiki.items()))
    report = validate_bundle(written(tmp_path, made))
    assert (report.okf_version, report.errors) == ("0.2", 0)
    assert {one.code for one in report.diagnostics} <= OUTSIDE_THE_BUNDLE | {"OKF011"}


def test_a_validator_accepts_what_the_gate_changed(tmp_path: Path) -> None:
    hostile = "<script>x</script> Said.[^s]\n\n[^s]: It is said\n"
    sources = "sources:\n- { id: s, resource: /home/dana/x, title: It, secret: x }\nmine: { a: b }\n"
    files = {
        "index.md": INDEX.replace(b"harbour/index.md", b"a/x.md"),
        "a/x.md": page("X", f"See [y](y.md#y).\n\n{hostile}", more=sources),
        "a/y.md": page("Y", hostile, more=sources),
        "a/index.md": b"---\ntitle: mine\n---\n\n# Pages\n\n* [X](x.md) - About X.\n* [Y](y.md) - About Y.\n",
    }
    report = validate_bundle(written(tmp_path, bundle_of(files)))
    assert report.errors == 0
    assert {one.code for one in report.diagnostics} == set()
    assert bundle_of(files)["a/x.md"].count(b"[^s]") == 2
