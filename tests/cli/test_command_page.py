"""The commands agree with each other, and with the page that lists them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from steadygrid.cli.asking_options import OPTIONS
from tests.cli.commands import Command
from tests.command_table import DOCUMENT, commands, options, page
from tests.tree import ROOT

FIGURE = ROOT / "examples" / "rr4870-figure-3.json"
SITES = ROOT / "examples" / "three_sites.xml"
OF_PROBLEMS = ("solve", "check", "picture", "what-if", "replan")
SOLVING = ("solve", "picture", "what-if", "replan", "sweep")


def listed() -> dict[str, Any]:
    return dict(commands())


def option_names(command: Any) -> set[str]:
    return {name for one in options(command) for name in one.opts}


def test_the_page_is_what_the_commands_are() -> None:
    told = DOCUMENT.read_text(encoding="utf-8")
    assert told == page(), "bring it up to date: python -m tests.command_table"


@pytest.mark.parametrize("name", OF_PROBLEMS)
def test_a_problem_is_given_in_one_form(name: str) -> None:
    command = listed()[name]
    arguments = [one.metavar for one in command.params if one.param_type_name == "argument"]
    assert arguments == ["FILE..."]
    wanted = {"--kind", "--master", "--work", "--input", "--return", "--method", "--set"}
    assert wanted <= option_names(command)
    assert len(OPTIONS) >= 16


@pytest.mark.parametrize("name", SOLVING)
def test_what_solves_has_a_limit_of_time(name: str) -> None:
    assert "--time-limit" in option_names(listed()[name])


def test_one_name_takes_one_sort_of_value() -> None:
    taken: dict[str, dict[str, list[str]]] = {}
    for name, command in listed().items():
        for one in options(command):
            value = "" if one.is_flag else str(one.metavar)
            taken.setdefault(max(one.opts, key=len), {}).setdefault(value, []).append(name)
    shared = {name: taken[name] for name in ("--output", "--json", "--set", "--time-limit")}
    assert {name: list(values) for name, values in shared.items()} == {
        "--output": ["FILE"],
        "--json": [""],
        "--set": ["NAME=VALUE"],
        "--time-limit": ["TIME"],
    }


def test_a_foreign_platform_is_asked_what_would_help(command: Command) -> None:
    bag = ("--master", "shore-1", "--work", "20Gf", "--input", "25MB", "--ports", "multiport")
    ran = command("what-if", SITES, *bag, "--solve", "0", "--json", "--time-limit", "30s")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["upgrades"]
    assert "note: taken as master_worker" in ran.err


def test_old_places_of_result_and_schedule_are_read_with_a_note(
    command: Command, tmp_path: Path
) -> None:
    result, schedule = tmp_path / "r.json", tmp_path / "s.json"
    result.write_text(command("solve", FIGURE, "--json", "--schedule", schedule).out)
    new = command("check", FIGURE, "--result", result, "--schedule-in", schedule)
    assert (new.code, new.err) == (0, "")
    old = command("check", FIGURE, result, schedule)
    assert (old.code, old.out) == (0, new.out)
    assert old.err.startswith("note: a result and a schedule have options now")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", FIGURE], "say with --result FILE"),
        (["what-if", FIGURE, "--schedule-in", "s.json"], "say --result FILE, too"),
        (["what-if", FIGURE, "r.json", "--result", "r.json"], "given twice"),
        (["what-if", FIGURE, "a", "b", "c"], "3 files follow it"),
        (["what-if", "-", "--result", "-"], "only one of the files can be standard input"),
        (["solve", SITES, "--return", "1", "--output", "1"], "say the same"),
        (["hosts", FIGURE, SITES], "one platform is listed"),
        (["hosts", FIGURE, "--csv", "--json"], "choose one"),
        (["hosts", ROOT / "examples" / "dataflow-two-actors.json"], "holds no platform"),
    ],
)
def test_a_refusal_says_what_to_do(command: Command, arguments: list[Any], said: str) -> None:
    ran = command(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_the_old_name_of_return_is_read_with_a_note(command: Command) -> None:
    asked: tuple[Any, ...] = ("solve", SITES, "--master", "shore-1", "--work", "20Gf")
    asked += ("--input", "25MB")
    asked += ("--ports", "multiport")
    new = command(*asked, "--return", "5MB", "--print-body")
    old = command(*asked, "--output", "5MB", "--print-body")
    assert (old.code, old.out) == (0, new.out)
    assert "output_size" in new.out
    assert old.err.startswith("note: --output SIZE is called --return SIZE")


def test_hosts_are_listed(command: Command) -> None:
    told = json.loads(command("hosts", FIGURE, "--json").out)["hosts"]
    assert told[0] == {"id": "P1", "speed": "1/10", "degree": 2}
    rows = list(csv.reader(io.StringIO(command("hosts", SITES, "--csv").out)))
    assert rows[0] == ["id", "speed", "degree"]
    assert "shore" not in {row[0] for row in rows}, "a switch holds no tasks"
    assert ["shore-1", "4000000000", "2"] in rows
    shown = command("hosts", FIGURE).out.splitlines()
    assert shown[1].split() == ["P1", "1/10", "2"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--noise", "0,5%"], "--noise 5%: expected a number"),
        (["--execution", "heft", "--execution", "none"], "--execution none: expected 'clock'"),
        (["--noise-of", "all", "--buffer", "0"], "--buffer: must be at least 1\n--noise-of: exp"),
    ],
)
def test_a_wrong_option_of_a_simulation_is_named(
    command: Command, options: list[str], said: str
) -> None:
    """The user did not write the body that the options make."""
    ran = command("simulate", FIGURE, *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"steadygrid: {said}")
    assert "#/problem" not in ran.err


@pytest.mark.parametrize(
    ("words", "found"), [("steadygrid ho", "hosts"), ("steadygrid check --sched", "--schedule-in")]
)
def test_shells_complete_commands_and_options(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: str, found: str
) -> None:
    monkeypatch.setenv("_STEADYGRID_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert command().out.split() == [found]
