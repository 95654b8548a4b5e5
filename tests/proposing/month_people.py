"""Owns what people do in the month that the tests play, and how its runs go, day by day.

A step is a function of the month that tells what it did in a few words. It is played in the morning; how the run
at the end of the day goes stands in `month_nights`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.observations.observation import SessionKey
from pipeline.wiki.ledger import read_session
from tests.proposing.month import Kept, Month, trailers
from tests.proposing.month_days import PROJECT, STANDUP, line
from tests.proposing.month_nights import pass_night

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.forge.hosting import MergeKind
    from tests.proposing.month_nights import Night

Step = Callable[[Month], str]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a day brings beside its observations."""

    night: Night = "one job"
    morning: tuple[Step, ...] = ()


# What a person does with a button


def merge(how: MergeKind, *, deletes: bool = False) -> Step:
    def step(month: Month) -> str:
        pull = month.pull
        if pull is None:
            return "found nothing to merge"
        month.double.merge(pull.number, how, by="dana", delete_branch=deletes)
        month.kept = [Kept(one.path, one.text, "main") for one in month.kept]
        return f"{how} #{pull.number}"

    return step


def decline(month: Month) -> str:
    pull = month.pull
    assert pull is not None, "there is something to decline"
    sessions = [name for commit in month.double.commits(pull) for name in trailers(commit.message, "Session")]
    month.notes["declined"] = next(name for name in sessions if not name.endswith(f"/{STANDUP}"))
    month.double.close(pull.number)
    month.kept = [one for one in month.kept if one.where == "main"]
    return f"declined #{pull.number}"


def ignore(month: Month) -> str:
    """Tick the box of a page that is new in the proposal, rather not of a session's record."""
    pull = month.pull
    assert pull is not None
    standing = month.files("main")
    boxes = re.findall(r"^- \[ \] (Ignore `([^`]+)`)", pull.body, re.MULTILINE)
    new = [(box, page) for box, page in boxes if page not in standing and "said-at" not in page]
    box, page = min(new, key=lambda one: "/sessions/" in one[1])
    month.double.tick(pull.number, box)
    month.notes["ignored"] = page
    return f"ignored {page.rpartition('/')[2]}"


def update_branch(month: Month) -> str:
    month.commit("main", {"code.py": f"print({month.today})\n"}, "code")
    if month.pull is not None:
        month.double.repository.update_branch(month.pull.branch, "main")
    return "code on main; Update branch"


# What a person writes


def new_page(month: Month) -> str:
    text = "The office in Lyon closes at 18:00 on Fridays."
    front = "type: Concept\ntitle: Opening hours\ndescription: When the offices are open.\n"
    page = f"---\n{front}---\n\n# Opening hours\n\n{text}\n"
    path = f"{PROJECT}/concepts/opening-hours.md"
    month.commit("main", {f"wiki/{path}": page}, "opening hours", by="Erin")
    month.kept.append(Kept(path, text, "main"))
    return "new page on main"


def add_where_the_proposal_is(month: Month) -> str:
    """Add a sentence, on main, to pages that the open proposal changes too."""
    pull = month.pull
    assert pull is not None
    main, head = month.files("main"), month.files(pull.head)
    both = [path for path in main if _is_written(path) and head.get(path) not in {None, main[path]}]
    chosen = {path for path in both if path == _standup(month)}
    chosen |= {*[path for path in both if "/sessions/" not in path][:1]}
    for path in sorted(chosen):
        _add(month, "main", path, f"Erin adds on day {month.today} that this was agreed upon by everybody.")
    return f"added to {len(chosen)} pages on main that the proposal changes"


def edit_section_to_come(month: Month) -> str:
    """Reword, on main, a section that the next session of the day changes as well."""
    path = _standup(month)
    text = month.files("main")[path].decode()
    old = re.findall(r"^- (?!Frank)(.*?said at the daily meeting: .*?)\[\^", text, re.MULTILINE)[-1]
    new = f"Frank corrects on day {month.today}, after " + old[:1].lower() + old[1:]
    month.commit("main", {f"wiki/{path}": text.replace(f"- {old}[", f"- {new}[")}, "a correction", by="Frank")
    month.kept.append(Kept(path, new, "main"))
    return "reworded a statement on main"


def edit_proposal(month: Month) -> str:
    pull = month.pull
    assert pull is not None
    _add(month, pull.branch, _standup(month), f"Grace wrote this on the branch on day {month.today}.", where="proposal")
    return "committed to the branch"


