"""Sessions that are drafted on one state of the wiki: the result is the same whatever the workers and their haste."""

from __future__ import annotations

import gc
import json
import random
import re
import threading
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pipeline import run
from pipeline.config import Settings
from pipeline.errors import CapReached, InvalidReply, Unanswered, Unavailable
from pipeline.models.model import Reply
from pipeline.observations.observation import Observation
from pipeline.report import Fault
from pipeline.spending import Spent, Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.finding import Finding
    from pipeline.prompt import Request
    from pipeline.report import Report

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)
PORTS = "acme/concepts/ports.md"


@dataclass
class Writer:
    """Writes a session page, and sections of the page on ports for whoever says `NAME port is NUMBER`."""

    workers: int = 1
    haste: Callable[[], float] = lambda: 0.0
    fault: Callable[[Request], Exception | None] = lambda _: None
    asked: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    forgotten: list[Request] = field(default_factory=list)
    name: str = "writer"
    quotes: bool = False
    tokens_ratio: float = 1.0
    spent: Spent = field(default_factory=Spent)
    findings: tuple[Finding, ...] = ()
    lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: Request) -> Reply:
        time.sleep(self.haste())
        with self.lock:
            self.asked.append(" ".join(window.session.session_id for window in request.windows))
            self.requests.append(request)
        fault = self.fault(request)
        if fault is not None:
            raise fault
        answers = [self._answer(request, number) for number in range(len(request.windows))]
        if len(answers) == 1:
            return Reply(json.dumps(answers[0]))
        return Reply(json.dumps({"sessions": [{"session": f"s{n}", **one} for n, one in enumerate(answers, 1)]}))

    def forget(self, request: Request) -> None:
        self.forgotten.append(request)

    def _answer(self, request: Request, number: int) -> dict[str, object]:
        window = request.windows[number]
        said = [(shown.handle, shown.text) for shown in window.shown]
        updates: list[dict[str, object]] = [
            {
                "path": request.session_pages[number],
                "kind": "session",
                "title": f"Session {window.session.session_id}",
                "body": f"## At {window.shown[0].observation.ts:%H:%M}\n\n"
                + "\n".join(f"- {text}[^{handle}]" for handle, text in said),
            }
        ]
        ports = [(handle, text, found) for handle, text in said if (found := re.match(r"(\w+) port is", text))]
        if ports:
            body = "\n\n".join(f"## {found.group(1)}\n\n{text}.[^{handle}]" for handle, text, found in ports)
            shown_path = next((page.path for page in request.context.pages if page.path == PORTS), "")
            updates.append({"path": shown_path, "kind": "concept", "title": "Ports", "body": body})
        return {"updates": updates, "rationale": f"about {window.session.session_id}"}


def line(session: str, minute: int, body: str) -> str:
    values = {"ts": f"2026-11-29T10:{minute:02}:00Z", "session_id": session, "project": "acme", "body": body}
    return json.dumps(values) + "\n"


def observe(root: Path, *lines: str) -> None:
    (root / "observations").mkdir(exist_ok=True)
    with (root / "observations" / "day.jsonl").open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def go(root: Path, writer: Writer, *, together: int = 16, sharing: int = 1, **model: object) -> Report:
    settings = Settings.model_validate(
        {"run": {"drafted_together": together}, "model": {"sessions_per_request": sharing, **model}}
    )
    return run.consolidate(settings, root, clock=lambda: AT, model=writer, use_git=False)


def tree(root: Path) -> dict[str, bytes]:
    found = sorted(path for path in (root / "wiki").rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


BUSY = (
    *(line(f"s{n}", n, f"note {n} of the day") for n in range(1, 7)),
    line("web1", 10, "Web port is 8080"),
    line("web2", 11, "Web port is 9090 instead of 8080"),
    line("db", 12, "Database port is 5432"),
    line("web3", 13, "Web port is 7070 now, no longer 9090"),
)


@pytest.mark.parametrize("sharing", [1, 4])
def test_the_result_does_not_depend_on_workers(tmp_path: Path, sharing: int) -> None:
    outcomes = []
    for number, workers in enumerate((1, 2, 8)):
        root = tmp_path / str(number)
        root.mkdir()
        observe(root, line("first", 0, "Web port is 80"))
        go(root, Writer())
        observe(root, *BUSY)
        chance = random.Random(workers)
        writer = Writer(workers=workers, haste=lambda chance=chance: chance.random() / 100)  # type: ignore[misc]  # bound
        report = go(root, writer, sharing=sharing)
        outcomes.append((tree(root), sorted(writer.asked), [one.session.session_id for one in report.sessions]))

    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][2] == [*(f"s{n}" for n in range(1, 7)), "web1", "web2", "db", "web3"]


