"""Owns the words for what is wrong with the settings; knows none of them by name but the one that names the key.

A value is shown only where it cannot be a secret: a number, true or false, or a word in place of another word.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final, TypeGuard, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from tomllib import TOMLDecodeError

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_WORD: Final = re.compile(r"[A-Za-z_-]{1,30}")
_NAME: Final = re.compile(r"[\w.-]{1,40}")
_LIKE_A_SECRET: Final = re.compile(r"(?=.*[0-9]).{20,}")
"""What stands in the place of a name, and is no name of a setting: these are shorter, and have no digits."""
_NAMES_A_SECRET: Final = re.compile(
    r"(?:^|[^a-z])(?:(?:api|access|private)?keys?|token|secret|password|passwd|credentials?|bearer|authorization)"
    r"(?:$|[^a-z])",
    re.IGNORECASE,
)
_THE_KEY: Final = (
    "the key itself stands in the environment, in the variable that 'model.api_key_variable' names, never in a file"
)
_TWICE: Final = re.compile(r"Cannot declare \((.+)\) twice \((at .+)\)")
_AGAIN: Final = re.compile(r"Cannot overwrite a value \((at .+)\)")

_TYPES: Final = {
    "missing": "is missing",
    "greater_than_equal": "must be at least {ge:,}",
    "less_than_equal": "must be at most {le:,}",
    "string_too_short": "must not be empty",
    "string_too_long": "may have at most {max_length:,} characters",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be a text in quotes",
    "bool_type": "must be true or false",
}
"""What is told for the kinds of mistakes that the library knows."""
_UNQUOTED: Final = frozenset(("int_type", "float_type", "bool_type"))


def toml_mistake(fault: TOMLDecodeError) -> str:
    """Say why a text is not TOML; the library's words do where no others stand here, for they quote keys alone."""
    told = str(fault)
    twice, again = _TWICE.fullmatch(told), _AGAIN.fullmatch(told)
    if twice:
        name = ".".join(re.findall(r"'([^']*)'", twice[1]))
        return f"there are two [{name}] tables ({twice[2]}); join them."
    if again:
        return f"a key is given twice ({again[1]}); keep one of them."
    return f"is not valid TOML: {told}."


def mistakes(fault: ValidationError, settings: type[BaseModel]) -> str:
    """Name every mistake in the values of `settings`, each with its place."""
    told = [_explain(settings, one) for one in fault.errors(include_url=False)]
    return "; ".join(told) + ("" if told[-1].endswith("?") else ".")


def _explain(settings: type[BaseModel], mistake: ErrorDetails) -> str:
    loc, kind, given = mistake["loc"], mistake["type"], mistake["input"]
    name = ".".join(map(str, loc))
    if kind == "extra_forbidden":
        return _unknown(settings, loc, given)
    if kind == "literal_error":
        return f"'{name}' {_misspelt(given, _allowed(settings, loc))}"
    if kind == "value_error":
        return f"'{name}' {mistake['msg'].removeprefix('Value error, ')}"
    if kind in {"model_type", "tuple_type"}:
        return f"'{name}' {_form(settings, loc)}"
    told = _TYPES.get(kind, "has a value that cannot stand here").format_map(mistake.get("ctx", {}))
    if isinstance(given, str):
        told += ", without quotes" if kind in _UNQUOTED else ""
    elif isinstance(given, int | float):
        told += f" (given: {str(given).lower()})"  # as TOML has numbers, true and false
    return f"'{name}' {told}"


def _misspelt(given: object, allowed: tuple[str, ...]) -> str:
    if isinstance(given, str) and _WORD.fullmatch(given):
        return f"cannot be '{given}'{_nearest(given, allowed)}"
    number = f" (given: {str(given).lower()})" if isinstance(given, int | float) else ""
    return f"must be one of {', '.join(allowed)}{number}"


def _unknown(settings: type[BaseModel], loc: tuple[str | int, ...], given: object) -> str:
    key = str(loc[-1])
    if not _NAME.fullmatch(key) or _LIKE_A_SECRET.fullmatch(key):
        above = ".".join(map(str, loc[:-1]))
        return f"unknown key in [{above}]" if above else "unknown key"
    name = ".".join(map(str, loc))
    if _NAMES_A_SECRET.search(key) and not isinstance(given, int | float):
        return f"unknown key '{name}': {_THE_KEY}"
    return f"unknown key '{name}'{_nearest(key, tuple(_section(settings, loc[:-1]).model_fields), listed=False)}"


def _form(settings: type[BaseModel], loc: tuple[str | int, ...]) -> str:
    """Say which form a table or a list has."""
    name = ".".join(part for part in loc if isinstance(part, str))
    if isinstance(loc[-1], int):
        return f"must be a table: write [[{name}]]"
    field = _section(settings, loc[:-1]).model_fields[str(loc[-1])]
    if _is_section(field.annotation):
        return f"must be a table: write [{name}]"
    tables = any(_is_section(one) for one in get_args(field.annotation))
    return f"must be a list of tables: write [[{name}]]" if tables else "must be a list"


def _section(settings: type[BaseModel], loc: tuple[str | int, ...]) -> type[BaseModel]:
    """Find the section that a place in the settings lies in."""
    model = settings
    for part in loc:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        inner = next((one for one in (annotation, *get_args(annotation)) if _is_section(one)), None)
        if inner is not None:
            model = inner
    return model


def _is_section(one: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(one, type) and issubclass(one, BaseModel)


def _allowed(settings: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[str, ...]:
    annotation = _section(settings, loc[:-1]).model_fields[str(loc[-1])].annotation
    return tuple(map(str, get_args(annotation)))


def _nearest(word: str, valid: tuple[str, ...], *, listed: bool = True) -> str:
    """Name the nearest valid word and, where `listed`, the others as well; all of them where none is near."""
    close = difflib.get_close_matches(word, valid, n=1, cutoff=0.5)
    if not close:
        return f"; valid here: {', '.join(valid)}"
    return f"; did you mean '{close[0]}'?" + (f" (valid: {', '.join(valid)})" if listed else "")
