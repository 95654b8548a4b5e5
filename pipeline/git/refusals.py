"""Owns what the complaints of a remote mean, and what a person can do about each; pure, for any host and transport.

Hosts say why they refuse in words of their own, which change. What is not known is told as it was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_PUSHED: Final = re.compile(r"([ +\-*=!])\t([^\t]*):([^\t:]*)\t(.*)")
_REASON: Final = re.compile(r"\[(?P<kind>[^\]]*)\](?: \((?P<reason>.*)\))?")
_REMOTE: Final = "remote:"

WORKFLOWS: Final = (
    "A run never writes workflow files: take them out of the branch, or push that change with a token that may "
    "(`workflows: write`)."
)
PROTECTED: Final = (
    "The rules of the host protect this branch: let this token pass them there (branch protection, rulesets), "
    "or propose the change instead of pushing it."
)
RULES: Final = "See the rules of the host for this branch (rulesets, push protection), and what they ask for."
WRITING: Final = (
    "Give the token the right to write (on GitHub `contents: write`, on GitLab `write_repository` and the role "
    "Developer), or give another one."
)
READING: Final = "See whether the address is right, and give a token that may read the repository."
ARCHIVED: Final = "The host keeps this repository read-only (archived, or in maintenance): let it be written there."
HOOK: Final = "A hook of the remote refuses: see what it asks for, or ask whoever keeps the remote."
UNREACHABLE: Final = "See whether the address and the network are right, then run again."
TRANSPORT: Final = "Use an address that starts with https:// or ssh://, or allow the other one by GIT_ALLOW_PROTOCOL."
HOST_FAILS: Final = "The host has a problem of its own: run again later."
ELSEWHERE: Final = "The repository has another address by now: set that one (`git remote set-url NAME ADDRESS`)."

# The first that fits counts; all are looked for in small letters.
_PUSH_STEPS: Final = (
    (r"refusing to allow .* to create or update workflow|workflows?` (?:scope|permission)", WORKFLOWS),
    (r"push protection|push cannot contain secrets", "Take the secret out of the commits: nothing was pushed."),
    (r"force[- ]push|denying non-fast-forward", "Let this token force a push to this one branch, on the host."),
    (r"protected (?:branch|ref)|gh006", PROTECTED),
    (r"gh013|repository rule", RULES),
    (r"gh001|exceeds .*file size limit|large files", "Take the large file out of the commits."),
    (r"exists; cannot create", "Another branch has a name that is in the way: delete it, or set proposal.branch."),
    (r"archived|read-only|maintenance", ARCHIVED),
    (r"currently checked out", "Push to a bare repository: somebody works in the one that has this branch open."),
    (r"shallow update not allowed", "Fetch the whole history first (`git fetch --unshallow`)."),
    (r"deletion (?:of the current branch )?prohibited|denying ref deletion", "Delete the branch on the host by hand."),
    (r"unpacker error|insufficient permission|quota|no space", "The remote cannot store it: tell whoever keeps it."),
    (r"hook declined|pre-receive|update hook", HOOK),
)
_ACCESS: Final = re.compile(
    r"error: 40[13]|could not read (?:username|password)|authentication failed|invalid (?:username|credentials)|"
    r"permission denied|denied to|permission to .* denied|not allowed to (?:push|upload)|does not have write access|"
    r"marked as read only|host key verification failed|access denied|service not enabled|terminal prompts disabled"
)
_ABSENT: Final = re.compile(
    r"repository .*not found|not found:|error: 404|does not appear to be a git repository|"
    r"could not be found|no such (?:repository|project)|repository not exported"
)
_LOST: Final = re.compile(
    r"hung up|rpc failed|unexpected disconnect|early eof|curl \d+|send-pack|broken pipe|timed out"
)


_UNREACHED: Final = (
    r"could not resolve|failed to connect|unable to (?:access|connect|look up)|connection (?:refused|reset|closed)|"
    r"could not read from remote|hung up|rpc failed|unexpected disconnect|early eof|broken pipe|no route|unreachable|"
    r"timed out|\bssl\b|\btls\b|certificate"
)

# The first that fits counts.
_FAILURES: Final = (
    (r"transport '.*' not allowed", "is reached by a way of transport that is not allowed", TRANSPORT),
    (_ABSENT, "has no such repository, or does not show it to whoever asks", READING),
    (_ACCESS, "does not let wikimill in", READING),
    (r"error: 30\d", "says that the repository has moved", ELSEWHERE),
    (r"error: (?:429|5\d\d)", "failed", HOST_FAILS),
    (_UNREACHED, "cannot be reached", UNREACHABLE),
)

_LOOKED_AT: Final = 4_000
"""Characters at each end of a complaint that are searched: a remote may write as much as it likes."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """What git says of one branch that was pushed: `!` for one that was not, and why."""

    flag: str
    reference: str
    kind: str = ""
    """`rejected` by git here, or `remote rejected`."""
    reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether the branch is as it was."""
        return self.flag == "!"


def read_pushed(porcelain: str, reference: str) -> Pushed | None:
    """Read from the output of `git push --porcelain` what became of one reference."""
    told = [
        _pushed(flag, to, summary)
        for flag, _, to, summary in (found.groups() for found in map(_PUSHED.fullmatch, porcelain.split("\n")) if found)
        if to == reference
    ]
    return next((one for one in told if one.failed), told[0] if told else None)


def _pushed(flag: str, reference: str, summary: str) -> Pushed:
    found = _REASON.match(summary)
    return Pushed(flag, reference, found["kind"], found["reason"] or "") if found else Pushed(flag, reference)


def said_by_remote(complaint: str) -> str:
    """Give the lines that the remote itself wrote."""
    lines = (line.removeprefix(_REMOTE).strip() for line in complaint.splitlines() if line.startswith(_REMOTE))
    return " ".join(line for line in lines if line)


def step_for_push(words: str) -> str:
    """Say what to do about a push that was refused with these words."""
    small = _small(words)
    for pattern, step in _PUSH_STEPS:
        if re.search(pattern, small):
            return step
    if _ACCESS.search(small):
        return WRITING
    return READING if _ABSENT.search(small) else "See what the remote says, then run again."


def is_about_access(complaint: str) -> bool:
    """Whether a remote knows who asks too little to answer, or knows and does not let them."""
    small = _small(complaint)
    return bool(_ACCESS.search(small) or _ABSENT.search(small) or "archived" in small)


def may_have_arrived(complaint: str) -> bool:
    """Whether the connection was lost in a way that leaves open what became of a push."""
    return _LOST.search(_small(complaint)) is not None


def explain_failure(complaint: str) -> tuple[str, str]:
    """Say what a failed command over the network means, as what follows the name of the host, and what to do."""
    small = _small(complaint)
    known = ((meaning, step) for pattern, meaning, step in _FAILURES if re.search(pattern, small))
    return next(known, ("cannot be worked with", "See what git says, then run again."))


def _small(text: str) -> str:
    return (text if len(text) <= 2 * _LOOKED_AT else f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT:]}").lower()
