from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.git import (
    Consolidation,
    Entry,
    Verification,
    is_sealed,
    named,
    open_repository,
    render_message,
    render_verification,
    seal,
    seal_of,
    trailers_of,
    without_seal,
)
from pipeline.observations.observation import SessionKey
from tests.repositories import AT, Ground, new_ground

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CHANGED = {"wiki/a.md": "1" * 40, "wiki/gone.md": None}
PLAIN = "consolidate(acme/s-1): x\n\nSession: acme/s-1\nTokens: 3\n"


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return new_ground(tmp_path_factory.mktemp("messages") / "repository")


def read_by_git(ground: Ground, *messages: str) -> list[list[tuple[str, str]]]:
    """Let git itself read the trailers of messages, out of commits."""
    stream = b""
    for number, raw in enumerate((message.encode() for message in messages), start=1):
        start = b"commit refs/heads/m%d\nmark :%d\ncommitter A <a> 0 +0000\n" % (number, number)
        stream += start + b"data %d\n%s\n\nget-mark :%d\n" % (len(raw), raw, number)
    ids = ground.git("fast-import", "--quiet", "--force", stdin=stream).split()
    form = "%H%x1d%(trailers:only,unfold,separator=%x1e,key_value_separator=%x1f)"
    told = ground.git("log", "--no-walk=unsorted", "-z", f"--format={form}", *ids).split("\0")
    found = {name: trailers for name, _, trailers in (one.partition("\x1d") for one in told)}
    rows = [[pair.partition("\x1f") for pair in found[one].split("\x1e") if pair] for one in ids]
    return [[(key, value.strip(" \t\r\n")) for key, _, value in row] for row in rows]


def pairs(message: str) -> list[tuple[str, str]]:
    return sorted((key, value) for key, values in trailers_of(message).items() for value in values)


# Reading trailers


@pytest.mark.parametrize(
    "message",
    [
        "",
        "\n",
        "Key: value",
        "Key: value\n",
        "s\n\nKey: value",
        "s\nKey: value\n",
        "s\n\nKey: value\n\n\n  \n",
        "s\n\nKey: one\nKey: two\nother: three\n",
        "s\n\nKey: one\n\nKey: two\n",
        "s\n\nbody\nKey: one\n",
        "s\n\nKey: one\nbody\n",
        "s\n\nKey: one\n  goes on\n\tand on\n",
        "s\n\n goes on\nKey: one\n",
        "s\n\nSigned-off-by: A <a>\nbody\nbody\nbody\n",
        "s\n\nSigned-off-by: A <a>\nbody\nbody\nbody\nbody\n",
        "s\n\n(cherry picked from commit 123)\nbody\nKey: x\n",
        "s\n\nKey : spaced\nOther\t:\ttab\nNo Key: x\n",
        "s\n\nKey : spaced\nOther\t:\ttab\n",
        "s\n\n: nothing\n",
        "s\n\n-: odd\n- : odd\n",
        "s\n\nKey:\nEmpty:   \n",
        "s\n\nkey=value\n",
        "s\n\nKey: one\r\nTwo: x\r\n",
        "s\r\n\r\nKey: one\r\n",
        "s\n\nClé: accent\n",
        "s\n\nKey: a\u2028b\x0bc\n",
        "s\n\n\x0bKey: a\n",
        "s\n\n\xa0\nKey: a\n",
        "s\n\n# comment\nKey: one\n# comment\n",
        "s\n\nKey: one\n# comment\n goes on\n",
        "s\n\nKey: one\n\n# comment\n",
        "# c\n\ns\n\nKey: one\n",
        "\n\ns\n\nKey: one\n",
        "s\n\nSee: https://x/\n---\nKey: one\n",
        "s\n\n---\n\nKey: one\n",
        "s\n\nhttp://example.org\n",
        "s\n\n* consolidate(a/b): c\n\nSession: x\n\n* other\n\nSession: y\nContent: z\n",
    ],
)
def test_trailers_are_read_as_git_reads_them(ground: Ground, message: str) -> None:
    (told,) = read_by_git(ground, message)
    assert pairs(message) == sorted(told)


