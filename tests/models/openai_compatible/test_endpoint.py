"""Which endpoint is asked with which key: addresses before and after, and what is refused without showing it."""

from __future__ import annotations

import pytest

from pipeline.config import ModelSettings
from pipeline.errors import ConfigError
from pipeline.models.openai_compatible import resolve_endpoint

KEY = {"OPENAI_API_KEY": "sk-a"}


def resolved(base_url: str = "", variable: str = "OPENAI_API_KEY", **environment: str) -> tuple[str, str]:
    settings = ModelSettings(provider="openai", name="m", base_url=base_url, api_key_variable=variable)
    endpoint = resolve_endpoint(settings, environment)
    return endpoint.base_url, endpoint.api_key


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1"),
        ("http://localhost:11434", "http://localhost:11434"),
        ("http://localhost:8080/v1/v1", "http://localhost:8080/v1"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1"),
        ("https://a.example/v1/chat/completions/", "https://a.example/v1"),
        ("https://a.example/v1/completions", "https://a.example/v1"),
        ("https://a.example/openai/v1/v1/chat/completions", "https://a.example/openai/v1"),
        ("https://a.example/api/v3", "https://a.example/api/v3"),
        ("https://[::1]:8080/v1", "https://[::1]:8080/v1"),
    ],
)
def test_addresses(told: str, address: str) -> None:
    assert resolved(told) == (address, "none")
    assert resolved(OPENAI_BASE_URL=f" {told} ") == (address, "none")


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_variable_counts_as_unset(blank: str) -> None:
    assert resolved(OPENAI_BASE_URL=blank, **KEY) == ("https://api.openai.com/v1", "sk-a")
    with pytest.raises(ConfigError, match="OPENAI_API_KEY is not set"):
        resolved(OPENAI_API_KEY=blank)
    assert resolved("http://localhost/v1", OPENAI_API_KEY=blank) == ("http://localhost/v1", "none")


def test_settings_go_before_the_environment() -> None:
    told = resolved("http://a.example/v1", OPENAI_BASE_URL="http://b.example/v1", **KEY)
    assert told == ("http://a.example/v1", "sk-a")


def test_the_key_comes_from_the_variable_that_is_named() -> None:
    assert resolved("http://a.example", "MY_KEY", MY_KEY=" sk-b\n", **KEY) == ("http://a.example", "sk-b")
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        resolved("", "MY_KEY", **KEY)
    with pytest.raises(ConfigError, match="needs a key"):
        resolved("https://eu.api.openai.com/v1")


@pytest.mark.parametrize(
    "address",
    [
        *("notaurl", "ftp://a.example", "http://", "http://a.example:0", "http://a.example:99999", "http://a b/v1"),
        *("http://u:hunter2@a.example/v1", "http://a.example/v1?key=hunter2", "http://a.example/v1#hunter2"),
        *("http://a.example/hunter2\u00e9", "http://[hunter2"),
    ],
)
def test_what_is_no_address_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(ConfigError, match=r"^OPENAI_BASE_URL: must (?:be a web address|hold no user)") as caught:
        resolved(OPENAI_BASE_URL=address, **KEY)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-hunter2\nX: y", "sk-hunter2\u00e9", "sk hunter2"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as caught:
        resolved(OPENAI_API_KEY=key)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("variable", ["OPENAI_ORG_ID", "OPENAI_PROJECT_ID"])
@pytest.mark.parametrize("value", ["a\nX: y", "a b", "a\u00e9"])
def test_a_name_that_no_header_can_carry_is_refused(variable: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{variable}: holds characters that cannot be sent"):
        resolved(**{variable: value}, **KEY)


def test_the_key_stands_in_no_representation() -> None:
    assert "sk-a" not in repr(resolve_endpoint(ModelSettings(provider="openai", name="m"), KEY))