def test_disjoint_sections_are_merged_and_a_stale_one_is_drafted_again(tmp_path: Path) -> None:
    observe(tmp_path, line("first", 0, "Web port is 80"))
    go(tmp_path, Writer())
    observe(tmp_path, *BUSY)

    writer = Writer(workers=4)
    report = go(tmp_path, writer)

    page = (tmp_path / "wiki" / PORTS).read_text(encoding="utf-8")
    assert "Database port is 5432" in page
    assert "Web port is 7070 now, no longer 9090" in page
    # web1 and db were drafted on the state before the wave; what web1 changed made the other two stale.
    asked = sorted(one for one in writer.asked if one.startswith(("web", "db")))
    assert asked == ["db", "web1", *["web2"] * 2, *["web3"] * 2]
    again = [one for one in writer.requests if one.projection.session.session_id == "web3"][1]
    assert "9090 instead of 8080" in next(one.text for one in again.context.pages if one.path == PORTS)
    assert all(one.state == "consolidated" for one in report.sessions)


def test_short_sessions_share_a_request_and_each_gets_its_commit(tmp_path: Path) -> None:
    observe(tmp_path, *(line(f"s{n}", n, f"note {n} of the day") for n in range(1, 8)))

    writer = Writer()
    report = go(tmp_path, writer, sharing=4)

    assert writer.asked == ["s1 s2 s3 s4", "s5 s6 s7"]
    assert [one.session.session_id for one in report.sessions] == [f"s{n}" for n in range(1, 8)]
    assert all((tmp_path / f"wiki/acme/sessions/session-s{n}.md").is_file() for n in range(1, 8))
    assert go(tmp_path, writer, sharing=4).sessions == ()
    assert len(writer.asked) == 2


def test_who_gets_nothing_from_a_shared_request_is_asked_about_alone(tmp_path: Path) -> None:
    def refuse_many(request: Request) -> Exception | None:
        return InvalidReply("too much at once") if len(request.windows) > 1 else None

    observe(tmp_path, line("s1", 1, "one"), line("s2", 2, "two"))
    writer = Writer(fault=refuse_many)
    report = go(tmp_path, writer, sharing=4)

    assert writer.asked == ["s1 s2", "s1", "s2"]
    assert [one.state for one in report.sessions] == ["consolidated", "consolidated"]


def test_a_silent_model_leaves_the_rest_and_loses_nothing(tmp_path: Path) -> None:
    def silent_from_third(request: Request) -> Exception | None:
        return Unavailable("gone") if request.projection.session.session_id in {"s3", "s4"} else None

    observe(tmp_path, *(line(f"s{n}", n, f"note {n}") for n in range(1, 6)))
    report = go(tmp_path, Writer(fault=silent_from_third), together=2)

    assert [(one.session.session_id, one.state) for one in report.sessions] == [
        *(("s1", "consolidated"), ("s2", "consolidated")),
        *(("s3", "left"), ("s4", "left"), ("s5", "left")),
    ]
    assert report.incomplete
    assert [one.rule for one in report.findings] == ["model-unavailable"]

    later = go(tmp_path, Writer(), together=2)
    assert [one.session.session_id for one in later.sessions] == ["s3", "s4", "s5"]


def test_a_cap_ends_the_run_with_what_is_done(tmp_path: Path) -> None:
    writer = Writer()
    writer.fault = lambda _: CapReached("enough") if len(writer.asked) > 3 else None
    observe(tmp_path, *(line(f"s{n}", n, f"note {n}") for n in range(1, 8)))

    report = go(tmp_path, writer, together=2)

    assert [one.state for one in report.sessions] == [*["consolidated"] * 3, *["left"] * 4]
    assert [one.rule for one in report.findings] == ["cap-reached"]
    assert len(writer.asked) == 4
    assert writer.forgotten == []
    assert [one.session.session_id for one in go(tmp_path, Writer()).sessions] == ["s4", "s5", "s6", "s7"]


