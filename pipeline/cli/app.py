"""Owns the command `wikimill`: its commands, its global options, and how every end is told; knows no work.

An ordinary failure is one line on standard error and an exit code, never a traceback.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import signal
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pipeline import __version__
from pipeline.cli.exits import ExitCode, code_of
from pipeline.cli.output import for_log, printable
from pipeline.cli.streams import make_streams_lenient, open_streams, silence_stdout, speak_utf8
from pipeline.cli.surroundings import read_surroundings, wants_debugging
from pipeline.errors import WikimillError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

PROGRAM = "wikimill"


_COMMANDS: Final[Mapping[str, str]] = {
    "init": "beginning",
    "observe": "observing",
    "plan": "running",
    "run": "running",
    "propose": "proposing",
    "report": "reporting",
    "schedule": "scheduling",
    "search": "searching",
    "lint": "pages",
    "verify": "verifying",
    "history": "pages",
    "build": "publishing",
    "serve": "publishing",
    "doctor": "beginning",
}
"""The commands in the order of their work, and the module of this package that each stands in."""


class SuggestingGroup(click.Group):
    """Names the nearest command when one is misspelt; lists commands in the order of their work, not by letter.

    A command is loaded when it is asked for: what the others need takes longer to load than many commands take to run.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        """Give the commands in the order of their work."""
        return list(dict.fromkeys((*_COMMANDS, *self.commands)))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, once."""
        if cmd_name in _COMMANDS and cmd_name not in self.commands:
            self.add_command(getattr(import_module(f"pipeline.cli.{_COMMANDS[cmd_name]}"), cmd_name))
        return super().get_command(ctx, cmd_name)

    def load(self) -> Mapping[str, click.Command]:
        """Load every command, in the order of their work."""
        context = click.Context(self)
        found = {name: self.get_command(context, name) for name in self.list_commands(context)}
        return {name: command for name, command in found.items() if command is not None}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that `args` begins with."""
        name = args[0]
        known = self.list_commands(ctx)
        if not name.startswith("-") and name not in known:
            near = ["--help"] if name == "help" else difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
            hint = f"did you mean '{near[0]}'?" if near else f"valid: {', '.join(known)}."
            raise click.UsageError(f"no such command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=SuggestingGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.option(
    "-C",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Work as if started in DIR.",
)
@click.option("--debug", is_flag=True, help="Show a traceback when wikimill itself fails (or set WIKIMILL_DEBUG=1).")
@click.pass_context
def wikimill(ctx: click.Context, folder: Path | None, *, debug: bool) -> None:
    """Turn what people and their coding agents observe into a wiki that a team can trust.

    wikimill works in the folder that holds wikimill.toml; it looks for one here and in the folders above.

    \b
    Start a wiki, fill it, and look at it:
      wikimill init demo
      wikimill -C demo run
      wikimill -C demo serve
    """
    ctx.obj = read_surroundings(folder, debug=debug)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    if arguments is None:
        speak_utf8()
    open_streams()
    make_streams_lenient()
    with contextlib.suppress(ValueError):  # outside the main thread there is no signal to handle
        signal.signal(signal.SIGTERM, _leave)
    given = list(sys.argv[1:] if arguments is None else arguments)
    code: int = run_command(given)
    try:
        sys.stdout.flush()
    except OSError as error:
        silence_stdout()
        code = ExitCode.OTHER if isinstance(error, BrokenPipeError) else _fail_outside(error)
    sys.exit(code)


def run_command(arguments: list[str]) -> int:
    """Run one command line and tell how it ended; every failure has been said on standard error."""
    try:
        ended = wikimill.main(arguments or ["--help"], prog_name=PROGRAM, standalone_mode=False)
    except WikimillError as error:
        return _fail(str(error), code_of(error))
    except click.ClickException as error:
        told = _usage(error, arguments) if isinstance(error, click.UsageError) else error.format_message()
        return _fail(told, ExitCode.USAGE if isinstance(error, click.UsageError) else ExitCode.OTHER)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted.", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        silence_stdout()
        return ExitCode.OTHER
    except Exception as error:  # noqa: BLE001  # the door is where whatever is left must become one line
        return _fail_unexpectedly(error, debug="--debug" in arguments or wants_debugging())
    return int(ended) if isinstance(ended, int) else ExitCode.DONE


def _fail(message: str, code: ExitCode) -> ExitCode:
    with contextlib.suppress(OSError, ValueError):
        # A message may quote what it did not write: only the first line can look like wikimill's own.
        first, *rest = (printable(line) for line in message.split("\n"))
        sys.stderr.write("\n  ".join([f"{PROGRAM}: {first}", *filter(None, rest)]) + "\n")
    return code


def _usage(error: click.UsageError, arguments: Sequence[str]) -> str:
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    named = next((word for word in arguments if word in _COMMANDS), "")
    path = error.ctx.command_path if error.ctx is not None else f"{PROGRAM} {named}".rstrip()
    stop = "" if message.endswith("?") else "."
    return f"{message}{stop} See `{path} --help`."


def _fail_outside(error: OSError) -> ExitCode:
    """Tell that the system refused something; what it was about may be a page's name, and is fit to be told."""
    place = f"{error.filename}: " if isinstance(error.filename, str) else ""
    reason = error.strerror or type(error).__name__
    return _fail(f"{place}{reason}. Nothing was left half-written. Mend that, then run again.", ExitCode.OTHER)


def _fail_unexpectedly(error: Exception, *, debug: bool) -> ExitCode:
    """Tell that wikimill itself failed. The error's own text may hold what an observation says: only for --debug."""
    if debug:
        sys.stderr.write(for_log("".join(traceback.format_exception(error))))
    if isinstance(error, OSError):
        return _fail_outside(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}pipeline{os.sep}" in frame.filename] or frames
    place = f" in {Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    return _fail(
        f"a mistake in wikimill itself: {type(error).__name__}{place}. Nothing was left half-written. "
        f"Please report it with what `{PROGRAM} --debug ...` prints.",
        ExitCode.OTHER,
    )


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(ExitCode.TERMINATED)
