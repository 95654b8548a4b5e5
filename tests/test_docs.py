"""The pages of documentation are under test: their code runs, block after block."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "wiki" / "wikimill" / "guides"


@pytest.mark.parametrize(
    "page", sorted(path for path in DOCS.glob("*.md") if path.name != "index.md"), ids=lambda page: page.name
)
def test_the_code_of_a_page_runs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), names)  # the page's own code
