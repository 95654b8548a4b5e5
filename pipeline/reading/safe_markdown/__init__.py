"""The Python-Markdown extension that makes untrusted pages safe to publish; enabled by name in `mkdocs.yml`.

It is an extension and neither hook nor plugin, so that MkDocs, ProperDocs and Zensical all honour it. It holds
whatever order the extensions are listed in.
"""

from __future__ import annotations

from pipeline.reading.safe_markdown.extension import SafeMarkdown, makeExtension

__all__ = ["SafeMarkdown", "makeExtension"]
