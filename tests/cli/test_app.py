"""Every end is told: usage, settings, failures, mistakes of wikimill itself, signals, a reader that goes away."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING

import click
import pytest

import pipeline.cli.app as door
from pipeline import __version__
from pipeline.cli.app import wikimill
from pipeline.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Say

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int | None]], None]:
    """Give a function that puts a command `try` behind the door."""

    def put(work: Callable[[], int | None]) -> None:
        monkeypatch.setitem(wikimill.commands, "try", click.Command("try", callback=work))

    return put


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rnu"], "no such command 'rnu'; did you mean 'run'? See `wikimill --help`."),
        (["HISTORY"], "no such command 'HISTORY'; did you mean 'history'? See `wikimill --help`."),
        (["help"], "no such command 'help'; did you mean '--help'? See `wikimill --help`."),
        (["build", "--full=1"], "option '--full' does not take a value. See `wikimill build --help`."),
        (["histroy"], "no such command 'histroy'; did you mean 'history'? See `wikimill --help`."),
        (["run", "--dry-runn"], "no such option '--dry-runn'. Did you mean '--dry-run'? See `wikimill run --help`."),
        (["init"], "missing argument 'DIR'. See `wikimill init --help`."),
        (["run", "now"], "got unexpected extra argument (now). See `wikimill run --help`."),
        (["observe", "--importance", "11", "x"], "invalid value for '--importance': 11 is not in the range 1<=x<=10."),
    ],
)
def test_a_wrong_command_line_is_one_line_that_helps(wiki: Path, say: Say, arguments: list[str], told: str) -> None:
    said = say(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    # The wording of click's own messages differs a little between its versions.
    assert alike(said.err).startswith(alike(f"wikimill: {told}"))


def alike(text: str) -> str:
    return re.sub(r"[:'.]", "", text.lower())


def test_without_a_command_the_help_is_shown(say: Say) -> None:
    said = say()
    assert (said.code, said.err) == (0, "")
    assert said.out == say("--help").out


def test_an_unknown_command_that_is_near_to_none_lists_all(wiki: Path, say: Say) -> None:
    listed = "init, observe, plan, run, propose, report, schedule, search, lint, verify, history, build, serve, doctor."
    assert f"valid: {listed}" in say("zzz").err


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("[wiki]\nobservation = 'x'\n", "unknown key 'wiki.observation'; did you mean 'observations'?"),
        ("[wikki]\n", "unknown key 'wikki'; did you mean 'wiki'?"),
        ("[model]\nprovider = 'extractiv'\n", "'model.provider' cannot be 'extractiv'; did you mean 'extractive'?"),
        ("[wiki]\npages = '../x'\n", "'wiki.pages' must be a folder below the one that holds wikimill.toml"),
        ("[wiki\n", "is not valid TOML"),
        ("[[redaction.patterns]]\nkind = 'x'\npattern = '('\n", "is not a regular expression"),
    ],
)
def test_wrong_settings_stop_every_command_with_the_nearest_right_one(
    wiki: Path, say: Say, settings: str, told: str
) -> None:
    (wiki / "wikimill.toml").write_text(settings, encoding="utf-8")
    said = say("plan")
    assert said.code == 2
    assert said.err.startswith("wikimill: wikimill.toml: ")
    assert told in said.err
    assert said.err.count("\n") == 1


def test_without_a_wiki_the_next_step_is_init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, say: Say) -> None:
    monkeypatch.chdir(tmp_path)
    said = say("run")
    assert said.code == 2
    assert "no wikimill.toml here or in a folder above" in said.err
    assert "wikimill init DIR" in said.err


def test_the_folder_can_be_named(wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wiki.parent)
    assert say("-C", "demo", "plan").code == 0
    assert say("-C", "nowhere", "plan").code == 2


def test_the_version_is_told(say: Say) -> None:
    said = say("--version")
    assert (said.code, said.out) == (0, f"wikimill {__version__}\n")


@pytest.mark.parametrize("asked", ["--help", "-h"])
def test_the_help_lists_the_commands_in_the_order_of_their_work(say: Say, asked: str) -> None:
    said = say(asked)
    assert said.code == 0
    places = [said.out.index(f"\n  {name} ") for name in wikimill.load()]
    assert places == sorted(places)


def test_help_needs_no_wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, say: Say) -> None:
    monkeypatch.chdir(tmp_path)
    assert say("run", "--help").code == 0


def test_an_ordinary_failure_is_a_line_and_a_code(say: Say, command: Callable[[Callable[[], int]], None]) -> None:
    def work() -> int:
        raise StoreError("cannot be read.", where="a.md", next_step="Mend it.")

    command(work)
    said = say("try")
    assert (said.code, said.out, said.err) == (1, "", "wikimill: a.md: cannot be read. Mend it.\n")


def test_a_failure_cannot_forge_a_line_or_reach_the_terminal(
    say: Say, command: Callable[[Callable[[], int]], None]
) -> None:
    def work() -> int:
        raise StoreError("x\nwikimill: all is well\r\x1b[2Jy")

    command(work)
    assert say("try").err == "wikimill: x\n  wikimill: all is well [2Jy\n"


def test_a_mistake_of_wikimill_itself_is_a_line_without_what_it_worked_on(
    say: Say, command: Callable[[Callable[[], int]], None]
) -> None:
    def work() -> int:
        raise KeyError("what an observation says")

    command(work)
    said = say("try")
    assert said.code == 1
    assert said.err.startswith("wikimill: a mistake in wikimill itself: KeyError in ")
    assert said.err.count("\n") == 1
    assert "what an observation says" not in said.err


@pytest.mark.parametrize(("arguments", "variable"), [(["--debug"], ""), ([], "1")])
def test_a_traceback_is_shown_when_asked_for(
    say: Say,
    command: Callable[[Callable[[], int]], None],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    variable: str,
) -> None:
    def work() -> int:
        raise KeyError("detail")

    command(work)
    monkeypatch.setenv("WIKIMILL_DEBUG", variable)
    said = say(*arguments, "try")
    assert said.err.startswith("Traceback (most recent call last):")
    assert "KeyError: 'detail'" in said.err


def test_ctrl_c_ends_with_130(say: Say, command: Callable[[Callable[[], int]], None]) -> None:
    def work() -> int:
        raise KeyboardInterrupt

    command(work)
    said = say("try")
    assert (said.code, said.out) == (130, "")
    assert said.err.strip() == "wikimill: interrupted."


def test_the_code_of_a_command_is_the_code_of_the_process(
    say: Say, command: Callable[[Callable[[], int]], None]
) -> None:
    command(lambda: 3)
    assert say("try").code == 3


def start_door(script: str) -> subprocess.Popen[bytes]:
    """Start a process whose command `try` does what `script` says."""
    source = (
        "import click, sys, time\n"
        "from pipeline.cli.app import main, wikimill\n"
        "from pipeline.cli.output import Speaker\n"
        f"def work():\n    {script}\n"
        "wikimill.add_command(click.Command('try', callback=work))\n"
        "main(['try'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    return subprocess.Popen([sys.executable, "-c", source], cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE)


def test_a_terminal_that_cannot_show_a_character_gets_a_substitute() -> None:
    with start_door("Speaker().say('Grüße 日本')") as process:
        out, err = process.communicate()
    assert (process.returncode, out, err) == (0, b"Gr??e ??\n", b"")


@pytest.mark.parametrize(
    "script", ["[Speaker().say('x' * 99) for _ in range(99999)]", "Speaker().give({'x': 'y' * 9999999})"]
)
def test_a_reader_that_goes_away_is_no_failure_to_talk_about(script: str) -> None:
    with start_door(script) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    # Some systems accept a large piece whole although nobody reads it.
    assert process.returncode in {0, 1}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_process_without_a_traceback(sent: signal.Signals, code: int) -> None:
    with start_door("print('ready', flush=True); time.sleep(60)") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        process.send_signal(sent)
        err = process.stderr.read()
    assert process.returncode == code
    assert b"Traceback" not in err


def test_a_command_loads_only_what_it_needs() -> None:
    program = "import sys; from pipeline.cli.app import run_command; code = run_command(['build', '--help']); "
    program += "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT).stderr.decode()
    assert "pipeline.publishing.building" in told.split()
    assert not {"pipeline.models", "pipeline.proposing", "pipeline.run", "openai", "apscheduler"} & set(told.split())


def test_every_option_has_a_help() -> None:
    for name, one in wikimill.load().items():
        for option in one.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name} {option.opts}"


def test_the_package_and_the_command_have_the_same_door() -> None:
    assert door.main.__module__ == "pipeline.cli.app"
    done = subprocess.run([sys.executable, "-m", "pipeline", "--version"], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"wikimill {__version__}"


@pytest.mark.skipif(os.name == "nt", reason="Windows names files in Unicode, and has no shell that closes streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_stop_nothing(wiki: Path, closed: str) -> None:
    command = [sys.executable, "-m", "pipeline", "-C", str(wiki), "run"]
    ended = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closed}', "sh", *command], cwd=ROOT, capture_output=True, check=False
    )
    assert (ended.returncode, b"Traceback" in ended.stderr) == (0, False)
    assert list((wiki / "wiki").rglob("sessions/*.md"))


@pytest.mark.skipif(os.name == "nt", reason="Windows names files in Unicode")
def test_a_locale_without_utf8_changes_nothing(wiki: Path) -> None:
    line = '{"ts": 1764500000, "session_id": "s", "project": "Ägypten", "body": "We decided on papyrus."}\n'
    (wiki / "observations" / "more.jsonl").write_text(line, encoding="utf-8")
    narrow = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "pipeline", "-C", str(wiki), "run"]
    ended = subprocess.run(command, cwd=ROOT, env=narrow, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr.count(b"mistake")) == (0, 0)
    assert list((wiki / "wiki" / "ägypten" / "sessions").glob("*.md"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have a device that is always full")
def test_an_output_that_is_full_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "pipeline", "--help"]
        ended = subprocess.run(command, cwd=ROOT, stdout=full, stderr=PIPE, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"wikimill: No space left on device. ")
    assert b"Traceback" not in ended.stderr
