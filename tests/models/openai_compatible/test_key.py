"""Where the key goes: to the endpoint in one header, and into no text; what of the environment counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ModelError, Unavailable
from tests.models.openai_compatible.scripted import KEY, Answer, Asked, a_model, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("status", [200, 400, 401, 404, 418, 429, 500])
def test_the_key_stands_in_no_text(tmp_path: Path, status: int, capfd: pytest.CaptureFixture[str]) -> None:
    def script(_: int, asked: Asked) -> Answer:
        echo = asked.headers["authorization"]
        return error(status, f"bad header {echo} temperature", code=KEY, type=KEY, param=KEY)

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, temperature=1.0)
        with pytest.raises(ModelError) as caught:
            bench.model.complete(a_request())

    fault: BaseException | None = caught.value
    texts = [str(bench.model.__dict__.get("_explainer")), bench.model.identity, bench.model.endpoint, *bench.told]
    while fault is not None:
        texts += [str(fault), repr(fault), str(fault.args)]
        fault = fault.__cause__ or fault.__context__
    assert endpoint.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert not [text for text in texts if KEY in text]
    assert KEY not in "".join(capfd.readouterr())


def test_a_redirect_does_not_carry_the_key_elsewhere(tmp_path: Path) -> None:
    with serving(lambda *_: said()) as other:
        moved = Answer(308, b"", {"Location": f"{other.address}/chat/completions"})
        with serving(lambda *_: moved) as endpoint, pytest.raises(Unavailable, match="another address"):
            a_model(endpoint.address, tmp_path).model.complete(a_request())

    assert (len(endpoint.asked), len(other.asked)) == (1, 0)


def test_ambient_variables_of_the_client_library_reach_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "authorization: ambient\nX-A: ambient\nuser-agent: ambient\nhost: ambient"
    )
    monkeypatch.setenv("OPENAI_ORG_ID", "ambient")
    monkeypatch.setenv("OPENAI_PROJECT_ID", " ")
    caplog.set_level("DEBUG", "openai")
    with serving(lambda *_: said()) as endpoint:
        a_model(endpoint.address, tmp_path).model.complete(a_request())

    headers = endpoint.asked[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert not [value for value in headers.values() if "ambient" in value]
    assert not {name for name in headers if name.startswith("openai-") or name == "x-a"}
    assert not [record for record in caplog.records if record.name.startswith("openai")]


@pytest.mark.parametrize(
    ("organization", "project", "sent"),
    [
        ("org-1", "proj_1", ["org-1", "proj_1"]),
        (" org-1\n", "", ["org-1", None]),
        ("", "  ", [None, None]),
        (None, "\t", [None, None]),
    ],
)
def test_an_organization_and_a_project_are_sent_when_the_environment_names_them(
    tmp_path: Path, organization: str | None, project: str, sent: list[str | None]
) -> None:
    given = {"OPENAI_PROJECT_ID": project} | ({} if organization is None else {"OPENAI_ORG_ID": organization})
    with serving(lambda *_: said()) as endpoint:
        a_model(endpoint.address, tmp_path, environment=given).model.complete(a_request())

    assert [endpoint.asked[0].headers.get(f"openai-{name}") for name in ("organization", "project")] == sent


def test_a_proxy_of_the_environment_is_used_with_the_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda *_: said()) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address.removesuffix("/v1"))
        monkeypatch.setenv("NO_PROXY", "")
        a_model("http://model.invalid/v1", tmp_path).model.complete(a_request())

    assert proxy.asked[0].path == "http://model.invalid/v1/chat/completions"
