"""Owns the one door to the site generator: renders documents to HTML, in processes of its own.

The generator runs apart, so that its state, its plugins and its failures stay there. Documents are rendered without
one another, so that some of them can be rendered alone, and all of them by several processes at once. Knows no page
and no former site.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import yaml

from pipeline.errors import ConfigError, StoreError
from pipeline.finding import Finding
from pipeline.reading.template import CONFIGURATION
from pipeline.site.addresses import file_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GeneratorName = Literal["mkdocs", "properdocs", "zensical"]

DOCUMENTS: Final = "docs"
"""The folder of the documents, beside the configuration that the generator gets."""
DOCUMENTS_A_PROCESS: Final = 400
"""With fewer documents, a further process costs more than it saves."""

_SITE: Final = "site"
_TAG: Final = "tag:yaml.org,2002:"
_UNWANTED: Final = frozenset({"sitemap.xml", "sitemap.xml.gz", "objects.inv", "search.json"})
"""What a generator writes of the documents of its own process alone."""

# Started without the current folder on the path: a wiki repository may hold a folder `pipeline` of its own. The
# package's own home comes last, for the case that wikimill runs without being installed.
_START: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from {module} import cli; cli(prog_name='the site generator')"
)
_MODULES: Final[Mapping[GeneratorName, str]] = {
    "mkdocs": "mkdocs.__main__",
    "properdocs": "properdocs.__main__",
    "zensical": "zensical.main",
}
_QUIET: Final = {
    "NO_MKDOCS_2_WARNING": "1",
    "DISABLE_MKDOCS_2_WARNING": "true",
    "PYTHONUTF8": "1",
    "PYTHONHASHSEED": "0",
    "NO_COLOR": "1",
}
_CONTROL: Final = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_TOLD: Final = re.compile(r"(?:WARNING|ERROR|CRITICAL) +-  ?(?P<message>.*)|[Ww]arning: (?P<other>.*)")
_PAGE: Final = re.compile(r"(?:Doc file|page) '([^'\n]+)'")
_FULL: Final = re.compile(r"^OSError: \[Errno (?:28|122)\]", re.MULTILINE)
"""No room on the disk, or none of one's quota."""
_LINES: Final = 12
_POLITE: Final = 5.0
"""Seconds that a process gets to end before it is killed."""


@dataclass(frozen=True, slots=True)
class Task:
    """How documents are rendered: by whom, with which configuration (`docs_dir` is `docs`), and how sternly.

    `root` is the wiki repository, in which the generator is started. `workers` processes run at most.
    """

    root: Path
    configuration: bytes
    environment: Mapping[str, str]
    generator: GeneratorName = "mkdocs"
    strict: bool = True
    directory_urls: bool = True
    site_url: str = ""
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Rendered:
    """What came of it: HTML files of documents and static files of the theme, by path on the site, where they lie."""

    pages: Mapping[str, Path]
    theme: Mapping[str, Path]
    findings: tuple[Finding, ...] = ()


