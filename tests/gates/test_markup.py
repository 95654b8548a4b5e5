"""Nothing in a draft runs or loads by itself."""

from __future__ import annotations

from pipeline.gates.markup import check
from tests.gates.drafts import batch_of, body_of, window_of


def test_markup_that_runs_becomes_text() -> None:
    gated = check(batch_of("a <script>alert(1)</script>[^o1]\n", path="acme/decisions/a.md"), window_of("x"))
    assert "<script" not in body_of(gated)
    assert [found.where for found in gated.findings] == ["acme/decisions/a.md"]
    assert gated.findings[0].rule == "raw-html"


def test_a_harmless_draft_is_the_same() -> None:
    batch = batch_of("- `<b>` is *code*[^o1]\n")
    assert check(batch, window_of("x")).batch is batch


def test_keep_markers_pass_and_comments_do_not() -> None:
    body = "<!-- keep -->\nMine, keepmarker0x.\n<!-- /keep -->\n\n<!-- else -->\n\n- a[^o1]\n"
    after = body.replace("<!-- else", "&lt;!-- else")
    assert body_of(check(batch_of(body), window_of("x"))) == after
