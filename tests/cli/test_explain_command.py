"""`steadygrid explain`: the text of a code, or of all codes."""

import json
from pathlib import Path

from steadygrid.domain.codes import CODES
from tests.cli.commands import Command, write


def test_a_code_is_explained(command: Command) -> None:
    told = command("explain", "disk_full")
    title, cause, remedy, since = CODES["disk_full"]
    words = " ".join(told.out.split())
    assert words == f"disk_full {title} Cause {cause} What to do {remedy} Since version {since}."


def test_a_code_is_given_as_json(command: Command) -> None:
    told = json.loads(command("explain", "cycle", "--json").out)
    assert told == {"code": "cycle", **CODES["cycle"]._asdict()}


def test_all_codes_are_listed_with_their_titles(command: Command) -> None:
    lines = command("explain").out.splitlines()
    assert [line.split(maxsplit=1) for line in lines[: len(CODES)]] == [
        [code, text.title] for code, text in CODES.items()
    ]
    assert [one["code"] for one in json.loads(command("explain", "--json").out)] == list(CODES)


def test_an_unknown_code_is_refused_with_the_nearest(command: Command) -> None:
    told = command("explain", "disk_ful")
    assert told.code == 2
    assert told.err == "steadygrid: No error has the code 'disk_ful'. Did you mean 'disk_full'?\n"
    assert "lists all codes" in command("explain", "zzz").err


def test_refusals_name_their_codes_and_the_command_once(command: Command, tmp_path: Path) -> None:
    bad = str(write(tmp_path / "bad.json", {"kind": "cell", "x": 1, "y": 2}))
    lines = command("solve", bad).err.splitlines()
    codes = [line.rpartition(" [")[2].removesuffix("]") for line in lines[1:-1]]
    assert len(codes) > 1
    assert set(codes) <= CODES.keys()
    assert lines[-1] == "steadygrid explain CODE says more."
    assert command("solve", bad, "--json").err.splitlines() == lines[:-1]
