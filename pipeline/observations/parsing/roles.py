"""Owns the words by which formats say who speaks; knows no other field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.observations.observation import Role

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\s.\-/:]+")

_NAMES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "agent": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "gemini": "assistant",
    "tool": "tool",
    "function": "tool",
    "tool_result": "tool",
    "system": "system",
    "developer": "system",
}
_OPENINGS: tuple[tuple[tuple[str, ...], Role], ...] = (
    (("user", "human", "prompt"), "user"),
    (("assistant", "agent", "ai", "model", "gemini"), "assistant"),
    (("tool", "function", "post_tool", "pre_tool"), "tool"),
    (("system", "session", "hook"), "system"),
)
_AGENTS = frozenset(
    {
        "aider",
        "amp",
        "chatgpt",
        "claude",
        "claude-code",
        "cline",
        "codex",
        "codex-cli",
        "copilot",
        "copilot-cli",
        "cursor",
        "devin",
        "gemini",
        "gemini-cli",
        "github-copilot",
        "goose",
        "kimi",
        "kimi-cli",
        "openclaw",
        "opencode",
        "qwen-code",
        "windsurf",
    }
)


def role_of_name(name: str) -> Role | None:
    """Read a word that names a role outright."""
    return _NAMES.get(_plain(name))


def role_of_kind(kind: str) -> Role | None:
    """Read the role out of what a line is: `user_prompt`, `assistant_text`, `post_tool_use`, `tool.result` ..."""
    plain = _plain(kind)
    for openings, role in _OPENINGS:
        if any(plain == opening or plain.startswith(opening + "_") for opening in openings):
            return role
    return None


def is_agent(author: str) -> bool:
    """Tell whether an author is a coding agent that is known by its name."""
    return _plain(author).replace("_", "-") in _AGENTS


def _plain(word: str) -> str:
    return _SEPARATORS.sub("_", _HUMPS.sub("_", word.strip())).lower()
