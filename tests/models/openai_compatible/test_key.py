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


def test_ambient_variables_of_the_client_library_override_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-other")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    with serving(lambda *_: said()) as endpoint:
        a_model(endpoint.address, tmp_path).model.complete(a_request())

    assert endpoint.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert endpoint.asked[0].headers["openai-organization"] == "org-1"


def test_a_proxy_of_the_environment_is_used_with_the_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda *_: said()) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address.removesuffix("/v1"))
        monkeypatch.setenv("NO_PROXY", "")
        a_model("http://model.invalid/v1", tmp_path).model.complete(a_request())

    assert proxy.asked[0].path == "http://model.invalid/v1/chat/completions"
