from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.config import FILE_NAME, Settings, parse_settings, read_settings
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_said_means_the_defaults(tmp_path: Path) -> None:
    assert parse_settings("") == read_settings(tmp_path) == Settings()
    assert Settings().model.provider == "extractive"


def test_every_section_can_be_set(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(
        "\ufeff[wiki]\r\npages = 'docs/wiki'\r\n[redaction]\r\nallow = ['AKIAEXAMPLE.*']\r\n"
        "[[redaction.patterns]]\r\nkind = 'badge'\r\npattern = 'BDG-[0-9]+'\r\n".encode()
    )
    settings = read_settings(tmp_path)
    assert settings.wiki.pages == "docs/wiki"
    assert settings.redaction.allow == ("AKIAEXAMPLE.*",)
    assert [(one.kind, one.pattern) for one in settings.redaction.patterns] == [("badge", "BDG-[0-9]+")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[wiki]\npage = 'x'\n", "unknown key 'wiki.page'; did you mean 'pages'?"),
        ("[wikki]\n", "unknown key 'wikki'; did you mean 'wiki'?"),
        ("[wiki]\nqqqq = 1\n", "unknown key 'wiki.qqqq'; valid here: observations, pages"),
        ("[model]\nprovider = 'extractiv'\n", "'model.provider' cannot be 'extractiv'; did you mean 'extractive'?"),
        ("[[redaction.patterns]]\nkind = 'x'\npatern = 'y'\n", "did you mean 'pattern'?"),
        ("[[redaction.patterns]]\nkind = 'x'\npattern = '('\n", "is not a regular expression"),
        ("[[redaction.patterns]]\nkind = 'x'\npattern = 'a*'\n", "matches the empty text"),
        ("[redaction]\nallow = ['[']\n", "'[' is not a regular expression"),
        ("[wiki]\npages = '../up'\n", "must be a folder below"),
        ("[wiki]\npages = 'C:\\wiki'\n", "must be a folder below"),
        ("[run]\nattempts = '3'\n", "'run.attempts' Input should be a valid integer"),
        ("[budget]\ntotal = 20000\nresponse = 15001\n", "must leave 5,000 tokens for the prompt"),
        ("[wiki\n", "is not valid TOML"),
    ],
)
def test_a_mistake_names_its_place_and_the_nearest_valid_word(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as fault:
        parse_settings(text)
    assert told in str(fault.value)
    assert str(fault.value).startswith("wikimill.toml: ")


def test_every_mistake_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as fault:
        parse_settings("[wiki]\npage = 'x'\n[run]\nattempt = 1\n")
    assert "'wiki.page'" in str(fault.value)
    assert "'run.attempt'" in str(fault.value)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"[wiki]\npages = '\xff'\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_settings(tmp_path)
