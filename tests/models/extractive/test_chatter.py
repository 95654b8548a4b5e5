"""What is noise and what is not, in both directions."""

from __future__ import annotations

import pytest

from pipeline.models.extractive.chatter import code_like, machine_made, merely_passes, pasted, says_nothing, spoken
from pipeline.models.extractive.tongues.all import TONGUES
from pipeline.models.extractive.tongues.ear import ear

EARS = {tongue.code: ear(tongue) for tongue in TONGUES}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Let me look at the configuration."),
        ("en", "Now I'll run the tests again."),
        ("en", "I need to check the proxy first."),
        ("en", "Hello there!"),
        ("en", "Sorry about that."),
        ("en", "Would you like me to add a test?"),
        ("en", "Here's what I found"),
        ("en", "Perfect!"),
        ("de", "Ich schaue mir die Konfiguration an."),
        ("de", "Hallo zusammen!"),
        ("de", "Soll ich noch einen Test schreiben?"),
        ("fr", "Je vais regarder la configuration."),
        ("fr", "Merci beaucoup !"),
        ("es", "Voy a revisar la configuración."),
        ("es", "¡Hola a todos!"),
        ("pt", "Vou verificar a configuração."),
        ("ru", "Сейчас посмотрю настройки."),
        ("ru", "Спасибо за помощь!"),
        ("ja", "まず設定を確認します。"),
        ("ja", "ありがとうございます。"),
        ("zh", "让我先看一下配置。"),
        ("zh", "谢谢你的帮助！"),
        ("ko", "먼저 설정을 확인하겠습니다."),
        ("ko", "안녕하세요!"),
    ],
)
def test_small_talk_says_nothing(code: str, text: str) -> None:
    assert says_nothing(text, EARS[code])


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The proxy drops the Authorization header."),
        ("en", "Removed the retry from the upload."),
        ("en", "Letters are kept in every script."),
        ("de", "Der Proxy entfernt den Header."),
        ("de", "Wir verwenden signierte Cookies."),
        ("fr", "Le proxy supprime l'en-tête."),
        ("es", "El proxy elimina la cabecera."),
        ("pt", "O proxy remove o cabeçalho."),
        ("ru", "Прокси удаляет заголовок."),
        ("ja", "プロキシがヘッダーを削除します。"),
        ("zh", "代理会删除请求头。"),
        ("ko", "프록시가 헤더를 제거합니다."),
    ],
)
def test_statements_say_something(code: str, text: str) -> None:
    assert not says_nothing(text, EARS[code])


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("<command-name>/review</command-name>\n<command-args></command-args>", True),
        ("<system-reminder>Keep the list short.</system-reminder>", True),
        ("/workflows:review now", True),
        ("[Request interrupted by user]", True),
        ("This session is being continued from a previous conversation that ran out of context.", True),
        ("Operation stopped by hook: another session is active", True),
        ("", True),
        ("Please review the login page", False),
        ("/etc/hosts is wrong on the build machine, and nobody knows who changed it", False),
        ("<system-reminder>x</system-reminder>Rename the command", False),
    ],
)
def test_what_harnesses_write_is_told_from_what_people_write(text: str, *, noise: bool) -> None:
    assert machine_made(text) is noise


def test_only_the_persons_words_are_spoken() -> None:
    assert spoken("<local-command-stdout>ok</local-command-stdout> Rename it, a < b") == "Rename it, a < b"


@pytest.mark.parametrize(
    "line",
    [
        "$ make",
        "+++ b/main.go",
        "Traceback (most recent call last):",
        "at run(app.js:3)",
        "name      value",
        '"id": 3,',
        "ERROR: no such file",
        "a1b2c3d4 fix the build",
    ],
)
def test_terminal_lines_are_pasted(line: str) -> None:
    assert pasted(line)


@pytest.mark.parametrize(
    "line", ["The build fails on Mondays.", "Use `a == b` here.", "我们使用签名。", "- a list item"]
)
def test_prose_is_not_pasted(line: str) -> None:
    assert not pasted(line)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("if (a == b) { return x[1]; }", True),
        ("retry_count = 3", True),
        ("`make test`", False),
        ("The value of `a[0] == b{1}` is kept.", False),
        ("A sentence (with brackets) and 100 % prose.", False),
    ],
)
def test_code_is_told_from_prose(text: str, *, code: bool) -> None:
    assert code_like(text) is code


@pytest.mark.parametrize(
    ("code", "text", "passes"),
    [
        ("en", "All tests pass and lint is clean.", True),
        ("en", "Tests pass.", True),
        ("en", "All tests pass because the proxy keeps the header.", False),
        ("de", "Alle Tests sind grün.", True),
        ("de", "Alle Tests laufen gegen den Proxy.", False),
        ("ru", "Все тесты проходят.", True),
        ("zh", "所有测试都已通过。", True),
        ("ja", "すべてのテストが通りました。", True),
    ],
)
def test_passing_checks_are_no_news(code: str, text: str, *, passes: bool) -> None:
    assert merely_passes(text, EARS[code]) is passes
