"""Owns what stands on the host and in git when a run begins: the state of the proposal. Changes nothing but local refs.

Everything is found out anew each time, from the host's list of proposals and from the commits' messages; no file
keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipeline.errors import Conflict, GitError
from pipeline.git import is_sealed, named
from pipeline.proposal.controls import Controls, read_controls
from pipeline.proposal.ours import Sorted, Step, sort_out
from pipeline.proposal.text.region import read_standing
from pipeline.proposing.several import elsewhere, several

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pipeline.finding import Finding
    from pipeline.git import Commit
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.opening import Hosted

MOST_NAMES = 50
"""Branches of closed proposals that may stand beside each other."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of the proposal, and what it follows from."""

    base_tip: str
    branch: str
    """The branch that carries the proposal, or will."""
    head: str | None
    """Where that branch stands on the remote; nothing when it does not exist there."""
    proposal: Proposal | None = None
    """The one that is open."""
    commits: Sorted = field(default_factory=Sorted)
    """What the branch holds and the base does not."""
    controls: Controls = field(default_factory=Controls)
    names: tuple[str, ...] = ()
    """Every branch that carries a proposal, or could have."""
    merged: tuple[Proposal, ...] = ()
    """The newest first."""
    closed: tuple[Proposal, ...] = ()
    """Those that were closed unmerged, the newest first."""
    elsewhere: tuple[Proposal, ...] = ()
    """Those of wikimill that are open besides the one that goes on."""
    findings: tuple[Finding, ...] = ()

    @property
    def in_the_way(self) -> tuple[Step, ...]:
        """A person's commits that keep the branch from being written; none when somebody asked to do without them."""
        return self.commits.foreign if self.hands_off else ()

    @property
    def hands_off(self) -> bool:
        """Whether a person's commits stand on the branch, and nobody asked to do without them."""
        return bool(self.commits.foreign) and not self.controls.recreate


def look(hosted: Hosted) -> Standing:
    """Ask the remote and the host, fetch what they name, and say how the proposal stands."""
    remote = hosted.remote
    heads = remote.heads()
    if hosted.base not in heads:
        raise GitError(
            f"the remote has no branch {hosted.base!r}, into which a proposal could be merged.",
            where=remote.url,
            next_step="Push it once, or set proposal.base in wikimill.toml.",
        )
    _need_a_free_name(hosted, heads)
    name, by_name = _choose(hosted, heads)
    fetched = remote.fetch([hosted.base, *([name] if name in heads else [])])
    base_tip, head = fetched[hosted.base], fetched.get(name)
    if base_tip is None:
        raise GitError(f"the branch {hosted.base!r} is gone from the remote.", where=remote.url, next_step="Run again.")
    every = [one for proposals in by_name.values() for one in proposals]
    every.sort(key=lambda one: one.number, reverse=True)
    opened = next((one for one in by_name[name] if one.state == "open"), None)
    if opened is not None and opened.base != hosted.base:
        raise Conflict(
            f"the open proposal {opened.number} asks to be merged into {opened.base!r}, and not into {hosted.base!r}.",
            where=opened.url,
            next_step=f'Set base = "{hosted.base}" on the host, or close it; or name its base in wikimill.toml, below '
            "[proposal].",
        )
    if head is not None:
        _need_history(hosted, base_tip, head)
    commits = told_apart(hosted, base_tip, head) if head is not None else Sorted()
    if opened is None and _is_merged_head(by_name[name], head):
        commits = Sorted()  # a squash leaves a branch that looks ahead; what it holds has been merged
    return Standing(
        base_tip=base_tip,
        branch=name,
        head=head,
        proposal=opened,
        commits=commits,
        controls=read_controls(opened.body, opened.head) if opened else Controls(),
        names=tuple(by_name),
        merged=tuple(one for one in every if one.state == "merged"),
        closed=tuple(one for one in every if one.state == "closed"),
        elsewhere=(others := elsewhere(hosted, every, opened)),
        findings=several(hosted, opened, others),
    )


def _choose(hosted: Hosted, heads: Mapping[str, str]) -> tuple[str, Mapping[str, tuple[Proposal, ...]]]:
    """Choose the branch: that of the open proposal, else the first that no closed one still needs.

    A push to the branch of a closed proposal would make it impossible to open that one again, so it keeps its branch,
    and the next name is taken.
    """
    first = hosted.branch
    by_name: dict[str, tuple[Proposal, ...]] = {}
    free = ""
    for number in range(1, MOST_NAMES + 1):
        name = first if number == 1 else f"{first}-{number}"
        every = hosted.forge.proposals(name)
        # Somebody may have opened one from a branch that is called alike: it is theirs, and the next name is taken.
        proposals = by_name[name] = tuple(one for one in every if one.state != "open" or _is_ours(hosted, name, one))
        if not free and len(proposals) == len(every) and not _is_needed(hosted, name, proposals, heads.get(name)):
            free = name
        if not every and name not in heads:
            break
    opened = sorted((one.number, name) for name, every in by_name.items() for one in every if one.state == "open")
    if not opened and (adopted := _under_another_name(hosted, by_name)):
        by_name[adopted] = tuple(one for one in hosted.forge.proposals(adopted) if one.state == "open")
        return adopted, by_name
    if not opened and not free:
        raise Conflict(
            f"{MOST_NAMES} branches of closed proposals stand on the remote.",
            where=f"{first}-*",
            next_step="Delete those that nobody will open again.",
        )
    # The oldest goes on, the others are left alone.
    return (opened[0][1] if opened else free), by_name


