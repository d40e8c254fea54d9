"""`replan` and `forecast` from outside, and the library's way to the same."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

import steadygrid
from tests.cli.commands import Command, write
from tests.tree import ROOT

FIGURE_3 = ROOT / "examples" / "rr4870-figure-3.json"
HALF = {"processors": {"P2": {"speed": "1/2"}}}


@pytest.fixture(scope="module")
def answer() -> steadygrid.Answer:
    return steadygrid.solve(FIGURE_3, in_process=True)


@pytest.fixture
def files(tmp_path: Path, answer: steadygrid.Answer) -> list[Path]:
    parts: tuple[Literal["instance", "result", "schedule"], ...] = "instance", "result", "schedule"
    return [write(tmp_path / f"{part}.json", json.loads(answer.to_json(part))) for part in parts]


def test_the_table_compares_what_is_kept_with_the_best(
    command: Command, files: list[Path], tmp_path: Path
) -> None:
    measured = write(tmp_path / "measured.json", HALF)
    code, out, _ = command("replan", *files, "--measured", measured, "--scale")
    assert code == 0
    lines = out.splitlines()
    assert "  as it stands                 21/80       56.8 %  P2.compute" in lines
    assert "  best                         37/80        100 %" in lines
    assert "By the tolerance, as it stands: change. In a new order: change." in lines
    tolerant = "--tolerance", "1/2", "--scale"
    code, out, _ = command("replan", *files, "--measured", measured, *tolerant)
    assert "as it stands: keep the schedule as it is" in out
    decided = "--cost", "100", "--horizon", "200", "--scale"
    code, out, _ = command("replan", *files, "--measured", measured, *decided)
    assert "Complete within 200 time units: 52 as it stands, 52 in a new order, 31 after a" in out
    later = "--cost", "10s", "--horizon", "1/18h", "--scale", "--max-period", "100", "--time-limit"
    code, out, _ = command("replan", *files, "--measured", measured, *later, "1min")
    assert "By that, as it stands: change. In a new order: change." in out
    code, _, err = command("replan", *files, "--measured", measured, *later, "1fortnight")
    assert (code, "--time-limit" in err) == (2, True)
    code, _, err = command("replan", *files, "--measured", measured, "--max-period", "0")
    assert (code, "--max-period" in err) == (2, True)


def test_json_is_what_the_library_gives(
    command: Command, files: list[Path], tmp_path: Path, answer: steadygrid.Answer
) -> None:
    request = write(
        tmp_path / "request.json", {"measured": HALF, "scale": True, "tolerance": "1/9"}
    )
    code, out, _ = command("replan", *files, "--measured", request, "--json")
    assert code == 0
    told, now = steadygrid.replan(answer, HALF, scale=True, tolerance="1/9", in_process=True)
    assert told.model_dump(mode="json") == json.loads(out)
    assert now is not None
    assert now.objective == Fraction(37, 80)
    told, now = steadygrid.replan(answer, HALF, scale=True, solve=False)
    assert now is told.optimum is None
    code, out, _ = command("replan", *files, "--measured", request, "--print-body")
    assert json.loads(out)["problem"]["platform"]["processors"][1]["unit_time"] == "4"


def test_the_library_prints_what_the_command_does(
    command: Command, files: list[Path], tmp_path: Path, answer: steadygrid.Answer
) -> None:
    measured = write(tmp_path / "measured.json", HALF)
    _, out, _ = command("replan", *files, "--measured", measured, "--scale")
    again = steadygrid.replan(answer, HALF, scale=True, in_process=True)
    assert str(again) == repr(again) == out.rstrip("\n")


@pytest.mark.parametrize(
    ("measured", "options", "said"),
    [
        ({"processors": {"p2": {"speed": 1}}}, [], "#/processors/p2: there is no processor 'p2'"),
        ({"measured": {"nodes": {}}}, [], "#/measured/nodes: there is no field 'nodes' here"),
        ([], [], "expected a JSON object, not a list"),
        (HALF, ["--cost", "1"], "--horizon: with a cost"),
        (HALF, ["--tolerance", "-1"], "--tolerance: a quantity cannot be negative"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(
    command: Command,
    files: list[Path],
    tmp_path: Path,
    measured: object,
    options: list[str],
    said: str,
) -> None:
    name = write(tmp_path / "measured.json", measured)
    code, out, err = command("replan", *files, "--measured", name, *options)
    assert (code, out) == (2, "")
    assert said in err


def test_only_answers_that_can_be_replanned_are_taken(
    command: Command, files: list[Path], tmp_path: Path
) -> None:
    measured = write(tmp_path / "measured.json", HALF)
    star = ROOT / "examples" / "divisible-load-on-a-star.json"
    code, _, err = command("replan", star, "--measured", measured)
    assert code == 2
    assert "only schedules that repeat" in err
    code, _, err = command("replan", *files[:2], "--measured", measured)
    assert code == 1
    assert "the answer is refused" in err
    code, _, err = command("replan", *files)
    assert code == 2
    assert "--measured FILE" in err
    gone = write(tmp_path / "gone.json", {"processors": {"P1": {"speed": 0}}})
    code, out, _ = command("replan", *files, "--measured", gone)
    assert code == 0
    assert "nothing can be done any more: 'P1', a master, is gone" in out
    code, _, err = command("replan", *files, "--measured", gone, "--print-body")
    assert code == 2
    assert "nothing can be done" in err


def test_forecasts_are_measurements_for_replan(
    command: Command, files: list[Path], tmp_path: Path
) -> None:
    table = tmp_path / "speeds.csv"
    table.write_text("resource,at,speed\nP2,1,0.5\nP1->P2,1,1\nP2,2,0.25\nP1->P2,2,1\n")
    code, out, err = command("forecast", table, "--method", "harmonic")
    assert code == 0
    assert "P2: harmonic of 2, rounded to 12 digits. Squared errors: last 1/16" in err
    measured = tmp_path / "measured.json"
    measured.write_text(out)
    assert json.loads(out)["processors"] == {"P2": {"speed": "0.333333333333"}}
    code, out, _ = command("replan", *files, "--measured", measured, "--json")
    assert code == 0
    assert json.loads(out)["kept"]["same_slots"]["limited_by"] == ["P2.compute"]
    code, out, _ = command("forecast", table, "--json")
    assert json.loads(out)["forecasts"][1]["errors"]["mean"] == "0"
    table.write_text("resource,at,speed\nP2,1,0.5\n")
    code, _, err = command("forecast", table)
    assert code == 2
    assert "at least two measurements" in err
    code, _, err = command("forecast", table, "--method", "guess")
    assert code == 2
    assert "not 'guess'" in err
