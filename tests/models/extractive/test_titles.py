"""Titles cut out of statements, headings and requests; subjects of sentences."""

from __future__ import annotations

import pytest

from pipeline.models.extractive.pointed_titles import is_pointed, pointed_title
from pipeline.models.extractive.statements import Piece
from pipeline.models.extractive.subjects import subject_of, tag_of
from pipeline.models.extractive.titles import LONGEST, request_title, shortened_title, title_of
from pipeline.models.extractive.tongues.all import TONGUES
from pipeline.models.extractive.tongues.ear import ear

EARS = {tongue.code: ear(tongue) for tongue in TONGUES}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The issue is that the proxy drops the header.", "The proxy drops the header"),
        ("Root cause: the proxy drops the header", "The proxy drops the header"),
        ("Removed the `upload retry` command.", "Removed the upload retry command"),
        ("`upload_worker` reads one chunk at a time", "upload_worker reads one chunk at a time"),
        ("When a session ends at midnight, the cache file is lost", "The cache file is lost"),
        (
            "The default timeout is 0, which means that the worker waits for ever and nobody sees that it does",
            "The default timeout is 0",
        ),
        (
            "The proxy drops the header, because the rule for forwarding was removed in the last release of it",
            "The proxy drops the header",
        ),
        ("It is broken", ""),
        ("this drops the header", ""),
        ("I still feel that the header is wrong", ""),
        ("setup.go:551", ""),
        ("Let me fix that", ""),
        ("All tests pass", ""),
        ("The build is failing on the proxy", ""),
        ("Perhaps the proxy drops the header", ""),
        ("The header (of the proxy", ""),
        ("a == b && c", ""),
    ],
)
def test_a_claim_becomes_a_title_or_none(text: str, title: str) -> None:
    assert title_of(text, EARS["en"]) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Summary: P2 #3 - Symlink check in the upload", "Symlink check in the upload"),
        ("Plan: Upload retries for large files", "Upload retries for large files"),
        ("### 2. Upload retries for large files", ""),
        ("2. Upload retries for large files", "Upload retries for large files"),
        ("✅ Upload retries for large files", "Upload retries for large files"),
        ("Summary of changes", ""),
        ("Next steps", ""),
        ("TEST RESULTS", ""),
    ],
)
def test_a_heading_becomes_a_title_or_none(text: str, title: str) -> None:
    assert title_of(text.lstrip("#").strip(), EARS["en"], heading=True) == title if title else True
    if not title and not text.startswith("###"):
        assert title_of(text, EARS["en"], heading=True) == ""


@pytest.mark.parametrize(
    ("code", "text", "title"),
    [
        ("en", "can you please add a retry to the upload?", "Add a retry to the upload"),
        ("en", "let's completely remove `upload retry`", "Remove upload retry"),
        ("en", "I want to replace the upload queue with a file", "Replace the upload queue with a file"),
        ("en", "We should use signed cookies in the login", "Use signed cookies in the login"),
        ("en", "why is the upload retried?", "Why is the upload retried?"),
        ("en", "do you have access to the tracker?", ""),
        ("en", "yes", ""),
        ("en", "fix it", ""),
        ("en", "The upload retry seems slow to me", ""),
        ("de", "Kannst du bitte die Anmeldung umstellen?", "Die Anmeldung umstellen"),
        ("fr", "Peux-tu ajouter un essai à l'envoi ?", "Ajouter un essai à l'envoi"),
        ("es", "¿Puedes añadir un reintento a la subida?", "Añadir un reintento a la subida"),
        ("pt", "Você pode adicionar uma tentativa ao envio?", "Adicionar uma tentativa ao envio"),
        ("ru", "Пожалуйста, добавь повтор загрузки", "Добавь повтор загрузки"),
        ("ja", "アップロードに再試行を追加してください。", "アップロードに再試行を追加"),
        ("zh", "请给上传添加重试。", "给上传添加重试"),
        ("ko", "업로드에 재시도를 추가해 주세요.", "업로드에 재시도를 추가"),
    ],
)
def test_a_request_becomes_a_title_or_none(code: str, text: str, title: str) -> None:
    assert request_title(text, EARS[code]) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Never upload twice.", "Never upload twice"),
        (
            "Never start an upload while somebody has a file of the same name open; stop and say to them what to do.",
            "Never start an upload while somebody has a file of the same name open",
        ),
        (
            "Never change the text between the two marks of a page that somebody keeps, and never move the marks of it",
            "Never change the text between the two marks of a page that somebody keeps",
        ),
        (
            "Never upload greetings, apologies, noise, or other things that nobody in the team would want to read.",
            "Never upload greetings, apologies, noise, or other things that nobody in the team would…",
        ),
        (
            "Uploads of several hundred large files should be considerably slower than single unaccompanied ones",
            "Uploads of several hundred large files should be considerably slower than single…",
        ),
    ],
)
def test_a_title_for_want_of_a_better_one_ends_with_a_clause_or_a_word(text: str, title: str) -> None:
    assert shortened_title(text, EARS["en"]) == title


