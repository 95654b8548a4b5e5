"""Holds the house to its floors: imports only point down, effects do not know each other, the core does no I/O.

Lazy and type-only imports count as imports: an arrow is an arrow.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "pipeline"

FLOORS: dict[str, int] = {
    "pipeline": 0,
    "pipeline.errors": 0,
    "pipeline.config": 0,
    "pipeline.settings": 0,
    "pipeline.finding": 1,
    "pipeline.report": 1,
    "pipeline.text": 1,
    "pipeline.tokens": 1,
    "pipeline.relevance": 1,
    "pipeline.schema": 1,
    "pipeline.consolidation": 1,
    "pipeline.spending": 1,
    "pipeline.reply_text": 1,
    "pipeline.proposal": 1,
    "pipeline.forge": 2,
    "pipeline.forge.port": 1,
    "pipeline.books": 1,
    "pipeline.memory": 1,
    "pipeline.memory.directory": 2,
    "pipeline.memory.stored_index": 2,
    "pipeline.projection": 1,
    "pipeline.site": 1,
    "pipeline.context": 1,
    "pipeline.prompt": 1,
    "pipeline.draft": 1,
    "pipeline.observations": 1,
    "pipeline.observations.inbox": 2,
    "pipeline.observations.inbox.spool": 2,
    "pipeline.gates": 1,
    "pipeline.wiki": 1,
    "pipeline.wiki.tree": 2,
    "pipeline.whole_file": 2,
    "pipeline.models": 2,
    "pipeline.models.model": 1,
    "pipeline.git": 2,
    "pipeline.reading": 2,
    "pipeline.reading.safe_markdown": 1,
    "pipeline.templates": 2,
    "pipeline.landing": 3,
    "pipeline.publishing": 3,
    "pipeline.run": 3,
    "pipeline.round": 3,
    "pipeline.leading": 3,
    "pipeline.choosing": 3,
    "pipeline.searching": 3,
    "pipeline.starting": 3,
    "pipeline.examining": 3,
    "pipeline.probing": 3,
    "pipeline.keeping": 3,
    "pipeline.proposing": 3,
    "pipeline.delivering": 3,
    "pipeline.verifying": 3,
    "pipeline.schedule": 4,
    "pipeline.schedule.cron": 0,
    "pipeline.schedule.fields": 0,
    "pipeline.schedule.timetable": 1,
    "pipeline.schedule.zones": 0,
    "pipeline.cli": 4,
    "pipeline.__main__": 4,
}
"""The floor of a module, or of a whole package where no nearer name is given."""

EFFECTS = (
    *("pipeline.observations.inbox", "pipeline.wiki.tree", "pipeline.models", "pipeline.git", "pipeline.reading"),
    *("pipeline.memory.directory", "pipeline.memory.stored_index", "pipeline.forge"),
)
"""Rooms of floor 2 that must not know each other; a room's own modules may."""

OUTSIDE = frozenset(
    (
        *("argparse", "asyncio", "git", "http", "logging", "multiprocessing", "os", "pathlib", "random", "secrets"),
        *("shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib"),
    )
)
"""What the core must not import at run time; for types alone it may."""

READS_ONE_FILE = {"pipeline.config": "it reads wikimill.toml, by a path that it is given"}

TAKES_TEXT_APART = {
    "pipeline.settings.address": "of urllib it uses the parser of addresses, which asks nobody",
    "pipeline.site.addresses": "as above: it encodes addresses",
    "pipeline.site.hosting": "as above: it encodes addresses",
    "pipeline.site.hubs.shelving": "as above: it encodes addresses",
    "pipeline.site.looking": "as above: it takes the addresses of links apart",
    "pipeline.reading.safe_markdown.linking": "as above",
}

HOLDS_A_LOCK = {"pipeline.memory.in_process": "comparing and writing are one step for the threads that share it"}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("pipeline", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def nearest(module: str, names: dict[str, int]) -> str:
    while module not in names:
        module = module.rpartition(".")[0]
    return module


def floor(module: str) -> int:
    return FLOORS[nearest(module, FLOORS)]


def room(module: str) -> str | None:
    return next((name for name in EFFECTS if module == name or module.startswith(name + ".")), None)


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its floor"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else str(node.module))
    return found


def run_time_imports(path: Path) -> set[str]:
    class Visitor(ast.NodeVisitor):
        def __init__(self) -> None:
            self.found: set[str] = set()

        def visit_If(self, node: ast.If) -> None:
            if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                self.generic_visit(node)

        def visit_Import(self, node: ast.Import) -> None:
            self.found.update(alias.name.partition(".")[0] for alias in node.names)

        def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
            self.found.add(str(node.module).partition(".")[0])

    visitor = Visitor()
    visitor.visit(ast.parse(path.read_bytes()))
    return visitor.found


ALL = modules()


@pytest.mark.parametrize("module", sorted(ALL))
def test_imports_point_down(module: str) -> None:
    arrows = {target for target in imports(ALL[module], ALL) if target.split(".")[0] == "pipeline"}
    up = sorted(target for target in arrows if floor(target) > floor(module))
    assert not up, f"{module} (floor {floor(module)}) imports what stands above it: {up}"


@pytest.mark.parametrize("module", sorted(name for name in ALL if room(name)))
def test_effects_do_not_know_each_other(module: str) -> None:
    others = sorted(
        target for target in imports(ALL[module], ALL) if floor_is_effect(target) and room(target) != room(module)
    )
    assert not others, f"{module} knows another effect: {others}"


def floor_is_effect(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] == "pipeline" and floor(module) == 2 and room(module) is not None


@pytest.mark.parametrize("module", sorted(name for name in ALL if floor(name) <= 1 and name not in READS_ONE_FILE))
def test_the_core_does_no_io(module: str) -> None:
    allowed = {"threading"} if module in HOLDS_A_LOCK else {"urllib"} if module in TAKES_TEXT_APART else set()
    assert not (run_time_imports(ALL[module]) & OUTSIDE) - allowed


def test_no_module_takes_part_in_a_circle() -> None:
    arrows = {name: imports(path, ALL) & set(ALL) - {name} for name, path in ALL.items()}
    done: set[str] = set()
    while free := {name for name in arrows if name not in done and arrows[name] <= done}:
        done |= free
    assert sorted(set(arrows) - done) == []


def test_every_floor_has_a_tenant() -> None:
    empty = sorted(name for name in FLOORS if name not in ALL)
    assert not empty, f"floors without a room: {empty}"
