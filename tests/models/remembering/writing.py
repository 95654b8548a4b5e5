"""Writes to a cache from processes of its own; started by `test_reply_store.py`.

`FOLDER same LETTER` writes one key over and over, and prints how often. `FOLDER killed` starts children that write
one key after the other, kills each within a few hundredths of a second, and prints what became of them.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from pipeline.models.model import Reply
from pipeline.models.remembering.entry import Entry
from pipeline.models.remembering.reply_store import ReplyStore
from tests.models.remembering.asked import Ticking, ask, same

KILLED = 25


def write_the_same(folder: Path, letter: str) -> None:
    store = ReplyStore(folder, megabytes=10, clock=Ticking(), scrub=same)
    request = ask()
    for _ in range(150):
        store.keep(Entry("ab" * 20, "gpt", Reply(letter * 20_000)), request)
    sys.stdout.write("150\n" if not store.findings else str(store.findings))


def write_many(folder: Path, child: int) -> None:
    store = ReplyStore(folder, megabytes=1_000, clock=Ticking(), scrub=same)
    request = ask()
    for number in range(1_000_000):
        key = f"{number * 7 % 256:02x}{child:04x}" + f"{number:034x}"
        store.keep(Entry(key, "gpt", Reply(f"{key} " + "x" * (number * 997 % 60_000))), request)


def kill_many(folder: Path) -> None:
    for number in range(KILLED):
        child = os.fork()
        if not child:
            write_many(folder, number)
        time.sleep(0.004 + number * 0.0013)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        sys.stdout.write("killed " if os.WIFSIGNALED(status) else "ended ")
    sys.stdout.write("\n")


if __name__ == "__main__":
    place, what, text = sys.argv[1:]
    if what == "same":
        write_the_same(Path(place), text)
    else:
        kill_many(Path(place))
