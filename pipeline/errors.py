"""Owns the one tree of errors, sorted by whose fault an error is; knows nothing of exit codes or rendering.

WikimillError
├── ConfigError          the operator: wikimill.toml, an option, the environment
├── ObservationError     the input: an observation line or file
├── StoreError           reading or writing files
├── ModelError           the model that drafts pages
│   ├── Unavailable      it does not answer; nothing was consumed
│   ├── Unanswered       it answers, but not this request
│   ├── CapReached       the run has spent what it may; the rest is left for the next run
│   ├── Refused          it declines to answer this request, or a filter took its answer away
│   ├── Truncated        its answer, or the request, is longer than it can take
│   └── InvalidReply     it answered what cannot be used
│       └── OddAnswer    it answered what is no reply of a model at all
├── WikiError            the pages
│   ├── Rejected         a page or a change that may not be written
│   └── Conflict         a page that changed meanwhile
│       └── Busy         another run is at work on the wiki
├── GitError             the repository
│   ├── BranchMoved      the branch moved while a commit was made
│   └── PushRefused      the remote repository does not take a push
└── ForgeError           the host of pull and merge requests
    ├── NotPermitted     the token may not do this, or a setting forbids it
    └── ForgeUnavailable it does not answer, or asks to wait longer than a run should
"""

from __future__ import annotations


class WikimillError(Exception):
    """Something that a person can mend.

    `message` says what happened, `where` names the place (`file:line`, `page#section`, a setting), and
    `next_step` says what to do now. All three are already free of secrets: whoever raises has scrubbed them.
    """

    def __init__(self, message: str, *, where: str = "", next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.next_step = next_step

    def __str__(self) -> str:
        told = f"{self.where}: {self.message}" if self.where else self.message
        return f"{told} {self.next_step}" if self.next_step else told


class ConfigError(WikimillError):
    """The configuration, an option or the environment is wrong."""


class ObservationError(WikimillError):
    """An observation cannot be read; costs the one line unless the run is strict."""


class StoreError(WikimillError):
    """A file cannot be read or written."""


class ModelError(WikimillError):
    """The model did not do its work."""


class Unavailable(ModelError):
    """The model does not answer; nothing was consumed, the next run tries again."""


class Unanswered(ModelError):
    """The endpoint fails at this request; whether it answers others tells a bad request from an outage."""


class CapReached(ModelError):
    """The run has spent what the configuration allows; what is done stays, the next run goes on."""


class Refused(ModelError):
    """The model declines to answer this request, or a content filter took its answer away."""


class Truncated(ModelError):
    """The answer ran into the model's limit, or the request is longer than the model can read: ask for less."""


class InvalidReply(ModelError):
    """The model answered what cannot be used."""


class OddAnswer(InvalidReply):
    """What came is no reply of a model at all: a web page, an empty body; others may get one."""


class WikiError(WikimillError):
    """A page cannot be read or changed."""


class Rejected(WikiError):
    """A change that may not be written: an unsafe path, a locked page, a page that cannot be parsed."""


class Conflict(WikiError):
    """A page, or the whole wiki, changed while a change to it was prepared, or another run holds it."""


class Busy(Conflict):
    """Another run is at work on this wiki; what is to be done can wait for it."""


class GitError(WikimillError):
    """The repository cannot be used as it is."""


class BranchMoved(GitError):
    """The branch moved while a commit was made; nothing was overwritten."""


class PushRefused(GitError):
    """The remote repository does not take a push: a hook, a protected branch, no right; nothing was changed there."""


class ForgeError(WikimillError):
    """The host of pull and merge requests did not do what it was asked for."""


class NotPermitted(ForgeError):
    """The token may not do this, or a setting of the repository forbids it."""


class ForgeUnavailable(ForgeError):
    """The host does not answer, or asks to wait longer than a run should."""
