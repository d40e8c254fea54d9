"""Published and hand-made instances whose optimum is known, compared exactly."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.kinds.master_worker.solving import solve, throughput

INSTANCES = sorted((Path(__file__).parent / "instances").glob("*.json"))


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_optimum_of_the_literature_is_reproduced_exactly(path: Path) -> None:
    document = load(path)
    expected = document["expected"]
    result, schedule = solve(document["body"])
    value = Fraction(expected["throughput"])
    assert result.objective.value == value
    assert result.bound.value == Fraction(expected.get("bound", expected["throughput"]))
    assert result.outcome == expected["outcome"]
    assert result.method == expected["method"]
    assert schedule is not None
    assert schedule.throughput == value
    assert schedule.loss == 0
    assert sum(result.certificate.prices.values()) == result.bound.value
    if "period_multiple_of" in expected:
        assert (schedule.period / expected["period_multiple_of"]).denominator == 1


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_program_agrees_with_whatever_method_auto_takes(path: Path) -> None:
    document = load(path)
    result, _ = solve(document["body"], method="lp")
    assert result.objective.value == Fraction(document["expected"]["throughput"])


def figure_3() -> dict[str, Any]:
    return load(Path(__file__).parent / "instances" / "rr4870_figure_3.json")["body"]


def test_a_throughput_of_zero_is_an_answer_with_a_note() -> None:
    path = Path(__file__).parent / "instances" / "router_alone.json"
    result, schedule = solve(load(path)["body"])
    assert result.outcome == "optimal"
    assert result.gap == 0
    assert any("reaches no processor" in note for note in result.notes)
    assert schedule.slots == ()
    assert schedule.allocations == ()


@pytest.mark.parametrize("name", ["rr4870_figure_3", "shared_medium", "tpds2004_star_starved"])
@pytest.mark.parametrize("k", [Fraction(3), Fraction(1, 7)])
def test_scaling_all_times_divides_the_throughput(name: str, k: Fraction) -> None:
    body = load(Path(__file__).parent / "instances" / f"{name}.json")["body"]
    platform = body["problem"]["platform"]
    slower = json.loads(json.dumps(platform))
    for part in (*slower["processors"], *slower["links"], *slower.get("media", ())):
        if "unit_time" in part:
            part["unit_time"] = str(Fraction(part["unit_time"]) * k)
        for speed in {"bandwidth", "speed"} & part.keys():
            part[speed] = str(Fraction(part[speed]) / k)
    assert throughput(body, platform=slower) == throughput(body) / k


def test_the_multiport_model_is_never_slower_without_port_bandwidths() -> None:
    assert throughput(figure_3(), ports="multiport") >= throughput(figure_3())
