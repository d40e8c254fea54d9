"""What is left of a plan: rows, ratios, and which execution is recommended."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.kinds.simulation.schemas import (
    BOUND_IS_WRONG,
    FEWER_ROWS,
    SimulatedRow,
    SimulationResult,
)
from steadygrid.kinds.simulation.solver.executing import Executing
from steadygrid.kinds.simulation.solver.methods import recommended
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.engine.executions.seen import pair
from tests.engine.executions.test_never_above import drawn
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
    asked = example(noise=["1/5", "0", "1/20"], instances=60, executions=["clock", "order"])
    result = answer(asked)
    rows = [row for row in result.table if row.noise == Fraction(1, 20)]
    taken, others = recommended(rows)
    assert taken is not None
    assert result.recommended is not None
    assert (result.recommended.execution, result.recommended.noise) == (
        taken.execution,
        Fraction(1, 20),
    )
    assert [one.execution for one in result.recommended.alike or ()] == [
        row.execution for row in others
    ]
    assert result.objective is not None
    assert result.objective.value == taken.throughput
    assert (result.bound, result.gap, result.proof) == (None, None, "none")


def test_of_executions_that_are_alike_the_simplest_is_recommended() -> None:
    """One worker that is as fast as its link: all do the plan, and asking needs nothing of it."""
    result = answer(simulated(pair(1, 1), noise=["0"]))
    best = result.recommended
    assert best is not None
    assert best.alike is not None
    assert {(row.throughput, row.error) for row in result.table} == {(1, 0)}
    assert (best.execution, best.of_plan) == ("on_demand", 1)
    assert [(one.execution, one.overtake) for one in best.alike] == [
        ("clock", None),
        ("order", None),
        ("dispatch", False),
        ("dispatch", True),
    ]


def row_of(execution: str, of_plan: str, error: str, **members: Any) -> SimulatedRow:
    """Give a row of a plan of throughput 1."""
    value = Fraction(of_plan)
    same = dict.fromkeys(("throughput", "least", "greatest", "of_plan", "of_optimum"), value)
    how = {"noise": Fraction(1, 20), "runs": [value], "late": None, "waiting": 0} | members
    return SimulatedRow(execution=execution, error=Fraction(error), **same, **how)


def test_what_differs_by_more_than_its_errors_is_not_alike() -> None:
    clock = row_of("clock", "0.999", "0.0001")
    noisy, other = row_of("dispatch", "0.998", "0.001"), row_of("dispatch", "0.998", "0.0008")
    assert recommended([clock, noisy]) == (noisy, [clock])
    assert recommended([clock, other]) == (clock, [])
    short = row_of("on_demand", "0.98", "0.2")
    assert recommended([clock, short]) == (clock, []), "a hundredth of the plan is never given away"
    order = row_of("order", "0.5", "0.0", noise=Fraction(0))
    assert recommended([order, clock]) == (clock, [])
    assert recommended([]) == (None, [])


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


def test_a_larger_window_hides_more_of_the_transfer_to_the_worker() -> None:
    done = [
        answer(simulated(pair(3, 2), window=window, noise=["0"], executions=["dispatch"])).table[0]
        for window in (1, 2)
    ]
    assert [row.throughput for row in done] == [Fraction(1, 5), Fraction(1, 3)]


def test_workers_that_ask_use_the_fastest_path_where_the_plan_leaves_them_out() -> None:
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


def test_heft_leaves_the_plan_aside_and_is_asked_for_by_name() -> None:
    """One worker, which is never idle: as the plan."""
    assert "heft" not in {row.execution for row in answer(example(**FEW)).table}
    body = simulated(pair(3, 2), executions=["clock", "heft"], noise=["0"], batch=10, instances=60)
    clock, heft = answer(body).table
    assert (heft.execution, heft.late) == ("heft", None)
    assert (clock.throughput, heft.throughput) == (Fraction(1, 3), Fraction(1, 3))


def test_a_bound_that_a_run_without_noise_beats_is_said_to_be_wrong() -> None:
    body = example(noise=["0"], instances=60)
    assert BOUND_IS_WRONG not in answer(body).notes
    body["problem"]["result"]["bound"]["value"] = "1/2"
    assert BOUND_IS_WRONG in answer(body).notes


def test_doubles_are_rounded_down_where_transfers_share_links() -> None:
    """This tree was measured above the optimum by a rounding."""
    draw = random.Random(524)
    body = drawn(524)
    draw.random()
    body["problem"]["ports"] = "multiport"
    for link in body["problem"]["platform"]["links"]:
        del link["duplex"]
    how = {"instances": draw.randint(2, 400), "window": draw.randint(1, 100), "buffer": 4}
    result = answer(simulated(body, noise=["0"], **how))
    assert result.optimum is not None
    assert all(row.throughput <= result.optimum for row in result.table)
    assert BOUND_IS_WRONG not in result.notes


def test_long_numbers_of_a_plan_are_not_rounded() -> None:
    """The makespan has a denominator of 20 digits, and the clock keeps it exactly."""
    ends = [("A", "853/977", "89/997"), ("B", "743/967", "83/991"), ("C", "761/953", "79/983")]
    asked = {
        "kind": "divisible_star",
        "platform": {
            "processors": [{"id": "M"}, *({"id": one, "unit_time": w} for one, w, _ in ends)],
            "links": [{"source": "M", "target": one, "unit_time": c} for one, _, c in ends],
        },
        "master": "M",
        "load": {"communication_volume": 1, "computation_volume": 1},
    }
    result = answer(simulated({"problem": asked}, noise=["0"]))
    assert result.plan.denominator > 10**18
    assert [row.makespan for row in result.table] == [result.plan] * 2


def test_no_rounding_lifts_a_throughput_above_the_optimum() -> None:
    """The optimum is 1 less 3e-13, with a denominator of 20 digits."""
    period = 10**19 + 3 * 10**6 + 1
    body = pair(1, 1)
    body["problem"]["platform"]["processors"][1]["unit_time"] = f"{period}/{10**19}"
    result = answer(simulated(body, noise=["0"], instances=60))
    assert result.optimum == Fraction(10**19, period)
    assert {row.throughput for row in result.table[2:]} <= {
        result.optimum,
        Fraction(999999999, 10**9),
    }


def test_no_rounding_lifts_an_error_above_the_optimum() -> None:
    body = pair(1, 1, output_size=6)
    master, worker = body["problem"]["platform"]["processors"]
    (link,) = body["problem"]["platform"]["links"]
    master["unit_time"], worker["unit_time"] = "292443/462083", "811886/889313"
    link |= {"unit_time": "424777/530568", "duplex": "half"}
    result = answer(simulated(body, noise=["0"], instances=20))
    assert any(row.error > 0 for row in result.table)
    assert all(row.throughput + row.error <= result.optimum for row in result.table)
