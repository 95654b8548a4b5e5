"""Owns where remarks on a sentence go in a draft's body, and how a sentence that was replaced comes back beside them.

Below a paragraph stands a paragraph, below a list item an item within it; what stands in a table or a quotation is
remarked on below that. Knows no page and not what is compared.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.text import one_line
from pipeline.wiki.markdown import remarks
from pipeline.wiki.markdown.blocks import pieces
from pipeline.wiki.markdown.claims import UNSOURCED, without_marks
from pipeline.wiki.markdown.quoting import plain, quote_inline
from pipeline.wiki.revision.sources import is_handle, is_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.gates.contradiction.sentences import Sentence

_QUOTED = 300
"""Unicode characters of a sentence that a remark quotes as it is; a longer one is cut, and loses its marks."""
_MOST_LABELS = 3
NO_TEXT = re.compile(r"(?:\A|\n)[ \t]*(?:[-*+>#|=~`<:]|\[\^|\d{1,9}[.)])")
"""What begins a line that would not be running text by itself."""


def remark(old: Sentence, new: Sentence, *, changed: bool, day: str, elsewhere: str = "") -> str:
    """Write the remark that `new` says another thing than `old`, on `day` as far as that is known."""
    before, after = _citations(old.labels), _citations(new.labels)
    if changed:
        text = remarks.changed(_quoted(old), "".join(dict.fromkeys((*before, *after))), day, elsewhere)
    else:
        text = remarks.contradiction((_quoted(old), "".join(before)), (_quoted(new), "".join(after)), elsewhere)
    return text if before or after else f"{text} {UNSOURCED}"


def quotation(sentence: Sentence) -> str:
    """Give the words by which a remark that quotes the sentence is known, as `plain` gives them."""
    return plain(f"“{_quoted(sentence)}”")


def place(body: str, sentence: Sentence, texts: Sequence[str], restored: Sequence[str]) -> list[tuple[int, int, str]]:
    """Make the edits that put remarks below a sentence, and sentences that are restored beside it."""
    statement = sentence.statement
    if statement.shape == "paragraph" and not statement.quoted:
        return [_insertion(statement.end, [f"\n\n{text}" for text in (*restored, *texts)])]
    if statement.shape == "item" and not statement.quoted:
        start = body.rfind("\n", 0, statement.start) + 1
        lead = body[start : statement.start]
        indent = "".join(" " if one not in " \t" else one for one in lead)
        below = _insertion(statement.end, [f"\n{indent}- {text}" for text in texts])
        opens = bool(lead.strip()) and statement.extent[0] == start
        end = len(body[: statement.extent[1]].rstrip()) if opens else statement.end
        return [below, _insertion(end, [f"\n{lead if opens else f'{indent}- '}{text}" for text in restored])]
    rows = [text for text in restored if statement.shape == "row" and text.startswith("|")]
    restored = [text for text in restored if text not in rows]
    outer = next((one for one in pieces(body) if one.start <= statement.start < one.end), None)
    end = outer.start + len(outer.text) if outer else statement.end
    below = _insertion(end, [f"\n\n{text}" for text in (*restored, *texts)])
    return [_insertion(statement.end, [f"\n{row}" for row in rows]), below]


def _insertion(position: int, texts: Sequence[str]) -> tuple[int, int, str]:
    return position, position, "".join(texts)


def restored(sentence: Sentence, beside: Sentence) -> str:
    """Write a sentence that a draft left out as it stood, with its citations; a row as a row beside one like it."""
    statement = sentence.statement
    if statement.shape == beside.statement.shape == "row" and not (statement.quoted or beside.statement.quoted):
        row = statement.text if statement.text.startswith("|") else f"| {statement.text}"
        if row.strip("| ").count("|") == beside.statement.text.strip("| ").count("|"):
            return row
    if statement.shape == "row" or statement.quoted or NO_TEXT.search(sentence.raw):
        return f"{quote_inline(sentence.bare)}{''.join(_citations(sentence.labels))}"
    text = " ".join(sentence.raw.split())
    own = without_marks(text) != text
    return text if own else f"{text}{''.join(_citations(sentence.labels))}"


def _quoted(sentence: Sentence) -> str:
    if len(sentence.bare) <= _QUOTED:
        return quote_inline(sentence.bare)
    return quote_inline(one_line(plain(sentence.bare), _QUOTED))


def _citations(labels: Sequence[str]) -> tuple[str, ...]:
    ours = dict.fromkeys(label for label in labels if is_handle(label) or is_label(label))
    return tuple(f"[^{label}]" for label in tuple(ours)[:_MOST_LABELS])
