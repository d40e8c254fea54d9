"""Linear programs as LP and MPS files: read back, they have the optimum that was proved."""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.stated_program import Name, StatedColumn, StatedProgram, StatedRow
from steadygrid.engine.answer_process import program
from steadygrid.formats.exporter import Answer
from steadygrid.formats.programs.names import read_name, written_name
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission
from tests.formats.linear_programs import read_by_highs, solve_exactly
from tests.solved import solve
from tests.tree import ROOT

FORMATS = ["lp", "mps"]
HALF_TRIANGLE = {
    "kind": "master_worker",
    "platform": {
        "processors": [{"id": name, "unit_time": 1} for name in ("a-1", "b 2", "c,3")],
        "links": [
            {"source": "a-1", "target": "b 2", "unit_time": "1/3", "duplex": "half"},
            {"source": "b 2", "target": "c,3", "unit_time": "1/7", "duplex": "half"},
            {"source": "c,3", "target": "a-1", "unit_time": "2/5", "duplex": "half"},
        ],
    },
    "master": "a-1",
    "task": {"work": 1, "output_size": "1/2"},
}

RING = {
    "kind": "master_worker",
    "platform": {
        "processors": [{"id": "a"}, {"id": "b", "unit_time": 1}, {"id": "c"}],
        "links": [
            {"source": source, "target": target, "unit_time": 1, "duplex": "simplex"}
            for source, target in ("ab", "bc", "ca")
        ],
    },
    "master": "a",
    "ports": "send_or_receive",
    "task": {"work": 1, "output_size": 1},
}
"""Three transfers of which two at a time meet on a processor: 3 r <= 1, where ports say 2 r <= 1."""
TWO_WAYS = {
    "kind": "master_worker",
    "platform": {
        "processors": [{"id": "a"}, {"id": "b", "unit_time": 1}, {"id": "c", "unit_time": 1}],
        "links": [
            {"source": "a", "target": "b", "unit_time": 1, "duplex": "half"},
            {"source": "a", "target": "c", "unit_time": 3, "duplex": "half"},
            {"source": "b", "target": "c", "unit_time": 2},
        ],
    },
    "master": "a",
    "task": {"work": 1, "output_size": 2},
}
"""Half-duplex links in a circle, used in both directions."""