@pytest.mark.parametrize(
    ("text", "told", "title"),
    [
        ("The upload stops, because its queue is stale", False, ""),
        ("The upload queue is stale", False, "The upload queue is stale"),
        (
            "The retry option is defined and the worker reads it, but the server never sees it on slow connections",
            False,
            "",
        ),
        (
            "The `retry` option is read and passed to the worker, but `run_upload` never looks at the number",
            False,
            "run_upload never looks at the number",
        ),
        ("The upload takes one minute", True, "The upload takes one minute"),
        ("The upload takes one minute", False, ""),
        ("The reply of the server is an error", False, ""),
    ],
)
def test_a_title_of_what_goes_wrong_says_so(text: str, title: str, *, told: bool) -> None:
    piece = Piece(text, text.replace("`", ""), 0, "sentence", text.replace("`", ""))
    assert pointed_title(piece, EARS["en"], told=told) == title
    assert not title or told or is_pointed(title, EARS["en"])


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Navigation lists hubs only", "Navigation lists hubs only"),
        ("Upload retries for large files (Fixed)", "Upload retries for large files"),
        ("Upload retries (for large files)", "Upload retries (for large files)"),
        ("Upload fails on line 31 of the file", ""),
    ],
)
def test_a_heading_keeps_its_last_words(text: str, title: str) -> None:
    assert title_of(text, EARS["en"], heading=True) == title


def test_no_title_is_long() -> None:
    text = "The upload worker of the new service reads chunk after chunk of the file that somebody sent to the server"
    assert len(title_of(text, EARS["en"])) <= LONGEST


@pytest.mark.parametrize(
    ("code", "text", "subject"),
    [
        ("en", "The upload worker reads one chunk at a time.", "upload worker"),
        ("en", "`full.log` contains the whole session.", "full.log"),
        ("en", "The readAll function returns nothing.", "readAll"),
        ("en", "This is a worker.", ""),
        ("en", "The problem is the worker.", ""),
        ("en", "The thing of the worker is big.", ""),
        ("en", "Removed the worker that is slow.", ""),
        ("de", "Der Ladedienst liest einen Block nach dem anderen.", "Ladedienst"),
        ("ru", "Очередь загрузки — список файлов.", "Очередь загрузки"),
        ("fr", "La file d'envoi contient les fichiers.", "file d'envoi"),
    ],
)
def test_the_subject_of_a_sentence(code: str, text: str, subject: str) -> None:
    assert subject_of(text, EARS[code]) == subject


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("`upload.py`", "upload.py"),
        ("readAll()", "readAll"),
        ("--fast", ""),
        ("a|b", ""),
        ("2026", ""),
        ("make test", "make test"),
    ],
)
def test_tags(text: str, tag: str) -> None:
    assert tag_of(text) == tag
