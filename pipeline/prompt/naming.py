"""Owns the names by which templates and requests are known again: hashes of what they hold."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING

from pipeline.prompt.rendering import messages
from pipeline.prompt.wording import system_text

if TYPE_CHECKING:
    from pipeline.prompt.request import Request


def prompt_version(system: str) -> str:
    """Name a template by its content: 12 hexadecimal digits of its BLAKE2b, whatever its line ends."""
    return blake2b(system_text(system).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def fingerprint(request: Request, *, model: str) -> str:
    """Name a request by everything that is sent: 40 hexadecimal digits; `model` says who is asked, and how."""
    told = [model, request.mode, *(f"{message.role}\n{message.text}" for message in messages(request))]
    return blake2b(json.dumps(told).encode(), digest_size=20).hexdigest()
