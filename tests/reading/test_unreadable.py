"""Pages that the site generator would publish without their front matter are named."""

from __future__ import annotations

import pytest

from pipeline.reading.unreadable import unreadable


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nText: more\n",
        "---\ntype: Concept\ntags: [a, 1]\n---\n\n# T\n",
        "\ufeff---\r\ntype: Concept\r\n---\r\ntext",
        "---\n---\n# T",
        "---\ntype: Concept\n---",
        "---\ntype: Concept\n...\ntext",
        "",
        "http://example.org is a place",
    ],
)
def test_nothing_to_say(text: str) -> None:
    assert unreadable("a/b.md", text.encode()) is None


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"---\ntitle: Foo: bar\n---\n", "no YAML in line 2: mapping values are not allowed"),
        (b"---\na: b\nc: [\n---\n", "no YAML in line"),
        (b"---\n- a\n---\n", "holds no keys"),
        (b"---\ntitle: x\n", "without an end"),
        (b"----\ntitle: x\n----\n", "more than three dashes"),
        (b"Note: this is text\n", "taken for metadata"),
        (b"---\ntags: one, two\n---\n", "`tags`"),
        (b"---\ntags: [{a: b}]\n---\n", "`tags`"),
        (b"\xff\xfe", "not UTF-8"),
        (b"---\na: !!python/object/apply:os.system [true]\n---\n", "no YAML"),
    ],
)
def test_says_what_is_wrong(raw: bytes, says: str) -> None:
    finding = unreadable("a/b.md", raw)

    assert finding is not None
    assert finding.where == "a/b.md"
    assert finding.severity == "error"
    assert says in finding.message
    assert "\n" not in str(finding)
