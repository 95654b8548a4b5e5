"""Owns what a process finds at its start: standard streams that are closed or narrow, names that are no UTF-8."""

from __future__ import annotations

import contextlib
import os
import sys


def speak_utf8() -> None:
    """Begin again in UTF-8 where the locale would encode the names of files and the arguments of git otherwise.

    Pages are named in every script, and git keeps names in UTF-8.
    """
    if os.name == "posix" and sys.executable and sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606  # this very program


def open_streams() -> None:
    """Lead closed standard streams nowhere, before a file gets their number and what was meant for them."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
        if getattr(sys, name) is None:
            stream = open(number, "r" if name == "stdin" else "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # it stays open
            setattr(sys, name, stream)


def make_streams_lenient() -> None:
    """Let a terminal that cannot show a character show a substitute instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def silence_stdout() -> None:
    """Let the interpreter's own last flush go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
