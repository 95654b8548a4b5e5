from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.history.states import changed_fields, confirmed_by, read_state

FRONT = "type: Decision\ntitle: Cookies\nstatus: stable\ntags: [a, b]\ngenerated: { by: x, at: 2026-11-01T00:00:00Z }\n"


def page(front: str = FRONT, body: str = "# Cookies\n\nText.\n") -> bytes:
    return f"---\n{front}---\n\n{body}".encode()


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (page(), ("# Cookies", "", "Text.")),
        (page().replace(b"\n", b"\r\n"), ("# Cookies", "", "Text.")),
        (page(body="\n \nText.  \n\n\n"), ("Text.",)),
        (b"", ()),
        (b"\xff\xfe", ("\ufffd\ufffd",)),
        (b"---\ntitle: no end\n", ("---", "title: no end")),
        (b"---\nbetween rules\n---\nafter\n", ("---", "between rules", "---", "after")),
        (b"\xef\xbb\xbf---\ntitle: x\n---\nText\n", ("Text",)),
        (b"Text\n---\nmore\n", ("Text", "---", "more")),
    ],
)
def test_the_text_is_what_follows_the_front_matter(raw: bytes, lines: tuple[str, ...]) -> None:
    assert read_state(raw).lines == lines


@pytest.mark.parametrize(
    ("after", "fields"),
    [
        (FRONT, ()),
        (FRONT.replace("2026-11-01", "2026-11-30").replace("by: x", "by: y"), ()),
        (f"{FRONT}sources:\n- id: o-1\n  title: a status\nlocked: true\n", ()),
        (FRONT.replace("title: Cookies", 'title: "Cookies"').replace("[a, b]", "\n- a\n- b\n"), ()),
        (FRONT.replace("status: stable\n", ""), ()),
        (FRONT.replace("title: Cookies", "title: Tokens"), (("title", "Cookies", "Tokens"),)),
        (FRONT.replace("stable", "deprecated"), (("status", "stable", "deprecated"),)),
        (FRONT.replace("tags: [a, b]", "tags:\n- a\n- c"), (("tags", "a, b", "a, c"),)),
        (f"{FRONT}superseded_by: b.md\n", (("superseded_by", "", "b.md"),)),
        (
            FRONT.replace("title: Cookies", "title: {broken"),
            (("title", "Cookies", "{broken"), ("tags", "a, b", "[a, b]")),
        ),
    ],
)
def test_bookkeeping_is_no_field_and_neither_is_another_way_to_write_one(
    after: str, fields: tuple[tuple[str, str, str], ...]
) -> None:
    found = changed_fields(read_state(page()), read_state(page(after)))
    assert [one for one in found if one[0] != "tags" or "broken" not in after] == [
        one for one in fields if one[0] != "tags" or "broken" not in after
    ]


@pytest.mark.parametrize(
    ("before", "after", "people"),
    [
        ("", "", ()),
        ("", "verified:\n- { by: process:gates, at: 2026-11-30T00:00:00Z }\n", ()),
        ("", "verified:\n- { by: human:dana, at: 2026-11-30T00:00:00Z }\n", ("dana",)),
        ("verified:\n- { by: human:dana, at: 2026-11-30 }\n", "verified:\n- { by: human:dana, at: 2026-11-30 }\n", ()),
        (
            "verified:\n- { by: human:dana, at: 2026-11-29 }\n",
            "verified:\n- { by: human:dana, at: 2026-11-29 }\n- { by: 'human:Kim L.', at: 2026-11-30 }\n",
            ("Kim L.",),
        ),
        (
            "verified:\n- { by: human:dana, at: 2026-11-29 }\n",
            "verified: { by: human:dana, at: 2026-11-30 }\n",
            ("dana",),
        ),
        ("", "verified: [human:, {by: 3}]\n", ()),
    ],
)
def test_who_confirmed_a_page_since_then(before: str, after: str, people: tuple[str, ...]) -> None:
    assert confirmed_by(read_state(page(FRONT + before)), read_state(page(FRONT + after))) == people
    assert confirmed_by(None, read_state(page(FRONT + after))) == confirmed_by(
        read_state(page()), read_state(page(FRONT + after))
    )


@given(st.binary(max_size=80) | st.text("-\n\r: abé.#", max_size=40).map(str.encode))
def test_anything_at_all_can_be_read(raw: bytes) -> None:
    state = read_state(raw)
    assert changed_fields(state, read_state(raw)) == ()
    assert confirmed_by(None, state) == ()
    assert all(line == line.rstrip() for line in state.lines)
