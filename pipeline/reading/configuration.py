"""Owns what wikimill reads of `mkdocs.yml`, and the configuration that it gives a generator for the derived documents.

The file is composed and not loaded: the tags in it (`!ENV`, `!!python/name`) mean something to the generator alone,
and stand in the derived configuration as they stood. Knows no generator's process, and starts none.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

import yaml

from pipeline.errors import ConfigError
from pipeline.reading.template import CONFIGURATION
from pipeline.site.addresses import place_of
from pipeline.site.hosting import read_host
from pipeline.site.values import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from pipeline.site.document import Hub

EXTENSION: Final = "pipeline.reading.safe_markdown"

_NO_ADDRESS: Final = re.compile(r"[\x00-\x1f\x7f<>\"\\^`{|}?#]")
"""What no address holds, encoded or not."""
_SAFE_IN_PATH: Final = "/%~!$&'()*+,;=:@"
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG: Final = "tag:yaml.org,2002:"
_ENVIRONMENT: Final = "!ENV"
_OURS: Final = frozenset({"search", "tags"})
"""Plugins whose work is ours in a derived site, and which would read every document for it."""
_INSTANT: Final = "navigation.instant"
_LINES_OF_PATHS: Final = ("hooks", "watch")
_NAV_RULES: Final = ("omitted_files", "not_found", "absolute_links")
_LINK_RULES: Final = ("not_found", "absolute_links", "unrecognized_links", "anchors")


def read_site(raw: bytes, *, environment: Mapping[str, str], today: date | None, folder: str) -> Site:
    """Read what `mkdocs.yml` tells of the site; `folder` is that of the pages, from the top of the wiki repository.

    Raises `ConfigError` when the file is no YAML with keys.
    """
    top = _Keys(_compose(raw), environment)
    option = _Keys(_options(top), environment)
    served = _served(top.text("site_url") or option.text("site_url"))
    return Site(
        name=top.text("site_name") or Site().name,
        description=top.text("site_description"),
        url=served,
        folder=folder,
        language=_Keys(top.node("theme"), environment).text("language") or Site().language,
        directory_urls=top.text("use_directory_urls").lower() not in {"false", "no", "off"},
        today=today,
        host=read_host(
            option.text("repository"),
            kind=option.text("host"),
            branch=option.text("branch"),
            prefix=option.text("prefix"),
            report=option.text("report"),
        ),
    )


def derived_configuration(raw: bytes, *, root: str, documents: str, hubs: tuple[Hub, ...], site: Site) -> bytes:
    """Make the configuration under which a generator renders derived documents, from that of the wiki at `root`.

    `documents` is their folder. Each document is rendered without the others: no link is looked up, and nothing is
    listed or indexed. Raises `ConfigError` when the file is no YAML with keys, or lacks our Markdown extension.
    """
    top = _compose(raw)
    _set(top, "docs_dir", _text(documents))
    _make_absolute(top, Path(root))
    _set(top, "plugins", _plugins(_get(top, "plugins")))
    _take_out(top, "nav", "draft_docs")
    _set(top, "not_in_nav", _text("*"))
    _set(top, "exclude_docs", _text(""))
    _set(top, "validation", _mapping(nav=_ignored(_NAV_RULES), links=_ignored(_LINK_RULES)))
    _derive_extension(top, site)
    if not site.directory_urls:
        _stay_on_page(top)
    extra = _within(top, "extra")
    ours = _within(extra, "wikimill")
    _set(ours, "derived", _true())
    listed = [
        _mapping(
            title=_text(hub.title),
            path=_text(hub.path),
            place=_text(place_of(hub.path, directory_urls=site.directory_urls)),
            group=_text(hub.group),
        )
        for hub in hubs
    ]
    _set(ours, "hubs", yaml.SequenceNode(f"{_TAG}seq", listed))
    return yaml.serialize(top, allow_unicode=True, width=1_000_000).encode()


def _served(told: str) -> str:
    """Read where the site is served: in ASCII, and with a slash at its end. Raises `ConfigError` for what is none."""
    if not told:
        return ""
    with suppress(ValueError):
        parts = urlsplit(told)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port is not None else ""
        plain = parts.scheme in {"http", "https"} and not (parts.query or parts.fragment or "@" in parts.netloc)
        if plain and host and not _NO_ADDRESS.search(told):
            name = f"[{host}]" if ":" in host else host
            return f"{parts.scheme}://{name}{port}{quote(parts.path.rstrip('/'), safe=_SAFE_IN_PATH)}/"
    raise ConfigError(
        "site_url is no address at which a site can be served.",
        where=CONFIGURATION,
        next_step="Write it as `https://wiki.example.org/team/`, without a password and a query.",
    )


class _Keys:
    """Reads the values of a mapping as texts; one from the environment is looked up, and nothing else is."""

    def __init__(self, node: yaml.Node | None, environment: Mapping[str, str]) -> None:
        self._node = node
        self._environment = environment

    def node(self, key: str) -> yaml.Node | None:
        return _get(self._node, key)

    def text(self, key: str) -> str:
        return self._text(self.node(key))

    def _text(self, node: yaml.Node | None) -> str:
        if isinstance(node, yaml.ScalarNode):
            if node.tag == _ENVIRONMENT:
                return self._environment.get(node.value, "").strip()
            return "" if node.tag == f"{_TAG}null" else str(node.value).strip()
        if isinstance(node, yaml.SequenceNode) and node.tag == _ENVIRONMENT and node.value:
            *names, last = node.value
            named = (one.value for one in names or [last] if isinstance(one, yaml.ScalarNode))
            found = next((self._environment[name] for name in named if name in self._environment), None)
            return self._text(last) if found is None and names else (found or "").strip()
        return ""


def _compose(raw: bytes) -> yaml.MappingNode:
    try:
        top = yaml.compose(raw, _LOADER)
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f" (line {mark.line + 1})" if mark else ""
        raise ConfigError(f"it is no valid YAML{place}.", where=CONFIGURATION) from None
    if not isinstance(top, yaml.MappingNode):
        raise ConfigError("it holds no keys.", where=CONFIGURATION)
    return top


def _options(top: _Keys) -> yaml.Node | None:
    """Find the options of our Markdown extension."""
    return next((options for name, options in _listed(top.node("markdown_extensions")) if name == EXTENSION), None)


def _listed(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node | None]]:
    """Give names and options of plugins or extensions, which stand in a list or in a mapping."""
    for entry in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if isinstance(entry, yaml.ScalarNode):
            yield entry.value, None
        elif isinstance(entry, yaml.MappingNode):
            yield from ((key.value, value) for key, value in entry.value if isinstance(key, yaml.ScalarNode))


def _make_absolute(top: yaml.MappingNode, root: Path) -> None:
    """Make those paths absolute that a generator takes from the configuration's own folder."""
    for holder, key in ((top, "INHERIT"), (_get(top, "theme"), "custom_dir")):
        node = _get(holder, key)
        if isinstance(holder, yaml.MappingNode) and isinstance(node, yaml.ScalarNode) and node.tag == f"{_TAG}str":
            _set(holder, key, _text(str(root / node.value)))
    for key in _LINES_OF_PATHS:
        node = _get(top, key)
        for entry in node.value if isinstance(node, yaml.SequenceNode) else ():
            if isinstance(entry, yaml.ScalarNode):
                entry.value = str(root / entry.value)


