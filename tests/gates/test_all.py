"""The gates together: their order, and a draft that needs them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.context import Context
from pipeline.gates.all import run_gates
from tests.gates.drafts import batch_of, body_of, window_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def scrub(text: str) -> tuple[str, Mapping[str, int]]:
    return text.replace("hunter2", "[REDACTED:password]"), {"password": text.count("hunter2")}


BODY = "- the key is hunter2[^o1]\n- see <i>it</i>[^o2]\n- gone[^o9]\n- made up[^o2]\n"
WINDOW = window_of("the key is [REDACTED:password]", "see <i>it</i>")


def test_a_draft_of_a_model_that_writes() -> None:
    gated = run_gates(batch_of(BODY), WINDOW, Context(), scrub=scrub, quotes=False)
    assert body_of(gated) == (
        "- the key is [REDACTED:password][^o1]\n- see &lt;i>it&lt;/i>[^o2]\n- gone (unsourced)\n- made up[^o2]\n"
    )
    assert [found.rule for found in gated.findings] == [
        "secret-redacted",
        "raw-html",
        "citation-unknown",
        "claim-unsourced",
    ]


def test_what_is_left_when_its_source_was_taken_out_says_that_it_has_none() -> None:
    body = "It is closed. It fails 4711 times a day.\n\n- The server has two ports\n  - 8090 for HTTP[^o1]\n"
    gated = run_gates(batch_of(body), WINDOW, Context(), scrub=scrub, quotes=False)
    left = body_of(gated)
    assert "4711" not in left
    assert "8090" not in left
    assert "It is closed. (unsourced)" in left
    assert "The server has two ports (unsourced)" in left


def test_a_draft_of_a_model_that_quotes() -> None:
    gated = run_gates(batch_of(BODY), WINDOW, Context(), scrub=scrub, quotes=True)
    assert "made up" not in body_of(gated)
    assert gated.findings[-1].rule == "quotation-missing"
    assert "hunter2" not in str(gated)


def test_a_clean_draft_passes_untouched() -> None:
    batch = batch_of("- see <i>it</i>[^o2]\n".replace("<i>it</i>", "`it`"))
    gated = run_gates(batch, window_of("x", "see `it`"), Context(), scrub=lambda text: (text, {}), quotes=True)
    assert gated.batch is batch
    assert gated.findings == ()