def test_nothing_done_and_nobody_there_is_an_error(tmp_path: Path) -> None:
    observe(tmp_path, line("s1", 1, "one"))
    report = go(tmp_path, Writer(fault=lambda _: Unavailable("gone")))
    assert report.fault == Fault("Unavailable", "gone")


def test_the_offline_model_stands_in_until_the_other_one_is_back(tmp_path: Path) -> None:
    observe(tmp_path, line("s1", 1, "We decided to keep sessions in cookies, because a JWT cannot be revoked."))
    silent = Writer(fault=lambda _: Unavailable("gone"))

    report = go(tmp_path, silent, on_unavailable="extractive")
    (one,) = report.sessions
    assert (one.state, one.model, one.provisional) == ("consolidated", "extractive", True)
    assert report.incomplete
    page = next(path for path in (tmp_path / "wiki/acme/sessions").iterdir() if path.name != "index.md")
    assert "wikimill/extractive" in page.read_text(encoding="utf-8")

    before = tree(tmp_path)
    nothing_new = go(tmp_path, silent, on_unavailable="extractive")
    assert nothing_new.fault == Fault("Unavailable", "gone"), "nobody is there to do better"
    assert tree(tmp_path) == before

    writer = Writer()
    (again,) = go(tmp_path, writer, on_unavailable="extractive").sessions
    assert (again.state, again.model, again.provisional) == ("consolidated", "writer", False)
    assert writer.asked == ["s1"]
    assert "wikimill/writer" in page.read_text(encoding="utf-8")
    assert go(tmp_path, writer, on_unavailable="extractive").sessions == ()


def test_what_failed_is_forgotten_so_that_the_next_run_asks_anew(tmp_path: Path) -> None:
    observe(tmp_path, line("s1", 1, "one"), line("s2", 2, "two"))
    writer = Writer(fault=lambda one: InvalidReply("no") if one.projection.session.session_id == "s1" else None)

    report = go(tmp_path, writer)

    assert [one.state for one in report.sessions] == ["failed", "consolidated"]
    assert [one.projection.session.session_id for one in writer.forgotten] == ["s1"]


@pytest.mark.parametrize("fault", [Unanswered("500"), RuntimeError("a mistake in the code")])
def test_a_shared_request_that_fails_costs_nobody_else_anything(tmp_path: Path, fault: Exception) -> None:
    def fail_together(request: Request) -> Exception | None:
        return fault if len(request.windows) > 1 else None

    observe(tmp_path, line("s1", 1, "one"), line("s2", 2, "two"))
    writer = Writer(fault=fail_together)
    report = go(tmp_path, writer, sharing=4)

    assert writer.asked == ["s1 s2", "s1", "s2"]
    assert [one.state for one in report.sessions] == ["consolidated", "consolidated"]


@pytest.mark.parametrize("workers", [1, 4])
def test_what_comes_after_a_session_that_is_left_is_left_as_well(tmp_path: Path, workers: int) -> None:
    def no_second(request: Request) -> Exception | None:
        return Unavailable("gone") if request.projection.session.session_id == "s2" else None

    observe(tmp_path, line("s1", 1, "Web port is 80"), line("s2", 2, "Web port is 81"), line("s3", 3, "Web port is 82"))
    report = go(tmp_path, Writer(workers=workers, fault=no_second))

    assert [(one.session.session_id, one.state) for one in report.sessions] == [
        ("s1", "consolidated"),
        ("s2", "left"),
        ("s3", "left"),
    ]
    later = go(tmp_path, Writer())
    assert [one.session.session_id for one in later.sessions] == ["s2", "s3"]


def test_what_two_sessions_of_a_wave_say_of_one_new_page_is_held_against_each_other(tmp_path: Path) -> None:
    observe(tmp_path, line("s1", 1, "Web port is 8080"), line("s2", 2, "Web port is 9090"))

    report = go(tmp_path, Writer())

    page = (tmp_path / "wiki" / PORTS).read_text(encoding="utf-8")
    assert "**Contradiction:** “Web port is 8080.”" in page
    assert "Web port is 9090." in page
    assert "value-contradicted" in {finding.rule for finding in report.every_finding()}