def workers_for(documents: int, processors: int) -> int:
    """Tell how many processes render so many documents best."""
    return max(1, min(processors, 1 + documents // DOCUMENTS_A_PROCESS))


def check_generator(name: GeneratorName) -> None:
    """Refuse a generator that is not installed."""
    if find_spec(name) is None:
        raise ConfigError(
            f"{name} is not installed.",
            where="site.generator",
            next_step=f"Install it beside wikimill (`pip install {name}`), or take `mkdocs`.",
        )


def render(documents: Mapping[str, bytes], scratch: Path, task: Task) -> Rendered:
    """Render documents into folders below `scratch`, which must be empty; paths are those below the wiki's root.

    On a failure nothing is given; a warning is one where the task is strict.
    """
    check_generator(task.generator)
    names = sorted(documents)
    # A generator that renders in threads of its own keeps what it shares in one process.
    number = 1 if task.generator == "zensical" else max(1, min(task.workers, len(names)))
    shards = [names[start::number] for start in range(number)] or [[]]
    folders = [scratch / f"part-{place}" for place in range(len(shards))]
    configuration = _settle(task)
    for folder, shard in zip(folders, shards, strict=True):
        _write(folder, {path: documents[path] for path in shard}, configuration)
    told = _run(folders, task)
    pages: dict[str, Path] = {}
    for folder, shard in zip(folders, shards, strict=True):
        for path in shard:
            file = file_of(path, directory_urls=task.directory_urls)
            if not (folder / _SITE / file).is_file():
                raise StoreError("the site generator left it out.", where=path, next_step="Rename the page.")
            pages[file] = folder / _SITE / file
    own = {file_of(path, directory_urls=task.directory_urls) for path in shards[0]}
    theme = {path: place for path, place in _files(folders[0] / _SITE) if path not in own and path not in _UNWANTED}
    return Rendered(pages, theme, tuple(sorted(set(_findings(told)))))


def _write(folder: Path, documents: Mapping[str, bytes], configuration: bytes) -> None:
    home = folder / DOCUMENTS
    home.mkdir(parents=True)
    made: set[str] = {""}
    for path, raw in documents.items():
        above = path.rpartition("/")[0]
        if above not in made:
            (home / above).mkdir(parents=True, exist_ok=True)
            made.add(above)
        (home / path).write_bytes(raw)
    (folder / CONFIGURATION).write_bytes(configuration)


def _settle(task: Task) -> bytes:
    """Set in a configuration what a process of ours decides; other values keep their tags, which mean something."""
    top = yaml.compose(task.configuration.decode("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(top, yaml.MappingNode):
        raise ConfigError("it holds no keys.", where=CONFIGURATION)
    ours = {
        "docs_dir": (DOCUMENTS, "str"),
        "site_dir": (_SITE, "str"),
        # Where nothing stands here, a generator leaves out a folder of this name.
        "exclude_docs": ("!/templates/", "str"),
        "site_url": (task.site_url, "str"),
        "use_directory_urls": (str(task.directory_urls).lower(), "bool"),
    }
    kept = [(key, value) for key, value in top.value if key.value not in ours]
    for name, (value, kind) in ours.items():
        style = "'" if kind == "str" else None
        kept.append((yaml.ScalarNode(f"{_TAG}str", name), yaml.ScalarNode(f"{_TAG}{kind}", value, style=style)))
    settled = yaml.MappingNode(top.tag, kept)
    return yaml.serialize(settled, allow_unicode=True, width=1_000_000).encode()


def _command(folder: Path, task: Task) -> list[str]:
    home = str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-c", _START.format(module=_MODULES[task.generator]), home, "build"]
    command += ["--config-file", str(folder / CONFIGURATION)]
    if task.generator == "zensical":
        return [*command, *(["--strict"] if task.strict else [])]
    return [*command, "--strict" if task.strict else "--no-strict"]


def _run(folders: Sequence[Path], task: Task) -> str:
    """Run one process for each folder, all at once, and give what they said; the first that fails ends the others."""
    with ExitStack() as stack:
        running = []
        for folder in folders:
            said = stack.enter_context((folder / "said").open("wb"))
            running.append(_start(folder, task, said.fileno()))
        try:
            codes = [process.wait() for process in running]
        finally:
            for process in running:
                _end(process)
    told = [_read(folder) for folder in folders]
    for code, text in zip(codes, told, strict=True):
        if code:
            raise _failure(text)
    return "\n".join(told)


def _start(folder: Path, task: Task, said: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            _command(folder, task),
            cwd=task.root,
            env={**task.environment, **_QUIET},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    except OSError as fault:
        raise StoreError(f"the site generator cannot be started: {fault.strerror}.") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_POLITE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read(folder: Path) -> str:
    """Give what a process said, without what would change a terminal, and without where its folder happened to lie."""
    said = (folder / "said").read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    return _CONTROL.sub("", said).replace(f"{folder / DOCUMENTS}{os.sep}", "").replace(f"{folder}{os.sep}", "")


def _failure(told: str) -> ConfigError | StoreError:
    if _FULL.search(told):
        return StoreError("the disk is full; the site before it stays.", next_step="Free some space, then build again.")
    lines = [line for line in told.splitlines() if line.strip() and not line.startswith(("INFO", "DEBUG"))]
    last = "\n  ".join(lines[-_LINES:])
    if "Config value" in told or re.search("configuration (?:error|file)", told, re.IGNORECASE):
        return ConfigError(f"the site generator does not accept it:\n  {last}", where=CONFIGURATION)
    return StoreError(
        f"the site was not built; the generator said:\n  {last}\n", next_step="Mend the pages named, then build again."
    )


def _findings(told: str) -> list[Finding]:
    found = []
    for line in told.splitlines():
        match = _TOLD.match(line)
        if match:
            message = match["message"] or match["other"] or ""
            page = _PAGE.search(message)
            found.append(Finding(page.group(1) if page else CONFIGURATION, "site-warning", "warning", message))
    return found


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Give every file below a folder, by its path with `/`."""
    found = []
    for above, _, names in os.walk(folder):
        start = Path(above).relative_to(folder).as_posix()
        found += [(name if start == "." else f"{start}/{name}", Path(above) / name) for name in sorted(names)]
    return sorted(found)