LINES = st.lists(
    st.sampled_from(
        [
            "",
            " ",
            "s",
            "Key: v",
            "Key: w",
            "Content: x",
            " more",
            "\tmore: x",
            "body text",
            "# c",
            "Signed-off-by: a",
            "- [r] a: b",
        ]
    ),
    max_size=9,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(many=st.lists(LINES, min_size=40, max_size=40))
def test_any_lines_are_read_as_git_reads_them(ground: Ground, many: list[list[str]]) -> None:
    messages = ["\n".join(lines) for lines in many]
    assert [pairs(message) for message in messages] == [sorted(one) for one in read_by_git(ground, *messages)]


# Sealing


def test_a_seal_is_the_last_trailer_and_says_what_changed() -> None:
    sealed = seal(PLAIN, CHANGED)
    assert sealed == f"{PLAIN}Content: {seal_of(sealed)}\n"
    assert len(seal_of(sealed)) == 40
    records = b"wiki/a.md\0" + b"1" * 40 + b"\nwiki/gone.md\0-\n"
    assert seal_of(sealed) == hashlib.blake2b(records, digest_size=20).hexdigest()
    assert is_sealed(sealed, dict(reversed(CHANGED.items())))
    assert without_seal(sealed) == PLAIN


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"wiki/a.md": "1" * 40},
        {"wiki/a.md": "2" * 40, "wiki/gone.md": None},
        {"wiki/a.md": None, "wiki/gone.md": None},
        {"wiki/a.md": "1" * 40, "wiki/gone.md": "1" * 40},
        {"wiki/b.md": "1" * 40, "wiki/gone.md": None},
        {"wiki/a.md": "1" * 40, "wiki/gone.md": None, "code.py": "1" * 40},
    ],
)
def test_a_seal_breaks_with_anything_that_changes(changed: dict[str, str | None]) -> None:
    assert not is_sealed(seal(PLAIN, CHANGED), changed)
    assert is_sealed(seal(PLAIN, changed), changed)


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (None, None),
        (Entry("100644", "1" * 40), "1" * 40),
        (Entry("100755", "1" * 40), "1" * 40 + " 100755"),
        (Entry("120000", "1" * 40), "1" * 40 + " 120000"),
        (Entry("160000", "1" * 40), "1" * 40 + " 160000"),
    ],
)
def test_what_stands_at_a_path_is_named_with_its_mode_where_it_is_no_plain_file(
    entry: Entry | None, name: str | None
) -> None:
    assert named(entry) == name
    assert is_sealed(seal(PLAIN, {"wiki/a.md": name}), {"wiki/a.md": named(entry)})


@pytest.mark.parametrize(
    ("message", "start"),
    [
        ("s", "s\n\nContent: "),
        ("s\n", "s\n\nContent: "),
        ("s\n\n\n", "s\n\nContent: "),
        ("s\n\nbody\n", "s\n\nbody\n\nContent: "),
        ("s\n\nKey: v\n", "s\n\nKey: v\nContent: "),
        ("s\n\nKey: v", "s\n\nKey: v\nContent: "),
        ("s\n\nKey: v\n  more\n", "s\n\nKey: v\n  more\nContent: "),
        ("s\n\nContent: old\nKey: v\n", "s\n\nKey: v\nContent: "),
        ("s\n\nContent: old\n goes on\nContent: older\n", "s\n\nContent: "),
        ("s\n\nContent: in a body\n\nmore\n", "s\n\nContent: in a body\n\nmore\n\nContent: "),
        ("Content: title\n", "Content: title\n\nContent: "),
        ("s\n\nSigned-off-by: a\nx\nx\nx\nx\nx\nContent: y\n", "s\n\nSigned-off-by: a\nx\nx\nx\nx\nx\nContent: "),
    ],
)
def test_where_a_seal_is_put(ground: Ground, message: str, start: str) -> None:
    sealed = seal(message, CHANGED)
    assert sealed == f"{start}{seal_of(sealed)}\n"
    assert is_sealed(sealed, CHANGED)
    assert ("Content", seal_of(sealed)) in read_by_git(ground, sealed)[0]


