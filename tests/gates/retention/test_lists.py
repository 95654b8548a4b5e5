"""What comes back into a draft stands where it stood: in its list, at its depth, in its table, as a whole sentence."""

from __future__ import annotations

import pytest

from pipeline.context import Context
from pipeline.gates import retention
from tests.gates.drafts import batch_of, body_of, window_of
from tests.gates.labelled_pairs import CITED, PATH, page_of

A = f"[^{CITED}]"
WINDOW = window_of("New things happen.", "It moved.")
STEPS = f"""1. Stop the service.{A}
2. Copy the files.{A}
   - Logs stay for 14 days.{A}
   - Keys stay for ever.{A}

     The vault holds them.{A}
3. Start the service.{A}
"""
PORTS = f"| what | port | why |\n|---|---|---|\n| api | 80 | it is public{A} |\n| admin | 90 | Priya must agree{A} |\n"

TABLE = {
    "none of a list is left": (
        STEPS,
        "1. The region is north.[^o1]\n",
        (
            f"1. The region is north.[^o1]\n2. Stop the service.{A}\n3. Copy the files.{A}\n"
            f"   - Logs stay for 14 days.{A}\n   - Keys stay for ever.{A}\n\n     The vault holds them.{A}\n"
            f"4. Start the service.{A}\n"
        ),
    ),
    "the draft has another kind of list": (
        f"1. Stop the service.{A}\n2. Copy the files.{A}\n",
        "- The region is north.[^o1]\n",
        f"- The region is north.[^o1]\n\n1. Stop the service.{A}\n2. Copy the files.{A}\n",
    ),
    "the middle of a list": (
        STEPS,
        f"1. Stop the service.{A}\n2. Start the service.{A}\n",
        (
            f"1. Stop the service.{A}\n2. Copy the files.{A}\n   - Logs stay for 14 days.{A}\n"
            f"   - Keys stay for ever.{A}\n\n     The vault holds them.{A}\n2. Start the service.{A}\n"
        ),
    ),
    "the beginning of a list": (
        f"- One is red.{A}\n- Two is green.{A}\n",
        f"New.[^o1]\n\n* Two is green.{A}\n\nMore.[^o1]\n",
        f"New.[^o1]\n\n* One is red.{A}\n* Two is green.{A}\n\nMore.[^o1]\n",
    ),
    "items within an item": (
        STEPS,
        f"1. Stop the service.{A}\n2. Copy the files.{A}\n3. Start the service.{A}\n",
        STEPS,
    ),
    "one of the items within an item": (
        f"- Hosts:{A}\n  1. alpha is big.{A}\n  2. beta is small.{A}\n- Done.{A}\n",
        f"- Hosts:{A}\n  1. alpha is big.{A}\n- Done.{A}\n",
        f"- Hosts:{A}\n  1. alpha is big.{A}\n  2. beta is small.{A}\n- Done.{A}\n",
    ),
    "items with their label": (
        f"1. Network\n   - TLS ends at the proxy.{A}\n2. Storage\n   - Disks are mirrored.{A}\n",
        f"1. Network\n   - TLS ends at the proxy.{A}\n   - New.[^o1]\n",
        f"1. Network\n   - TLS ends at the proxy.{A}\n   - New.[^o1]\n2. Storage\n   - Disks are mirrored.{A}\n",
    ),
    "a paragraph of an item": (
        STEPS,
        STEPS.replace(f"\n\n     The vault holds them.{A}", ""),
        STEPS,
    ),
    "an item of two lines, one deeper": (
        f"- One is red.{A}\n  - Two is\n    green.{A}\n",
        f"1. One is red.{A}\n2. New.[^o1]\n",
        f"1. One is red.{A}\n   - Two is\n     green.{A}\n2. New.[^o1]\n",
    ),
    "a row of a table": (PORTS, PORTS.replace(PORTS.splitlines()[3] + "\n", ""), PORTS),
    "a row of a table with another head": (
        PORTS,
        f"| what | value | why |\n| --- | --- | --- |\n| api | 80 | it is public{A} |\n\nMore.[^o1]\n",
        (
            f"| what | value | why |\n| --- | --- | --- |\n| api | 80 | it is public{A} |\n"
            f"| admin | 90 | Priya must agree{A} |\n\nMore.[^o1]\n"
        ),
    ),
    "a row of a table that is another now": (
        PORTS,
        "| host | memory |\n|---|---|\n| alpha | 16 GB[^o1] |\n",
        f"| host | memory |\n|---|---|\n| alpha | 16 GB[^o1] |\n\n{PORTS}",
    ),
    "a part of a sentence": (
        f"- Requests time out after 45 seconds, as Anna and Ben agreed; the 30 seconds were wrong.{A} It is so.{A}\n",
        f"- Requests time out after 45 seconds.{A} It is so.{A}\n",
        (
            f"- Requests time out after 45 seconds.{A} It is so.{A}\n"
            f"- Requests time out after 45 seconds, as Anna and Ben agreed; the 30 seconds were wrong.{A}\n"
        ),
    ),
    "a part of a paragraph in Chinese": (
        f"超时为 45 秒；30 秒是错误的。{A}\n",
        f"超时为 45 秒。{A}\n",
        f"超时为 45 秒。{A}\n\n超时为 45 秒；30 秒是错误的。{A}\n",
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_it_stands_where_it_stood(case: str) -> None:
    standing, draft, after = TABLE[case]
    batch = batch_of(f"## Facts\n\n{draft}", path=PATH, title="Page")
    shown = Context(pages=(page_of(f"Lead.{A}\n\n## Facts\n\n{standing}"),))
    gated = retention.check(batch, WINDOW, shown)
    assert body_of(gated) == f"## Facts\n\n{after}"
    assert {found.rule for found in gated.findings} == {"statement-lost"}
    assert all(found.message.endswith("it was kept.") for found in gated.findings)
    assert retention.check(gated.batch, WINDOW, shown).batch is gated.batch
