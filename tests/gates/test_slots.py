"""An invariant slot changes only when the draft cites observations that contradict it."""

from __future__ import annotations

import pytest

from pipeline.context import Context
from pipeline.draft import ConsolidatedBatch
from pipeline.gates import slots
from tests.gates.drafts import update_of, window_of
from tests.gates.labelled_pairs import page_of

PATH = "acme/slots/rules.md"
INVARIANT = Context(slots=(page_of("Never force-push.\n", path=PATH, more="slot: invariant\n"),))
STATE = Context(slots=(page_of("Never force-push.\n", path=PATH, more="slot: state\n"),))
WINDOW = window_of("Force-push is fine now.")


@pytest.mark.parametrize(
    ("path", "contradiction", "passes"),
    [
        (PATH, "", False),
        (PATH, "Dana allows it.", False),
        (PATH, "Dana allows it.[^o9]", False),
        (PATH, "Dana allows it.[^o1]", True),
        (PATH, "[^o1]: Dana allows it.", True),
        ("./ACME/slots/rules", "", False),
        ("acme/slots/other.md", "", True),
        ("", "", True),
    ],
)
def test_an_invariant_slot(path: str, contradiction: str, *, passes: bool) -> None:
    update = update_of("Force-push.[^o1]\n", path=path, kind="slot", contradiction=contradiction)
    batch = ConsolidatedBatch(updates=(update, update_of("Else.[^o1]\n", title="Else")))
    gated = slots.check(batch, WINDOW, INVARIANT)
    assert (gated.batch is batch) == passes
    assert [(found.where, found.rule, found.severity) for found in gated.findings] == (
        [] if passes else [(path, "slot-invariant", "warning")]
    )
    assert len(gated.batch.updates) == 1 + passes


def test_a_state_is_rewritten_freely() -> None:
    batch = ConsolidatedBatch(updates=(update_of("Force-push.[^o1]\n", path=PATH, kind="slot"),))
    assert slots.check(batch, WINDOW, STATE).batch is batch


def test_an_invariant_slot_is_not_superseded_in_passing() -> None:
    update = update_of("Force-push.[^o1]\n", title="Pushing", supersedes=[PATH, "acme/decisions/x.md"])
    gated = slots.check(ConsolidatedBatch(updates=(update,)), WINDOW, INVARIANT)
    assert gated.batch.updates[0].supersedes == ("acme/decisions/x.md",)
    assert [found.where for found in gated.findings] == ["decisions/Pushing#supersedes"]
    told = update.model_copy(update={"contradiction": "Dana allows it.[^o1]"})
    assert slots.check(ConsolidatedBatch(updates=(told,)), WINDOW, INVARIANT).batch.updates == (told,)


def test_an_update_list_may_be_left_empty() -> None:
    batch = ConsolidatedBatch(updates=(update_of("Force-push.[^o1]\n", path=PATH, kind="slot"),), rationale="why")
    gated = slots.check(batch, WINDOW, INVARIANT)
    assert (gated.batch.updates, gated.batch.rationale) == ((), "why")
