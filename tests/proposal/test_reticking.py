"""Ticks that came too late for a run stand in its text again."""

from __future__ import annotations

import pytest

from pipeline.proposal.controls import read_controls
from pipeline.proposal.reticking import reticked
from pipeline.proposal.text import region

HEAD = "a" * 40
BOXES = [
    f"- [ ] **Rebase** this {region.REBASE}",
    f"- [ ] **Recreate** this {region.RECREATE}",
    f"- [ ] Ignore `acme/a.md` {region.ignoring('acme/a.md')}",
    f"- [ ] Ignore `acme/a--b é.md` {region.ignoring('acme/a--b é.md')}",
    f"- [x] Ignore `acme/c.md` {region.ignoring('acme/c.md')}",
]
BODY = "\n".join(["Mine.", region.BEGIN, region.bound(HEAD), "Text.", *BOXES, region.END, "More of mine."])


@pytest.mark.parametrize(
    "ticks", [("rebase",), ("recreate",), ("acme/a.md",), ("acme/a--b é.md", "rebase"), ("acme/c.md",), ()]
)
def test_what_was_ticked_is_read_back(ticks: tuple[str, ...]) -> None:
    controls = read_controls(reticked(BODY, iter(ticks)), HEAD)
    assert controls.rebase == ("rebase" in ticks)
    assert controls.recreate == ("recreate" in ticks)
    assert set(controls.ignored) == {tick for tick in ticks if tick.endswith(".md")} | {"acme/c.md"}


def test_only_boxes_change() -> None:
    ticked = reticked(BODY, ["acme/a.md"])
    assert ticked == BODY.replace("- [ ] Ignore `acme/a.md`", "- [x] Ignore `acme/a.md`")
    assert reticked(ticked, ["acme/a.md"]) == ticked


@pytest.mark.parametrize("tick", ["acme/gone.md", "a.md", "", "recreate -->", "\n"])
def test_a_box_that_is_gone_is_left_out(tick: str) -> None:
    assert reticked(BODY, [tick]) == BODY


def test_what_people_wrote_around_the_region_stays() -> None:
    copied = f"{BOXES[2]}\r\n{BODY}\r\n{BOXES[0]}\r\n"
    ticked = reticked(copied, ["acme/a.md", "rebase"])
    assert ticked.startswith(f"{BOXES[2]}\r\n")
    assert ticked.endswith(f"\r\n{BOXES[0]}\r\n")
    assert read_controls(ticked, HEAD).rebase
    assert reticked(BOXES[0], ["rebase"]) == BOXES[0], "without a region there is no box of ours"


def test_lines_that_an_editor_gave_other_ends_are_ticked_too() -> None:
    assert read_controls(reticked(BODY.replace("\n", "\r\n"), ["rebase"]), HEAD).rebase
