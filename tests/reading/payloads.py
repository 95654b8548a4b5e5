"""Text that would run in a reader's browser, or mislead the reader, if it were published as it stands.

Whatever runs sets `window.ran`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

Front: TypeAlias = Mapping[str, object]

RUN = "window.ran=(window.ran||0)+1"
IMG = f"<img src=x onerror={RUN}>"

BODIES: dict[str, str] = {
    "script": f"<script>{RUN}</script>",
    "script inline": f"before <script>{RUN}</script> after",
    "script split": f"<scr\nipt>{RUN}</scr\nipt>",
    "image": IMG,
    "image markdown": f'![x](x "\\" onerror={RUN} \\"")',
    "image attributes": f"![x](x.png){{ onerror={RUN} }}",
    "image remote": "![pixel](https://tracker.invalid/pixel.png)",
    "image protocol-relative": "![pixel](//tracker.invalid/pixel.png)",
    "svg": f"<svg onload={RUN}><a xlink:href='javascript:{RUN}'><text>x</text></a></svg>",
    "math": f"<math><maction actiontype=statusline xlink:href=javascript:{RUN}>x</maction></math>",
    "mutation": f'<noscript><p title="</noscript>{IMG}"></noscript>',
    "mutation template": f"<template><style></template>{IMG}",
    "textarea": f"<textarea></textarea>{IMG}",
    "iframe": "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "object": f"<object data='javascript:{RUN}'></object>",
    "form": f"<form action='javascript:{RUN}'><button autofocus onfocus={RUN}>x</button></form>",
    "meta": f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
    "base": "<base href='https://evil.invalid/'>",
    "style": "<style>@import 'https://evil.invalid/x.css'; body{display:none}</style>",
    "link": f"[press](javascript:{RUN})",
    "link encoded": f"[press](&#106;avascript&colon;{RUN})",
    "link control": f"[press](\x01javascript:{RUN})",
    "link data": f"[press](data:text/html,<script>{RUN}</script>)",
    "link vbscript": "[press](vbscript:ran)",
    "link reference": f"[press]\n\n[press]: javascript:{RUN}",
    "autolink": f"<javascript:{RUN}>",
    "link title": f"[press](x.md \"' onmouseover={RUN} '\")".replace("x.md", "#here") + "\n\n## Here",
    "attributes": f'Paragraph\n{{: onclick="{RUN}" onmouseover="{RUN}" style="position:fixed;inset:0" }}',
    "attributes inline": f'*word*{{: onmouseover="{RUN}" }}',
    "heading id": f'## Heading {{: id=\'x" onmouseover="{RUN}" y="\' }}',
    "heading id tag": f"## Heading {{: id='\"><img src=x onerror={RUN}>' }}",
    "heading label": f"## Heading {{: data-toc-label='<img src=x onerror={RUN}>' }}",
    "heading html": f"## {IMG}",
    "heading code": f"## `{IMG}`",
    "heading escaped": f"## \\<img src=x onerror={RUN}\\>",
    "heading entities": f"## &lt;img src=x onerror={RUN}&gt;",
    "heading link title": f"## [a](#b '> <img src=x onerror={RUN} y=')",
    "clobber config": "## Heading {: #__config }\n\nParagraph\n{: #__search }",
    "clobber component": "Paragraph\n{: data-md-component=search .md-search .md-dialog }",
    "dress up": "Human-reviewed\n{: .wm-badge .wm-badge--human-reviewed }",
    "admonition": f'!!! note "{IMG}"\n    {IMG}',
    "admonition class": '!!! md-search "x"\n    y',
    "details": f'??? "{IMG}"\n    {IMG}',
    "tab": f'=== "{IMG}"\n    {IMG}',
    "table": f"| a | b |\n|---|---|\n| {IMG} | `{IMG}` |",
    "fence": f'```html title="{IMG.replace(chr(34), "")}"\n{IMG}\n```',
    "fence language": f'```x"onmouseover={RUN}\n{IMG}\n```',
    "mermaid": f'```mermaid\ngraph TD; A["{IMG}"]; click A "javascript:{RUN}"\n```',
    "mermaid class": f'graph TD; A["{IMG}"]\n{{: .mermaid }}',
    "annotation": f"```yaml\na: b # (1)!\n```\n\n1. {IMG}",
    "footnote": f"A claim.[^evil]\n\n[^evil]: {IMG} [press](javascript:{RUN})",
    "footnote name": f'A claim.[^x"onmouseover={RUN}]\n\n[^x"onmouseover={RUN}]: note',
    "comment": f"<!-- {IMG} --> text <!--><script>{RUN}</script>-->",
    "comment broken": f"<!--->{IMG}<!-- -->",
    "cdata": f"<![CDATA[{IMG}]]>",
    "instruction": f"<?php {IMG} ?>",
    "markdown in html": f"<div markdown=1 onclick={RUN}>\n\n*x* {IMG}\n\n</div>",
    "jinja": "{{ config }} {% raw %} {{ 7 * 7 }}",
    "snippet": '--8<-- "mkdocs.yml"',
    "tags marker": "<!-- material/tags { layout: ../../evil } -->",
    "tags marker broken": "<!-- material/tags [ -->",
    "bad address": "[x](http://[bad) [y](http://ex\u2100mple.com/x) <http://[::1>",
    "long nesting": "> " * 400 + "deep",
    "emphasis": "*" * 600,
    "brackets": "[" * 600,
}

FRONT: dict[str, object] = {
    "title": f"Title</title><script>{RUN}</script>{IMG}",
    "description": f'"><script>{RUN}</script>{IMG}',
    "tags": [f"tag{IMG}", f"<script>{RUN}</script>", 'quote"onmouseover=x', "C++ & <T>"],
    "type": f"Decision{IMG}",
    "author": f'"><script>{RUN}</script>',
    "session_id": f"7f{IMG}",
    "agent_kind": f"agent{IMG}",
    "generated": {"by": f"wikimill/{IMG}", "at": f"2026{IMG}"},
    "verified": [{"by": f"human:{IMG}", "at": IMG}, IMG, None],
    "stale_after": IMG,
    "sources": [
        {"id": "o-1", "title": f"2026-11-30 10:00 x: {IMG}", "author": f"human:{IMG}", "resource": f"../../a{IMG}#L1"},
        {"id": f'x"><script>{RUN}</script>', "title": IMG, "resource": f"javascript:{RUN}"},
        {"id": "o-3", "title": "x", "resource": f'https://x.invalid/"onmouseover={RUN}'},
        {"id": "o-4", "title": "x", "resource": "../../../../../../etc/passwd#L1"},
        IMG,
        None,
    ],
    "superseded_by": f"javascript:{RUN}",
    "revision_date": IMG,
    "git_revision_date_localized": IMG,
    f"key{IMG}": IMG,
}

STEERING: dict[str, object] = {
    "template": "evil.html",
    "icon": "../../evil",
    "subtitle": IMG,
    "hide": 7,
    "search": "text",
    "status": f'x" onmouseover="{RUN}',
}


def page(front: Front, body: str) -> str:
    """A page with this front matter; JSON is YAML."""
    return f"---\n{json.dumps(front, ensure_ascii=False)}\n---\n\n{body}\n"


def hostile_pages(*, together: int = 1) -> dict[str, str]:
    """Pages with so many payloads each, one for all front matter, and pages that try to steer or stop the build."""
    pages = {}
    names = list(BODIES)
    for begin in range(0, len(names), together):
        group = names[begin : begin + together]
        bodies = "\n\n".join(BODIES[name] for name in group)
        pages[f"evil/concepts/{group[0].replace(' ', '-')}.md"] = page({"type": "Concept"}, f"# {group[0]}\n\n{bodies}")
    pages["evil/concepts/front.md"] = page({**FRONT, "status": "deprecated"}, "A claim.[^o-1]\n\n[^o-1]: 2026, x")
    pages["evil/concepts/front-heading.md"] = page(FRONT, "# Its own heading")
    pages |= {
        f"evil/concepts/steer-{key}.md": page({"type": "Concept", "title": "x", key: value}, f"# steers by {key}")
        for key, value in STEERING.items()
    }
    pages["evil/concepts/index.md"] = f"# Concepts {IMG}\n\n- [one](front.md)\n"
    pages["evil/index.md"] = f"# Evil `{IMG}`\n"
    pages["index.md"] = "# Home\n\n- [Evil](evil/index.md)\n"
    return pages
