"""Owns the story of a look over one wiki repository: what would stop a run, each with its mend; changes nothing.

Knows no command line, and no more of the model than `probing` tells. A check that cannot go on because an earlier one
failed is left out.
"""

from __future__ import annotations

import platform
import re
import shutil
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

from pipeline import __version__
from pipeline.config import FILE_NAME, read_settings
from pipeline.errors import ConfigError, WikimillError
from pipeline.finding import Finding
from pipeline.git import open_repository
from pipeline.git.process import GitProcess
from pipeline.probing import examine_model
from pipeline.proposing.watching import examine_host
from pipeline.reading.generator import check_generator
from pipeline.reading.published import check_published
from pipeline.reading.template import CONFIGURATION
from pipeline.starting import find_observations
from pipeline.templates import BATCH, SINGLE, read_prompt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import Settings
    from pipeline.finding import Severity

TOLD = ("mkdocs", "mkdocs-material", "gitpython", "pydantic")
"""The packages whose versions are worth a word when all is well."""

LEAST_SPACE = 200 * 1024 * 1024
"""Bytes that a run and a build should find free."""

_NAME = re.compile(r"^[A-Za-z0-9._-]+")
_BOUND = re.compile(r"(>=|<)\s*([0-9.]+)")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what was seen, and what is wrong with it."""

    subject: str
    told: str
    findings: tuple[Finding, ...] = ()


def examine(root: Path, outside: Outside) -> tuple[Check, ...]:
    """Look over everything that a run and a build rest on; a language model's endpoint is asked once.

    The Git host is asked where there is a token for it.
    """
    return tuple(_examine(root, outside))


def _examine(root: Path, outside: Outside) -> Iterator[Check]:
    yield _check_versions()
    yield _check_disk(root)
    settings: Settings | None = None
    try:
        settings = read_settings(root)
        yield _check_settings(root, settings)
    except ConfigError as error:
        yield Check("settings", f"{FILE_NAME} is not understood", (_finding(FILE_NAME, "settings", error),))
    yield _check_git(root, settings)
    if settings is not None:
        yield _check_observations(root, settings)
        yield _check_prompts(root, settings)
        yield _check_model(root, settings, outside)
        yield Check("host", *examine_host(settings, root, outside))
    yield _check_site(root, settings)


def _check_versions() -> Check:
    told = [f"wikimill {__version__}", f"Python {platform.python_version()}"]
    findings = []
    try:
        needed = [line for line in requires("wikimill") or () if "extra ==" not in line]
    except PackageNotFoundError:
        needed = []  # started from a checkout that is not installed: nothing declares what is needed
    for line in needed:
        name = _NAME.findall(line)[0].lower()
        try:
            installed = version(name)
        except PackageNotFoundError:
            installed = "missing"
        if name in TOLD:
            told.append(f"{name} {installed}")
        if not fits(installed, line):
            findings.append(
                Finding(name, "versions", "error", f"{installed} is installed, but wikimill needs {line}.", _INSTALL)
            )
    return Check("versions", ", ".join(told), tuple(findings))


_INSTALL = "Install wikimill again, in a virtual environment of its own: another package may have changed it."


def fits(installed: str, requirement: str) -> bool:
    """Whether an installed version lies between the bounds of a requirement, such as `mkdocs<2,>=1.6.1`."""
    if not installed[:1].isdigit():
        return False
    numbers = _numbers(installed)
    return all((numbers >= _numbers(bound)) is (sign == ">=") for sign, bound in _BOUND.findall(requirement))


def _numbers(version_text: str) -> tuple[int, ...]:
    numbers = [int(part) for part in re.findall(r"\d+", re.split(r"[^0-9.]", version_text)[0])]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _check_disk(root: Path) -> Check:
    findings = []
    free = shutil.disk_usage(root).free
    if free < LEAST_SPACE:
        findings.append(
            Finding(str(root), "disk", "error", f"only {free >> 20} MB are free.", "Free some space before a run.")
        )
    try:
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as fault:
        findings.append(
            Finding(str(root), "disk", "error", f"cannot be written: {fault.strerror}.", "Give yourself the right.")
        )
    return Check("disk", f"{free / 2**30:.1f} GB free", tuple(findings))


def _check_settings(root: Path, settings: Settings) -> Check:
    changed = [
        f"{section}.{key}" for section, values in settings.model_dump(exclude_defaults=True).items() for key in values
    ]
    told = f"{FILE_NAME} is sound" + (f"; not at its default: {', '.join(changed)}" if changed else ", all defaults")
    findings = []
    if (root / settings.site.output).resolve() == (root / "site").resolve():
        findings.append(
            Finding("site.output", "settings", "error", "a build would empty the theme's folder.", "Name another one.")
        )
    return Check("settings", told, tuple(findings))


def _check_git(root: Path, settings: Settings | None) -> Check:
    try:
        told = GitProcess(root).run("--version").decode("utf-8", "replace").strip()
        with open_repository(root) as repository:
            branch = settings.wiki.branch if settings is not None else ""
            branch = repository.check_name(branch) if branch else repository.branch()
            told += f", branch {branch} of {repository.places.top}"
            findings = [
                Finding(path, "git", "warning", "is not committed; a run stops before it would touch it.", "Commit it.")
                for path in (
                    repository.changed_under(repository.places.prefix + settings.wiki.pages) if settings else ()
                )
            ]
            if under_way := repository.under_way():
                findings.append(
                    Finding(str(root), "git", "warning", f"a {under_way} is half done.", "Finish or abort it first.")
                )
            if repository.tip(branch) is None and repository.head().branch != branch:
                findings.append(
                    Finding("wiki.branch", "git", "warning", f"there is no branch {branch!r} yet.", "Create it.")
                )
    except WikimillError as error:
        return Check("git", "cannot be used as it is", (_finding(str(root), "git", error),))
    return Check("git", told, tuple(findings))


def _check_observations(root: Path, settings: Settings) -> Check:
    found = len(list(find_observations(root / settings.wiki.observations, must_exist=False)))
    if found:
        return Check("observations", f"{found} {'file' if found == 1 else 'files'} in {settings.wiki.observations}/")
    return Check(
        "observations",
        "none yet",
        (
            Finding(
                settings.wiki.observations,
                "observations",
                "warning",
                "holds no observation file (*.jsonl, *.jsonl.gz).",
                "Note something with `wikimill observe`, or copy files in.",
            ),
        ),
    )


def _check_prompts(root: Path, settings: Settings) -> Check:
    """Read the prompt that a run uses, and for a language model the one of the other mode too."""
    folder = settings.wiki.prompts
    offline = settings.model.provider == "extractive"
    used = SINGLE if settings.model.mode == "single" and not offline else BATCH
    told, findings = [], []
    for name in (BATCH,) if offline else (BATCH, SINGLE):
        try:
            read_prompt(root / folder, name)
        except WikimillError as error:
            severity: Severity = "error" if name == used else "warning"
            findings.append(Finding(error.where or folder, "prompts", severity, error.message, error.next_step))
        else:
            own = (root / folder / name).is_file()
            told.append(f"the repository's own {name}" if own else f"{name} as shipped with wikimill")
    return Check("prompts", ", ".join(told) or "cannot be used", tuple(findings))


def _check_model(root: Path, settings: Settings, outside: Outside) -> Check:
    return Check("model", *examine_model(settings, root, outside))


def _check_site(root: Path, settings: Settings | None) -> Check:
    if (root / CONFIGURATION).is_file():
        try:
            if settings is not None:
                check_published(root, settings.wiki.pages)
        except ConfigError as error:
            return Check("site", "would lack the pages", (_finding(CONFIGURATION, "site", error),))
        if settings is not None and (missing := _missing_generator(settings)):
            return Check("site", "cannot be built", (missing,))
        return Check("site", f"{CONFIGURATION} is there; `wikimill build` tells whether it builds")
    mend = "`wikimill init .` writes what is missing and leaves the rest alone."
    return Check("site", "cannot be built", (Finding(CONFIGURATION, "site", "warning", "there is none.", mend),))


def _missing_generator(settings: Settings) -> Finding | None:
    """Tell of a site generator that is not installed; a run does without."""
    try:
        check_generator(settings.site.generator)
    except ConfigError as error:
        return Finding("site.generator", "site", "warning", error.message, error.next_step)
    return None


def _finding(where: str, rule: str, error: WikimillError) -> Finding:
    return Finding(error.where or where, rule, "error", error.message, error.next_step)
