"""Owns how the runs of the month go that the tests play: in one job or two, and what goes wrong on some nights."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from pipeline.choosing import CACHE
from pipeline.errors import WikimillError
from tests.endpoint.behaviours import in_order, never, status
from tests.forge.served import Answer, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.proposing.month import Month

Night = Literal["one job", "two jobs", "same clone", "silent", "crash", "killed", "second runner", "shallow"]

SILENT = status(503, {"error": {"message": "overloaded"}})
_ANSWERS = 2
"""Calls of a process that is to be killed which are answered."""
_PATIENCE = 60
"""Seconds that such a process gets until it is in the middle of its work."""


def pass_night(month: Month, night: Night) -> None:
    did = month.row.did
    if night == "silent":
        did += [] if month.offline else ["the model is down"]
        with _silence(month):
            month.run()
    elif night == "crash":
        did.append("crash between push and opening")
        with _cut_off_before_opening(month):
            month.run()
    elif night == "killed":
        month.clone, month.fresh = month.new_clone(), False
        did.append(_run_and_kill(month))
        month.run()
    elif night == "second runner":
        _run_twice_at_once(month)
    elif night == "shallow":
        did.append("shallow clone")
        month.clone, month.fresh = month.new_clone("--depth=1", "--no-single-branch"), False
        month.run()
    elif night == "same clone":
        did.append("kept clone")
        month.fresh = False
        month.run()
    else:
        month.run(apart=night == "two jobs")


def _run_twice_at_once(month: Month) -> None:
    """Let another runner prepare the same before the first one has proposed; it comes too late."""
    month.clone, other = month.new_clone(), month.new_clone()
    before, asked = month.heads(), len(month.calls())
    month.job(month.clone, "prepare", month.reader)
    between = len(month.calls())
    month.minutes = 1  # what two make at the same moment is the same, and then neither comes too late
    month.job(other, "prepare", month.reader)
    month.minutes = 0
    month.in_vain += month.calls()[between:]
    month.row.retaken = len(month.calls()) - between
    report = month.propose(month.clone)
    month.tell(report, before, asked + month.row.retaken)
    head = month.heads()
    late = _fault_of(lambda: month.propose(other))
    assert month.heads() == head, "the one that came too late pushes nothing"
    month.row.did.append(f"a second runner: {late}")


def _fault_of(act: Callable[[], object]) -> str:
    try:
        act()
    except WikimillError as fault:
        return type(fault).__name__
    return "nothing"


@contextmanager
def _silence(month: Month) -> Iterator[None]:
    """Let the model answer nobody; the offline one cannot fall silent."""
    if month.endpoint is None:
        yield
        return
    script, month.endpoint.script = month.endpoint.script, SILENT
    try:
        yield
    finally:
        month.endpoint.script = script


@contextmanager
def _cut_off_before_opening(month: Month) -> Iterator[None]:
    """Let the connection break between the push and the opening of a proposal."""
    # The first is the harmless question whether one could be opened.
    month.double.faults.append(Fault("POST", "/pulls", answer=Answer(422, {"message": "Validation Failed"})))
    month.double.faults.append(Fault("POST", "/pulls", cut=True, times=9))
    yield
    month.double.faults.clear()


def _run_and_kill(month: Month) -> str:
    """Start `wikimill run --prepare` as a process and kill it in the middle of its work; tell how far it was."""
    with _hanging(month) as is_in_the_middle:
        process = subprocess.Popen(
            [sys.executable, "-m", "pipeline", "run", "--prepare"],
            cwd=month.clone.root,
            env=month.outside(month.clone, month.reader).environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        until = time.monotonic() + _PATIENCE
        while process.poll() is None and time.monotonic() < until and not is_in_the_middle():
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        _, told = process.communicate()
    if process.returncode == -signal.SIGKILL:
        return "killed at work"
    return f"ended with {process.returncode} before it was killed: {told.decode()[-500:]}"


@contextmanager
def _hanging(month: Month) -> Iterator[Callable[[], bool]]:
    """Let the model answer two calls more and no other; give what tells that a run has come so far.

    Both answers are kept on disk by then. The offline model does not hang: its run has read what is new.
    """
    if month.endpoint is None:
        yield (month.clone.root / ".wikimill/spool.sqlite").exists
        return
    script, before, kept = month.endpoint.script, len(month.calls()), month.clone.root / CACHE
    month.endpoint.script = in_order(script, script, never())
    yield lambda: len(month.calls()) > before + _ANSWERS and len(list(kept.glob("*/*.json"))) >= _ANSWERS
    month.endpoint.script = script
    month.row.calls += len(month.calls()) - before
