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
ESCAPED = IMG.replace("<", "\\u003c").replace(">", "\\u003e")

FRAME = f'<!--wikimill-frame {{"title":"FORGED{ESCAPED}","above":"{ESCAPED}FORGED","below_title":"FORGED{ESCAPED}"}}-->'
"""What ends a derived document: in a page it must do nothing."""

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
    "frame": FRAME,
    "frame last": f"text\n\n{FRAME}",
    "frame unescaped": f'<!--wikimill-frame {{"below":"{IMG}FORGED"}}-->',
    "frame split": FRAME.replace(",", ",\n\n", 1),
    "frame split by returns": FRAME.replace(",", ",\r", 1).replace(",", ",\u2028", 2),
    "frame quoted": f"> {FRAME}\n\n- {FRAME}\n\n    {FRAME}",
    "frame in code": f"```\n{FRAME}\n```\n\n`{FRAME}`",
    "frame in a footnote": f"A claim.[^f]\n\n[^f]: {FRAME}",
    "frame without end": f"{FRAME[:-3]}\n\n-->",
    "encoded by name": IMG.replace("<", "&lt;").replace(">", "&gt;"),
    "encoded by number": IMG.replace("<", "&#x3c;").replace(">", "&#62;"),
    "encoded twice": IMG.replace("<", "&amp;lt;").replace(">", "&amp;gt;"),
    "encoded in an address": f"[press](%3Cscript%3E{RUN}%3C/script%3E) [x](x%22onmouseover={RUN})",
    "encoded as unicode": f"{ESCAPED} \uff1cscript\uff1e{RUN}\uff1c/script\uff1e",
    "split link": f"[press](java\nscript:{RUN}) [press](java&Tab;script:{RUN}) [press](java&NewLine;script:{RUN})",
    "split tag": f"<im\ng src=x\nonerror={RUN}\n>",
    "split by nothing": f"<img\x0csrc=x\x0bonerror={RUN}> <img/src=x/onerror={RUN}> <\x00img src=x onerror={RUN}>",
    "split comment": f"<!-- a --!> {IMG} <!-- --> {IMG}",
    "svg use": f"<svg><use href='data:image/svg+xml,<svg id=x onload={RUN}>#x'/></svg>",
    "svg animate": f"<svg><animate onbegin={RUN} attributeName=x dur=1s></svg>",
    "svg in a fence": f"```svg\n<svg onload={RUN}></svg>\n```",
    "svg image": f"![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+) ![x](x.svg#{IMG})",
    "mermaid init": f"```mermaid\n%%{{init: {{'securityLevel': 'loose'}}}}%%\ngraph LR; A--{IMG}-->B\n```",
    "attributes on a link": f"[x](a.md){{: href=javascript:{RUN} target=_blank ping=https://t.invalid/ }}",
    "attributes on a remote link": "[x](https://evil.invalid/){: data-preview data-search-exclude=1 }",
    "attributes of a source": "- forged {: #fn:o-1 .wm-cited }\n- forged\n{: #wm-sources .wm-sources }",
    "attributes of a note": "Paragraph {: #fnref:o-1 .footnote }\n{: .footnote #fn:o-1 }",
    "attributes on a note": f"A claim.[^n]\n\n[^n]: text\n    {{: #fn:x .wm-cited onclick={RUN} title='{IMG}' }}",
    "attributes that hide": "> Collected\n{: data-search-exclude=1 hidden=1 style='display:none' }",
    "attributes broken": f"*x*{{: a=\"}} {IMG} {{: b='\"onclick={RUN}' }}",
    "title in a heading": f"# </title><script>{RUN}</script>{IMG} {{: .wm-origin title='{IMG}' }}",
    "footnote names": f"A.[^<b>] B.[^a&b] C.[^'c']\n\n[^<b>]: {IMG}\n[^a&b]: {IMG}\n[^'c']: {IMG}",
    "footnote many": f"A.[^m][^m][^m]\n\n[^m]: {IMG}\n\n    {IMG}\n\n        {IMG}",
    "link to a name": f"[x](<{IMG}.md>) [y](../{IMG.replace(' ', '%20')}/x.md#{IMG.replace(' ', '%20')})",
    "link out": "[x](../../../../../../etc/passwd) [y](/etc/passwd) [z](\\\\evil.invalid/x) [w](/\\evil.invalid/x)",
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
    "supersedes": [f"{IMG}.md", {"a": IMG}],
    "aliases": [f"alias{IMG}", f"<script>{RUN}</script>", FRAME],
    "sessions": [IMG, f'"onmouseover={RUN}'],
    "lang": f'en" onmouseover="{RUN}',
    "dir": f"ltr><script>{RUN}</script>",
    "frame": FRAME,
    "wikimill-frame": FRAME,
    "revision_date": IMG,
    "git_revision_date_localized": IMG,
    f"key{IMG}": IMG,
}

OBSERVED: tuple[str, ...] = (
    IMG,
    f"<script>{RUN}</script>",
    f'</blockquote></q><svg onload={RUN}> " onmouseover={RUN} x="',
    f"[press](javascript:{RUN}) ![x](https://tracker.invalid/p.png)",
    FRAME,
    f"--> {IMG} <!--",
    f"{{: onclick={RUN} }}",
    f"{{{{ {RUN} }}}} {{% raw %}}",
    f"\u202e{IMG}\u2028{IMG}\x00\x1b[31m",
    IMG.replace("<", "&lt;").replace(">", "&gt;"),
)
"""What people and agents may have said: it stands behind footnotes."""

NAMES: tuple[str, ...] = (
    f'"onmouseover={RUN} x=".md',
    "<img src=x onerror=window.ran=1>.md",
    "&lt;b&gt; & 'so'.md",
    "{{ 7 * 7 }}.md",
    "javascript:window.ran=1.md",
)
"""Names of files."""

BRANCHES: tuple[str, ...] = (
    '"><script>window.ran=1</script>',
    f"x'onmouseover={RUN}",
    "javascript:window.ran=1",
    "feat/#1?x=1&y=<b>",
)
"""Names of branches, as an environment may bring them."""

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


def observed_front() -> Front:
    """Front matter whose sources quote hostile words."""
    sources = [
        {
            "id": f"o-{number}",
            "title": f"2026-11-30 10:00 {words}: {words}",
            "author": f"human:{words}",
            "resource": words,
        }
        for number, words in enumerate(OBSERVED)
    ]
    return {"type": "Decision", "generated": {"by": "wikimill/extractive", "at": "2026-11-30"}, "sources": sources}


def observed_body() -> str:
    """A body that cites every second one of them."""
    cited = [f"o-{number}" for number in range(0, len(OBSERVED), 2)]
    claims = "\n".join(f"- A claim.[^{label}]" for label in cited)
    return f"# Observed\n\n{claims}\n\n" + "\n".join(f"[^{label}]: 2026-11-30, x" for label in cited)


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
    pages |= {f"evil/names/{name}": page({"type": "Concept"}, "A page with an odd name.") for name in NAMES}
    pages["evil/sources/observed.md"] = page(observed_front(), observed_body())
    pages["evil/concepts/index.md"] = f"# Concepts {IMG}\n\n- [one](front.md)\n"
    pages["evil/index.md"] = f"# Evil `{IMG}`\n"
    pages["index.md"] = "# Home\n\n- [Evil](evil/index.md)\n"
    return pages
