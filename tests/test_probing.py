"""The look at the model says whom a run would ask, and finds what would keep it from an answer."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

import pytest

from pipeline.choosing import Outside
from pipeline.config import parse_settings
from pipeline.probing import examine_model, is_local
from tests.models.openai_compatible.scripted import KEY, Answer, error, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pipeline.finding import Finding

LISTED = Answer(body={"data": [{"id": "writer-small"}, {"id": "writer-large"}]})


def look(
    root: Path,
    more: str,
    *,
    name: str = "writer-small",
    environment: Mapping[str, str] | None = None,
    ticks: Callable[[], float] = time.monotonic,
) -> tuple[str, tuple[Finding, ...]]:
    settings = parse_settings(f'[model]\nprovider = "openai"\nname = "{name}"\n{more}')
    given = {"OPENAI_API_KEY": KEY} if environment is None else environment
    outside = Outside(given, lambda: datetime(2026, 11, 30, tzinfo=UTC), ticks, lambda _: None, lambda: 0.0)
    return examine_model(settings, root, outside)


def asked(root: Path, answer: Answer, more: str = "", *, name: str = "writer-small") -> tuple[str, list[str]]:
    """Look at a model whose endpoint gives one answer; give what was told, the address left out, and the findings."""
    with serving(lambda *_: answer) as endpoint:
        told, findings = look(root, f'base_url = "{endpoint.address}"\n{more}', name=name)
        assert [one.path for one in endpoint.asked] == ["/v1/models"]
        assert KEY not in told + "".join(map(str, findings))
        return told.replace(endpoint.address, "ADDRESS"), [str(one) for one in findings]


PRICED = '[[model.prices]]\nmodel = "writer-small"\ninput = 1\noutput = 2\n'


def test_a_model_that_is_listed_is_well(tmp_path: Path) -> None:
    told = "writer-small at ADDRESS, with the key in OPENAI_API_KEY; it is listed there"
    assert asked(tmp_path, LISTED, PRICED) == (told, [])


def test_a_model_without_a_price_is_told_of_and_is_no_finding(tmp_path: Path) -> None:
    told, findings = asked(tmp_path, LISTED)
    assert told.endswith("; no price is set for it, so that a report names tokens and no cost")
    assert findings == []


@pytest.mark.parametrize("listed", ["writer-small:latest", "models/writer-small"])
def test_a_model_is_known_by_the_names_that_servers_give_it(tmp_path: Path, listed: str) -> None:
    assert asked(tmp_path, Answer(body={"data": [{"id": listed}]}))[1] == []


def test_a_model_that_is_not_listed_is_a_warning_that_names_the_nearest(tmp_path: Path) -> None:
    told, findings = asked(tmp_path, LISTED, name="writer-smal")
    assert "it lists 2 models" in told
    mend = "Correct model.name, unless the endpoint takes names that it does not list."
    like = "It lists writer-small, writer-large."
    assert findings == [f"model.name: warning [model] the endpoint does not list writer-smal. {mend} {like}"]


@pytest.mark.parametrize(
    ("listed", "told"), [([], "it lists no model"), (["a"], "it lists 1 model;"), (["a", "b"], "it lists 2 models;")]
)
def test_the_models_of_a_list_are_counted(tmp_path: Path, listed: list[str], told: str) -> None:
    answer = Answer(body={"data": [{"id": one} for one in listed]})
    assert told in asked(tmp_path, answer)[0]


@pytest.mark.parametrize("status", [403, 404, 405])
def test_a_server_without_a_list_is_told_of_and_is_no_finding(tmp_path: Path, status: int) -> None:
    told, findings = asked(tmp_path, error(status))
    assert f"the endpoint answered {status} when asked for its list of models, so that the name is not checked" in told
    assert findings == []


@pytest.mark.parametrize(("setting", "severity"), [("stop", "error"), ("extractive", "warning")])
def test_a_key_that_is_not_accepted_is_a_finding(tmp_path: Path, setting: str, severity: str) -> None:
    told, findings = asked(tmp_path, error(401, KEY), f'on_unavailable = "{setting}"')
    assert "it does not answer" in told
    message = "the endpoint answered 401 and does not accept the key. Check the key in OPENAI_API_KEY."
    assert findings == [f"model.base_url: {severity} [model] {message}"]


def test_a_server_that_does_not_run_is_a_finding(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    _, findings = look(tmp_path, f'base_url = "{address}"\n')
    assert [(one.severity, one.where) for one in findings] == [("error", "model.base_url")]
    assert findings[0].next_step == "Does the server run? Check model.base_url."


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("2027-01-14", "is to be switched off on 2027-01-14"),
        ("2027-02-28T00:00:00Z", "is to be switched off on 2027-02-28"),
        ("2026-11-30", "was to be switched off on 2026-11-30"),
        ("2027-03-01", ""),
        ("soon", ""),
    ],
)
def test_a_model_that_is_switched_off_soon_is_a_warning(tmp_path: Path, date: str, told: str) -> None:
    _, findings = asked(tmp_path, Answer(body={"data": [{"id": "writer-small", "shutdown_date": date}]}))
    assert [one.split(" [model] ")[1].split(". ")[0] for one in findings] == ([f"the model {told}"] if told else [])


def test_the_address_of_the_environment_is_shown_as_such(tmp_path: Path) -> None:
    with serving(lambda *_: LISTED) as endpoint:
        told, findings = look(tmp_path, "", environment={"OPENAI_BASE_URL": endpoint.address})
    assert f"at {endpoint.address} (as the environment has it), without a key; it is listed there" in told
    assert findings == ()


def test_a_missing_key_is_told_before_anybody_is_asked(tmp_path: Path) -> None:
    told, findings = look(tmp_path, "", environment={})
    assert told == "writer-small cannot be asked"
    assert [(one.where, one.severity) for one in findings] == [("model.api_key_variable", "error")]
    assert findings[0].next_step == "Set OPENAI_API_KEY, or name the variable that holds the key."


def test_an_address_elsewhere_without_key_and_cipher_is_told_of(tmp_path: Path) -> None:
    too_late = count(step=1_000)  # each look at the clock is past the deadline, so that nobody is asked
    more = 'base_url = "http://models.example.com/v1"\n'
    _, findings = look(tmp_path, more, environment={}, ticks=lambda: float(next(too_late)))
    assert [(one.where, one.severity) for one in findings] == [
        ("model.api_key_variable", "warning"),
        ("model.base_url", "warning"),
        ("model.base_url", "error"),
    ]


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.3.4", True),
        ("ollama", True),
        ("Box.LOCAL", True),
        ("host.docker.internal", True),
        ("api.example.com", False),
        ("8.8.8.8", False),
        ("localhost.example.com", False),
    ],
)
def test_a_host_is_local_by_its_name(host: str, *, local: bool) -> None:
    assert is_local(host) is local


def test_nobody_is_asked_where_replies_are_replayed(tmp_path: Path) -> None:
    told, findings = look(tmp_path, 'replies = "replay"\n', environment={})
    assert told == "writer-small: no recorded reply in recordings/; nobody is asked"
    assert [(one.where, one.severity) for one in findings] == [("model.recordings", "error")]
    (tmp_path / "recordings" / "acme").mkdir(parents=True)
    (tmp_path / "recordings" / "acme" / "one.json").touch()
    assert look(tmp_path, 'replies = "replay"\n', environment={}) == (
        "writer-small: 1 recorded reply in recordings/; nobody is asked",
        (),
    )
