"""The offline model as a whole: deterministic, true to the word, bounded, in every language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.draft import MOST_UPDATES
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.spending import Usage
from pipeline.wiki.markdown.quoting import plain
from tests.drafts_read import read_batch
from tests.models.extractive.sessions import (
    Said,
    agent,
    all_bullets,
    bullets,
    draft,
    noted,
    page_of,
    person,
    request,
    session_page,
)

if TYPE_CHECKING:
    from pipeline.models.model import Model

LANGUAGES = {
    "en": (
        "Can you move the login to signed cookies?",
        (
            "Moved the login to signed cookies.\n\n"
            "## Cause\n\n"
            "The session was lost because the proxy drops the header.\n\n"
            "## Fix\n\n"
            "- Added the header to the forwarding rule in `edge.conf`"
        ),
        "We decided to use signed cookies instead of tokens, because a token cannot be revoked.",
        "Never commit a password, always use the vault.",
    ),
    "de": (
        "Kannst du die Anmeldung auf Cookies umstellen?",
        (
            "Die Anmeldung wurde auf signierte Cookies umgestellt.\n\n"
            "## Ursache\n\n"
            "Die Sitzung ging verloren, weil der Proxy den Header entfernt.\n\n"
            "## Lösung\n\n"
            "- Weitergabe des Headers in `edge.conf` aktiviert"
        ),
        "Wir haben entschieden, signierte Cookies statt Token zu verwenden, weil es sich nicht widerrufen lässt.",
        "Niemals Passwörter einchecken, immer den Tresor verwenden.",
    ),
    "fr": (
        "Peux-tu passer la connexion aux cookies ?",
        (
            "J'ai remplacé les jetons par des cookies signés.\n\n"
            "## Cause\n\n"
            "La session était perdue parce que le proxy supprime l'en-tête.\n\n"
            "## Solution\n\n"
            "- Ajouté le transfert d'en-tête dans `edge.conf`."
        ),
        "Nous avons décidé d'utiliser des cookies signés au lieu de jetons, parce qu'un jeton ne peut être révoqué.",
        "Ne jamais enregistrer les mots de passe dans le dépôt.",
    ),
    "es": (
        "¿Puedes cambiar el inicio de sesión a cookies?",
        (
            "He cambiado el inicio de sesión a cookies firmadas.\n\n"
            "## Causa\n\n"
            "La sesión se perdía porque el proxy elimina la cabecera.\n\n"
            "## Solución\n\n"
            "- Añadido el reenvío de cabeceras en `edge.conf`."
        ),
        "Decidimos usar cookies firmadas en lugar de tokens porque un token no se puede revocar.",
        "Nunca guardar contraseñas en el repositorio.",
    ),
    "pt": (
        "Você pode mudar o login para cookies?",
        (
            "Alterei o login para cookies assinados.\n\n"
            "## Causa\n\n"
            "A sessão era perdida porque o proxy remove o cabeçalho.\n\n"
            "## Solução\n\n"
            "- Adicionado o encaminhamento de cabeçalhos em `edge.conf`."
        ),
        "Decidimos usar cookies assinados em vez de tokens porque um token não pode ser revogado.",
        "Nunca guardar senhas no repositório.",
    ),
    "ru": (
        "Пожалуйста, переведи авторизацию на cookie.",
        (
            "Авторизация переведена на подписанные cookie.\n\n"
            "## Причина\n\n"
            "Сессия терялась, потому что прокси удаляет заголовок.\n\n"
            "## Решение\n\n"
            "- Включена передача заголовка в `edge.conf`."
        ),
        "Мы решили использовать подписанные cookie вместо токенов, потому что токен нельзя отозвать.",
        "Никогда не хранить пароли в репозитории.",
    ),
    "ja": (
        "ログイン処理をクッキー方式に変更してください。",
        (
            "ログイン処理を署名付きクッキーに変更しました。\n\n"
            "## 原因\n\n"
            "プロキシがヘッダーを削除するため、セッションが失われていました。\n\n"
            "## 修正\n\n"
            "- `edge.conf` のヘッダー転送を有効化しました。"
        ),
        "トークンの代わりに署名付きクッキーを採用することに決定しました。トークンは失効できないためです。",
        "認証情報を絶対にリポジトリに入れないこと。",
    ),
    "zh": (
        "请把登录改成使用 cookie。",
        (
            "登录已改成使用签名 cookie。\n\n"
            "## 原因\n\n"
            "由于代理删除了请求头，会话会丢失。\n\n"
            "## 解决方案\n\n"
            "- 在 `edge.conf` 中启用了头部转发。"
        ),
        "我们决定采用签名 cookie 而不是令牌，因为令牌无法撤销。",
        "绝不要把密码提交到代码仓库。",
    ),
    "ko": (
        "로그인을 쿠키 방식으로 변경해 주세요.",
        (
            "로그인을 서명된 쿠키로 변경했습니다.\n\n"
            "## 원인\n\n"
            "프록시가 헤더를 제거하기 때문에 세션이 사라졌습니다.\n\n"
            "## 해결\n\n"
            "- `edge.conf`에서 헤더 전달을 활성화했습니다."
        ),
        "토큰 대신 서명된 쿠키를 사용하기로 결정했습니다. 토큰은 취소할 수 없기 때문입니다.",
        "비밀번호를 절대 저장소에 커밋하지 마세요.",
    ),
}


def session_in(code: str) -> list[Said]:
    wish, answer, decision, rule = LANGUAGES[code]
    return [person(wish), agent(answer), person(decision, "note"), person(rule, "note")]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_language_gets_its_pages(code: str) -> None:
    wish, answer, decision, rule = LANGUAGES[code]
    batch = draft(session_in(code))
    page = session_page(batch)
    assert bullets(page.body, "Asked")[0] == wish
    assert len(bullets(page.body, "Outcome")) >= 1
    assert "`edge.conf`" in page.body
    assert bullets(page.body, "Decided")
    assert {"gotcha", "decision", "rule"} <= {update.kind for update in batch.updates}
    assert bullets(page_of(batch, "rule").body, "Rule") == [rule]
    assert bullets(page_of(batch, "gotcha").body, "Cause")[0] in answer
    assert bullets(page_of(batch, "decision").body, "Decision")[0] in decision


def test_a_language_without_a_table_is_read_by_structure() -> None:
    batch = draft(
        [
            person("Proszę zmienić logowanie na cookies."),
            agent(
                "Logowanie korzysta teraz z podpisanych cookies.\n\n## Zmiany\n\n"
                "- Dodano przekazywanie nagłówka w pliku `edge.conf` serwera.\n"
            ),
            noted("decision", "Zdecydowano o podpisanych cookies w całym sklepie."),
        ]
    )
    page = session_page(batch)
    assert bullets(page.body, "Asked") == ["Proszę zmienić logowanie na cookies."]
    assert bullets(page.body, "Done") == ["Dodano przekazywanie nagłówka w pliku `edge.conf` serwera."]
    assert bullets(page.body, "Outcome") == ["Logowanie korzysta teraz z podpisanych cookies."]
    assert bullets(page_of(batch, "decision").body, "Decision") == [
        "Zdecydowano o podpisanych cookies w całym sklepie."
    ]


def test_it_is_a_model() -> None:
    model: Model = ExtractiveModel()
    reply = model.complete(request([person("please add a retry to the upload")]))
    assert model.name == "extractive"
    assert reply.usage == Usage(0, 0)
    assert read_batch(reply.text).updates


def test_the_same_input_gives_the_same_bytes() -> None:
    said = [one for code in LANGUAGES for one in session_in(code)]
    texts = {ExtractiveModel().complete(request(said)).text for _ in range(3)}
    assert len(texts) == 1


def test_a_batch_holds_at_most_five_pages() -> None:
    said = [
        noted("decision", f"Machine {name} keeps its {name} files for good.", f"The {name} machine keeps its files")
        for name in ("red", "green", "blue", "white", "black", "brown", "grey")
    ]
    batch = draft(said)
    assert len(batch.updates) == MOST_UPDATES
    assert batch.updates[0].kind == "session"


def test_a_session_without_a_title_of_its_own_bears_that_of_its_first_page() -> None:
    session, rule = draft(
        [noted("rule", "Never push to main without a review, because the job publishes at once.")]
    ).updates
    assert rule.kind == "rule"
    assert session.title == f"{rule.title} (2026-01-05)"


@pytest.mark.parametrize(
    "said",
    [
        [agent("Let me look at it."), agent("Now I'll run the tests:")],
        [person("/review:all"), agent("Done.")],
        [Said("tool", "$ ls\na b c", "post_tool_use")],
        [person("")],
        [person("```\ncode()\n```")],
    ],
)
def test_a_session_of_noise_gets_a_page_of_facts_without_a_statement(said: list[Said]) -> None:
    (page,) = draft(said).updates
    assert page.kind == "session"
    assert page.title == "Session of 2026-01-05"
    count = f"{len(said)} observation{'s' if len(said) > 1 else ''}"
    assert page.body.startswith(f"> Collected without a language model: {count}")
    assert "[^" not in page.body
    assert page.body.count("\n") == 1


def test_a_session_of_one_request_says_what_was_asked() -> None:
    (page,) = draft([person("please add a retry to the upload command")]).updates
    assert bullets(page.body, "Asked") == ["please add a retry to the upload command"]


def test_tags_fit_the_front_matter() -> None:
    said = [
        noted(
            "decision",
            "`make test` runs `upload.py --fast|x` in CI.",
            "Checks run in CI",
            tags=("ci", "a,b", "with space", "x" * 70),
        )
    ]
    tags = [tag for update in draft(said).updates for tag in update.tags]
    assert tags
    assert all(re.fullmatch(r"[\w .:/-]{1,60}", tag) for tag in tags)


SNIPPETS = st.sampled_from(
    [
        *(text for one in LANGUAGES.values() for text in one),
        "**Fix:** Added `a|b` and <b>bold</b> to the *upload*, see [the docs](https://example.org/x_y).",
        "1. First do `x`\n2. Then, e.g., do y\n   - nested with __strong__ words in it",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```python\nprint('x')\n```",
        "The upload_worker keeps 3 files & 2 links, i.e. v1.2.3 of `config.toml`; \\*not\\* more.",
        "> quoted by somebody because it fails\n\nThe proxy drops the header, so the login breaks &amp; stops.",
        "Never use <script>alert(1)</script> in pages, always escape it.",
        "We decided to keep ![an image](x.png) instead of a video because it is small.",
        "\ufeffThe cafe\u0301 page has 👩‍👩‍👧 in it and fails because of \u202ebidi\u202c marks.",
    ]
)
TEXTS = st.one_of(
    st.lists(SNIPPETS, min_size=1, max_size=4).map("\n\n".join),
    st.text(alphabet="abc XY.!?*_`#->[]()|<&\\:\n0é語", max_size=120),
)
SAID = st.builds(
    Said,
    role=st.sampled_from(["user", "assistant", "tool", "system"]),
    body=TEXTS,
    kind=st.sampled_from(
        ["user_prompt", "assistant_text", "note", "decision", "gotcha", "rule", "procedure", "concept"]
    ),
    title=st.sampled_from(["", "", "The upload *fails* at night", "アップロード"]),
    importance=st.integers(1, 10),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SAID, min_size=1, max_size=8))
def test_every_statement_stands_word_by_word_in_what_it_cites(said: list[Said]) -> None:
    asked = request(said)
    batch = read_batch(ExtractiveModel().complete(asked).text)
    texts = {shown.handle: plain(shown.text) for shown in asked.projection.shown}
    assert len(batch.updates) <= MOST_UPDATES
    for update in batch.updates:
        for text, handles in all_bullets(update.body):
            assert any(plain(text) in texts[handle] for handle in handles), (text, handles)