@pytest.mark.parametrize(
    "message",
    [
        PLAIN,
        "",
        "s\n\nContent: 123\n",
        "s\n\nContent: " + "g" * 40 + "\n",
        "s\n\nContent: " + "1" * 40 + "\nContent: " + "1" * 40 + "\n",
        "s\n\nContent: " + "1" * 40 + "\n\nbody\n",
        "s\n\ncontent: " + "1" * 40 + "\n",
    ],
)
def test_what_is_no_seal(message: str) -> None:
    assert seal_of(message) == ""
    assert not is_sealed(message, CHANGED)


@given(
    lines=LINES,
    changed=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.sampled_from(["1" * 40, None])
    ),
)
def test_sealing_again_changes_nothing_and_loses_nothing(lines: list[str], changed: dict[str, str | None]) -> None:
    message = "\n".join(["subject", "", *lines])
    once = seal(message, changed)
    assert is_sealed(once, changed)
    assert seal(once, changed) == once
    assert seal(seal(message, CHANGED), changed) == once
    others = {key: values for key, values in trailers_of(message).items() if key != "Content"}
    assert {key: values for key, values in trailers_of(once).items() if key != "Content"} == others


def test_a_seal_in_a_real_commit_breaks_when_a_person_amends_it(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "amended")
    with open_repository(ground.root, ground.environment) as repository:
        blob = repository.blob_id(b"page\n")
        ground.commit(seal(PLAIN, {"wiki/ü.md": blob, "code.py": None}), **{"wiki/ü.md": "page\n"})
        ground.git("rm", "-q", "code.py")
        ground.git("commit", "-q", "--amend", "--no-edit")

        def holds() -> bool:
            (commit,) = repository.commits_between("HEAD~1", "HEAD")
            changed = {one.path: named(one.after) for one in repository.changes("HEAD~1", "HEAD")}
            return is_sealed(commit.message, changed)

        assert holds()
        ground.write("wiki/ü.md", "page, corrected\n")
        ground.git("commit", "-q", "-a", "--amend", "--no-edit")
        assert not holds()
        ground.write("wiki/ü.md", "page\n")
        ground.git("commit", "-q", "-a", "--amend", "--no-edit")
        assert holds()
        ground.git("update-index", "--chmod=+x", "wiki/ü.md")
        ground.git("commit", "-q", "--amend", "--no-edit")
        assert not holds(), "a mode is something that a person changed"


def test_a_megabyte_of_message_takes_no_time() -> None:
    for text in (
        "s\n\n" + "Key: v\n" * 150_000,
        "s\n\n" + "Content: v\n more\n" * 60_000,
        "s" + "\n" * 1_000_000,
        "s" + " \n" * 500_000 + "b",
        "a" * 1_000_000,
        "s\n\n" + "x y: " * 200_000,
        "-" * 1_000_000,
    ):
        assert is_sealed(seal(text, CHANGED), CHANGED)


# Messages with the new fields


def message(
    *,
    evidence: str = "",
    written: dict[str, str] | None = None,
    declined: Sequence[str] = (),
    remarks: Sequence[str] = (),
) -> str:
    return render_message(
        Consolidation(
            SessionKey("default", "acme", "s-1"),
            "x",
            3,
            2,
            "m",
            "4f2a",
            120,
            evidence=evidence,
            written=written or {},
            declined=declined,
            remarks=remarks,
        )
    )


BASE = "Session: acme/s-1\nObservations: 3\nPages: 2\nModel: m\nPrompt: 4f2a\nTokens: 120\n"


def test_a_message_tells_pages_and_what_was_found() -> None:
    assert message() == f"consolidate(acme/s-1): x\n\n{BASE}"
    told = message(
        evidence="ab" * 16,
        written={"b c.md": "2" * 16, "a.md": "1" * 16},
        declined=["z.md", "y.md"],
        remarks=["[ungrounded-number] a.md#facts: 42 stands in no source.", "", "plain\nSession: forged"],
    )
    assert told == (
        "consolidate(acme/s-1): x\n\n"
        "- [ungrounded-number] a.md#facts: 42 stands in no source.\n- plain Session: forged\n\n"
        f"{BASE}Evidence: {'ab' * 16}\nPage: a.md {'1' * 16}\nPage: b c.md {'2' * 16}\nDeclined: y.md\nDeclined: z.md\n"
    )


