"""Owns finding the JSON object in what a model answered; knows no schema of pages and no endpoint.

What is cut off never becomes a value, and what cannot be read is never mended: an answer is taken as it stands or not.
"""

from pipeline.reply_text.answer import read_object

__all__ = ["read_object"]
