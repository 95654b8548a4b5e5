"""What makes a claim that needs a source, and what does not."""

from __future__ import annotations

import pytest

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import claims_of, is_claim

NO_CLAIMS = [
    *(
        "Nothing.",
        "None so far.",
        "none",
        "- none",
        "* None yet.",
        "No open points.",
        "No open questions so far.",
        "n/a",
    ),
    *(
        "N/A",
        "Nothing open.",
        "Nothing is open.",
        "_None._",
        "None. (unsourced)",
        "There are no open questions.",
        "Nil",
    ),
    *("No further questions remain.", "None are known.", "Nothing for now.", "Not applicable.", "No known issues."),
    *(
        "Keine.",
        "Nichts offen.",
        "Bisher nichts.",
        "Keine offenen Punkte.",
        "Derzeit keine.",
        "Entfällt.",
        "Keine bekannt.",
    ),
    *("Rien.", "Aucun.", "Aucune question ouverte.", "Rien pour l’instant.", "Néant."),
    *(
        "Nada.",
        "Ninguno.",
        "Nada pendiente.",
        "Ninguna pregunta abierta.",
        "Nenhum.",
        "Nada em aberto.",
        "Sem pendências.",
    ),
    *("Нет.", "Ничего.", "Пока нет.", "Открытых вопросов нет.", "Niente.", "Nessuno.", "Geen.", "Niets.", "Brak."),
    *(
        "なし",
        "無し",
        "なし。",
        "特になし。",
        "ありません。",
        "未解決の課題はありません。",
        "無",
        "无",
        "无。",
        "没有",
        "没有。",
        "暂无。",
        "没有未解决的问题。",
    ),
    *("없음", "없습니다."),
    *("The steps:", "**Steps**", "[Page](x.md)", "…"),
]
CLAIMS = [
    *(
        "No reason was given.",
        "Nothing works.",
        "None of the hosts answers.",
        "No root is needed.",
        "No.",
        "Nein, danke.",
    ),
    *("Nothing is open but port 80.", "Keine Hosts antworten.", "Rien ne marche.", "Nada funciona.", "Нет ответа."),
    *("応答なし", "没有缓存。", "无法启动", "Port: 8080", "No errors.", "Node.js", "noneuclidean"),
]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_what_says_nothing_is_no_claim(text: str) -> None:
    blocks = read_blocks(f"## Open\n\n{text}\n")
    assert not any(map(is_claim, blocks.statements))
    assert claims_of(blocks) == ()


@pytest.mark.parametrize("text", CLAIMS)
def test_what_says_something_is_one(text: str) -> None:
    blocks = read_blocks(f"## Open\n\n{text}\n")
    assert all(map(is_claim, blocks.statements))
    assert claims_of(blocks) == blocks.statements


TABLE = {
    "the label of a nested list": ("1. Network\n   - TLS ends there.\n2. Other\n   - none\n", ["TLS ends there."]),
    "a label with a sentence": ("- It is slow.\n  - The disk is full.\n", ["It is slow.", "The disk is full."]),
    "a label of six words": ("- one two three four five six\n  - a\n", ["one two three four five six", "a"]),
    "a label that gives a value": ("- Port: 8080\n  - on all hosts\n", ["Port: 8080", "on all hosts"]),
    "a label that cites": ("- Network[^o1]\n  - a\n", ["Network[^o1]", "a"]),
    "an item with more text and no items": ("- Network\n\n  It is slow.\n", ["Network", "It is slow."]),
    "a label in Japanese": ("- ネットワーク\n  - 遅い。\n", ["遅い。"]),
    "an item below another": ("- Network\n- Disk\n", ["Network", "Disk"]),
    "one sentence around a block of code": (
        "The migration stops with\n\n```\nError: 10.0.4.17\n```\n\nas soon as one more is opened.[^o1]\n",
        ["as soon as one more is opened.[^o1]"],
    ),
    "one sentence around an indented block": (
        "It stops with\n\n    Error\n\nas soon as it starts.[^o1]\n",
        ["as soon as it starts.[^o1]"],
    ),
    "one sentence around a list": (
        "It needs\n\n- a key[^o1]\n- a host[^o1]\n\nbefore it starts.[^o1]\n",
        ["a key[^o1]", "a host[^o1]", "before it starts.[^o1]"],
    ),
    "around a block in an item": (
        "1. It stops with\n\n   ```\n   Error\n   ```\n\n   as soon as it starts.[^o1]\n",
        ["as soon as it starts.[^o1]"],
    ),
    "a sentence that goes on without a source": (
        "It stops with\n\n```\nError\n```\n\nas soon as it starts.\n",
        ["It stops with", "as soon as it starts."],
    ),
    "a sentence of its own behind the block": (
        "It stops with\n\n```\nError\n```\n\nThe pool is small.[^o1]\n",
        ["It stops with", "The pool is small.[^o1]"],
    ),
    "nothing between": ("It stops with\n\nas soon as.[^o1]\n", ["It stops with", "as soon as.[^o1]"]),
    "a whole sentence before the block": (
        "It stops.\n\n```\nError\n```\n\nas soon as it starts.[^o1]\n",
        ["It stops.", "as soon as it starts.[^o1]"],
    ),
    "a heading between": (
        "It stops with\n\n```\nError\n```\n\n## More\n\nas soon as it starts.[^o1]\n",
        ["It stops with", "as soon as it starts.[^o1]"],
    ),
}


@pytest.mark.parametrize("case", TABLE)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_stands_around_counts(case: str, end: str) -> None:
    text, claims = TABLE[case]
    assert [one.text for one in claims_of(read_blocks(text.replace("\n", end)))] == claims
