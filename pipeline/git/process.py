"""Owns how git is started: its executable, its environment, and what its complaints mean; knows no command.

Every process gets an environment of its own making: plain English, no pager, no prompt, paths taken literally,
and none of the variables with which a hook tells git where it is: the repository is that of the folder.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from subprocess import PIPE, Popen, TimeoutExpired
from typing import TYPE_CHECKING

from pipeline.errors import GitError, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

PLACES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
"""What a hook sets, and what would lead git to another repository than that of the folder."""

PINNED = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}

# No process may outlive the command: a daemon would hold our pipes open, and a clean-up would race with us.
SETTINGS = ("-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false")

NO_GIT = "Install git, or run with --no-git to write the pages without commits."


@dataclass(frozen=True, slots=True)
class Answer:
    """How a git command ended."""

    code: int
    out: bytes
    complaint: str


class GitProcess:
    """Starts git in one folder with one environment."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """Without an environment, that of this process counts; what would lead to another repository is left out."""
        self._library = load_library()
        given = os.environ if environment is None else environment
        self.folder = folder
        self.environment = {name: value for name, value in given.items() if name not in PLACES} | PINNED
        self._executable = str(self._library.Git.GIT_PYTHON_GIT_EXECUTABLE or "git")

    def with_variables(self, variables: Mapping[str, str]) -> GitProcess:
        """Give one that differs in some variables of its environment."""
        return GitProcess(self.folder, {**self.environment, **variables})

    def start(self, *arguments: str) -> Popen[bytes]:
        """Start a command and leave its pipes to the caller.

        It stands apart from the terminal: Ctrl-C is for wikimill, which may finish what it is at.
        """
        command = [self._executable, *SETTINGS, *arguments]
        try:
            # GitPython's starter does not look for git.exe in the folder that it is started in.
            process: Popen[bytes] = self._library.cmd.safer_popen(
                command,
                cwd=self.folder,
                env=self.environment,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                bufsize=-1,
                start_new_session=True,
            )
        except FileNotFoundError:
            if not self.folder.is_dir():
                raise GitError("there is no such folder.", where=str(self.folder)) from None
            raise GitError("git is not installed, or not on the PATH.", next_step=NO_GIT) from None
        except OSError as fault:
            raise GitError(f"git cannot be started: {fault.strerror}.", next_step=NO_GIT) from None
        return process

    def ask(self, *arguments: str, stdin: bytes = b"") -> Answer:
        """Run a command and tell how it ended, whatever it says."""
        with self.start(*arguments) as process:
            try:
                out, complaint = process.communicate(stdin)
            except BaseException:
                process.kill()
                raise
        return Answer(process.returncode, out, complaint.decode("utf-8", "replace"))

    def ask_in_time(self, *arguments: str, limit: float) -> Answer:
        """Run a command that may take `limit` seconds; then all that it started is ended, and `TimeoutError` raised.

        It has no terminal, so that nothing it starts can ask a person.
        """
        with self.start(*arguments) as process:
            try:
                out, complaint = process.communicate(b"", timeout=limit)
            except BaseException as fault:
                _end(process)
                if isinstance(fault, TimeoutExpired):
                    raise TimeoutError from None
                raise
        return Answer(process.returncode, out, complaint.decode("utf-8", "replace"))

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run a command that must succeed, and give its output."""
        answer = self.ask(*arguments, stdin=stdin)
        if answer.code:
            raise explain(arguments, answer, self.folder)
        return answer.out


def _end(process: Popen[bytes]) -> None:
    """End a process and those that it started: git leaves the network to another one, which would go on."""
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, capture_output=True, check=False)  # a tool of the system
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def load_library() -> ModuleType:
    """Import GitPython, which looks for the git executable while it is imported."""
    try:
        import git  # noqa: PLC0415  # a tenth of a second, and an error without git: not before it is needed
    except ImportError:
        raise GitError("git is not installed, or not on the PATH.", next_step=NO_GIT) from None
    return git


def explain(  # noqa: PLR0911  # one answer for each complaint that is known
    arguments: Sequence[str], answer: Answer, folder: Path
) -> GitError | StoreError:
    """Turn git's complaint into an error that names the next step."""
    said = answer.complaint
    if "dubious ownership" in said:
        owned = re.search(r"safe\.directory (.+)", said) or re.search(r"repository at '(.+)'", said)
        place = owned.group(1).strip() if owned else str(folder)
        return GitError(
            "the repository belongs to another user, so git refuses to work in it.",
            where=str(folder),
            next_step=f"If you trust it: git config --global --add safe.directory {place}",
        )
    if "not a git repository" in said:
        return no_repository(folder)
    if lock := re.search(r"Unable to create '(.+?\.lock)': File exists", said):
        return left_lock(lock.group(1))
    if "No space left on device" in said or "Disk quota exceeded" in said:
        return StoreError(
            "the disk is full; nothing was changed.", where=str(folder), next_step="Free some space, then run again."
        )
    if "Read-only file system" in said or "Permission denied" in said or "insufficient permission" in said:
        return StoreError(
            f"the repository cannot be written: {first_line(said)}.",
            where=str(folder),
            next_step="Give yourself the right to write below .git, then run again.",
        )
    if "aborted by hook" in said:
        return GitError(
            "a hook of the repository (reference-transaction) does not let the branch move.",
            where=str(folder),
            next_step="See what that hook asks for, or take it out of the hooks' folder, then run again.",
        )
    return GitError(f"git {arguments[0]} failed: {first_line(said) or f'exit code {answer.code}'}.", where=str(folder))


def no_repository(folder: Path) -> GitError:
    """Say that a folder belongs to no repository."""
    return GitError(
        "is not in a git repository.",
        where=str(folder),
        next_step="Run `git init` there, or run with --no-git to write the pages without commits.",
    )


def left_lock(path: str) -> GitError:
    """Say that a lock file of git is in the way."""
    return GitError(
        "another git command is at work here, or was killed and left its lock behind.",
        where=path,
        next_step="Wait until it ends; if none runs, remove this file. Then run again.",
    )


def first_line(text: str) -> str:
    """Give the first line of a complaint that says something, without git's `fatal:`."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("hint:", "warning:"))]
    return lines[0].removeprefix("fatal: ").removeprefix("error: ").strip().rstrip(".")[:300] if lines else ""
