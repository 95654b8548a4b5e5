"""Owns the story from a derived tree to a site on disk: what changed is rendered, all is checked, then it takes place.

The former site stays when anything fails. A build that renders only what changed gives the same bytes as one that
renders everything. Knows no page and no git.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import StoreError, WikiError
from pipeline.publishing.collisions import below_files, by_file
from pipeline.publishing.taking_place import check_contents, check_unknown
from pipeline.reading.assembling import Parts, alone, assemble, beside, take_place
from pipeline.reading.generator import Task, check_generator, render, workers_for
from pipeline.reading.remembered import (
    Kept,
    Manifest,
    digest,
    digest_of,
    environment_digest,
    read_manifest,
    stamp_of,
    write_manifest,
)
from pipeline.site.addresses import file_of
from pipeline.site.checking import REDIRECTS, check_site
from pipeline.site.each import ONE_BY_ONE
from pipeline.site.looking import Looked, look_at
from pipeline.wiki.tree.disk import cannot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pipeline.finding import Finding
    from pipeline.reading.generator import GeneratorName, Rendered
    from pipeline.site.derive import Derived
    from pipeline.site.each import Each
    from pipeline.site.values import Site

_OF_THE_THEME: Final = ""
"""What stands as the source of a file that the theme brings."""
_LINES: Final = 12


@dataclass(frozen=True, slots=True)
class Order:
    """Where a site is to stand and how it is made.

    `state` is the folder of what is remembered, `apart` names folders below `root` that no page's look depends on.
    `full` renders every page; `strict` fails on every error and on every warning of the generator.
    """

    root: Path
    output: Path
    state: Path
    configuration: bytes
    environment: Mapping[str, str]
    apart: tuple[str, ...] = ()
    generator: GeneratorName = "mkdocs"
    strict: bool = True
    full: bool = False
    processors: int = 1
    each: Each = ONE_BY_ONE


@dataclass(frozen=True, slots=True)
class Made:
    """A site that was made: how many pages it has, and how many of them were rendered; the others are as before."""

    pages: int
    rendered: int
    findings: tuple[Finding, ...] = ()


def make_site(derived: Derived, site: Site, order: Order, read: Callable[[str], bytes]) -> Made:
    """Make the site; `read` gives the bytes of the wiki's other files."""
    check_generator(order.generator)
    try:
        with alone(order.state / f"{order.output.name}.lock") as sure, beside(order.output, clean=sure) as scratch:
            return _Making(derived, site, order).make(scratch, read)
    except OSError as fault:
        raise StoreError(f"the site cannot be written: {fault.strerror}.", where=str(order.output)) from None


