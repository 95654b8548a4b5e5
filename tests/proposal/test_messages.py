"""The message of a session's commit, after some of its pages were declined."""

from __future__ import annotations

from pipeline.git import Consolidation, render_message, seal, trailers_of
from pipeline.observations.observation import SessionKey
from pipeline.proposal.messages import redeclare

KEY = SessionKey("default", "acme", "s1")
WRITTEN = {"acme/decisions/a b.md": "1" * 16, "acme/sessions/s.md": "2" * 16}
REMARKS = ("[quotation-missing] acme/decisions/a.md: Page: a.md 0123 does not stand there.",)
MESSAGE = seal(
    render_message(
        Consolidation(KEY, "Cookies", 2, 2, "gpt", "p1", 77, evidence="e" * 32, written=WRITTEN, remarks=REMARKS)
    ),
    {"wiki/acme/a.md": "a" * 40},
)


def test_pages_and_declines_are_told_anew_and_everything_else_stays() -> None:
    told = redeclare(MESSAGE, written={"acme/sessions/s.md": "3" * 16}, declined=["acme/decisions/a b.md"])
    before, after = trailers_of(MESSAGE), trailers_of(told)
    assert after == {
        **{key: value for key, value in before.items() if key != "Content"},
        "Pages": ("1",),
        "Page": ("acme/sessions/s.md " + "3" * 16,),
        "Declined": ("acme/decisions/a b.md",),
    }
    assert told.startswith(MESSAGE[: MESSAGE.index("\nSession: ")])
    assert "Content" not in after, "the seal is of what the commit changes then"


def test_a_session_of_which_nothing_is_left_says_so() -> None:
    told = redeclare(MESSAGE, written={}, declined=tuple(WRITTEN))
    assert trailers_of(told)["Pages"] == ("0",)
    assert "Page" not in trailers_of(told)
    assert trailers_of(told)["Declined"] == tuple(sorted(WRITTEN))


def test_to_say_the_same_again_changes_nothing_and_nothing_heaps_up() -> None:
    once = redeclare(MESSAGE, written=WRITTEN, declined=["x.md"])
    assert redeclare(once, written=WRITTEN, declined=["x.md"]) == once
    assert redeclare(seal(once, {}), written=WRITTEN, declined=["x.md"]) == once
    assert seal(redeclare(MESSAGE, written=WRITTEN, declined=()), {"wiki/acme/a.md": "a" * 40}) == MESSAGE