Answer = dict[str, Any]


class Mending(Writer):
    """Answers as `first` says, and as `second` does when it is asked to mend that."""

    first: Callable[[dict[str, object]], None]
    second: Callable[[dict[str, object]], None] = lambda _: None

    def _answer(self, request: Request, number: int) -> dict[str, object]:
        answer = super()._answer(request, number)
        (self.second if request.repair else self.first)(answer)
        return answer


def mending(
    first: Callable[[Answer], None],
    second: Callable[[Answer], None] = lambda _: None,
    fault: Callable[[Request], Exception | None] = lambda _: None,
) -> Mending:
    writer = Mending(fault=fault)
    writer.first, writer.second = first, second
    return writer


def invent(answer: Answer) -> None:
    answer["updates"][0]["body"] += "\n- It runs on `kraken-9.9.9`.[^o1]\n"


def test_a_mended_reply_keeps_what_it_left_out_though_nothing_was_wrong(tmp_path: Path) -> None:
    observe(tmp_path, line("s1", 1, "Web port is 8080"))
    writer = mending(invent, lambda answer: answer["updates"].pop())

    report = go(tmp_path, writer)

    assert len(writer.asked) == 2
    assert (tmp_path / "wiki" / PORTS).is_file()
    assert {finding.rule for finding in report.every_finding()} == set()


@pytest.mark.parametrize("fault", [Unanswered("500"), CapReached("enough"), Unavailable("gone")])
def test_a_draft_that_can_be_used_is_used_when_nobody_mends_it(tmp_path: Path, fault: Exception) -> None:
    observe(tmp_path, line("s1", 1, "Web port is 8080"))
    writer = mending(invent, fault=lambda request: fault if request.repair else None)

    report = go(tmp_path, writer)

    (one,) = report.sessions
    assert (one.state, len(writer.asked)) == ("consolidated", 2)
    assert "detail-ungrounded" in {finding.rule for finding in report.every_finding()}
    assert "kraken" not in (tmp_path / "wiki" / PORTS).read_text(encoding="utf-8")


def test_what_the_gates_leave_nothing_of_is_asked_for_anew(tmp_path: Path) -> None:
    def nonsense(answer: Answer) -> None:
        answer["updates"] = [{**answer["updates"][0], "body": "It runs on `kraken-9.9.9`.[^o1]"}]

    observe(tmp_path, line("s1", 1, "one"))
    writer = mending(nonsense, nonsense)
    (one,) = go(tmp_path, writer).sessions
    assert one.state == "failed"
    assert [request.repair is None for request in writer.forgotten] == [True, False]


def test_a_failure_is_forgotten_only_when_it_is_recorded(tmp_path: Path) -> None:
    def fault(request: Request) -> Exception:
        return InvalidReply("no") if request.projection.session.session_id == "s1" else Unavailable("gone")

    observe(tmp_path, line("s1", 1, "one"), line("s2", 2, "two"))
    writer = Writer(fault=fault)
    report = go(tmp_path, writer)
    assert (report.fault, writer.forgotten) == (Fault("Unavailable", "gone"), [])
    assert [one.state for one in report.sessions] == ["left", "left"], "the failure of the first is not recorded"


def test_what_several_sessions_paid_together_is_told_once(tmp_path: Path) -> None:
    class Paid(Writer):
        def complete(self, request: Request) -> Reply:
            return replace(super().complete(request), usage=Usage(1_000, 200))

    observe(tmp_path, line("s1", 1, "one"), line("s2", 2, "two"), line("s3", 3, "three"))
    report = go(tmp_path, Paid(), sharing=4)

    assert [one.tokens for one in report.sessions] == [1_200, 0, 0]


def test_no_more_than_a_wave_and_the_next_session_are_held(tmp_path: Path) -> None:
    observe(tmp_path, *(line(f"held{n}", n, f"note {n} of the day") for n in range(7)))
    held: list[int] = []

    def count(_: Request) -> None:
        writer.requests.clear()
        gc.collect()
        sessions = {one.session.session_id for one in gc.get_objects() if isinstance(one, Observation)}
        held.append(sum(session.startswith("held") for session in sessions))

    writer = Writer(fault=count)
    go(tmp_path, writer, together=2)

    assert max(held) == 3
