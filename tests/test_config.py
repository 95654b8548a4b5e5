from __future__ import annotations

import re
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
        ("[[redaction.patterns]]\nkind = 'x'\npattern = '('\n", "is not a regular expression: missing ), "),
        ("[[redaction.patterns]]\nkind = 'x'\npattern = 'a*'\n", "matches the empty text"),
        (
            "[redaction]\nallow = ['a', '[']\n",
            "'redaction.allow' has an entry 2 that is not a regular expression: untermin",
        ),
        ("[[redaction.patterns]]\nkind = 'X!'\npattern = 'y'\n", "must be a name such as 'staff-number': lower-case"),
        ("[wiki]\npages = '../up'\n", "must be a folder below"),
        ("[wiki]\npages = 'C:\\wiki'\n", "must be a folder below"),
        ("[run]\nattempts = '3'\n", "'run.attempts' must be a whole number, without quotes."),
        ("[run]\nattempts = 2.5\n", "'run.attempts' must be a whole number (given: 2.5)"),
        ("[run]\nattempts = true\n", "'run.attempts' must be a whole number (given: true)"),
        ("[run]\nattempts = 0\n", "'run.attempts' must be at least 1 (given: 0)"),
        ("[model]\nworkers = 65\n", "'model.workers' must be at most 64 (given: 65)"),
        ("[run]\nproject_instructions = 1\n", "'run.project_instructions' must be true or false (given: 1)"),
        ("[budget]\ncontext = 'much'\n", "'budget.context' must be a number, without quotes"),
        ("[budget]\ncontext = nan\n", "'budget.context' must be a finite number (given: nan)"),
        ("[model.caps]\nmoney = inf\n", "'model.caps.money' must be a finite number (given: inf)"),
        ("[wiki]\npages = 3\n", "'wiki.pages' must be a text in quotes (given: 3)"),
        ("[wiki]\npages = []\n", "'wiki.pages' must be a text in quotes."),
        ("[wiki]\ndefault_project = ''\n", "'wiki.default_project' must not be empty"),
        (f"[model]\nname = '{'n' * 201}'\n", "'model.name' may have at most 200 characters"),
        ("[redaction]\nallow = 'x'\n", "'redaction.allow' must be a list"),
        ("model = 'gpt'\n", "'model' must be a table: write [model]."),
        ("[[model]]\nname = 'gpt'\n", "'model' must be a table: write [model]."),
        ("[model.prices]\nmodel = 'm'\n", "'model.prices' must be a list of tables: write [[model.prices]]."),
        ("[model]\nprices = ['m']\n", "'model.prices.0' must be a table: write [[model.prices]]."),
        ("[[model.prices]]\nmodel = 'm'\ninput = 1\n", "'model.prices.0.output' is missing."),
        ("[model]\nprovider = 3\n", "'model.provider' must be one of extractive, openai (given: 3)"),
        ("[model]\nprovider = 'openai'\n", "'model' needs 'name': the model's name as its endpoint knows it."),
        (
            "[model]\nbase_url = 'localhost'\n",
            "'model.base_url' must be a web address such as 'http://localhost:11434/v1'.",
        ),
        ("[model]\n[run]\n[model]\n", "there are two [model] tables (at line 3, column 7); join them"),
        ("[model.caps]\n[model.caps]\n", "there are two [model.caps] tables (at line 2, column 12); join them"),
        ("[run]\nattempts = 1\nattempts = 2\n", "a key is given twice (at line 3, column 13); keep one of them"),
        ("[budget]\ntotal = 20000\nresponse = 15001\n", "must leave 5,000 tokens for the prompt"),
        ("[site]\noutput = '~/site'\n", "begins with '~', which only a shell replaces"),
        ("[wiki\n", "is not valid TOML"),
    ],
)
def test_a_mistake_names_its_place_and_the_nearest_valid_word(text: str, told: str) -> None:
    message = refused(text)
    assert told in message
    assert message.startswith("wikimill.toml: ")
    assert not re.search(r"[Ii]nput should|String should|Field required|given: [{\[(]|ModelSettings|\.\.$", message)


