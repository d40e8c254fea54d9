"""When the time is over, numbers grow too long, or links conflict: the honest outcomes."""

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.slots import search
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.solver import methods, program
from steadygrid.kinds.master_worker.solver.fallback import bound_from_prices, greedy_rates
from steadygrid.kinds.master_worker.solver.half_duplex import needs_own_slots
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.submissions.submission import parse_submission
from tests.kinds.master_worker.solving import solve

INSTANCES = sorted((Path(__file__).parent / "instances").glob("*.json"))


def load(name: str) -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "instances" / f"{name}.json").read_text())


def out_of_time(*_: Any) -> Any:
    raise OutOfTime


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_without_time_there_is_still_a_schedule_and_a_valid_bound(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "solve_program", out_of_time)
    document = json.loads(path.read_text())
    exact = {"options": {"max_period": "exact"}}
    result, schedule = solve(document["body"] | exact, method="lp")
    optimum = Fraction(document["expected"]["throughput"])
    assert result.objective.value <= optimum <= result.bound.value
    assert result.bound.exact
    assert (result.objective.value > 0) == (optimum > 0)
    assert (result.outcome == "optimal") == (result.gap == 0)
    assert schedule.throughput == result.objective.value
    assert any("time limit" in note for note in result.notes)


def far_bottleneck() -> dict[str, Any]:
    """m -> r -> w: the second link limits, and no guess of our own knows it."""
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "m"}, {"id": "r"}, {"id": "w", "unit_time": 1}],
                "links": [
                    {"source": "m", "target": "r", "unit_time": 1},
                    {"source": "r", "target": "w", "unit_time": 5},
                ],
            },
            "master": "m",
            "task": {"work": 1},
        }
    }


def test_the_solver_s_unfinished_prices_improve_the_bound() -> None:
    instance = parse_submission(far_bottleneck(), Limits()).instance
    own, _ = bound_from_prices(instance, Legs.from_instance(instance), [])
    guess = {"r.send": 0.2, "m.send": float("nan"), "x": -1.0}
    better, prices = bound_from_prices(instance, Legs.from_instance(instance), [guess])
    assert own > better == Fraction(1, 5)
    assert prices == {"r.send": Fraction(1, 5)}


def test_interrupted_prices_reach_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    interruption = OutOfTime()
    interruption.duals = {("send", "r.send"): 0.2, ("input_kept", 1): 9.0}

    def late(*_: Any) -> Any:
        raise interruption

    monkeypatch.setattr(methods, "solve_program", late)
    result, _ = solve(far_bottleneck(), method="lp")
    assert result.bound.value == Fraction(1, 5)


def test_a_cancelled_solve_is_not_answered() -> None:
    submission = parse_submission(load("rr4870_figure_3")["body"], Limits())
    control = Control(60)
    control.cancel()
    with pytest.raises(Cancelled):
        run(submission, control, Limits())


def test_greedy_returns_results_on_the_same_path_where_links_conflict() -> None:
    body = load("half_duplex_ring_of_four")["body"]
    instance = parse_submission(body, Limits()).instance
    rates = greedy_rates(instance, Legs.from_instance(instance), same_way_back=True)
    assert rates.throughput > 0
    assert not needs_own_slots(instance, Legs.from_instance(instance), rates)
    simplex = parse_submission(load("half_duplex_with_simplex_detours")["body"], Limits()).instance
    assert greedy_rates(simplex, Legs.from_instance(simplex), same_way_back=True).throughput >= 0


def long_star(count: int) -> dict[str, Any]:
    draw = random.Random(5)

    def digits() -> int:
        return draw.randint(10**60, 10**61)

    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "m"}]
                + [{"id": f"w{i}", "unit_time": f"{digits()}/{digits()}"} for i in range(count)],
                "links": [
                    {"source": "m", "target": f"w{i}", "unit_time": "1/1000"} for i in range(count)
                ],
            },
            "master": "m",
            "task": {"work": 1},
        }
    }


def test_rates_that_no_client_could_read_are_rounded_to_the_safe_side() -> None:
    result, schedule = solve(long_star(100))
    assert result.outcome == "feasible"
    assert 0 < result.gap < Fraction(1, 10**200)
    assert result.bound.exact
    assert len(result.model_dump_json()) < 10**6
    assert any("more digits than programs can read" in note for note in result.notes)
    assert schedule is not None
    json.dumps(schedule.document)


