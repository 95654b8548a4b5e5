"""The pages of documentation are under test: their code runs, block after block; what they say of findings is true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pipeline.config import Settings, parse_settings
from pipeline.consolidation.drafting import REPAIRED

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "wiki" / "wikimill" / "guides"
MODELS = (DOCS / "language-models.md").read_text(encoding="utf-8")
RULE = re.compile(r"[a-z]+(?:-[a-z]+)+")


@pytest.mark.parametrize(
    "page", sorted(path for path in DOCS.glob("*.md") if path.name != "index.md"), ids=lambda page: page.name
)
def test_the_code_of_a_page_runs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    assert re.search(r"^```(?:python|toml)$", text, re.MULTILINE)
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), names)  # the page's own code


def test_the_guide_to_language_models_tells_of_the_findings_that_there_are_and_of_none_besides() -> None:
    table = MODELS.split("\n| rule |")[1].split("\n\n")[0]
    told = {rule for line in table.splitlines()[2:] for rule in re.findall(r"`([^`]+)`", line.split(" | ")[0])}
    assert told <= words_of("pipeline/**/*.py")
    assert told >= REPAIRED
    assert {*rules_of("pipeline/gates/**/*.py"), *rules_of("pipeline/consolidation/*.py")} <= told
    assert {*rules_of("pipeline/round.py"), *rules_of("pipeline/models/**/*.py")} <= told


def test_the_settings_that_the_guide_names_for_an_endpoint_are_understood() -> None:
    table = MODELS.split("\n| endpoint |")[1].split("\n\n")[0]
    rows = [re.findall(r"`([a-z_]+ = [^`]+)`", row) for row in table.splitlines()]
    assert sum(map(len, rows)) >= 8
    for row in filter(None, rows):
        budget = [line for line in row if line.startswith(("total", "response"))]
        model = [line for line in row if line not in budget]
        assert parse_settings("\n".join(("[budget]", *budget, "[model]", *model))) != Settings(), row


def words_of(pattern: str) -> set[str]:
    """Give all texts in the code that could be the name of a rule."""
    nodes = (node for path in ROOT.glob(pattern) for node in ast.walk(ast.parse(path.read_bytes())))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if RULE.fullmatch(text)}


def rules_of(pattern: str) -> set[str]:
    """Give the names of rules that stand where a finding is made."""
    return {
        argument.value
        for path in ROOT.glob(pattern)
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Finding"
        for argument in call.args[1:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