def refused(text: str) -> str:
    with pytest.raises(ConfigError) as fault:
        parse_settings(text)
    return str(fault.value)


KEY = "sk-proj-hunter2a8F3kQ9zL5vN7wX1cB4mT6yR0"

THE_KEY = (
    "the key itself stands in the environment, in the variable that 'model.api_key_variable' names, never in a file"
)


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"[model]\n{name} = '{KEY}'\n"
            for name in ("api_key", "key", "apikey", "API-KEY", "token", "openai_secret", "password", "api_key_var")
        ),
        f"[model]\nbearer_token = ['{KEY}']\n",
        f"api_key = '{KEY}'\n",
        f"[wiki]\nsecret = '{KEY}'\n",
        f"[[model.prices]]\nmodel = 'm'\ninput = 1\noutput = 1\nauthorization = '{KEY}'\n",
    ],
)
def test_a_key_in_the_file_is_not_shown_and_sent_to_the_environment(text: str) -> None:
    message = refused(text)
    assert THE_KEY in message
    assert "hunter2" not in message
    assert "did you mean" not in message


@pytest.mark.parametrize(
    "given",
    [
        *(KEY, "gsk_hunter2a8F3kQ9zL5vN7wX1cB4mT6yR0", "hunter2hunter2hunter2", "Bearer hunter2", "hunter2 ", ""),
        "hunter2\u00e9",
    ],
)
def test_a_key_in_place_of_the_name_of_its_variable_is_not_shown(given: str) -> None:
    message = refused(f"[model]\napi_key_variable = '{given}'\n")
    assert "'model.api_key_variable' must be the name of a variable of the environment, such as 'OPENAI_A" in message
    assert "the key itself never stands in a file" in message
    assert "hunter2" not in message


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "my_key_2", "_K", "A_VERY_LONG_NAME_OF_A_VARIABLE_2"])
def test_a_variables_name_is_taken(name: str) -> None:
    assert parse_settings(f"[model]\napi_key_variable = '{name}'\n").model.api_key_variable == name


@pytest.mark.parametrize(
    "text",
    [
        "[model]\nbase_url = 'https://user:hunter2@a.example/v1'\n",
        "[model]\nbase_url = 'https://a.example/v1?key=hunter2'\n",
        "[model]\nbase_url = 'hunter2'\n",
        "[model]\nbase_url = ['hunter2']\n",
        "[model]\nrecordings = '../hunter2'\n",
        "[model]\nasking = 'sk-hunter2'\n",
        "[model]\nmode = {key = 'hunter2'}\n",
        "[model]\nnote = 'hunter2'\n",
        "[model]\nprovider = 'openai'\nnote = {a = 'hunter2'}\n",
        "[model]\nprovider = 'openai'\nbase_url = 'https://hunter2.example'\n",
        "[model.prices]\nnote = 'hunter2'\n",
        f"[model]\n{KEY} = 'yes'\n",
        "[model]\nworkers = 'hunter2'\n",
        "model = 'hunter2'\n",
        "[[redaction.patterns]]\nkind = 'hunter2!'\npattern = 'x'\n",
        "[[redaction.patterns]]\nkind = 'x'\npattern = '(?P<hunter2 >x)'\n",
        "[redaction]\nallow = ['(?P<hunter2 >x)']\n",
        "[model]\nnote = hunter2\n",
    ],
)
def test_what_may_be_a_secret_is_shown_by_no_message(text: str) -> None:
    assert "hunter2" not in refused(text)


def test_the_limit_on_a_reply_is_no_key() -> None:
    assert "did you mean 'max_output_tokens'?" in refused("[model]\nmax_token = 5\n")
    assert "did you mean 'input_tokens'?" in refused("[model.caps]\ninput_token = 5\n")


def test_every_mistake_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as fault:
        parse_settings("[wiki]\npage = 'x'\n[run]\nattempt = 1\n")
    assert "'wiki.page'" in str(fault.value)
    assert "'run.attempt'" in str(fault.value)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"[wiki]\npages = '\xff'\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_settings(tmp_path)