def _under_another_name(hosted: Hosted, known: Collection[str]) -> str:
    """Find the branch of a proposal that was opened while another name was configured; it goes on until it ends.

    It is of this wiki if commits of ours on it change pages here: a repository may hold several wikis.
    """
    start = hosted.folder + "/"
    for one in sorted(hosted.forge.open_into(hosted.base), key=lambda one: one.number):
        if one.branch not in known and read_standing(one.body).region is not None:
            steps = _on_branch(hosted, one.branch).ours
            if any(path.startswith(start) for step in steps for path in step.after):
                return one.branch
    return ""


def _is_ours(hosted: Hosted, name: str, proposal: Proposal) -> bool:
    """Whether an open proposal is wikimill's: its text has our region, or its branch a commit of ours."""
    return read_standing(proposal.body).region is not None or bool(_on_branch(hosted, name).ours)


def _is_needed(hosted: Hosted, name: str, proposals: Sequence[Proposal], head: str | None) -> bool:
    """Whether a branch without an open proposal must be left alone."""
    if head is None or any(one.state == "open" for one in proposals):
        return False
    newest = proposals[0] if proposals else None
    if newest is None:
        # Somebody's own branch of that name; with a commit of ours it was to become a proposal, or was one.
        there = _on_branch(hosted, name)
        return bool(there.foreign) and not there.ours
    if newest.state == "closed":
        return True
    # Whoever pushed to the branch of a merged proposal afterwards has work there that stands nowhere else. Our own was
    # to become the next proposal, when the run was cut off.
    return head not in {newest.head, newest.merge_commit} and _holds_work_of_people(hosted, name)


def _holds_work_of_people(hosted: Hosted, name: str) -> bool:
    """Whether a branch holds commits that its base does not, and that are not ours."""
    return bool(_on_branch(hosted, name).foreign)


def _on_branch(hosted: Hosted, name: str) -> Sorted:
    """Fetch a branch, and tell apart what it holds and its base does not."""
    fetched = hosted.remote.fetch([hosted.base, name])
    base, head = fetched[hosted.base], fetched[name]
    if base is None or head is None:
        return Sorted()
    if hosted.repository.is_shallow:
        hosted.remote.unshallow()
    return told_apart(hosted, base, head)


def _is_merged_head(proposals: Sequence[Proposal], head: str | None) -> bool:
    return any(one.state == "merged" and one.head == head for one in proposals)


def _need_a_free_name(hosted: Hosted, heads: Mapping[str, str]) -> None:
    """Find out before anything is paid for whether git can hold a branch of this name beside those that are there."""
    parts = hosted.branch.split("/")
    above = {"/".join(parts[:count]) for count in range(1, len(parts))} & set(heads)
    below = {name for name in heads if name.startswith(f"{hosted.branch}/")}
    if above or below:
        raise Conflict(
            f"the branch {min(above | below)!r} on the remote stands in the way of {hosted.branch!r}.",
            where=hosted.remote.url,
            next_step="Rename it, or set another proposal.branch in wikimill.toml.",
        )


def _need_history(hosted: Hosted, base_tip: str, head: str) -> None:
    """Make sure that git knows where the two branches part; a shallow clone is completed."""
    if hosted.repository.is_shallow:
        hosted.remote.unshallow()
    if hosted.repository.merge_base(base_tip, head) is None:
        raise GitError(
            "the proposal's branch and its base have no commit in common.",
            where=head[:12],
            next_step=f"Either {hosted.base} was rewritten, or the branch was begun anew by hand: close its proposal, "
            "if one is open, and delete it.",
        )


def told_apart(hosted: Hosted, base: str, head: str) -> Sorted:
    """Read the commits that a branch holds and its base does not, and tell them apart."""
    return sort_out(read_steps(hosted, base, head), hosted.repository.read_objects)


def read_steps(hosted: Hosted, base: str, head: str) -> list[Step]:
    """Read the commits that a branch holds and its base does not, the oldest first."""
    commits = hosted.repository.commits_between(base, head)
    # A commit never changes; whether a merge brings in nothing but the base depends on where the base stands.
    known = {**hosted.steps, **{one.id: _step(hosted, base, one) for one in commits if one.id not in hosted.steps}}
    hosted.steps.update({one.id: known[one.id] for one in commits if len(one.parents) == 1})
    return [known[one.id] for one in commits]


def _step(hosted: Hosted, base: str, commit: Commit) -> Step:
    repository = hosted.repository
    parent = commit.parents[0] if commit.parents else None
    changed = repository.changes(parent, commit.id)
    after = {one.path: one.after.id for one in changed if one.after}
    step = Step(
        id=commit.id,
        parents=commit.parents,
        author=commit.author,
        at=commit.at,
        subject=commit.message.partition("\n")[0],
        message=commit.message,
        trailers=commit.trailers,
        before={one.path: one.before.id for one in changed if one.before},
        after=after,
    )
    if len(commit.parents) > 1:
        return replace(step, plain_merge=_is_plain_merge(hosted, base, commit))
    return replace(step, sealed=is_sealed(commit.message, {one.path: named(one.after) for one in changed}))


def _is_plain_merge(hosted: Hosted, base: str, commit: Commit) -> bool:
    """Whether a merge brings the base in and holds nothing but what git makes of it without anybody's help."""
    repository, (ours, theirs, *more) = hosted.repository, commit.parents
    if more or not repository.is_ancestor(theirs, base):
        return False
    tree = repository.clean_merge(ours, theirs)
    # Of all files: whatever a person adds while merging stands nowhere else.
    return tree is not None and tree == repository.tree_id(commit.id, "")
