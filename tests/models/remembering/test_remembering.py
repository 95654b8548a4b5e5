"""Models around a model: asked once, forgotten when told, together at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import Truncated, Unavailable
from pipeline.models.model import Ending, Model, Reply
from pipeline.models.remembering import CachingModel, RecordingModel, Recordings, ReplyStore
from pipeline.spending import Spent, Usage
from tests.models.remembering.asked import Scripted, Ticking, answering, ask, hide

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.prompt import Request


def cached(inner: Model, folder: Path, identity: str = "gpt at home") -> CachingModel:
    store = ReplyStore(folder / "replies", megabytes=10, clock=Ticking(), scrub=hide)
    return CachingModel(inner, store, identity=identity)


def recorded(inner: Model, folder: Path) -> RecordingModel:
    return RecordingModel(inner, Recordings(folder / "recordings", scrub=hide), identity="gpt")


def test_it_says_of_itself_what_the_model_says(tmp_path: Path) -> None:
    model: Model = cached(answering(), tmp_path)
    assert (model.name, model.quotes, model.workers, model.tokens_ratio) == ("scripted", True, 4, 1.25)


def test_a_request_is_asked_once_over_all_runs(tmp_path: Path) -> None:
    inner = answering("hunter2")
    model = cached(inner, tmp_path)
    expected = Reply("[REDACTED:password]", Usage(120, 30))
    assert model.complete(ask()) == model.complete(ask()) == expected
    assert model.spent == Spent(calls=1, cache_hits=1, output_tokens=10, known_cost=0.5)
    later = answering("another answer")
    again = cached(later, tmp_path)
    assert again.complete(ask()) == expected
    assert again.spent == Spent(cache_hits=1)
    assert cached(later, tmp_path).complete(ask("something else")).text == "another answer"
    assert cached(later, tmp_path, "gpt elsewhere").complete(ask()).text == "another answer"
    assert later.spent.calls == 2


@pytest.mark.parametrize("ending", ["stop", "length", "refusal", "filter"])
def test_every_reply_was_paid_however_it_ended(tmp_path: Path, ending: Ending) -> None:
    inner = answering("", ending=ending)
    for _ in range(2):
        assert cached(inner, tmp_path).complete(ask()) == Reply("", Usage(120, 30), ending)
    assert inner.spent.calls == 1


def test_a_fault_is_not_kept(tmp_path: Path) -> None:
    def fail(_: Request) -> Reply:
        raise Truncated("too long.")

    inner = Scripted(fail)
    model = cached(inner, tmp_path)
    for _ in range(2):
        with pytest.raises(Truncated, match="too long"):
            model.complete(ask())
    assert inner.spent.calls == 2
    assert model.spent.cache_hits == 0
    assert cached(answering(), tmp_path).complete(ask()).text == "an answer"


def test_what_is_forgotten_is_asked_anew(tmp_path: Path) -> None:
    inner = Scripted(lambda _: Reply(f"answer {inner.spent.calls}"))
    model = cached(inner, tmp_path)
    assert model.complete(ask()).text == "answer 1"
    assert model.complete(ask("else")).text == "answer 2"
    model.forget(ask())
    assert inner.forgotten == [ask()]
    assert model.complete(ask()).text == "answer 3"
    assert model.complete(ask("else")).text == "answer 2"


def test_what_cannot_be_kept_is_asked_again_and_told_once(tmp_path: Path) -> None:
    (tmp_path / "replies").write_bytes(b"")
    inner = answering("hunter2")
    model = cached(inner, tmp_path)
    for _ in range(3):
        assert model.complete(ask()).text == "[REDACTED:password]"
    assert inner.spent.calls == 3
    assert [found.rule for found in model.findings] == ["replies-not-kept"]


def test_together_they_ask_once(tmp_path: Path) -> None:
    asked, answer, waiting = Event(), Event(), Barrier(6)

    def slowly(_: Request) -> Reply:
        asked.set()
        assert answer.wait(10)
        return Reply("an answer")

    inner = Scripted(slowly)
    model = cached(inner, tmp_path)

    def join() -> str:
        waiting.wait(10)
        return model.complete(ask()).text

    with ThreadPoolExecutor(6) as pool:
        first = pool.submit(model.complete, ask())
        assert asked.wait(10)
        others = [pool.submit(join) for _ in range(5)]
        waiting.wait(10)
        time.sleep(0.05)
        answer.set()
        assert first.result(10).text == "an answer"
        assert [other.result(10) for other in others] == ["an answer"] * 5
    assert inner.spent.calls == 1
    assert model.spent.cache_hits == 5


def test_together_they_fail_once(tmp_path: Path) -> None:
    asked, answer = Event(), Event()

    def slowly(_: Request) -> Reply:
        asked.set()
        assert answer.wait(10)
        raise Unavailable("nobody is there.")

    inner = Scripted(slowly)
    model = cached(inner, tmp_path)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(model.complete, ask())]
        assert asked.wait(10)
        both.append(pool.submit(model.complete, ask()))
        time.sleep(0.05)
        answer.set()
        assert [str(one.exception(10)) for one in both] == ["nobody is there."] * 2
    assert inner.spent.calls == 1


def test_who_waits_for_one_that_is_interrupted_asks_in_its_place(tmp_path: Path) -> None:
    asked, go_on = Event(), Event()

    def interrupted_once(_: Request) -> Reply:
        if inner.spent.calls > 1:
            return Reply("an answer")
        asked.set()
        assert go_on.wait(10)
        raise KeyboardInterrupt

    inner = Scripted(interrupted_once)
    model = cached(inner, tmp_path)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(model.complete, ask())
        assert asked.wait(10)
        second = pool.submit(model.complete, ask())
        time.sleep(0.05)
        go_on.set()
        assert isinstance(first.exception(10), KeyboardInterrupt)
        assert second.result(10).text == "an answer"
    assert inner.spent.calls == 2


def test_different_requests_are_under_way_at_once(tmp_path: Path) -> None:
    together = Barrier(4)

    def meet(request: Request) -> Reply:
        together.wait(10)
        return Reply(request.projection.shown[0].text)

    model = cached(Scripted(meet), tmp_path)
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda number: model.complete(ask(f"text {number}")), range(4)))
    assert [reply.text for reply in replies] == [f"text {number}" for number in range(4)]


def test_a_recording_comes_before_the_cache_and_both_before_the_model(tmp_path: Path) -> None:
    inner = answering("hunter2")
    assert cached(inner, tmp_path).complete(ask()).text == "[REDACTED:password]"
    model = recorded(cached(inner, tmp_path), tmp_path)
    assert model.complete(ask()).text == "[REDACTED:password]"
    assert model.complete(ask()).text == "[REDACTED:password]"
    assert inner.spent.calls == 1
    assert model.spent == inner.spent + Spent(cache_hits=2)
    assert len(list((tmp_path / "recordings").glob("*/*.json"))) == 1
    elsewhere = recorded(cached(answering("other"), tmp_path / "fresh", "gpt elsewhere"), tmp_path)
    assert elsewhere.complete(ask()).text == "[REDACTED:password]"


def test_forgetting_removes_the_recording_and_what_is_cached(tmp_path: Path) -> None:
    inner = Scripted(lambda _: Reply(f"answer {inner.spent.calls}"))
    model = recorded(cached(inner, tmp_path), tmp_path)
    assert model.complete(ask()).text == "answer 1"
    model.forget(ask())
    assert not list(tmp_path.glob("**/*.json"))
    assert model.complete(ask()).text == "answer 2"
    assert recorded(answering("no"), tmp_path).complete(ask()).text == "answer 2"
    assert cached(answering("no"), tmp_path).complete(ask()).text == "answer 2"


def test_a_recording_is_made_with_nothing_learnt(tmp_path: Path) -> None:
    assert recorded(answering(), tmp_path).tokens_ratio == 1.0


def test_the_findings_of_both_memories_are_told(tmp_path: Path) -> None:
    (tmp_path / "replies").write_bytes(b"")
    (tmp_path / "recordings").write_bytes(b"")
    model = recorded(cached(answering(), tmp_path), tmp_path)
    assert model.complete(ask()).text == "an answer"
    assert [found.rule for found in model.findings] == [
        "recording-not-written",
        "recording-damaged",
        "replies-not-kept",
    ]