class _Making:
    """One build."""

    def __init__(self, derived: Derived, site: Site, order: Order) -> None:
        self._site = site
        self._order = order
        blocked = below_files(derived, site)
        self._derived = replace(
            derived, files={path: raw for path, raw in derived.files.items() if path not in blocked}
        )
        self._paths, doubled = by_file([path for path in derived.documents if path not in blocked], site)
        self._sources = {file: digest_of(path, derived.documents[path]) for file, path in self._paths.items()}
        self._findings = [*derived.findings, *doubled, *blocked.values()]
        self._refused = {file_of(path, directory_urls=site.directory_urls) for path in blocked} | blocked.keys()
        self._judged = False
        """Whether all that stands in the output is known to be made by the last build."""
        self._manifest_place = order.state / f"{order.output.name}.json"

    def make(self, scratch: Path, read: Callable[[str], bytes]) -> Made:
        order = self._order
        environment = self._environment()
        former = self._former(environment)
        changed = [file for file, source in self._sources.items() if not self._stands(file, source, former)]
        if order.generator == "zensical" and changed:
            former, changed = Manifest(environment, ""), list(self._sources)
        rendered = self._render(changed, scratch, theme=not former.files) if changed or not former.files else None
        looked = self._look(rendered, former)
        files, left_out = assemble(
            scratch / "site",
            order.output,
            Parts(
                moved=self._moved(rendered) if rendered else {},
                kept=self._kept(former, changed),
                written=self._derived.files,
                copied=self._derived.others,
                read=read,
            ),
            former.files,
        )
        if not self._judged:
            check_unknown(order.output, files.keys())
        found = self._check(looked, files, [*self._findings, *left_out, *(rendered.findings if rendered else ())])
        take_place(scratch / "site", order.output, scratch)
        write_manifest(self._manifest_place, Manifest(environment, str(order.output.resolve()), files, looked))
        return Made(len(self._sources), len(changed), found)

    def _environment(self) -> str:
        order = self._order
        apart = (*order.apart, str(order.output), str(order.state))
        also = (order.generator, self._site.url, str(self._site.directory_urls))
        try:
            return environment_digest(
                order.configuration, order.root, apart=apart, environment=order.environment, also=also
            )
        except OSError as fault:
            raise cannot("read", order.root, fault) from None

    def _former(self, environment: str) -> Manifest:
        """Give what is remembered of the site that stands there, as far as it holds: nothing for a full build."""
        none = Manifest(environment, "")
        former = read_manifest(self._manifest_place)
        if former is None or former.output != str(self._order.output.resolve()):
            return none
        self._judged = check_contents(self._order.output, former.files)
        if self._order.full or former.environment != environment:
            return none
        theme = [(path, kept) for path, kept in former.files.items() if kept.source == _OF_THE_THEME]
        whole = theme and all(kept.stamp == stamp_of(self._order.output / path) for path, kept in theme)
        return former if whole else none

    def _stands(self, file: str, source: str, former: Manifest) -> bool:
        """Whether the page stands as this document makes it."""
        kept = former.files.get(file)
        return (
            kept is not None
            and kept.source == source
            and file in former.looked
            and kept.stamp == stamp_of(self._order.output / file)
        )

    def _render(self, files: Iterable[str], scratch: Path, *, theme: bool) -> Rendered:
        documents = {path: self._derived.documents[path] for path in (self._paths[file] for file in files)}
        order = self._order
        task = Task(
            order.root,
            order.configuration,
            order.environment,
            generator=order.generator,
            strict=order.strict,
            directory_urls=self._site.directory_urls,
            site_url=self._site.url,
            workers=workers_for(len(documents), order.processors),
        )
        rendered = render(documents, scratch / "rendered", task)
        return rendered if theme else replace(rendered, theme={})

    def _moved(self, rendered: Rendered) -> dict[str, tuple[Path, str]]:
        pages = {file: (place, self._sources[file]) for file, place in rendered.pages.items()}
        taken = {*self._sources, *self._derived.files}
        return {
            **{file: (place, _OF_THE_THEME) for file, place in rendered.theme.items() if file not in taken},
            **pages,
        }

    def _kept(self, former: Manifest, changed: Iterable[str]) -> dict[str, Kept]:
        again = set(changed)
        return {
            file: kept
            for file, kept in former.files.items()
            if kept.source == _OF_THE_THEME or (file in self._sources and file not in again)
        }

    def _look(self, rendered: Rendered | None, former: Manifest) -> dict[str, Looked]:
        """Look at every page that is new; what is known of the others is remembered."""
        fresh = {**rendered.theme, **rendered.pages} if rendered else {}
        pages = [(file, place) for file, place in fresh.items() if file.endswith(".html")]
        found = self._order.each.on(pages, lambda page: self._look_at(page[0], page[1].read_bytes()))
        looked = dict(zip((file for file, _ in pages), found, strict=True))
        for file, raw in self._derived.files.items():
            if file.endswith(".html"):
                kept = former.files.get(file)
                same = kept is not None and kept.source == digest(raw) and file in former.looked
                looked[file] = former.looked[file] if same else self._look_at(file, raw)
        for file, one in former.looked.items():
            kept = former.files.get(file)
            if file not in looked and (file in self._sources or (kept and kept.source == _OF_THE_THEME)):
                looked[file] = one
        return looked

    def _look_at(self, file: str, raw: bytes) -> Looked:
        return look_at(file, raw.decode("utf-8", "replace"), site_url=self._site.url)

    def _check(
        self, looked: Mapping[str, Looked], files: Mapping[str, Kept], others: Iterable[Finding]
    ) -> tuple[Finding, ...]:
        """Check the whole site; errors end a strict build. Findings name the page's own file, where it has one."""
        redirects = self._derived.files.get(REDIRECTS)
        found = check_site(looked, files.keys(), redirects=redirects, names=self._paths, refused=self._refused)
        every = tuple(sorted({*found, *others}))
        wrong = [one for one in every if one.severity == "error"]
        if wrong and self._order.strict:
            told = "\n  ".join(map(str, wrong[:_LINES]))
            more = f"\n  ... and {len(wrong) - _LINES} more" if len(wrong) > _LINES else ""
            raise WikiError(
                f"the site was not built; {len(wrong)} thing(s) on it would lead readers nowhere:\n  {told}{more}\n",
                next_step="Mend them, or build with --no-strict.",
            )
        return every
