"""Near-duplicates, subjects and contradictions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.extractive.similarity import alike, contradicts, same, same_title, subject_terms, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The proxy drops the Authorization header.", "The proxy drops the authorization header"),
        ("Removed the retry from the upload command", "Removed the retry from the upload command."),
        ("The upload worker reads chunks from the queue", "The upload worker is reading chunks from a queue"),
        ("キャッシュを削除しました。", "キャッシュを削除しました"),
        ("缓存已经被删除了。", "缓存已经被删除了"),
        ("Кэш загрузки удалён.", "Кэш загрузки удалён"),
    ],
)
def test_near_duplicates(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The upload timeout is 30 seconds.", "The upload timeout is 60 seconds."),
        ("Uploads are enabled by default for guests.", "Uploads are disabled by default for guests."),
        ("The upload is retried by the worker.", "The upload is not retried by the worker."),
        ("The proxy drops the header.", "The worker drops the header."),
        ("The upload worker reads chunks.", "The login page sets a cookie."),
        ("", "The upload worker reads chunks."),
    ],
)
def test_different_statements(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The upload timeout is 30 seconds.", "The upload timeout is 60 seconds.", True),
        ("Uploads are enabled by default for guests.", "Uploads are disabled by default for guests.", True),
        ("The upload is retried by the worker.", "The upload is not retried by the worker.", True),
        ("The upload timeout is 30 seconds.", "The upload timeout is 30 seconds.", False),
        ("The upload timeout is 30 seconds.", "The login page keeps 3 cookies.", False),
    ],
)
def test_contradictions(one: str, other: str, *, expected: bool) -> None:
    assert contradicts(one, other) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Signed session cookies", "Session cookies are signed", True),
        ("Upload retries removed", "Removed the upload retries", True),
        ("Upload timeout of 30 seconds", "Upload timeout of 60 seconds", False),
        ("Upload retries", "Login cookies", False),
        ("手動コミット方式", "手動コミット方式", True),
    ],
)
def test_titles_of_one_subject(one: str, other: str, *, expected: bool) -> None:
    assert same_title(one, other) is expected


def test_terms_lose_endings_and_words_that_say_nothing() -> None:
    assert terms("The workers are reading from upload-queues") == terms("worker reads upload queue")
    assert subject_terms("the problem with the upload worker") == terms("upload worker")


@given(st.text(max_size=60), st.text(max_size=60))
def test_saying_the_same_is_mutual_and_excludes_contradiction(one: str, other: str) -> None:
    assert same(one, one)
    assert same(one, other) == same(other, one)
    assert contradicts(one, other) == contradicts(other, one)
    assert not contradicts(one, one)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (
            "The bug is that `run_upload` never receives the `retry_limit` of the queue",
            "The issue was that `run_upload` never received the `retry_limit` of its queue at night",
            True,
        ),
        (
            "Uploader v2.13 doesn't support a `retry` field in the proxy configuration",
            "Uploader doesn't support the `retry` field in its configuration of the proxy",
            True,
        ),
        ("Added the `retry` field to the `Upload` struct", "Added the `retry` field to the `Download` struct", False),
        (
            "The upload worker reads the queue of the proxy",
            "The upload worker never reads the queue of the proxy",
            False,
        ),
        ("The upload worker waits 60 seconds for the proxy", "The upload worker waits 90 seconds for the proxy", False),
        ("The proxy drops the header", "The queue is lost at midnight", False),
    ],
)
def test_what_is_told_in_other_words(one: str, other: str, *, told: bool) -> None:
    assert alike(one.replace("`", ""), other.replace("`", "")) is told
    assert alike(other.replace("`", ""), one.replace("`", "")) is told
