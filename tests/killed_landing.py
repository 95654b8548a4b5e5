"""Lands in child processes that kill themselves, one at each step; started by `test_kill.py` as a process of its own.

It reads one line of JSON, {"git": ..., "branch": ..., "chain": ..., "roots": [...]}, and lands once in each root,
one commit or, as a chain, several: the first is killed at the first step, the second at the second, and so on; a
root that comes after the last step is landed whole. It prints what became of each, as JSON. Forking from a process
with one thread saves a start a step.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from pipeline.landing import ChangeSet, open_landing
from tests.repositories import AT

CHANGES: dict[str, bytes | None] = {
    "acme/decisions/new page é.md": b"a new page\n",
    "acme/index.md": b"a new index\n",
    "acme/gone/old.md": None,
    ".ledger/files.jsonl": b'{"file": "a"}\n',
}

CHAIN = (
    ChangeSet({"acme/decisions/new page é.md": b"a draft\n", "acme/stays.md": b"touched\n"}, "one\n"),
    ChangeSet({"acme/index.md": b"a new index\n", "acme/stays.md": b"stays\n"}, "two\n"),
    ChangeSet(CHANGES, "three\n"),
)
"""Ends where `CHANGES` alone ends."""


def land(root: Path, *, use_git: bool, branch: str, chain: bool, die_at: int) -> None:
    steps = 0

    def die(_name: str) -> None:
        nonlocal steps
        steps += 1
        if steps == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_landing(root, pages_folder="wiki", branch=branch, use_git=use_git, checkpoint=die) as landing:
        if chain:
            landing.land_all(CHAIN, AT)
        else:
            landing.land(CHANGES, "consolidate(acme/s): x\n\nSession: acme/s\n", AT)


def main() -> None:
    given = json.loads(sys.stdin.readline())
    ends = []
    for number, root in enumerate(given["roots"], start=1):
        child = os.fork()
        if not child:
            land(Path(root), use_git=given["git"], branch=given["branch"], chain=given["chain"], die_at=number)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        ends.append("killed" if os.WIFSIGNALED(status) else f"ended {os.waitstatus_to_exitcode(status)}")
    sys.stdout.write(json.dumps(ends))


if __name__ == "__main__":
    main()
