"""Owns what a request to a model consists of, part by part; knows no endpoint and no page on disk.

What changes least stands first, so that an endpoint can keep the beginning of a prompt: the system text, the wiki
around the window, the session, its observations, and how to reply.
"""

from pipeline.prompt.building import build_batch_request_with_slots, build_request
from pipeline.prompt.counting import FURTHER_SESSION_TOKENS, PromptBudgets, fixed_tokens, sent_tokens
from pipeline.prompt.naming import fingerprint, prompt_version
from pipeline.prompt.rendering import Message, messages, render, render_task, reply_schema
from pipeline.prompt.request import Mode, Repair, Request, name_of

__all__ = [
    "FURTHER_SESSION_TOKENS",
    "Message",
    "Mode",
    "PromptBudgets",
    "Repair",
    "Request",
    "build_batch_request_with_slots",
    "build_request",
    "fingerprint",
    "fixed_tokens",
    "messages",
    "name_of",
    "prompt_version",
    "render",
    "render_task",
    "reply_schema",
    "sent_tokens",
]
