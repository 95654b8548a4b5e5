"""`build` and `serve` through the door."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Say

ROOT = Path(__file__).resolve().parents[2]


def test_the_site_is_built_where_the_settings_say(wiki: Path, say: Say) -> None:
    (wiki / "wikimill.toml").write_text('[site]\noutput = ".build/elsewhere"\n', encoding="utf-8")
    assert say("run").code == 0
    said = say("build")
    assert said.code == 0
    assert re.search(r"Built [0-9]+ pages in \.build/elsewhere: all rendered\.\n$", said.out)
    assert (wiki / ".build" / "elsewhere" / "index.html").is_file()
    told = say("build", "--json").json()
    assert told["output"] == str(wiki / ".build" / "elsewhere")
    assert isinstance(told["findings"], list)
    assert [finding for finding in told["findings"] if finding["severity"] != "note"] == []
    assert told["rendered"] == 0
    assert told["unchanged"] == told["pages"]
    assert told["archive"] is None
    assert re.search(r": 0 rendered, [0-9]+ unchanged\.\n$", say("build").out)
    assert say("build", "--full").out.endswith(": all rendered.\n")


def test_a_copy_for_reading_without_a_server(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    said = say("build", "--offline")
    assert said.code == 0
    assert said.out.endswith("Packed into .build/site.zip; it is read from its index.html, without a server.\n")
    with zipfile.ZipFile(wiki / ".build/site.zip") as packed:
        assert "index.html" in packed.namelist()


def test_a_link_that_leads_nowhere_stops_a_build_unless_asked(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    (wiki / "wiki" / "demo" / "mine.md").write_text("# Mine\n\n[away](gone.md)\n", encoding="utf-8")
    said = say("build")
    assert said.code == 1
    assert "gone.md" in said.err
    assert not (wiki / ".build" / "site").exists()
    lenient = say("build", "--no-strict")
    assert lenient.code == 0
    assert "gone.md" in lenient.out
    assert (wiki / ".build" / "site" / "index.html").is_file()


def test_a_port_in_use_is_told(wiki: Path, say: Say) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = say("serve", "--port", str(port))
    assert said.code == 2
    assert f"127.0.0.1:{port}: cannot be used" in said.err
    assert "--port" in said.err


def test_a_host_that_is_no_name_of_this_machine_is_told(wiki: Path, say: Say) -> None:
    said = say("serve", "--host", "host.invalid")
    assert said.code == 2
    assert "host.invalid:8000: cannot be used" in said.err
    assert said.err.endswith("Name another address with `--host`.\n")


def test_a_site_that_would_lack_the_pages_is_not_built(wiki: Path, say: Say) -> None:
    (wiki / "wikimill.toml").write_text('[wiki]\npages = "notes"\n', encoding="utf-8")
    assert say("run").code == 0
    for command in ("build", "serve"):
        said = say(command)
        assert said.code == 2
        assert "mkdocs.yml: 'docs_dir' is 'wiki', but the pages stand in 'notes'" in said.err
        assert "Write `docs_dir: notes` there" in said.err
    assert "error mkdocs.yml: 'docs_dir' is 'wiki'" in say("doctor").out

    configuration = (wiki / "mkdocs.yml").read_text(encoding="utf-8")
    (wiki / "mkdocs.yml").write_text(configuration.replace("docs_dir: wiki", "docs_dir: notes"), encoding="utf-8")
    (wiki / "wiki" / "tags.md").rename(wiki / "notes" / "tags.md")
    assert say("build").code == 0
    assert (wiki / ".build" / "site" / "demo" / "index.html").is_file()
    assert say("doctor").code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")
def test_the_site_is_shown_until_ctrl_c(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "pipeline", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=wiki, env=environment, stderr=subprocess.PIPE, start_new_session=True) as server:
        page = b""
        patience = time.monotonic() + 60
        while not page and time.monotonic() < patience and server.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    page = answer.read()
            except OSError:
                time.sleep(0.2)
        os.killpg(server.pid, signal.SIGINT)
        _, err = server.communicate(timeout=30)
    assert b"<title>" in page
    assert server.returncode in {0, 130}
    assert b"Traceback" not in err