def _stay_on_page(top: yaml.MappingNode) -> None:
    """Take instant navigation out: pages that are files may be read from a disk, where it ends all of their scripts."""
    features = _get(_get(top, "theme"), "features")
    if isinstance(features, yaml.SequenceNode):
        features.value = [one for one in features.value if not str(one.value).startswith(_INSTANT)]


def _plugins(node: yaml.Node | None) -> yaml.Node:
    """Take our work out of the plugins; without any, a generator would take its own search."""
    if isinstance(node, yaml.MappingNode):
        node.value = [(key, value) for key, value in node.value if _plugin(key.value) not in _OURS]
        return node if node.value else yaml.SequenceNode(f"{_TAG}seq", [])
    entries = node.value if isinstance(node, yaml.SequenceNode) else []
    kept = [entry for entry in entries if not any(_plugin(name) in _OURS for name, _ in _listed(entry))]
    return yaml.SequenceNode(f"{_TAG}seq", kept)


def _plugin(name: object) -> str:
    return str(name).rpartition("/")[2]


def _derive_extension(top: yaml.MappingNode, site: Site) -> None:
    node = _get(top, "markdown_extensions")
    ours = _mapping(derived=_true(), folder=_text(site.folder))
    entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for number, entry in enumerate(entries):
        if isinstance(entry, yaml.ScalarNode) and entry.value == EXTENSION:
            entries[number] = _mapping(**{EXTENSION: ours})
            return
        if isinstance(entry, yaml.MappingNode) and _get(entry, EXTENSION) is not None:
            options = _within(entry, EXTENSION)
            for key, value in ours.value:
                _set(options, key.value, value)
            return
    raise ConfigError(
        f"`markdown_extensions` lacks {EXTENSION}, without which pages are not safe to publish.",
        where=CONFIGURATION,
        next_step=f"Add a line `- {EXTENSION}` to it.",
    )


def _get(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if isinstance(name, yaml.ScalarNode) and name.value == key), None)


def _set(node: yaml.MappingNode, key: str, value: yaml.Node) -> None:
    """Set a key where it stands, or behind all others."""
    named = [isinstance(name, yaml.ScalarNode) and name.value == key for name, _ in node.value]
    if True in named:
        node.value[named.index(True)] = (_text(key), value)
    else:
        node.value.append((_text(key), value))


def _take_out(node: yaml.MappingNode, *keys: str) -> None:
    node.value = [(key, value) for key, value in node.value if key.value not in keys]


def _within(node: yaml.MappingNode, key: str) -> yaml.MappingNode:
    """Give the mapping below a key, an empty one where there is none."""
    found = _get(node, key)
    if not isinstance(found, yaml.MappingNode):
        found = _mapping()
        _set(node, key, found)
    return found


def _text(value: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(f"{_TAG}str", value)


def _true() -> yaml.ScalarNode:
    return yaml.ScalarNode(f"{_TAG}bool", "true")


def _mapping(**entries: yaml.Node) -> yaml.MappingNode:
    return yaml.MappingNode(f"{_TAG}map", [(_text(key), value) for key, value in entries.items()])


def _ignored(rules: tuple[str, ...]) -> yaml.MappingNode:
    return _mapping(**{rule: _text("ignore") for rule in rules})
