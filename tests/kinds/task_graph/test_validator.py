"""The referee of task_graph accepts right answers and finds every planted fault."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.document import parse_json
from steadygrid.domain.job import (
    NO_TIME_FOR_SCHEDULE,
    Bound,
    Objective,
    Options,
    Outcome,
    Proof,
)
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.kinds.task_graph import referee_prices
from steadygrid.kinds.task_graph.schemas import (
    PricedSearchCertificate,
    RatedAllocation,
    RatedTransfer,
    TaskGraphInstance,
    TaskGraphResult,
    TaskGraphStatistics,
)
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification import labelling, placement
from steadygrid.verification.labelling import TooWideError
from tests.data import shared_data
from tests.kinds.task_graph.answers import Answer, detour, fork_join

HALF = Fraction(1, 2)


@pytest.mark.parametrize("make", [fork_join, detour])
def test_right_answers_are_accepted(make: Callable[[], Answer]) -> None:
    assert make().faults() == []


def test_multiport_answers_are_accepted() -> None:
    right = fork_join(ports="multiport")
    assert right.faults() == []


@pytest.mark.parametrize(("routing", "codes"), [("free", {"cheap_allocation"}), ("fixed", set())])
def test_a_fixed_route_proves_what_free_paths_would_not(routing: str, codes: set[str]) -> None:
    assert detour().change("instance/routing", routing).codes() == codes


def test_a_path_off_the_route_is_found() -> None:
    direct = (Transfer(("a", "b"), ("A", "B"), Fraction(1)),)
    wrong = detour().change("result/allocations/0/transfers/0/path", ["A", "B"])
    wrong = wrong.change("schedule/allocations/0/transfers", direct)
    assert "off_route" in wrong.codes()
    assert "off_route" not in wrong.change("instance/routing", "free").codes()
    empty = detour().change("result/allocations/0/transfers/0/path", [])
    assert {"empty_path"} <= empty.codes()


def test_without_a_given_route_the_shortest_path_is_the_fixed_one() -> None:
    answer = detour()
    platform = answer.instance.platform.model_copy(update={"routes": ()})
    assert {"off_route"} <= answer.change("instance/platform", platform).codes()


PLANTED: list[tuple[str, Any, str, str]] = [
    ("result/kind", "master_worker", "wrong_kind", "not task_graph"),
    ("result/certificate/prices", {}, "prices_miss_bound", "sum to 0"),
    ("result/certificate/prices", {"P1.compute": -1}, "negative_price", "'P1.compute'"),
    ("result/certificate/prices", {"P9.compute": 1}, "ghost_resource", "'P9.compute'"),
    ("result/certificate/prices", {"P4.compute": HALF, "P1.compute": HALF}, "", ""),
    ("result/certificate/prices", {"P2.send": HALF, "P4.receive": HALF}, "cheap_allocation", "1/2"),
    ("result/allocations/0/index", 3, "wrong_index", "says that it is 3"),
    ("result/allocations/1/index", 0, "wrong_index", "Allocation 1 says that it is 0"),
    ("result/allocations/0/rate", Fraction(0), "rate_not_positive", "allocation 0"),
    ("result/allocations/0/rate", Fraction(1), "wrong_sum", "sum to 3/2, but the value is 1"),
    ("result/allocations/0/rate", Fraction(1), "overloaded", "P1.compute busy for 3/2"),
    ("result/allocations/0/rate", Fraction(1), "allocations_disagree", "Allocation 0"),
    ("result/allocations/0/rate", Fraction(1, 99), "allocations_disagree", "Allocation 0"),
    ("result/allocations/0/tasks/T4", "P5", "path_end", "ends on 'P4'"),
    ("result/allocations/0/tasks/T4", "P1", "task_not_allowed", "'T4' on 'P1'"),
    ("result/allocations/0/tasks", {}, "missing_task", "does not place task 'T1'"),
    ("result/allocations/0/tasks/T5", "P1", "unknown_task", "'T5'"),
    ("result/allocations/0/transfers", [], "file_does_not_move", "'T1 -> T2'"),
    ("result/allocations/0/transfers/0/share", HALF, "shares_miss_one", "sum to 1/2"),
    ("result/allocations/0/transfers/0/path", ["P1", "P4", "P2"], "missing_link", "'P1' to 'P4'"),
    ("result/allocations/0/transfers/0/file", ("T2", "T1"), "unknown_file", "'T2 -> T1'"),
    ("result/allocations/0/transfers/0/path", ["P1", "P3"], "path_end", "ends on 'P3'"),
    ("result/allocations", [], "wrong_sum", "sum to 0"),
    ("result/allocations", [], "allocations_disagree", "schedule's allocation 1 is not"),
    ("schedule/allocations/0/tasks/T4", ("P5",), "allocations_disagree", "Allocation 0"),
    ("schedule/allocations/0/transfers", (), "allocations_disagree", "Allocation 0"),
    (
        "schedule/allocations/0/transfers",
        lambda all_: all_[1:],
        "allocations_disagree",
        "Allocation 0",
    ),
    ("schedule/allocations", lambda listed: listed[:1], "allocations_disagree", "Allocation 1"),
    ("schedule/runs", (), "wrong_count", "T1"),
    ("schedule", None, "no_schedule", "no schedule"),
    ("schedule/throughput", Fraction(1, 3), "wrong_throughput", "1/3"),
    ("options", Options(max_period=Fraction(1)), "period_too_long", "longer than the 1 asked"),
]


@pytest.mark.parametrize(("path", "value", "code", "phrase"), PLANTED)
def test_one_planted_fault_is_found(path: str, value: Any, code: str, phrase: str) -> None:
    faults = fork_join().change(path, value).faults()
    if code:
        assert any(f.code == code and phrase in f.detail for f in faults), faults
    else:
        assert any(phrase in f.detail for f in faults) or not phrase


def test_a_join_cannot_get_its_files_from_two_allocations() -> None:
    """Swap where one of the two files goes: the counts of both allocations still add up."""
    crossed = fork_join()
    for here, there in ((0, "P5"), (1, "P4")):
        for part in ("result", "schedule"):
            path = f"{part}/allocations/{here}/transfers"
            old = crossed.change(path, lambda moves: moves)
            moves = list(getattr(old, part).allocations[here].transfers)
            last = next(i for i, m in enumerate(moves) if tuple(m.file) == ("T3", "T4"))
            moves[last] = (
                moves[last]._replace(path=("P3", there))
                if part == "schedule"
                else moves[last].model_copy(update={"path": ["P3", there]})
            )
            crossed = crossed.change(path, tuple(moves) if part == "schedule" else moves)
    assert {"path_end"} <= crossed.codes()


def test_prices_that_prove_too_little_are_refused_by_the_least_bit() -> None:
    tiny = Fraction(1, 10**50)
    less = fork_join().change("result/certificate/prices", {"P1.compute": 1 - tiny})
    less = less.change("result/bound", Bound.from_value(1 - tiny, exact=True))
    assert {"cheap_allocation", "above_bound"} <= less.codes()


def small(
    tasks: list[dict[str, Any]], files: list[str], links: list[str], **fields: Any
) -> TaskGraphInstance:
    return TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": {
                "processors": [{"id": "A", "speed": 2}, {"id": "B", "unit_time": 3}, {"id": "C"}],
                "links": [
                    {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
                    for a, b in links
                ],
            },
            "application": {
                "tasks": tasks,
                "files": [{"source": a, "target": b, "size": 1} for a, b in files],
            },
        }
        | fields
    )


def refused(instance: TaskGraphInstance, **fields: Any) -> Answer:
    result = TaskGraphResult(
        outcome=Outcome.INFEASIBLE,
        method="column_generation",
        objective=None,
        bound=None,
        gap=None,
        certificate=NoCertificate(),
        allocations=[],
        statistics=TaskGraphStatistics(),
        notes=["no way for a file"],
    )
    return Answer(instance, Options(), result.model_copy(update=fields), None)


APART = small([{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}], ["ab"], ["BA"])
TOGETHER = small([{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}], ["ab"], ["AB"])


def test_an_infeasible_outcome_is_proved_anew() -> None:
    assert refused(APART).faults() == []
    assert refused(TOGETHER).codes() == {"not_infeasible"}


def test_an_infeasible_outcome_has_no_allocations() -> None:
    extra = RatedAllocation(
        index=0,
        rate=Fraction(1),
        tasks={"a": "A", "b": "B"},
        transfers=[RatedTransfer(file=("a", "b"), path=["A", "B"], share=Fraction(1))],
    )
    assert "wrong_outcome" in refused(APART, allocations=[extra]).codes()


def test_what_takes_too_much_room_is_not_taken_on_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_wide(*_: Any, **__: Any) -> None:
        raise TooWideError("a table of many entries")

    monkeypatch.setattr(placement, "placement_exists", lambda *_: None)
    assert refused(APART).codes() == {"not_proved"}
    monkeypatch.setattr(labelling, "cheap_allocation", too_wide)
    assert not fork_join().faults()  # the tasks alone cost enough
    monkeypatch.setattr(referee_prices, "tasks_cost_enough", lambda *_: False)
    ((fault),) = fork_join().faults()
    assert fault.code == "not_proved"
    assert "a table of many entries" in fault.detail


def searched(prices: dict[str, Any]) -> Answer:
    """The right answer of value 1, by a search that names these prices."""
    listed = {name: Fraction(price) for name, price in prices.items()}
    certificate = PricedSearchCertificate(solver="HiGHS", prices=listed)
    return fork_join().change("result/certificate", certificate).change("result/bound/exact", False)


def test_a_finished_search_is_optimal_with_a_bound_that_is_not_exact() -> None:
    found = searched({"P2.send": 1})
    assert found.faults() == []
    assert found.change("result/bound/exact", True).codes() == {"unproved_bound"}
    almost = searched({"P2.send": Fraction(10, 9)})
    almost = almost.change("result/bound", Bound.from_value(Fraction(10, 9), exact=False))
    almost = almost.change("result/gap", Fraction(1, 10))
    assert almost.codes() == {"not_optimal"}
    assert almost.change("options", Options(mip_gap=Fraction(1, 10))).faults() == []
    assert almost.change("result/outcome", Outcome.FEASIBLE).faults() == []


def test_a_search_without_prices_is_feasible_at_most() -> None:
    silent = searched({})
    assert silent.codes() == {"word_without_prices"}
    assert silent.change("result/outcome", Outcome.FEASIBLE).faults() == []


@pytest.mark.parametrize("listed", [1, 2])
def test_a_word_that_its_own_allocations_beat_is_refused(listed: int) -> None:
    """Half of what can be done, called the most that can be."""
    rate, value = Fraction(1, 4), Fraction(listed, 4)
    lazy = searched({}).change("result/outcome", Outcome.FEASIBLE)
    lazy = lazy.change(
        "result/allocations",
        lambda both: [one.model_copy(update={"rate": rate}) for one in both[:listed]],
    )
    lazy = lazy.change("result/objective", Objective.throughput(value))
    lazy = lazy.change("result/notes", [NO_TIME_FOR_SCHEDULE])._replace(schedule=None)
    assert lazy.change("result/gap", 1 - value).codes() == set()
    lazy = lazy.change("result/bound", Bound.from_value(value, exact=False))
    assert lazy.codes() == {"bound_beaten"}
    # Where half-duplex links are, rates need not be schedules.
    assert "bound_beaten" not in lazy.change("instance/platform/links/0/duplex", "half").codes()


def test_the_prices_of_a_search_are_judged_where_the_table_is_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = searched({"P4.compute": 1})
    assert wrong.codes() == {"cheap_allocation"}
    assert "prices_miss_bound" in searched({"P2.send": Fraction(1, 2)}).codes()
    negative = searched({"P2.send": 2, "P4.compute": -1})
    assert negative.codes() == {"negative_price"}
    monkeypatch.setattr(referee_prices, "MOST_ENTRIES_OF_A_SEARCH", 0)
    assert wrong.faults() == []
    proved = fork_join().change("result/certificate/prices", {"P4.compute": Fraction(1)})
    assert proved.codes() == {"cheap_allocation"}


def test_an_optimum_by_search_is_judged_by_its_prices() -> None:
    """What was called optimal once: 500000000/333333339 where 3/2 is possible."""
    body = parse_json(shared_data("regressions/task-graph-near-tie.json").read_bytes())
    result = run(parse_submission(body, Limits()), Control(60), Limits()).result
    assert (result.bound.value, result.proof) == (Fraction(3, 2), Proof.SEARCH)
    assert sum(result.certificate.prices.values()) == result.bound.value


def test_a_bound_without_any_schedule_is_accepted() -> None:
    bound = fork_join().change("result/outcome", Outcome.BOUND_ONLY)
    bound = bound.change("result/objective", None).change("result/gap", None)
    bound = bound.change("result/allocations", [])._replace(schedule=None)
    assert bound.faults() == []
    bound = bound.change("result/objective", Objective.throughput(Fraction(1)))
    assert "wrong_outcome" in bound.codes()


def test_a_bound_by_a_word_that_some_allocation_beats_is_refused() -> None:
    none = searched({}).change("result/outcome", Outcome.BOUND_ONLY)
    none = none.change("result/objective", None).change("result/gap", None)
    none = none.change("result/allocations", [])._replace(schedule=None)
    assert none.codes() == set()
    none = none.change("result/bound", Bound.from_value(HALF, exact=False))
    assert none.codes() == {"bound_beaten"}


def test_a_schedule_of_nothing_needs_a_note() -> None:
    right = fork_join()
    assert right.schedule is not None
    nothing = right._replace(
        options=Options(max_period=Fraction(1)),
        schedule=right.schedule.__class__(
            **{name: getattr(right.schedule, name) for name in ("ports", "files")},
            period=Fraction(1), instances_per_period=Fraction(0), throughput=Fraction(0),
            optimal_throughput=Fraction(1), loss=Fraction(1), rounding_loss=Fraction(1),
            prologue_periods=0, latency_periods=1, preempted=False,
            allocations=tuple(
                a._replace(instances_per_period=Fraction(0)) for a in right.schedule.allocations
            ),
            computations=(), slots=(),
        ),
    )  # fmt: skip
    assert nothing.codes() == {"no_note"}
    assert nothing.change("result/notes", ["no instance fits"]).faults() == []


def test_times_are_read_anew() -> None:
    tasks = [
        {"id": "a", "work": 6},
        {"id": "b", "work": 6, "allowed": ["A"]},
        {"id": "c", "times": {"A": 1, "C": 2}, "allowed": ["C", "B"]},
    ]
    assert steady_instance(small(tasks, [], [])).times == {
        "a": {"A": 3, "B": 18},
        "b": {"A": 3},
        "c": {"C": 2},
    }
