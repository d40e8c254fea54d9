"""`what-if` from outside: what it prints, what it refuses, and the library's way to the same."""

import json
import re
import shlex
from pathlib import Path
from typing import Any, Literal

import pytest

import steadygrid
from tests.cli.commands import Command, write
from tests.tree import ROOT


@pytest.fixture(scope="module")
def answer() -> steadygrid.Answer:
    return steadygrid.solve(ROOT / "examples" / "rr4870-figure-3.json", in_process=True)


@pytest.fixture
def files(tmp_path: Path, answer: steadygrid.Answer) -> list[Path]:
    parts: tuple[Literal["instance", "result", "schedule"], ...] = "instance", "result", "schedule"
    return [write(tmp_path / f"{part}.json", json.loads(answer.to_json(part))) for part in parts]


def test_the_table_says_at_most_and_what_is_proved(command: Command, files: list[Path]) -> None:
    code, out, _ = command("what-if", *files)
    assert code == 0
    assert "gains" not in out
    lines = out.splitlines()
    assert "  P1.send            100 %    41/40        95.2 %  21/40    0 %" in lines
    assert "  P1.compute         100 %    11/20         4.8 %  11/20  4.8 %" in lines
    said = " ".join(out.split())
    assert "P1.compute, 2 times as fast, brings 4.8 % more throughput. Nothing else" in said
    code, out, _ = command("what-if", *files, "--solve", "0")
    assert "Nothing is solved, so nothing is known to help." in out
    assert "at most" in out
    code, out, _ = command("what-if", *files, "--solve", "1")
    said = " ".join(out.split())
    assert (
        "No upgrade that was solved brings anything. With others the throughput is at most" in said
    )
    assert "at most 11/20." in said


def test_json_is_what_the_library_gives(
    command: Command, files: list[Path], answer: steadygrid.Answer
) -> None:
    asked: list[Any] = [*files, "--factor", "3/2", "--resource", "P1.compute", "--json"]
    code, out, _ = command("what-if", *asked)
    assert code == 0
    told = json.loads(out)
    (upgrade,) = told["upgrades"]
    assert upgrade["change"] == [
        {"pointer": "/problem/platform/processors/0/unit_time", "from": "10", "to": "20/3"}
    ]
    study = steadygrid.what_if(answer, "3/2", resources=["P1.compute"], in_process=True)
    assert study.model_dump(mode="json", by_alias=True) == told
    with pytest.raises(steadygrid.InstanceError, match=r"P1\.computes"):
        steadygrid.what_if(answer, resources=["P1.computes"], in_process=True)


def test_the_library_prints_the_same_table(
    command: Command, files: list[Path], answer: steadygrid.Answer
) -> None:
    study = steadygrid.what_if(answer, solve=1, in_process=True)
    _, out, _ = command("what-if", *files, "--solve", "1")
    assert str(study) == repr(study) == out.rstrip("\n")


def test_what_fails_is_listed_by_its_loss(command: Command, files: list[Path]) -> None:
    code, out, _ = command(
        "what-if", *files, "--remove", "--solve", "2", "--resource", "P4.compute"
    )
    assert code == 0
    assert "  P4.compute         100 %  11/40  -47.6 %" in out.splitlines()


@pytest.mark.parametrize(
    ("asked", "phrase"),
    [
        (["--factor", "1/2"], "--factor: no price bounds what is lost"),
        (["--factor", "fast"], "--factor: expected"),
        (["--solve", "101"], "--solve: "),
        (["--resource", "P1.sent"], "--resource: 'P1.sent' is no resource"),
        (["--remove", "--factor", "3"], "--factor says how many times faster, and --remove"),
        (["--remove", "--solve", "0"], "--solve: without solving nothing can be said"),
    ],
)
def test_what_has_no_meaning_is_refused(
    command: Command, files: list[Path], asked: list[str], phrase: str
) -> None:
    code, out, err = command("what-if", *files, *asked)
    assert (code, out) == (2, "")
    assert phrase in err


def test_the_referee_sees_an_answer_before_its_prices_are_used(
    command: Command, files: list[Path]
) -> None:
    result = json.loads(files[1].read_text(encoding="utf-8"))
    prices = result["certificate"]["prices"]
    prices["P1.send"], prices["P1.compute"] = prices["P1.compute"], prices["P1.send"]
    write(files[1], result)
    code, _, err = command("what-if", *files)
    assert code == 1
    assert "the answer is refused" in err
    code, _, err = command("what-if", *files[:2])
    assert code == 1
    assert "name the schedule, too" in err


def worked_examples() -> list[tuple[str, list[str]]]:
    """Give each command that the page shows, with what it is said to print."""
    text = (ROOT / "docs" / "what-if.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^    \$ (.+)\n((?:    .*\n|\n(?=    ))*)", text, re.MULTILINE)
    return [
        (line, re.sub("^    ", "", told, flags=re.MULTILINE).splitlines()) for line, told in blocks
    ]


@pytest.mark.parametrize(("line", "printed"), worked_examples())
def test_the_page_shows_what_is_printed(command: Command, line: str, printed: list[str]) -> None:
    name, *asked = shlex.split(line)
    paths = [str(ROOT / one) if one.startswith("examples/") else one for one in asked]
    assert name == "steadygrid"
    assert command(*paths).out.splitlines() == printed
