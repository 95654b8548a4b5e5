"""Owns the story of a review by hand: a person stands for a page as it is, and the page says so. Asks no model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError, Rejected
from pipeline.git import Verification, open_repository, render_verification
from pipeline.landing import open_landing
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page, render_page, trust_tier
from pipeline.wiki.revision.authorship import confirm

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.wiki.format.page import TrustTier

NAME_LIMIT = 60
"""Unicode characters of a reviewer's name."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What became of a page: who stands for it now, and how far it could be trusted before and can be since."""

    page: str
    by: str
    before: TrustTier
    after: TrustTier
    commit: str
    """Empty without git."""


def verify(  # noqa: PLR0913  # what a door may say of a review
    settings: Settings,
    root: Path,
    page: str,
    *,
    by: str,
    at: datetime,
    use_git: bool = True,
    environment: Mapping[str, str] | None = None,
) -> Reviewed:
    """Write into a page (a path below the wiki's root) that a person stands for it as it is.

    Without a name in `by`, that of git's configuration counts. The page's words stay as they are; whatever changes them
    later by itself takes the review out again. A page that is locked may be reviewed too: wikimill alone must leave it
    as it is. Raises `Rejected` for what is no page, `ConfigError` without a name.
    """
    name = _name(root, by, environment, use_git=use_git)
    with open_landing(
        root,
        pages_folder=settings.wiki.pages,
        branch=settings.wiki.branch,
        use_git=use_git,
        environment=environment,
    ) as landing:
        if page not in landing.wiki or not is_page(page):
            raise Rejected(
                "is no page that could be verified.", where=page, next_step="Name one that `wikimill search` finds."
            )
        before = parse_page(page, landing.wiki[page])
        after = replace(before, front=confirm(before.front, name, at))
        message = render_verification(Verification((page,), name, at, ""))
        commit = landing.land({page: render_page(after)}, message, at)
    return Reviewed(page, name, trust_tier(before), trust_tier(after), commit)


def _name(root: Path, given: str, environment: Mapping[str, str] | None, *, use_git: bool) -> str:
    name = given
    if not name.strip() and use_git:
        with open_repository(root, environment) as repository:
            name = repository.user_name()
    told = one_line(one_line(name, len(name)).removeprefix("human:"), NAME_LIMIT)
    if not told:
        raise ConfigError(
            "nobody is named who stands for the page.",
            where="--by",
            next_step="Name yourself with --by, or once for all with `git config user.name`.",
        )
    return f"human:{told}"
