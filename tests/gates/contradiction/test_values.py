"""The same value in other spellings is one value; another value is another one."""

from __future__ import annotations

import pytest

from pipeline.gates.contradiction.values import read_values, rivals, same

SAME = [
    ("1,000", "1000"),
    ("1.000 €", "1000 EUR"),
    ("1 000 €", "€1000"),
    ("30 s", "30 seconds"),
    ("60 minutes", "1 hour"),
    ("1.5 s", "1500 ms"),
    ("1,5 s", "1.5 s"),
    ("1 GB", "1024 MB"),
    ("512 MiB", "512 MB"),
    ("80 %", "80%"),
    ("v1.4.2", "1.4.2"),
    ("16", "16.2"),
    ("2026-12-01", "1 December 2026"),
    ("2026-12-01", "December 1, 2026"),
    ("2026-12-01", "1. Dezember 2026"),
    ("2026-12-01", "1 décembre 2026"),
    ("2026-12-01", "1 de diciembre de 2026"),
    ("2026-12-01", "1.12.2026"),
    ("2026-12-01", "2026年12月1日"),
    ("2026-12-01", "December 1"),
    ("14:00", "2 pm"),
    ("three times", "3 times"),
    ("Tuesdays", "Tuesday"),
    ("https://a.example.com/x/", "https://a.example.com/x"),
    ("/var/log/app/", "/var/log/app"),
    ("30秒", "30 s"),
    ("3 узла", "3 узлов"),
]
DIFFERENT = [
    ("port 8080", "port 9090"),
    ("30 s", "30 ms"),
    ("3.1", "3.10"),
    ("v1.4.2", "v1.4.3"),
    ("10 MB", "20 MB"),
    ("2026-12-01", "2026-12-02"),
    ("$10", "$12"),
    ("/a/b.toml", "/a/c.toml"),
    ("4f5e6d7", "9a8b7c6"),
    ("https://a.example.com", "https://b.example.com"),
    ("3 узла", "5 узлов"),
]
NO_RIVALS = [("30 s", "30 MB"), ("$10", "10 €"), ("3 replicas", "5 retries"), ("8080", "2026-12-01"), ("7%", "7 px")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value(one: str, other: str) -> None:
    ((first,), (second,)) = read_values(one), read_values(other)
    assert same(first, second)
    assert not rivals(first, second)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_value(one: str, other: str) -> None:
    ((first,), (second,)) = read_values(one), read_values(other)
    assert rivals(first, second)


@pytest.mark.parametrize(("one", "other"), NO_RIVALS)
def test_values_of_different_things(one: str, other: str) -> None:
    ((first,), (second,)) = read_values(one), read_values(other)
    assert not rivals(first, second)


@pytest.mark.parametrize("text", ["UTF-8 and f-strings", "issue #12", "two-factor", "Node.js on Fly.io", "a1 b2_3"])
def test_what_is_no_value(text: str) -> None:
    assert read_values(text) == ()
