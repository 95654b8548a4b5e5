"""Sites for the browser tests, built as `wikimill build` builds them, or by a generator alone."""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.config import parse_settings
from pipeline.publishing.building import Wish, build_site
from tests.browser.surfing import free_port, serving
from tests.reading.generating import build
from tests.reading.sample import sample_pages, write_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

HOST = "wiki.test"
"""Another name of this machine: on its usual ones the site relaxes its policy for the live preview."""
BUILT = datetime(2026, 11, 30, 12, tzinfo=UTC)

_REPOSITORY = "https://github.com/harbour/wiki"
_NO_POLICY = "\nextra:\n  wikimill:\n    csp: ''\n"


def published(
    root: Path,
    address: str,
    *,
    pages: Mapping[str, str] | None = None,
    generator: str = "mkdocs",
    policy: bool = True,
    offline: bool = False,
) -> Path:
    """Write a wiki repository and build its site for `address`, with or without a Content-Security-Policy.

    The copy for reading without a server is built instead where a test wants that.
    """
    strict = pages is None
    write_repository(root, pages=dict(sample_pages() if pages is None else pages))
    _forbid(root, policy=policy)
    environment = {**os.environ, "SITE_URL": address, "REPO_URL": _REPOSITORY}
    settings = parse_settings(f'[site]\ngenerator = "{generator}"\n')
    return build_site(
        root, settings, now=BUILT, environment=environment, wish=Wish(strict=strict, offline=offline)
    ).output


def plain(root: Path, address: str, *, pages: Mapping[str, str], generator: str) -> Path:
    """Write a wiki repository and let a generator alone build its site, without a Content-Security-Policy."""
    write_repository(root, pages=dict(pages))
    _forbid(root, policy=False)
    return build(generator, root, strict=False, SITE_URL=address, REPO_URL=_REPOSITORY)


@contextmanager
def opened(make: Callable[[str], Path]) -> Iterator[str]:
    """Serve the site that `make` builds for an address; gives that address."""
    port = free_port()
    with serving(make(f"http://{HOST}:{port}/"), port, HOST) as address:
        yield address


def _forbid(root: Path, *, policy: bool) -> None:
    configuration = root / "mkdocs.yml"
    text = configuration.read_text(encoding="utf-8")
    configuration.write_text(text if policy else text + _NO_POLICY, encoding="utf-8")
