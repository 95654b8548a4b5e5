"""What kind of statement a piece is."""

from __future__ import annotations

import pytest

from pipeline.models.extractive.session import read_session
from pipeline.models.extractive.signals import explicit_act, identifiers, points_at_a_list, stands_alone
from pipeline.models.extractive.statements import read
from pipeline.models.extractive.tongues.ear import ear
from pipeline.models.extractive.tongues.english import ENGLISH
from tests.models.extractive.sessions import agent, noted, person, windows


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Removed the retry from the upload command.", "result"),
        ("The upload command no longer retries.", "result"),
        ("The upload failed because the proxy drops the header.", "cause"),
        ("The upload fails behind the proxy.", "problem"),
        ("## Cause\n\nThe proxy drops the header.", "cause"),
        ("**Fix:** Forward the header in the proxy.", "fix"),
        ("The upload worker reads one chunk after the other.", "concept"),
        ("Is the upload worker used at all?", "question"),
        ("## Next steps\n\n- Measure the upload worker again", "open"),
        ("## Decision\n\nThe upload worker keeps its queue in memory.", "decision"),
        ("Der Upload scheitert, weil der Proxy den Header entfernt.", "cause"),
        ("Die Wiederholung im Upload wurde entfernt.", "result"),
        ("Загрузка падает, потому что прокси удаляет заголовок.", "cause"),
        ("アップロードの再試行を削除しました。", "result"),
        ("プロキシがヘッダーを削除するため、アップロードが失敗します。", "cause"),
        ("上传失败，因为代理删除了请求头。", "cause"),
        ("L'envoi échoue parce que le proxy supprime l'en-tête.", "cause"),
        ("La subida falla porque el proxy elimina la cabecera.", "cause"),
        ("O envio falha porque o proxy remove o cabeçalho.", "cause"),
        ("프록시가 헤더를 제거하기 때문에 업로드가 실패합니다.", "cause"),
    ],
)
def test_an_answer_is_classified(text: str, act: str) -> None:
    session = read_session(windows([person("please look at the upload"), agent(text)])[0])
    assert session.statements[-1].act == act


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Can you remove the retry from the upload?", "question"),
        ("please remove the retry from the upload", "request"),
        ("We decided to keep the upload queue in memory.", "decision"),
        ("Never log the upload token.", "rule"),
        ("Bitte entferne die Wiederholung im Upload.", "request"),
        ("Wir haben entschieden, die Warteschlange im Speicher zu halten.", "decision"),
        ("Niemals das Token im Upload protokollieren.", "rule"),
        ("Мы решили хранить очередь загрузки в памяти.", "decision"),
        ("Никогда не записывать токен загрузки в журнал.", "rule"),
        ("アップロードのキューをメモリに置くことに決定しました。", "decision"),
        ("トークンを絶対にログに出さないこと。", "rule"),
        ("我们决定把上传队列放在内存里。", "decision"),
        ("绝不要记录上传令牌。", "rule"),
    ],
)
def test_a_persons_word_is_classified(text: str, act: str) -> None:
    session = read_session(windows([person(text), agent("The upload worker reads chunks.")])[0])
    assert session.statements[0].act == act


@pytest.mark.parametrize(
    ("kind", "tags", "act"),
    [
        ("decision", (), "decision"),
        ("Decision", (), "decision"),
        ("follow_up", (), "open"),
        ("error", (), "problem"),
        ("note", ("gotcha",), "problem"),
        ("user_prompt", (), "none"),
        ("note", ("upload",), "none"),
    ],
)
def test_an_observation_may_say_what_it_is(kind: str, tags: tuple[str, ...], act: str) -> None:
    assert explicit_act(kind, tags) == act


def test_an_explicit_kind_wins_over_words() -> None:
    session = read_session(windows([noted("decision", "Removed the retry from the upload.")])[0])
    assert session.statements[0].act == "decision"


def test_options_are_considered_and_not_done() -> None:
    session = read_session(
        windows(
            [
                agent(
                    "## Options\n\n- Removed the retry from the upload\n\n## Done\n\n"
                    "- Removed the queue from the upload"
                )
            ]
        )[0]
    )
    assert [(one.act, one.considered) for one in session.statements] == [("result", True), ("result", False)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("The proxy drops the Authorization header.", "It drops the Authorization header there."),
        ("The `edge.conf` proxy drops the header.", "The proxy drops the header."),
        ("The proxy drops the Authorization header.", "Option 2 drops the Authorization header."),
        ("The proxy drops the Authorization header.", "The proxy drops (the Authorization header."),
        ("The proxy drops the Authorization header.", "All tests pass."),
    ],
)
def test_some_statements_stand_better_alone(better: str, worse: str) -> None:
    hears = ear(ENGLISH)
    first, second = (read(text, hears, by_person=True).pieces[0] for text in (better, worse))
    assert stands_alone(first, hears) > stands_alone(second, hears)


def test_names_are_collected() -> None:
    found = identifiers("`make test` calls runAll() in upload_worker.py with --fast and MAX_SIZE")
    assert found == ("make test", "runAll", "upload_worker", "--fast", "MAX_SIZE")


@pytest.mark.parametrize(
    ("text", "points"),
    [("implement 1, 2 and 3", True), ("yes, #4", True), ("set the upload timeout to 30 seconds", False)],
)
def test_answers_to_a_list_point_at_it(text: str, *, points: bool) -> None:
    assert points_at_a_list(text) is points
