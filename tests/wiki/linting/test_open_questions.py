"""A contradiction that nobody has decided is told; a change is history, and nothing to decide."""

from __future__ import annotations

from pipeline.wiki.linting.open_questions import check_contradictions
from pipeline.wiki.linting.sheets import read_sheet
from pipeline.wiki.markdown import remarks


def test_an_open_contradiction_is_told() -> None:
    line = remarks.contradiction(("Port `8080`.", "[^o-3f2a9c1e55]"), ("Port 9090.", "[^o-aaaaaaaaaa]"))
    changed = remarks.changed("Port 7070.", "[^o-3f2a9c1e55]", "2026-11-29")
    page = f"---\ntype: Concept\ntitle: Ports\n---\n\n# Ports\n\n- Port 9090.\n  - {line}\n\n{changed}\n"
    (found,) = check_contradictions(read_sheet("acme/concepts/ports.md", page.encode()))
    assert (found.where, found.rule, found.severity) == ("acme/concepts/ports.md:9", "contradiction-open", "note")
    assert found.message.startswith("Contradiction: “Port 8080.” stands against “Port 9090.”;")
