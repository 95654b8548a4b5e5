"""Where sentences end, in several scripts; positions, so that a quotation is the text itself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.extractive.sentences import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One thing. Another thing!", ["One thing.", "Another thing!"]),
        ("We run v1.2.3 now. See cache.go:62 for it.", ["We run v1.2.3 now.", "See cache.go:62 for it."]),
        ("Use a store, e.g. Redis. It scales.", ["Use a store, e.g. Redis.", "It scales."]),
        ("It waits (see above. Really) for it. Done.", ["It waits (see above. Really) for it.", "Done."]),
        ("Call `a. B` first. Then stop.", ["Call `a. B` first.", "Then stop."]),
        ("It shouldn't. Let me look.", ["It shouldn't.", "Let me look."]),
        ("The cache is gone. site_dir points elsewhere.", ["The cache is gone.", "site_dir points elsewhere."]),
        ("Das geht z. B. so. Am 3. Januar nicht.", ["Das geht z. B. so.", "Am 3. Januar nicht."]),
        ("Мы решили, т. е. так. Далее.", ["Мы решили, т. е. так.", "Далее."]),
        ("これは試験です。次へ進みます！", ["これは試験です。", "次へ進みます！"]),
        ("彼は「終わった。」と言った。次です。", ["彼は「終わった。」と言った。", "次です。"]),
        ("缓存已删除。重新启动后生效。", ["缓存已删除。", "重新启动后生效。"]),
        ("a short line\nAnother one", ["a short line", "Another one"]),
        (
            "a line that was wrapped by somebody's editor in the middle\nof a sentence.",
            ["a line that was wrapped by somebody's editor in the middle\nof a sentence."],
        ),
        ("no end here", ["no end here"]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_its_sentences(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == parts


@given(st.text(max_size=200))
def test_sentences_lie_in_order_and_lose_nothing_but_space(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
