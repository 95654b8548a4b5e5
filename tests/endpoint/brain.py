"""Owns an obedient model: it reads a prompt and answers a valid draft; knows no endpoint and nothing but the prompt.

It has no memory and no chance: the same prompt gives the same text. It tells what it read in words of its own, keeps
every detail, cites each statement, and changes of a page that stands only the section that grows.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.endpoint.behaviours import answer
from tests.endpoint.prompt import prompt_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.endpoint.exchange import Behaviour, Call, Script
    from tests.endpoint.prompt import Prompt, Seen, SeenPage, SeenSession

Draft = dict[str, Any]
"""A page, a batch, or a batch for each session, as it goes into JSON."""

KINDS = {
    "decision": "decision",
    "error": "gotcha",
    "gotcha": "gotcha",
    "rule": "rule",
    "concept": "concept",
    "discovery": "concept",
}
"""What kind of page an observation of each kind is worth."""
FOLDERS = {"decision": "decisions", "gotcha": "gotchas", "rule": "rules", "concept": "concepts"}
SECTIONS = {"decision": "Decision", "gotcha": "What happens", "rule": "Rule", "concept": "How it works"}

_MOST_PAGES = 4
"""Beside the session's page: five updates in all."""
_MOST_STATEMENTS = 40
_SESSION_SECTION = "What happened"
_LONGEST = 600
"""Characters of a statement."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-ÞА-Я\"'`(])")
_LEAD = re.compile(
    r"^(?:decision|decided|error|rule|gotcha|note)\s*:\s*|^(?:we|the team) (?:have |has )?decided (?:to|on|that) ",
    re.IGNORECASE,
)
_TITLE_END = re.compile(r"[.;:!?](?:\s|$)|, | because | since | so that |\n| - | – ")
_DEFINITION = re.compile(r"^\[\^[^\]]+\]:.*$", re.MULTILINE)
_CITED = re.compile(r"\[\^[^\]]+\]")
_OWN_WORDS = (
    (re.compile(r"\bWe\b(?!['’])"), "The team"),
    (re.compile(r"\bwe\b(?!['’])"), "the team"),
    (re.compile(r"\bour\b"), "the team's"),
)


def thinking(brain: Callable[[Prompt], str], finish: str = "stop") -> Script:
    """Let a brain answer each call."""

    def decide(call: Call) -> Behaviour:
        return answer(brain(prompt_of(call)), finish)

    return decide


def obedient(prompt: Prompt) -> str:
    """Answer as the prompt asks: a valid draft, or the earlier one without what the faults quote."""
    return written(draft(prompt))


def written(told: Draft) -> str:
    """Write a draft as the text of a reply."""
    return json.dumps(told, ensure_ascii=False)


def draft(prompt: Prompt) -> Draft:
    """Give the obedient answer as a value, for others to spoil."""
    if prompt.faults and (mended := _mended(prompt)):
        return mended
    if prompt.mode == "single":
        return _single(prompt.sessions[0])
    batches = [_batch(prompt, session) for session in prompt.sessions]
    if prompt.mode == "batch":
        return batches[0]
    named = zip(prompt.sessions, batches, strict=True)
    return {"sessions": [{"session": session.name, **batch} for session, batch in named]}


def statement(seen: Seen) -> str:
    """Tell in one line what an observation says, with its details, and cite it; empty when there is nothing to tell."""
    told = _words(seen.text)
    return f"{_framed(seen, told)}[^{seen.handle}]" if told else ""


def title_of(seen: Seen) -> str:
    """Name the subject of an observation."""
    first = _LEAD.sub("", _words(seen.text))
    end = _TITLE_END.search(first)
    words = (first[: end.start()] if end else first).replace("`", "").split(" ")
    title = ""
    for word in words:
        if len(title) + len(word) > 70:
            break
        title = f"{title} {word}".strip()
    title = title.strip(" .,;:\\") or f"Observation {seen.handle}"
    return (title[:1].upper() + title[1:])[:120]


def section_of(page: SeenPage, heading: str) -> str:
    """Give what stands under a heading of the second level of a page, without footnote definitions."""
    lines: list[str] = []
    fence, is_inside = "", False
    for line in page.body.split("\n"):
        mark = re.match(r"`{3,}|~{3,}", line)
        if mark and not fence:
            fence = mark[0]
        elif mark and line.strip() == fence:
            fence = ""
        elif not fence and re.match(r"##? ", line):
            is_inside = line.rstrip() == f"## {heading}"
            continue
        lines += [line] * is_inside
    return _DEFINITION.sub("", "\n".join(lines)).strip()


def _single(session: SeenSession) -> Draft:
    statements = _statements(session)
    return {
        "title": _session_title(session),
        "description": _CITED.sub("", statements[0])[:300] if statements else "Nothing was said.",
        "tags": ["session"],
        "body": _body(statements, _SESSION_SECTION),
    }


def _batch(prompt: Prompt, session: SeenSession) -> Draft:
    updates = [_session_update(prompt, session), *_page_updates(prompt, session)]
    return {"updates": updates, "rationale": "Each page holds what the session settled."}


def _session_update(prompt: Prompt, session: SeenSession) -> Draft:
    statements = _statements(session)
    page = prompt.page_at(session.page)
    update = _update("session", _session_title(session), statements, path=session.page)
    if session.page and page is None:
        update["body"] = f"## Since {session.facts.get('from', 'then')}\n\n{_list(statements)}"
    elif page:
        update |= {"title": page.title or update["title"], "body": _grown(page, _SESSION_SECTION, statements)}
    else:
        update["body"] = _body(statements, _SESSION_SECTION)
    return update


def _page_updates(prompt: Prompt, session: SeenSession) -> list[Draft]:
    subjects: dict[tuple[str, str], tuple[str, list[str]]] = {}
    for seen in session.observations:
        kind, told = KINDS.get(seen.kind), statement(seen)
        if kind and told:
            title = title_of(seen)
            subjects.setdefault((kind, title.casefold()), (title, []))[1].append(told)
    updates = [_page_update(prompt, kind, title, told) for (kind, _), (title, told) in subjects.items()]
    return [update for update in updates if update][:_MOST_PAGES]


def _page_update(prompt: Prompt, kind: str, title: str, statements: Sequence[str]) -> Draft:
    folder, wanted = f"/{FOLDERS[kind]}/", title.casefold()
    page = next((one for one in prompt.pages if folder in one.path and one.title.casefold() == wanted), None)
    if page:
        if page.locked:
            return {}
        update = _update(kind, page.title, statements, path=page.path)
        return {**update, "body": _grown(page, SECTIONS[kind], statements)}
    if any(folder in path and line.casefold().startswith(wanted) for path, line in prompt.catalogue.items()):
        return {}  # it stands, and was not shown
    return {**_update(kind, title, statements), "body": _body(statements, SECTIONS[kind])}


def _update(kind: str, title: str, statements: Sequence[str], *, path: str = "") -> Draft:
    first = _CITED.sub("", statements[0]) if statements else "Nothing was said."
    return {
        "path": path,
        "kind": kind,
        "title": title,
        "description": first if len(first) <= 300 else f"{first[:299].rstrip()}…",
        "tags": [kind],
        "aliases": [],
        "body": "",
        "removed_sections": [],
        "supersedes": [],
    }


def _session_title(session: SeenSession) -> str:
    seen = next((one for one in session.observations if _words(one.text)), None)
    return title_of(seen) if seen else f"Session {session.facts.get('session', '')}".strip()


def _statements(session: SeenSession) -> list[str]:
    """Tell all observations of a short session; of a long one those that are worth a page, and its beginning."""
    told = [(seen.kind in KINDS, statement(seen)) for seen in session.observations]
    told = [(is_kept, text) for is_kept, text in told if text]
    others = _MOST_STATEMENTS - min(sum(is_kept for is_kept, _ in told), _MOST_STATEMENTS)
    kept: list[str] = []
    for is_kept, text in told:
        if len(kept) < _MOST_STATEMENTS and (is_kept or others > 0):
            kept.append(text)
            others -= not is_kept
    return kept


def _body(statements: Sequence[str], heading: str) -> str:
    if not statements:
        return "Nothing was said."
    return f"{statements[0]}\n\n## {heading}\n\n{_list(statements[1:] or statements)}"


def _grown(page: SeenPage, heading: str, statements: Sequence[str]) -> str:
    """Write the section of a page that grows: what it says, and what is new."""
    old = section_of(page, heading)
    new = _list([told for told in statements if _CITED.sub("", told) not in _CITED.sub("", old)] or statements)
    return f"## {heading}\n\n{old}\n{new}" if old else f"## {heading}\n\n{new}"


def _list(statements: Sequence[str]) -> str:
    return "\n".join(f"- {told}" for told in statements) + "\n"


def _words(text: str) -> str:
    """Give the telling sentences of a text in one line of harmless Markdown; none that holds a removed secret."""
    prose = re.sub(r"^(`{3,}|~{3,}).*?(?:^\1[`~]*$|\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    line = " ".join((prose if prose.strip() else text.replace("```", "")).split())
    kept = ""
    for sentence in _SENTENCE.split(line):
        if "[REDACTED" not in sentence and (not kept or len(kept) + len(sentence) < _LONGEST):
            kept = f"{kept} {sentence}".strip()
    if len(kept) > _LONGEST:
        kept = kept[:_LONGEST].rpartition(" ")[0] or kept[:_LONGEST]
    for words, own in _OWN_WORDS:
        kept = words.sub(own, kept)
    return kept.replace("<", "&lt;").replace("![", "[").replace("[^", "\\[^").strip("#-*>| ")


def _framed(seen: Seen, told: str) -> str:
    who = (
        _words(seen.author)
        or {"user": "A person", "assistant": "The agent", "tool": "A tool", "system": "The system"}[seen.role]
    )
    says = {"decision": "settled it", "error": "met a fault", "gotcha": "found a trap", "rule": "set a rule"}
    return f"{who} {says.get(seen.kind, 'noted')}: {told}"


def _mended(prompt: Prompt) -> Draft | None:
    """Give the earlier answer without the lines that a fault quotes; nothing when nothing of it is left."""
    try:
        earlier = json.loads(prompt.reply)
        batches = earlier.get("sessions", [earlier])
        for batch in batches:
            pages = batch.get("updates", [batch])
            for page in pages:
                page["body"] = _without(page["body"], prompt.faults)
            if "updates" in batch:
                batch["updates"] = [page for page in pages if _CITED.search(page["body"])]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    is_whole = all(batch.get("updates", True) and batch.get("body", True) for batch in batches)
    return earlier if is_whole else None


def _without(body: str, faults: Sequence[str]) -> str:
    kept = [line for line in body.split("\n") if not any(_quotes(fault, line) for fault in faults)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _quotes(fault: str, line: str) -> bool:
    """Whether a fault quotes a line or a part of it, or says that it cites what was not shown.

    Of several quotations the longest counts: it is the statement, the others are details of it. What a fault misses
    is no quotation of the draft.
    """
    if line.startswith("#") or not line.strip() or " leaves out " in fault:
        return False
    if any(f"[^{label}]" in line for label in re.findall(r"cites \[\^([^\]]+)\]", fault)):
        return True
    quoted = re.findall(r"“([^”]*)”", fault) or re.findall(r"[\"`]([^\"`]+)[\"`]", fault)
    longest = _bare(max(quoted, key=len, default="")).rstrip("… ")
    return len(longest) > 1 and longest in _bare(line)


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[`*\\]", "", _CITED.sub("", text)).split())
