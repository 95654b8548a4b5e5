"""What a terminal or a machine gets to see, whatever an observation says."""

from __future__ import annotations

import io
import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pipeline.cli.output import MOST_NOTES, Speaker, for_log, printable
from pipeline.finding import Finding

if TYPE_CHECKING:
    from pipeline.finding import Severity


def speaker(*, terminal: bool = False, width: int = 80) -> tuple[Speaker, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), io.StringIO()

    def console(file: io.StringIO) -> Console:
        return Console(
            file=file, markup=False, highlight=False, emoji=False, force_terminal=terminal, width=width, no_color=True
        )

    return Speaker(out=console(out), err=console(err)), out, err


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain words", "plain words"),
        ("日本語 Grüße Привет", "日本語 Grüße Привет"),
        ("family 👨‍👩‍👧 and flag 🇩🇪", "family 👨‍👩‍👧 and flag 🇩🇪"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]0;title\x07text", "]0;titletext"),
        ("\x9b31mred", "31mred"),
        ("one\ntwo\r\nthree", "one two three"),
        ("done\rFAKE", "done FAKE"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("abc\u202edcba\u202c", "abcdcba"),
        ("\u2066isolated\u2069", "isolated"),
        ("a\x00b\x08c", "abc"),
        ("half \ud83d emoji", "half \ufffd emoji"),
        ("[bold]markup[/bold] :smile:", "[bold]markup[/bold] :smile:"),
        ("::error file=x::forged", ": :error file=x::forged"),
        (" \t\u3000::set-output name=a::b", "  \u3000: :set-output name=a::b"),
        ("\u200d:\u200d:warning::x", "\u200d: \u200d:warning::x"),
        (":\x00:error::x", ": :error::x"),
        (":::", ": ::"),
        ("std::vector and a :: b", "std::vector and a :: b"),
        ("said ##[error]x and ##[group]", "said ## [error]x and ## [group]"),
        ("#\x1b#\x1b[command]x", "## [command]x"),
        ("###vso[task.setvariable variable=a]b", "###vso [task.setvariable variable=a]b"),
    ],
)
def test_text_becomes_one_harmless_line(given_text: str, shown: str) -> None:
    assert printable(given_text) == shown


@given(st.text() | st.text(st.sampled_from(list(":#[ \t\n\0\u200d\u00adax")), max_size=12))
def test_no_text_reaches_the_terminal_with_a_control_character(text: str) -> None:
    shown = printable(text)
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in shown)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown
    seen = re.sub("[\u200d\u00ad]", "", shown)
    assert not seen.lstrip().startswith("::")
    assert "##[" not in seen


def test_no_line_of_a_text_commands_a_runner_and_the_others_stay() -> None:
    text = "a\n  ::error::x\n- ::b\n+##[group]\n:: c\n\n"
    assert for_log(text) == "a\n  : :error::x\n- ::b\n+## [group]\n: : c\n\n"
    assert for_log(for_log(text)) == for_log(text)


