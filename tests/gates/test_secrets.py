"""No secret of a draft gets through, wherever it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pipeline.draft import ConsolidatedBatch
from pipeline.gates.secrets import check
from tests.gates.drafts import batch_of, body_of, update_of, window_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def scrub(text: str) -> tuple[str, Mapping[str, int]]:
    return text.replace("hunter2", "[REDACTED:password]"), {"password": text.count("hunter2")}


def test_every_text_is_scrubbed_and_told() -> None:
    update = update_of(
        "Say hunter2[^o1]",
        title="Use hunter2",
        description="hunter2",
        tags=["hunter2"],
        aliases=["hunter2"],
        path="acme/decisions/hunter2.md",
        removed_sections=["hunter2"],
        supersedes=["hunter2.md"],
        contradiction="hunter2[^o1]",
    )
    gated = check(ConsolidatedBatch(updates=(update,), rationale="hunter2"), window_of("x"), scrub)
    assert "hunter2" not in gated.batch.model_dump_json()
    (clean,) = gated.batch.updates
    assert clean.body == "Say [REDACTED:password][^o1]"
    assert [(found.where, found.rule) for found in gated.findings] == [
        ("acme/decisions/[REDACTED:password].md", "secret-redacted"),
        ("acme/s-1", "secret-redacted"),
    ]
    assert "9 x password" in gated.findings[0].message
    assert not any("hunter2" in str(found) for found in gated.findings)


def strict(text: str) -> tuple[str, Mapping[str, int]]:
    """Take every value of a password for a secret but references and marks; and one key wherever it stands."""
    found = re.findall(r'password: "(?!\[REDACTED|\{\{)[^"]+"|sk_live_1', text)
    return re.sub(r'password: "(?!\[REDACTED|\{\{)[^"]+"|sk_live_1', "[REDACTED:x]", text), {"x": len(found)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('The password: "\\[REDACTED:password\\]"[^o1]', None),
        ('The password: "\\{\\{.Env.X\\}\\}"[^o1]', None),
        ('The *password: "hunter"*[^o1] \\_', "The *[REDACTED:x]*[^o1] \\_"),
        ("The key sk\\_live\\_1[^o1]", "The key [REDACTED:x][^o1]"),
        ("The key sk&#95;live&#95;1[^o1]", "The key [REDACTED:x][^o1]"),
    ],
)
def test_what_is_read_decides(before: str, after: str | None) -> None:
    gated = check(batch_of(before), window_of("x"), strict)
    assert body_of(gated) == (after or before)
    assert bool(gated.findings) == (after is not None)


def test_a_clean_draft_is_the_same() -> None:
    batch = batch_of("Nothing here[^o1]")
    assert check(batch, window_of("x"), scrub).batch is batch