def revert(month: Month) -> str:
    """Revert, on the branch, the last commit of a session in the proposal, and push that."""
    pull = month.pull
    assert pull is not None
    last = next(one for one in reversed(month.double.commits(pull)) if trailers(one.message, "Session"))
    clone = month.new_clone()
    clone.git("switch", "-q", "-c", "mine", f"origin/{pull.branch}")
    clone.git("revert", "--no-edit", last.id)
    clone.git("push", "-q", "origin", f"mine:{pull.branch}")
    month.notes["reverted"] = "\n".join(told.rpartition(" ")[0] for told in trailers(last.message, "Page"))
    return f"reverted {trailers(last.message, 'Session')[0]}"


def new_evidence(month: Month) -> str:
    """Let one of the sessions that were declined hear of something more."""
    project, _, session = month.notes["declined"].rpartition("/")
    body = "We decided to print receipts on thermal paper, because the laser printer jammed twice."
    month.observe({"late.jsonl": line(session, month.today, 0, body, kind="decision", project=project)})
    month.notes["again"] = month.notes["declined"]
    return f"something new of the declined {session[:8]}"


def _standup(month: Month) -> str:
    record = read_session(month.files(month.head()), SessionKey("default", PROJECT, STANDUP))
    assert record is not None
    return record.page


def _add(month: Month, branch: str, path: str, sentence: str, *, where: str = "main") -> None:
    """Add a statement below the last one of a page's list."""
    text = month.files(branch)[path].decode()
    items = list(re.finditer(r"^- .*\n", text[text.index("\n---\n", 4) :], re.MULTILINE))
    start = text.index("\n---\n", 4)
    end = start + (items[-1].end() if items else len(text) - start)
    new = text[:end] + f"- {sentence}\n" + text[end:]
    month.commit(branch, {f"wiki/{path}": new}, "a sentence of mine", by="Erin")
    month.kept.append(Kept(path, sentence, where))


def _is_written(path: str) -> bool:
    return path.endswith(".md") and not path.endswith(("index.md", "log.md")) and not path.startswith(".")


THIRTY: Mapping[int, Plan] = {
    2: Plan("two jobs"),
    3: Plan("two jobs", (merge("merge", deletes=True),)),
    4: Plan("one job", (edit_section_to_come,)),
    5: Plan("two jobs", (add_where_the_proposal_is,)),
    6: Plan("one job", (merge("squash"),)),
    7: Plan("silent"),
    8: Plan("two jobs"),
    9: Plan("one job", (new_page,)),
    10: Plan("two jobs", (ignore,)),
    11: Plan("one job", (merge("rebase"),)),
    12: Plan("killed"),
    13: Plan("two jobs", (revert,)),
    14: Plan("one job", (decline,)),
    15: Plan("second runner"),
    16: Plan("one job", (edit_proposal,)),
    17: Plan("two jobs"),
    18: Plan("one job"),
    19: Plan("crash", (merge("squash"),)),
    20: Plan("one job"),
    21: Plan("two jobs", (new_evidence,)),
    22: Plan("one job", (merge("rebase"),)),
    23: Plan("two jobs", (add_where_the_proposal_is,)),
    24: Plan("shallow"),
    25: Plan("one job", (merge("merge"),)),
    26: Plan("same clone", (edit_section_to_come,)),
    27: Plan("same clone"),
    28: Plan("two jobs", (update_branch,)),
    29: Plan("one job", (merge("squash", deletes=True),)),
}
TWELVE: Mapping[int, Plan] = {
    2: Plan("one job", (merge("merge", deletes=True),)),
    3: Plan("two jobs", (edit_section_to_come,)),
    4: Plan("killed", (add_where_the_proposal_is, ignore)),
    5: Plan("silent", (new_page,)),
    6: Plan("crash", (merge("squash"),)),
    7: Plan("one job"),
    8: Plan("second runner", (revert,)),
    9: Plan("one job", (decline,)),
    10: Plan("two jobs", (new_evidence, edit_proposal)),
    11: Plan("two jobs"),
    12: Plan("same clone", (merge("rebase"),)),
}


def play(month: Month, plans: Mapping[int, Plan]) -> None:
    """Live one day: people, observations, the run."""
    plan = plans.get(month.today + 1, Plan())
    month.live()
    month.row.did += [step(month) for step in plan.morning]
    month.observe(month.days[month.today - 1])
    pass_night(month, plan.night)
    month.fresh = plan.night not in {"killed", "same clone"}