def example(name: str, **changes: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((ROOT / "examples" / f"{name}.json").read_text())
    return {**body, "problem": body.get("problem", body) | changes}


BODIES: Mapping[str, dict[str, Any]] = {
    "figure 3": example("rr4870-figure-3"),
    "star, solved as a tree": example("star"),
    "media": example("shared-wide-area-link"),
    "cards": example("file-server-two-cards"),
    "scatter": example("rr4872-figure-2-scatter"),
    "constraint lists": example("rr4870-figure-9", method="constraint_lists"),
    "one port for all": {"problem": HALF_TRIANGLE | {"ports": "no_overlap"}},
    "odd sets": {"problem": RING},
    "half duplex under multiport": {"problem": HALF_TRIANGLE | {"ports": "multiport"}},
}


@cache
def stated(name: str) -> StatedProgram:
    return state(BODIES[name])


def state(body: Mapping[str, Any]) -> StatedProgram:
    return program(parse_submission(body, Limits()), Limits())


def written(one: StatedProgram, format_name: str, **parameters: str) -> str:
    given = {name: [value] for name, value in parameters.items()}
    return EXPORTERS[format_name].write(Answer(None, program=one), given).text


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("name", BODIES)
def test_what_is_read_back_has_the_optimum(name: str, format_name: str, tmp_path: Path) -> None:
    one = stated(name)
    found = read_by_highs(written(one, format_name), tmp_path / f"program.{format_name}")
    assert abs(found.objective / one.factor - float(one.optimum)) < 1e-9
    assert sorted(map(read_name, found.columns)) == sorted(column.name for column in one.columns)
    assert sorted(map(read_name, found.rows)) == sorted(row.name for row in one.rows)


@pytest.mark.parametrize("name", BODIES)
def test_the_optimum_is_exact_where_it_is_read_in_fractions(name: str) -> None:
    one = stated(name)
    solved = solve_exactly(written(one, "mps"))
    assert solved.objective == one.optimum * one.factor
    assert one.optimum == solve(BODIES[name]).result.bound.value


def test_names_are_those_of_the_answer() -> None:
    names = {written_name(column.name) for column in stated("one port for all").columns}
    assert names == {
        "computed(a%2D1)",
        "computed(b%202)",
        "computed(c%2C3)",
        "input_sent(a%2D1,b%202)",
        "input_sent(b%202,c%2C3)",
        "input_sent(c%2C3,b%202)",
        "input_sent(a%2D1,c%2C3)",
        "output_sent(b%202,a%2D1)",
        "output_sent(b%202,c%2C3)",
        "output_sent(c%2C3,b%202)",
        "output_sent(c%2C3,a%2D1)",
    }


def test_rows_that_the_solve_finds_are_in_the_program() -> None:
    one = stated("odd sets")
    assert one.optimum == Fraction(1, 3)
    assert [row.name.parts for row in one.rows if row.name.word == "odd"] == [("a--b--c.odd",)]


@pytest.mark.parametrize(
    "parts", [("a-1", "b,2"), ("é~%(x) y",), ("<>=+-*/^:[]",), ("\N{PILE OF POO}", ".", "_"), ()]
)
def test_names_are_reversible(parts: tuple[str, ...]) -> None:
    text = written_name(Name("sent", parts))
    assert text.isascii()
    assert not set(text) & set(" +-*/^:<>=[]\\")
    assert read_name(text) == Name("sent", parts)


LONG = ("x" * 200, "y" * 200)
SMALL = StatedProgram(
    title="a small program",
    columns=[
        StatedColumn(Name("x", ("a-b",)), 0, None),
        StatedColumn(Name("y"), None, None),
        StatedColumn(Name("z"), -1, 4),
        StatedColumn(Name("way", LONG), None, 7),
        StatedColumn(Name("idle"), 0, None),
    ],
    rows=[
        StatedRow(Name("most", ("r.send",)), [(0, 1), (1, -10), (3, 1)], "<=", 15),
        StatedRow(Name("least"), [(1, 1), (2, 3)], ">=", -2),
        StatedRow(Name("same"), [(1, 1), (3, -2)], "=", 0),
        StatedRow(Name("long"), [(0, 3 * 10**20), (2, 10**20)], "<=", 6 * 10**20),
    ],
    costs=[(0, 3), (1, -1)],
    factor=6,
    maximise=True,
    optimum=Fraction(1, 2),
    notes=("a note",),
)


def test_lp_is_written_as_its_readers_want_it() -> None:
    assert written(SMALL, "lp").splitlines() == [
        "\\ a small program. Written by steadygrid",
        "\\ exact optimum: 1/2",
        "\\ the objective is multiplied by 6: divide its value by that",
        "\\ a note",
        "\\ rows with whole numbers above 10^15: 1. They are exact, and a solver of floats may refuse"
        " them: export with numbers=rounded for it",
        f"\\ way(#3) is way({LONG[0]},{LONG[1]})",
        "Maximize",
        " objective: + 3 x(a%2Db) - y",
        "Subject To",
        " most(r.send): + x(a%2Db) - 10 y + way(#3) <= 15",
        " least: + y + 3 z >= -2",
        " same: + y - 2 way(#3) = 0",
        " long: + 300000000000000000000 x(a%2Db) + 100000000000000000000 z <= 600000000000000000000",
        "Bounds",
        " y free",
        " -1 <= z <= 4",
        " -inf <= way(#3) <= 7",
        " idle >= 0",
        "End",
    ]


@pytest.mark.parametrize("format_name", FORMATS)
def test_both_formats_say_the_same(format_name: str, tmp_path: Path) -> None:
    text = written(SMALL, format_name, numbers="rounded")
    found = read_by_highs(text, tmp_path / f"small.{format_name}")
    by_name = dict(zip(found.columns, zip(found.lower, found.upper, strict=True), strict=True))
    infinite = float("inf")
    assert by_name == {
        "x(a%2Db)": (0, infinite),
        "y": (-infinite, infinite),
        "z": (-1, 4),
        "way(#3)": (-infinite, 7),
        "idle": (0, infinite),
    }
    exact = solve_exactly(written(SMALL, "mps")).objective
    assert abs(found.objective - exact) < 1e-9
    assert "rounded to 17 digits: 1. The program is not exact" in text


def test_kinds_and_methods_without_a_program_say_so() -> None:
    for kind, problem in PROBLEMS.items():
        if kind in ("master_worker", "collective"):
            continue
        with pytest.raises(InstanceError) as refused:
            state(problem.example)
        assert [fault.code for fault in refused.value.faults] == ["no_program"]
    with pytest.raises(InstanceError, match="the method column_generation has no single program"):
        state(example("rr4870-figure-9"))
    with pytest.raises(InstanceError, match="broadcast is solved by cutting_planes"):
        state(example("three-sites-broadcast"))
    lonely = {"processors": [{"id": "M"}, {"id": "W", "speed": 1}]}
    body = {"kind": "master_worker", "platform": lonely, "master": "M", "task": {"work": 1}}
    with pytest.raises(InstanceError, match="the master reaches no processor that computes"):
        state({"problem": body})


def test_the_optimum_of_half_duplex_links_is_said_to_be_a_bound() -> None:
    one, result = state({"problem": TWO_WAYS}), solve({"problem": TWO_WAYS}).result
    assert one.optimum >= result.bound.value >= result.objective.value
    assert any("its optimum is the bound of the answer" in note for note in one.notes)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [({"numbers": "exct"}, "invalid_parameter"), ({"number": "exact"}, "unknown_parameter")],
)
def test_wrong_parameters_are_refused(parameters: dict[str, str], code: str) -> None:
    with pytest.raises(InstanceError) as refused:
        written(SMALL, "lp", **parameters)
    assert [fault.code for fault in refused.value.faults] == [code]
    with pytest.raises(InstanceError, match="built by a solver process"):
        EXPORTERS["lp"].write(Answer(None))