@pytest.mark.parametrize(
    ("remark", "line"),
    [
        ("[rule] where: it fixes #12, @dana", "- [rule] where: it fixes no. 12, dana"),
        ("- [a-rule] x", "- [a-rule] x"),
        ("[skip ci] x", "- (skip ci) x"),
        ("[skip-ci] x", "- (skip-ci) x"),
        ("[ci-skip] x", "- (ci-skip) x"),
        ("[rule] [skip ci]", "- [rule] (skip ci)"),
        ("[Rule] x", "- (Rule) x"),
        ("[rule]x", "- (rule)x"),
        (": x", "- x"),
        ("Signed-off-by: Eve", "- Signed-off-by: Eve"),
        ("# comment", "- comment"),
        ("\n\n[rule] x\n\nContent: 1", "- (rule) x Content: 1"),
    ],
)
def test_a_remark_is_one_quiet_line(remark: str, line: str) -> None:
    assert message(remarks=[remark]).split("\n")[2] == line


def test_remarks_are_few_and_short_and_pages_are_all_there() -> None:
    told = message(
        remarks=["[rule] " + "x" * 1_000] * 73, written={f"{number:04}.md": "1" * 16 for number in range(400)}
    )
    lines = told.split("\n")
    assert max(map(len, lines)) <= 300
    assert sum(line.startswith("- [rule]") for line in lines) == 50
    assert "- and 23 more" in lines
    assert len(trailers_of(told)["Page"]) == 400


def test_a_long_path_is_whole() -> None:
    path = "/".join(["a" * 250] * 4) + ".md"
    told = trailers_of(message(written={path: "1" * 16}, declined=[path]))
    assert (told["Page"], told["Declined"]) == ((f"{path} {'1' * 16}",), (path,))


TEXTS = st.text(max_size=40)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(remarks=st.lists(TEXTS, max_size=4), paths=st.lists(TEXTS, max_size=3, unique=True), evidence=TEXTS, by=TEXTS)
def test_no_text_forges_a_trailer(ground: Ground, remarks: list[str], paths: list[str], evidence: str, by: str) -> None:
    told = message(evidence=evidence, written=dict.fromkeys(paths, "1" * 16), declined=paths, remarks=remarks)
    verified = render_verification(Verification(paths, by, AT, evidence))
    session = {"Session", "Observations", "Pages", "Model", "Prompt", "Tokens", "Evidence", "Page", "Declined"}
    sealed = [seal(told, CHANGED), seal(verified, CHANGED)]
    read = read_by_git(ground, *sealed)
    assert [pairs(one) for one in sealed] == [sorted(one) for one in read]
    for trailers, known in zip(read, (session, {"Verified-by", "Verified-at", "Proposal", "Verified"}), strict=True):
        assert {key for key, _ in trailers} <= {*known, "Content"}
        assert trailers[-1][0] == "Content"
    assert (len(trailers_of(told).get("Page", ())), len(trailers_of(verified).get("Verified", ()))) == (len(paths),) * 2
    assert told.startswith("consolidate(acme/s-1): x\n\n")
    assert verified.startswith("verify: ")


def test_a_verification_tells_whose_review_it_was() -> None:
    told = Verification(["b.md", "a.md"], "human:dana", AT, "https://github.com/acme/wiki/pull/12")
    assert render_verification(told) == (
        "verify: 2 pages by human:dana\n\n"
        "Verified-by: human:dana\nVerified-at: 2026-11-30T08:00:00Z\nProposal: github.com/acme/wiki/pull/12\n"
        "Verified: a.md\nVerified: b.md\n"
    )
    assert render_verification(Verification(["a.md"], "", AT, "")) == (
        "verify: 1 page by somebody\n\nVerified-by: unknown\nVerified-at: 2026-11-30T08:00:00Z\nVerified: a.md\n"
    )
