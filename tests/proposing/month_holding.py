"""Owns what must hold after each day of the month that the tests play, and at its end."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.config import LintSettings, RedactionSettings
from pipeline.errors import WikimillError
from pipeline.observations.inbox.counting import line_counter
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.comparing import compare
from pipeline.wiki import ledger
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.linting.lint import lint
from tests.endpoint.prompt import prompt_of
from tests.proposing.month import Month, trailers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.finding import Finding
    from tests.forge.hosting import HostedCommit

OURS = ("consolidate(", "verify: ", "ledger: ")
_DERIVED = ("index.md", "log.md")


@dataclass
class Watch:
    """What was seen so far, so that the next day can be held against it."""

    month: Month
    consolidated: set[str] = field(default_factory=set)
    """Ids of observations that main or the open proposal held."""
    sessions: set[str] = field(default_factory=set)
    """Evidence of session commits that were looked at."""
    ignored: set[str] = field(default_factory=set)
    """Pages that a run left out, because somebody had asked for that."""
    faults: list[str] = field(default_factory=list)
    conflicts: list[int] = field(default_factory=list)
    """Days after which the open proposal could not be merged by a button."""
    examples: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    """Pages whose change carries less than four claims in five lines."""

    def look(self) -> list[str]:
        """Hold what stands after a day to what must hold; give what does not."""
        month = self.month
        found = list(month.double.violations())
        found += ["more than one proposal is open"] * (len(month.double.open_pulls()) > 1)
        states = {"main": month.files("main"), "proposal": self._merged()}
        found += list(self._lost_sentences(states))
        for name, files in states.items():
            found += [f"{name}: {one.where}: {one.message}" for one in self.lint(files) if one.severity == "error"]
        if month.today in self.conflicts and month.row.code == 0 and month.row.action != "waiting":
            found.append("the proposal cannot be merged by a button")
        found += list(self._commits())
        now = {one.id for one in ledger.read_known(states["proposal"])}
        lost = self.consolidated - now
        if lost and not any(did.startswith(("declined", "reverted")) for did in month.row.did):
            found.append(f"{len(lost)} observations were consolidated the day before, and are not any more")
        self.consolidated = now
        found += [f"{path} was ignored, and is back" for path in sorted(self.ignored & set(states["proposal"]))]
        if (path := month.notes.get("ignored")) and path not in states["proposal"]:
            self.ignored.add(path)
        self.faults += [f"day {month.today}: {one}" for one in found]
        return found

    def _merged(self) -> Mapping[str, bytes]:
        """Read the wiki as it would be if the open proposal were merged now; without one, as it is on main."""
        pull, repository = self.month.pull, self.month.double.repository
        if pull is None:
            return self.month.files("main")
        if not repository.can_merge(pull.head, "main"):
            # A run that could not do its work has not brought main in; the next one does.
            self.conflicts.append(self.month.today)
            return self.month.files(pull.head)
        return self.month.files(repository.git("merge-tree", "--write-tree", "main", pull.head).strip())

    def lint(self, files: Mapping[str, bytes]) -> tuple[Finding, ...]:
        counts = line_counter(self._observations())
        return lint(files, settings=LintSettings(), today=self.month.now().date(), observation_exists=counts)

    def _observations(self) -> Path:
        """Give a folder with what main has observed so far."""
        root = self.month.place / "observed"
        for name, raw in self.month.double.repository.ground.files("main", "observations").items():
            path = root / "observations" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
        return root

    def _lost_sentences(self, states: Mapping[str, Mapping[str, bytes]]) -> Iterator[str]:
        for kept in self.month.kept:
            # What cannot be merged yet tells nothing of what a merge will make of it.
            merged = ("proposal",) if self.month.today not in self.conflicts else ()
            for where in ("main", *merged) if kept.where == "main" else merged:
                text = " ".join(states[where].get(kept.path, b"").decode().split())
                if text.count(" ".join(kept.text.split())) != 1:
                    yield f"{where}: {kept.path} holds {text.count(kept.text)} times what a person wrote: {kept.text}"

    def _commits(self) -> Iterator[str]:
        """Hold the proposal's commits to being sessions, once each; measure those that are new."""
        month = self.month
        pull = month.pull
        commits = month.double.commits(pull) if pull else []
        evidence = [one for commit in commits for one in trailers(commit.message, "Evidence")]
        for one, times in Counter(evidence).items():
            if times > 1:
                yield f"{times} commits of the proposal consolidate the same: {one}"
        people = any(kept.where == "proposal" for kept in month.kept) or any(
            did.startswith("reverted") or "branch" in did for did in month.row.did
        )
        for commit in commits:
            subject = commit.message.partition("\n")[0]
            if not subject.startswith(OURS) and not people:
                yield f"the proposal holds a commit that is no session: {subject}"
            told = trailers(commit.message, "Evidence")
            if told and len(commit.parents) == 1 and told[-1] not in self.sessions:
                self.sessions.add(told[-1])
                yield from self._measure(commit)

    def _measure(self, commit: HostedCommit) -> Iterator[str]:
        """Count what a session changed; pages that it does not name must be what they were, byte by byte."""
        before, after = self.month.files(commit.parents[0]), self.month.files(commit.id)
        changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
        named = {told.rpartition(" ")[0] for told in trailers(commit.message, "Page")}
        for path in changed:
            if is_page(path) and not path.endswith(_DERIVED) and path not in named:
                yield f"{commit.message.partition(':')[0]} changes {path} without naming it"
        for path in named - set(changed):
            yield f"{commit.message.partition(':')[0]} names {path} and does not change it"
        pages = compare(before, after, [path for path in changed if path in named])
        self.month.row.pages += pages
        for page in pages:
            if page.lines.carrying < 0.8 * page.lines.body:
                self.examples.append((page.path, before.get(page.path, b""), after.get(page.path, b"")))

    # At the end

    def account(self) -> list[str]:
        """Hold every line that was observed to being consolidated once, or reported; give what does not hold."""
        month = self.month
        files = month.files(month.head())
        known = Counter(one.id for one in ledger.read_known(files))
        found = [f"{name} is consolidated {times} times" for name, times in known.items() if times > 1]
        last = month.reports[-1]
        told = {str(one.session) for one in last.sessions if one.state in {"suppressed", "waiting", "left", "failed"}}
        aside = {(one.file, one.line) for one in ledger.read_aside(files)}
        self.reported = 0
        for place, observation in self._observed():
            if observation is None:
                if (place.file, place.line) not in aside:
                    found.append(f"{place} cannot be read, and is not set aside")
            elif observation[0] not in known:
                self.reported += 1
                if observation[1] not in told:
                    found.append(f"{place} of {observation[1]} is neither consolidated nor reported")
        found += list(self._duplicates(files))
        found += list(self.paid_twice())
        return found

    reported: int = 0

    def _observed(self) -> Iterator[tuple[Place, tuple[str, str] | None]]:
        scrub = make_redactor(RedactionSettings()).scrub_observation
        for name, raw in sorted(self.month.double.repository.ground.files("main", "observations").items()):
            for number, line in enumerate(raw.split(b"\n"), 1):
                if not line.strip():
                    continue
                place = Place(name, number)
                try:
                    observation, _ = scrub(parse_line(line, place, default_project="default"))
                except WikimillError:
                    yield place, None
                else:
                    yield place, (observation.id, str(observation.session))

    def _duplicates(self, files: Mapping[str, bytes]) -> Iterator[str]:
        for one in self.lint(files):
            if one.rule in {"title-duplicate", "page-alike"} and one.severity != "note":
                yield f"{one.where}: {one.message}"
        pages = Counter(record.page for record in ledger.sessions(files) if record.page)
        yield from (f"{times} sessions have the page {page}" for page, times in pages.items() if times > 1)
        made = {path for path in files if "/sessions/" in path and is_page(path) and not path.endswith(_DERIVED)}
        yield from (f"{path} is the page of no session" for path in sorted(made - set(pages)))

    def alike(self) -> list[str]:
        """List pages that a reader would fold together; on real observations that is for a person to judge."""
        found = self.lint(self.month.files("main"))
        return [f"{one.where}: {one.message}" for one in found if one.rule == "page-alike"]

    def paid_twice(self) -> Iterator[str]:
        """Find calls that asked about the same observations of a session, and were answered both times."""
        vain = {call.number for call in self.month.in_vain}
        asked: dict[str, int] = {}
        for call in self.month.calls():
            if call.status != 200 or call.number in vain:
                continue
            prompt = prompt_of(call)
            for session in () if prompt.faults else prompt.sessions:
                facts = session.facts
                seen = [(one.ts, one.role, one.text) for one in session.observations]
                key = json.dumps([facts.get("project"), facts.get("session"), seen])
                other = asked.setdefault(key, call.number)
                if other != call.number:
                    who = f"{facts.get('project')}/{facts.get('session')}"
                    yield f"call {call.number} asks what call {other} asked: {who}, {len(seen)} observations"
