"""What is left of a plan: rows, ratios, and which execution is recommended."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.kinds.simulation.schemas import FEWER_ROWS, SimulationResult
from steadygrid.kinds.simulation.solver.executing import Executing
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.engine.executions.seen import pair
from tests.kinds.simulation.bodies import example, simulated
from tests.solved import solve

FEW: dict[str, Any] = {"noise": ["0", "1/20"], "instances": 60, "seeds": 2}


def answer(body: dict[str, Any], **options: Any) -> SimulationResult:
    result = solve(body, **options).result
    assert isinstance(result, SimulationResult)
    return result


@pytest.mark.parametrize(
    ("kind", "ports", "variants"),
    [
        ("master_worker", "one_port", ["clock", "order", "dispatch", "overtaking", "on_demand"]),
        ("master_worker", "multiport", ["clock", "order", "dispatch", "on_demand"]),
        ("master_worker", "no_overlap", ["clock", "order", "dispatch", "overtaking", "on_demand"]),
        ("task_graph", "send_or_receive", ["clock", "order", "dispatch", "overtaking"]),
        ("mono_allocation", "one_port", ["clock", "order", "dispatch", "overtaking"]),
        ("collective", "one_port", ["clock", "order"]),
        ("bag_of_tasks", "one_port", ["clock", "order", "dispatch", "overtaking"]),
    ],
)
def test_every_execution_is_simulated_at_every_noise(
    kind: str, ports: str, variants: list[str]
) -> None:
    result = answer(example(kind, ports, **FEW))
    rows = [
        ("overtaking" if row.overtake is True else row.execution, row.noise) for row in result.table
    ]
    assert rows == list(product(variants, (0, Fraction(1, 20))))
    clock, order = result.table[0], result.table[2]
    assert (clock.throughput, clock.late, clock.of_plan) == (result.plan, 0, 1)
    assert order.throughput >= result.plan
    assert {len(row.runs) for row in result.table} == {1, 2}


def test_the_first_noise_above_zero_decides_what_is_recommended() -> None:
    result = answer(example(noise=["1/5", "0", "1/20"], instances=60))
    best = max(
        (row for row in result.table if row.noise == Fraction(1, 20)), key=lambda r: r.throughput
    )
    assert result.recommended is not None
    assert (result.recommended.execution, result.recommended.noise) == (
        best.execution,
        Fraction(1, 20),
    )
    assert result.objective is not None
    assert result.objective.value == best.throughput
    assert (result.bound, result.gap, result.proof) == (None, None, "none")


def test_without_noise_the_clock_is_recommended_where_all_are_alike() -> None:
    result = answer(simulated(pair(1, 1), noise=["0"], executions=["order", "clock"]))
    assert result.recommended is not None
    assert (result.recommended.execution, result.recommended.of_plan) == ("clock", 1)


def test_the_same_seed_gives_the_same_table_and_another_gives_another() -> None:
    one, same, other = (answer(example(**FEW, seed=seed)).table for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_what_has_messages_is_not_dispatched() -> None:
    result = answer(example("collective", **FEW))
    assert {row.execution for row in result.table} == {"clock", "order"}


def test_one_wrong_speed_slows_all_down_that_rests_on_it() -> None:
    """The worker is the only resource that matters: what it loses is lost."""
    body = simulated(pair(3, 1), noise=["1/4"], noise_of="resource", executions=["order"], seeds=20)
    (row,) = answer(body).table
    assert row.least < row.throughput < row.greatest
    assert Fraction(4, 5) <= row.least / answer(body).plan
    assert row.greatest / answer(body).plan <= Fraction(4, 3)


def test_a_larger_window_hides_more_of_the_way_to_the_worker() -> None:
    done = [
        answer(simulated(pair(3, 2), window=window, noise=["0"], executions=["dispatch"])).table[0]
        for window in (1, 2)
    ]
    assert [row.throughput for row in done] == [Fraction(1, 5), Fraction("0.333333333")]


def test_workers_that_ask_go_the_fastest_way_where_the_plan_leaves_them_out() -> None:
    """Behind a slow link the plan leaves a worker idle; on demand it is served, and holds others up."""
    platform = {
        "processors": [
            {"id": "M"},
            {"id": "near", "unit_time": 1},
            {"id": "far", "unit_time": 1},
        ],
        "links": [
            {"source": "M", "target": "near", "unit_time": 1},
            {"source": "M", "target": "far", "unit_time": 9},
        ],
    }
    body = pair(1, 1)
    body["problem"]["platform"] = platform
    asked = simulated(body, executions=["on_demand"], noise=["0"], instances=500)
    result = answer(asked)
    assert result.plan == 1
    assert result.table[0].throughput < Fraction(1, 2)


def test_results_travel_back_on_demand() -> None:
    body = simulated(pair(1, 1, output_size=1), executions=["on_demand"], noise=["0"])
    assert answer(body).table[0].throughput == 1


def test_where_time_is_over_the_rows_that_are_complete_are_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, left = Executing.run, iter(range(4))

    def some(self: Executing, *how: Any) -> Any:
        if next(left, None) is None:
            raise OutOfTime
        return run(self, *how)

    monkeypatch.setattr(Executing, "run", some)
    result = answer(example(**FEW))
    assert FEWER_ROWS in result.notes
    assert [(row.execution, row.noise) for row in result.table] == [
        ("clock", 0),
        ("clock", Fraction(1, 20)),
        ("order", 0),
    ]


def test_without_time_for_a_row_nothing_is_known() -> None:
    result = solve(example(), seconds=0).result
    assert (result.outcome, result.table, result.recommended) == ("unknown", [], None)


def test_progress_counts_to_the_last_instance() -> None:
    result = answer(example(**FEW))
    for one in result.progress:
        dates, counts = zip(*one.points, strict=True)
        assert list(dates) == sorted(dates)
        assert list(counts) == sorted(set(counts))
        assert counts[-1] >= 60
    assert [one.row for one in result.progress] == list(range(len(result.table)))


def test_operations_are_counted_and_limited() -> None:
    submission = parse_submission(example(), Limits())
    sizes = size_submission(submission, Limits()).sizes
    assert sizes["instances"] == 1000 or sizes["simulated_operations"] > 1_900_000
    assert sizes["simulated_operations"] <= 2_000_000
    assert sizes["runs"] == 5 * 13
