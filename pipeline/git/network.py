"""Owns how git talks with one remote: who it says it is, how long it may take, and that it asks nobody.

A token goes to git through the environment, as configuration; never as an argument or in an address, where every
process of the machine could read it. Redirects are not followed with a token, for it would go to the other host too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import GitError, StoreError
from pipeline.git.addresses import host_of, is_web, remote_words, secrets_in, without_credentials
from pipeline.git.process import explain
from pipeline.git.refusals import explain_failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.git.process import Answer, GitProcess

PATIENCE = 300.0
"""Seconds that one command over the network may take."""

SILENT = {
    "GIT_ASKPASS": "",  # set and empty: no program is started to ask for a password, whatever is configured
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}

TRANSPORTS = "file:git:http:https:ssh"
"""What is allowed unless GIT_ALLOW_PROTOCOL says otherwise; `ext::` would start any program."""

BATCH_SSH = "ssh -oBatchMode=yes"

AUTHORIZATION = "authorization:"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A header of HTTP, `Authorization: Basic ...`, and the beginning of the addresses that get it."""

    url_prefix: str
    header: str = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what would become more than one header, or go to more than one host."""
        lines = self.header.isprintable() and self.header.isascii() and self.url_prefix.isprintable()
        if not lines or not self.header.lower().startswith(AUTHORIZATION) or not is_web(self.url_prefix):
            raise GitError(
                "the token cannot be sent: it or the address of its host holds what no header may hold.",
                where=without_credentials(self.url_prefix) if self.url_prefix.isprintable() else "",
                next_step="Copy the token anew, on one line.",
            )


class Network:
    """Runs commands that talk with one remote."""

    def __init__(
        self, git: GitProcess, name: str, addresses: Sequence[str], *, credentials: Credentials | None, limit: float
    ) -> None:
        """Take the addresses that git really uses for the remote, first the one to read from."""
        self._name = name
        self._limit = limit
        self._secrets = secrets_in(header=credentials.header if credentials else "", addresses=addresses)
        self._address = addresses[0]
        self._git = git.with_variables(_variables(git, addresses, credentials))

    @property
    def host(self) -> str:
        """The host, or the folder, that is talked with."""
        return host_of(self._address)

    @property
    def where(self) -> str:
        """The remote and its address, as they may be told."""
        return self.clean(f"{self._name} ({self._address})")

    def clean(self, text: str) -> str:
        """Bring foreign text into one short line without anything that lets somebody in."""
        return remote_words(text, self._secrets)

    def ask(self, *arguments: str) -> Answer:
        """Run a command and tell how it ended; one that takes too long is ended, with all that it started."""
        try:
            return self._git.ask_in_time(*arguments, limit=self._limit)
        except TimeoutError:
            raise GitError(
                f"{self.host} did not answer within {self._limit:g} seconds, so git was ended.",
                where=self.where,
                next_step="See whether the host works, then run again.",
            ) from None

    def run(self, *arguments: str) -> bytes:
        """Run a command that must succeed, and give its output."""
        answer = self.ask(*arguments)
        if answer.code:
            raise self.explain(arguments, answer)
        return answer.out

    def explain(self, arguments: Sequence[str], answer: Answer) -> GitError | StoreError:
        """Turn the complaint of git or of the remote into an error that names the next step."""
        here = "\n".join(line for line in answer.complaint.splitlines() if not line.startswith("remote:"))
        if any(sign in here for sign in ("dubious ownership", ".lock': File exists", "No space left on device")):
            return explain(arguments, answer, self._git.folder)
        meaning, step = explain_failure(answer.complaint)
        said = self.clean(" ".join(_telling(answer.complaint)))
        return GitError(
            f"{self.host} {meaning}: {said or f'exit code {answer.code}'}", where=self.where, next_step=step
        )


def _telling(complaint: str) -> list[str]:
    """Give the lines that say something, without the advice that git adds."""
    lines = [line.strip() for line in complaint.splitlines()]
    advice = ("hint:", "warning:", "Please make sure", "and the repository exists")
    return [line.removeprefix("fatal: ") for line in lines if line and not line.startswith(advice)]


def _variables(git: GitProcess, addresses: Sequence[str], credentials: Credentials | None) -> Mapping[str, str]:
    variables = {**SILENT}
    environment = git.environment
    if "GIT_ALLOW_PROTOCOL" not in environment:
        variables["GIT_ALLOW_PROTOCOL"] = TRANSPORTS
    if not environment.get("GIT_SSH_COMMAND") and not environment.get("GIT_SSH") and not _sets(git, "core.sshCommand"):
        variables["GIT_SSH_COMMAND"] = BATCH_SSH
    if credentials is not None:
        start = int(told) if (told := environment.get("GIT_CONFIG_COUNT", "")).isdecimal() else 0
        header = f"http.{credentials.url_prefix}.extraheader"
        taken_back = ((header, ""),) if any(_is_authorized(git, address) for address in addresses) else ()
        added = (
            *taken_back,
            (header, credentials.header),
            (f"http.{credentials.url_prefix}.followRedirects", "false"),
        )
        for number, (key, value) in enumerate(added, start=start):
            variables[f"GIT_CONFIG_KEY_{number}"] = key
            variables[f"GIT_CONFIG_VALUE_{number}"] = value
        variables["GIT_CONFIG_COUNT"] = str(start + len(added))
    return variables


def _sets(git: GitProcess, key: str) -> bool:
    return bool(git.ask("config", "--get", key).out.strip())


def _is_authorized(git: GitProcess, address: str) -> bool:
    """Whether git is configured to send such a header to an address already, as a checkout in a workflow leaves it.

    The host answers two of them with an error, so that this one is taken back. Ours holds the token whose rights were
    looked at, be it that of an App where the checkout used the one of the job.
    """
    if not is_web(address):
        return False
    answer = git.ask("config", "--get-urlmatch", "http.extraheader", without_credentials(address))
    return answer.out.decode("utf-8", "replace").strip().lower().startswith(AUTHORIZATION)