def test_a_megabyte_for_a_log_takes_no_time() -> None:
    for piece in (":", "#", " ", "\u200d", "#\u200d", ": ", "::\n", "##[", "##vso"):
        started = time.monotonic()
        for_log(piece * (1_000_000 // len(piece)))
        assert time.monotonic() - started < 5


def test_nothing_that_is_said_commands_a_runner(capsys: pytest.CaptureFixture[str]) -> None:
    told, out, err = speaker()
    told.say("::error::x")
    told.whisper("::error::x")
    told.table(["a", "b"], [["", "::error::x"], ["::x", "y"]])
    told.diff(" ::error::x\n+\t::x ##[group]")
    told.findings([Finding("::x", "r", "note", "##[error]x")])
    assert out.getvalue().splitlines()[0] == ": :error::x"
    assert err.getvalue() == ": :error::x\n"
    told.give({"a": "::error::x ##[error]y"})
    machine = capsys.readouterr().out
    assert json.loads(machine) == {"a": "::error::x ##[error]y"}
    for line in (*out.getvalue().splitlines(), *machine.splitlines()):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
    assert "+\t::x ## [group]\n" in out.getvalue(), "where no line begins, nothing is parted"


def test_a_long_line_is_not_broken_where_no_terminal_is() -> None:
    told, out, _ = speaker()
    told.say("word " * 100 + "end")
    assert out.getvalue() == "word " * 100 + "end\n"


def test_markup_in_a_text_stays_text() -> None:
    told, out, _ = speaker(terminal=True)
    told.say("[red]x[/red] [link=file:///etc/passwd]y[/link] :boom:")
    assert out.getvalue() == "[red]x[/red] [link=file:///etc/passwd]y[/link] :boom:\n"


def finding(number: int, severity: Severity) -> Finding:
    return Finding(
        where=f"page-{number}.md", rule="some-rule", severity=severity, message="Look.", next_step="Mend it."
    )


def test_a_finding_is_a_line_with_its_place_its_rule_and_its_mend() -> None:
    told, out, _ = speaker()
    told.findings([finding(1, "error")])
    assert out.getvalue() == "error page-1.md: Look. Mend it. [some-rule]\n"


def test_a_forged_line_break_in_a_finding_forges_no_line() -> None:
    told, out, _ = speaker()
    forged = Finding("a.jsonl:1", "bad-line", "note", "x\nerror b.jsonl:2: forged")
    told.findings([forged])
    assert out.getvalue() == "note a.jsonl:1: x error b.jsonl:2: forged [bad-line]\n"


def test_all_errors_are_told_and_only_the_first_notes() -> None:
    told, out, _ = speaker()
    told.findings([*(finding(n, "note") for n in range(MOST_NOTES + 5)), *(finding(n, "error") for n in range(30))])
    lines = out.getvalue().splitlines()
    assert sum(line.startswith("note ") for line in lines) == MOST_NOTES
    assert sum(line.startswith("error ") for line in lines) == 30
    assert lines[-1] == "... and 5 more notes; --json tells all."


def test_json_is_ascii_whatever_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": "日本 \x1b[31m \ud83d", "list": [1, None, True]}
    Speaker(as_json=True).give(value)
    given_out = capsys.readouterr().out
    assert given_out.isascii()
    assert "\x1b" not in given_out
    assert json.loads(given_out) == value


def test_a_table_that_does_not_fit_is_told_in_lines() -> None:
    rows = [["acme/" + "x" * 36, "1"], ["acme/y", "23"]]
    said, out, _ = speaker(width=45)
    said.table(["session", "n"], rows, numbers=(1,))
    assert out.getvalue().splitlines() == [
        "session" + " " * 36 + " n",
        "acme/" + "x" * 36 + "   1",
        "acme/y" + " " * 37 + "23",
    ]

    said, out, _ = speaker(width=44)
    said.table(["session", "n"], rows, numbers=(1,))
    assert out.getvalue().splitlines() == ["acme/" + "x" * 36 + "  n: 1", "acme/y  n: 23"]


def test_a_table_in_a_pipe_is_not_folded(capsys: pytest.CaptureFixture[str]) -> None:
    Speaker().table(["session", "tokens"], [["x" * 390, "1"]], numbers=(1,))
    assert "x" * 390 + "       1" in capsys.readouterr().out


def test_a_diff_keeps_tabs_and_loses_escapes() -> None:
    told, out, _ = speaker()
    told.diff("--- a\n+++ b\n+\tcode\x1b[2J\n-old")
    assert out.getvalue() == "--- a\n+++ b\n+\tcode[2J\n-old\n"


def test_progress_without_a_terminal_is_a_line_for_each_tenth() -> None:
    told, out, err = speaker()
    with told.progress("Sessions") as tell:
        for done in range(1, 101):
            tell(done, 100, "some session")
    assert out.getvalue() == ""
    assert err.getvalue().splitlines() == ["Sessions 1/100", *(f"Sessions {n}/100" for n in range(10, 101, 10))]


def test_progress_of_nothing_says_nothing() -> None:
    told, _, err = speaker()
    with told.progress("Sessions") as tell:
        tell(0, 0, "")
    assert err.getvalue() == ""


def test_progress_on_a_terminal_is_a_bar() -> None:
    told, _, err = speaker(terminal=True)
    with told.progress("Sessions") as tell:
        tell(3, 7, "x")
    assert "3/7" in err.getvalue()


def test_progress_for_machines_says_nothing() -> None:
    told, _, err = speaker()
    quiet = Speaker(as_json=True, out=told.out, err=told.err)
    with quiet.progress("Sessions") as tell:
        tell(3, 7, "x")
    assert err.getvalue() == ""
