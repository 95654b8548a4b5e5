"""Owns which paragraphs, list items and table rows make a claim, so that they need a source.

Knows no page, no draft and no observation.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pipeline.wiki.markdown.blocks import Blocks, Statement

UNSOURCED = "(unsourced)"
"""What a claim without a source ends with, so that no reader takes it for more."""

COLLECTED = "Collected without a language model"
"""How the note begins that pages of the offline model carry."""

_MARK = re.compile(r"\[\^[^\]]*\]")
_LINK = re.compile(r"!?\[(?:[^\[\]\\]|\\.)*\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPHASISED = re.compile(r"(\*\*|__)(?:(?!\1).)+\1\Z", re.DOTALL)
_POINTERS = re.compile(r"\b(?:see also|see|and|supersedes|superseded by)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"\w+")
_CODE = re.compile(r"[ \t]{3,}\r?$", re.MULTILINE)
"""A line of code, as it stands in a text whose code is blanked out."""

_LONGEST_ANSWER: Final = 60
"""Unicode characters; and so on below."""
_LONGEST_LABEL: Final = 40
_MOST_LABEL_WORDS: Final = 5
_SENTENCE_ENDS = (".", "!", "?", "…", ";", "。", "！", "？", "；")
_VALUES = re.compile(r"[:=：→]")

_OPEN = "open|further|other|outstanding|remaining|pending|unresolved|unanswered|known|more"
_OF_OPEN = (
    rf"(?:(?:{_OPEN}) )+(?:points?|questions?|issues?|items?|tasks?|topics?|matters?|problems?|todos?|ends?|work)"
)
_NOW = (
    "so far|yet|for now|now|at the moment|at present|at this time|currently|here|known|open|left|pending|remaining"
    "|recorded|noted|reported|outstanding|remains?|to do"
)
_ANSWERS = re.compile(
    rf"(?:(?:none|nothing|nil|(?:there (?:is|are) )?(?:no {_OF_OPEN}|none|nothing))"
    rf"(?: (?:is|are|was|were))?(?: (?:{_NOW}))*"
    r"|n ?/ ?a|not applicable"
    r"|(?:(?:bisher|derzeit|aktuell|noch|bislang|zurzeit|momentan|es gibt) )?"
    r"(?:keine[rs]?|nichts|keine (?:offenen|weiteren|bekannten) (?:punkte|fragen|themen|aufgaben|probleme))"
    r"(?: (?:mehr|offen|bekannt|weiter|weiteres|derzeit|bisher|vorhanden|ist offen))*|entfällt|k ?a"
    r"|(?:rien|aucune?s?|néant"
    r"|(?:aucune?|pas de) (?:questions?|points?|sujets?|tâches?) (?:ouverte?s?|en suspens|en cours))"
    r"(?: (?:pour l'instant|pour le moment|à signaler|en suspens|de plus|d'ouvert|à ce jour|actuellement))?|sans objet"
    r"|(?:nada|ningun[oa]s?|nenhuma?s?|(?:ningun[oa]|ningún|nenhuma?|sin|sem|no hay|não há)"
    r" (?:nada |preguntas?|perguntas?|puntos?|pontos?|temas?|asuntos?"
    r"|questões|questão|cuesti[oó]n(?:es)?|tareas?|tarefas?)"
    r" ?(?:abiert[oa]s?|abert[oa]s?|pendientes?|em aberto)?|sem pendências|sin pendientes)"
    r"(?: (?:pendientes?|pendente|abierto|em aberto|por ahora|por enquanto|hasta ahora|até agora|más|mais))?"
    r"|no aplica|não se aplica|(?:niente|nulla|nessun[oa])(?: (?:in sospeso|per ora|di aperto))?"
    r"|geen|niets|geen open punten|brak"
    r"|(?:пока |сейчас )?(?:нет|ничего|отсутству[ею]т)(?: (?:открытых вопросов|открытых задач))?"
    r"|(?:открытых )?(?:вопросов|задач) (?:пока )?нет"
    r"|(?:特に|該当|とくに|未解決の?(?:事項|課題|問題|点)は?|現時点では?)?(?:なし|無し|ない|ありません|ございません)|無"
    r"|[无無]|[暂暫尚]?[无無]|(?:暂时|目前)?[没沒]有|[没沒]有(?:未解决的?|待解决的?|待办的?|其他)(?:问题|事项)|无(?:未决|待办)(?:问题|事项)"
    r"|(?:해당 ?)?(?:없음|없습니다|없다))"
)
"""What answers that there is nothing to say, without case and marks."""


def without_marks(text: str) -> str:
    """Take the footnote marks out of a text."""
    return _MARK.sub("", text)


def is_claim(statement: Statement) -> bool:
    """Whether a statement says something about the world.

    Not so a line that leads to a list (it ends with a colon), a label in bold, a mere link, the lines that tell
    which page supersedes which, the note on pages that were made without a language model, and the answer that there
    is nothing to say.
    """
    text = statement.bare.strip()
    if text.endswith((":", "：")) or text.lstrip("_*> ").startswith(COLLECTED):
        return False
    if "Superseded by [" in text and statement.quoted:
        return False
    if _EMPHASISED.match(text) or _says_nothing(text):
        return False
    return _WORD.search(_POINTERS.sub("", _LINK.sub("", text))) is not None


def claims_of(blocks: Blocks) -> tuple[Statement, ...]:
    """Give the statements of a text that are claims where they stand.

    Not so the mere label of a nested list, nor the beginning of a sentence that goes on behind a block and has its
    source there.
    """
    return tuple(
        one
        for number, one in enumerate(blocks.statements)
        if is_claim(one) and (one.labels or not (_is_label(blocks, number) or _goes_on(blocks, number)))
    )


def _says_nothing(text: str) -> bool:
    """Whether a text is the answer that there is nothing: `None so far.`, `Keine.`, `なし`."""
    if len(text) > _LONGEST_ANSWER:
        return False
    answer = unicodedata.normalize("NFC", text.removesuffix(UNSOURCED)).casefold().replace("’", "'")
    words = "".join(one if one.isalnum() or one in "'/" else " " for one in answer)
    return _ANSWERS.fullmatch(" ".join(words.split())) is not None


def _is_label(blocks: Blocks, number: int) -> bool:
    """Whether an item of a list only names what the items inside it are about."""
    one, inner = blocks.statements[number], _after(blocks, number)
    text = one.bare.strip()
    if one.shape != "item" or inner is None or inner.start >= one.extent[1] or text.endswith(_SENTENCE_ENDS):
        return False
    if not blocks.prose[blocks.starts[inner.line] : inner.start].strip() or _VALUES.search(text):
        return False
    return len(text) <= _LONGEST_LABEL and len(_WORDS.findall(text)) <= _MOST_LABEL_WORDS


def _goes_on(blocks: Blocks, number: int) -> bool:
    """Whether a sentence is cut in two by a block of code or a list, and cites its source behind it."""
    one, rest = blocks.statements[number], _after(blocks, number)
    if one.shape == "row" or one.quoted or rest is None or one.bare.rstrip().endswith(_SENTENCE_ENDS):
        return False
    between = blocks.prose[one.end : rest.start]
    if one.shape == "paragraph" and rest.shape == "item" and not blocks.prose[one.end : rest.extent[0]].strip():
        while rest is not None and rest.shape == "item":
            number += 1
            rest = _after(blocks, number)
        between = blocks.prose[blocks.statements[number].end : rest.start] if rest is not None else "-"
    elif not _CODE.search(between):
        return False
    if rest is None or between.strip() or rest.shape == "row" or rest.quoted or not rest.labels:
        return False
    return not rest.bare[:1].isupper() and not rest.bare[:1].isdigit()


def _after(blocks: Blocks, number: int) -> Statement | None:
    return blocks.statements[number + 1] if number + 1 < len(blocks.statements) else None


def cited_claims(statements: tuple[Statement, ...]) -> int:
    """Count the statements that cite a source."""
    return sum(bool(statement.labels) for statement in statements)