def test_an_exact_period_beyond_the_limit_is_replaced_by_a_readable_one() -> None:
    result, schedule = solve(long_star(30))
    assert result.outcome == "optimal"
    assert schedule.optimal_throughput == result.objective.value
    assert schedule.throughput < schedule.optimal_throughput
    assert 0 < schedule.loss < Fraction(1, 20)
    assert len(str(schedule.period)) < 30
    assert any("max_period" in note for note in result.notes)


def rings() -> list[dict[str, Any]]:
    """Small platforms of half-duplex links with cycles, results returning."""
    listed = []
    for seed in range(12):
        draw = random.Random(seed)
        count = draw.randint(3, 5)
        pairs = list(itertools.combinations(range(count), 2))
        chosen = {(i, i + 1) for i in range(count - 1)} | {(0, count - 1)}
        chosen |= {pair for pair in pairs if draw.random() < 0.3}
        listed.append(
            {
                "problem": {
                    "kind": "master_worker",
                    "platform": {
                        "processors": [{"id": "P0"}]
                        + [
                            {"id": f"P{i}", "unit_time": draw.randint(1, 6)}
                            for i in range(1, count)
                        ],
                        "links": [
                            {
                                "source": f"P{a}",
                                "target": f"P{b}",
                                "unit_time": draw.randint(1, 4),
                                "duplex": draw.choice(["half", "half", "full"]),
                            }
                            for a, b in sorted(chosen)
                        ],
                    },
                    "master": "P0",
                    "task": {"work": 1, "output_size": draw.randint(1, 2)},
                }
            }
        )
    return listed


@pytest.mark.parametrize("body", rings(), ids=range(12))
def test_half_duplex_rings_end_in_honest_outcomes(body: dict[str, Any]) -> None:
    result, schedule = solve(body)
    assert result.outcome in ("optimal", "feasible")
    assert (result.outcome == "optimal") == (result.objective.value == result.bound.value)
    assert schedule.throughput == result.objective.value
    assert 2 * result.objective.value >= result.bound.value  # two rounds always separate directions
    full = json.loads(json.dumps(body))
    for link in full["problem"]["platform"]["links"]:
        link["duplex"] = "full"
    assert solve(full).result.objective.value >= result.objective.value


def test_a_search_for_slots_that_is_cut_short_keeps_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    monkeypatch.setattr(search, "heaviest_slot", out_of_time)
    result, _ = solve(load("half_duplex_ring_of_four")["body"])
    assert result.outcome == "feasible"
    assert 0 < result.objective.value < result.bound.value == Fraction(19, 68)
    assert any("cut short" in note for note in result.notes)


def test_an_unregistered_kind_has_no_solver() -> None:
    assert callable(solver_for("master_worker").solve)
    with pytest.raises(KeyError):
        solver_for("queens")
    assert Options().time_limit == 60


def far_bottleneck_by_program() -> dict[str, Any]:
    body = far_bottleneck()
    body["problem"]["method"] = "lp"
    return body


def late(control: Control) -> None:
    control._deadline = 0.0


def test_an_optimum_found_just_after_the_limit_keeps_its_schedule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solve_program = methods.solve_program

    def slow(*given: Any) -> Any:
        optimum = solve_program(*given)
        late(given[-1])
        return optimum

    monkeypatch.setattr(methods, "solve_program", slow)
    submission = parse_submission(far_bottleneck_by_program(), Limits())
    answer = run(submission, Control(60), Limits())
    assert answer.result.outcome == "optimal"
    assert answer.schedule is not None


def test_building_the_program_stops_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    build_model = program.build_model

    def slow(*given: Any) -> Any:
        late(control)
        return build_model(*given)

    control = Control(60)
    monkeypatch.setattr(program, "build_model", slow)
    submission = parse_submission(far_bottleneck_by_program(), Limits())
    result, schedule = run(submission, control, Limits())
    assert result.outcome == "feasible"
    assert 0 < result.objective.value < result.bound.value
    assert schedule is not None
