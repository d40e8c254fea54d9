"""Bounds of single allocations: never above the optimum, proved, and refused when changed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.engine.allocations import network
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.allocated import Messages as Shares
from steadygrid.kinds.mono_allocation.solver.allocated import PeriodBound
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.bounds.packing import Packing
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.shared.collection_referee import elimination_order, steady_instance
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.column_generation import solve
from steadygrid.verification.findings import Findings
from steadygrid.verification.packing import check_weights
from steadygrid.verification.relaxation import Messages, check_period_bound
from steadygrid.verification.routes import FixedRoutes
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.enumeration import Enumeration

ROUTINGS = ("fixed", "free", "multipath")
COPIES = ("tasks", "tasks_and_files")


def instance(document: Mapping[str, object]) -> MonoAllocationInstance:
    return MonoAllocationInstance.model_validate({"kind": "mono_allocation", **document})


def small(seed: int, **fields: Any) -> MonoAllocationInstance:
    random = Random(seed)
    copied = "duplication" in fields
    return instance(
        drawn(
            random,
            tasks=random.randint(2, 3 if copied else 5),
            processors=random.randint(2, 3),
            density=random.choice((0.5, 0.9)),
            **fields,
        )
    )


def codes(problem: MonoAllocationInstance, bound: PeriodBound) -> set[str]:
    """Ask the referee about a bound without duplication."""
    findings = Findings()
    steady = replace(steady_instance(problem), duplication=problem.duplication)
    if bound.weights:
        check_weights(steady, bound.weights, 1 / bound.period, findings, ())
    else:
        tasks = list(steady.times)
        routes = FixedRoutes(steady.network, problem.platform.routes)
        check_period_bound(
            steady,
            problem.routing,
            routes if problem.routing == "fixed" else None,
            bound.prices,
            1 / bound.period,
            bound.source == "forbidden_assignments",
            {file: Messages(both.sent, both.received) for file, both in bound.messages.items()},
            [tasks[i] for i in elimination_order(steady)],
            findings,
            (),
        )
    return {fault.code for fault in findings.faults}


def reins(seconds: float = 60.0) -> Control:
    return Control(seconds)


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("start", range(0, draws(5, 40), 5))
def test_bounds_are_proved_and_never_above_the_optimum(routing: str, start: int) -> None:
    for seed in range(start, start + 5):
        problem = small(seed, routing=routing)
        tables = MonoTables(problem)
        best = Enumeration(problem).best()
        if best is None:
            for find in (prices.relaxation, prices.allocations, prices.rough):
                with pytest.raises(NoMapping):
                    find(tables, reins())
            continue
        first = prices.rough(tables, reins())
        relaxed = prices.relaxation(tables, reins())
        mixed = prices.allocations(tables, reins())
        forbidden = prices.forbidding(tables, reins(), best)
        unguided = prices.forbidding(tables, reins(), None)
        assert relaxed.period <= mixed.period <= best
        assert relaxed.period <= forbidden.period <= best
        for bound in (first, relaxed, mixed, forbidden, unguided):
            assert bound.period <= best
            assert bound.exact
            assert codes(problem, bound) == set()


@pytest.mark.parametrize("duplication", COPIES)
@pytest.mark.parametrize("start", range(0, draws(5, 40), 10))
def test_bounds_hold_with_copies(duplication: str, start: int) -> None:
    for seed in range(start, start + 10):
        problem = small(seed, routing="fixed", duplication=duplication)
        best = Enumeration(problem).best()
        if best is None:
            continue
        tables = MonoTables(problem)
        assert prices.relaxation(tables, reins()).period <= best
        assert prices.allocations(tables, reins()).period <= best
        forbidden = prices.forbidding(tables, reins(), best)
        assert forbidden.period <= best
        if forbidden.weights:
            assert codes(problem, forbidden) == set()


@pytest.mark.parametrize("routing", ["fixed", "free"])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_mix_of_allocations_is_the_optimum_of_task_graph(routing: str, seed: int) -> None:
    document = drawn(Random(seed), tasks=5, processors=4, routing=routing)
    graph = TaskGraphInstance.model_validate({"kind": "task_graph", **document})
    answer = solve(graph, reins())
    tables = MonoTables(instance(document))
    if answer.bound is None:
        with pytest.raises(NoMapping):
            prices.allocations(tables, reins())
    else:
        assert 1 / prices.allocations(tables, reins()).period == answer.bound


def wide(seed: int, **fields: Any) -> MonoAllocationInstance:
    return instance(drawn(Random(seed), tasks=7, processors=5, density=0.6, **fields))


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("seed", range(draws(2, 8)))
def test_messages_prove_what_tables_are_too_large_for(
    monkeypatch: pytest.MonkeyPatch, routing: str, seed: int
) -> None:
    problem = wide(seed, routing=routing)
    tables = MonoTables(problem)
    mixed = prices.allocations(tables, reins())
    monkeypatch.setattr(prices, "MOST_ENTRIES", 1)
    monkeypatch.setattr(prices, "QUICK_ENTRIES", 1)
    relaxed = prices.relaxation(tables, reins())
    assert relaxed.messages
    assert relaxed.period <= mixed.period
    assert codes(problem, relaxed) == set()
    assert prices.allocations(tables, reins()).source == "relaxation"
    assert codes(problem, prices.rough(tables, reins())) == set()
    assert prices.forbidding(tables, reins(), mixed.period * 2).period >= relaxed.period


def test_messages_share_out_what_no_table_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = instance(
        {
            "platform": {
                "processors": [{"id": name} for name in "ABC"],
                "links": [
                    {"source": a, "target": b, "bandwidth": 1} for a, b in ("AB", "BC", "AC")
                ],
            },
            "application": {
                "tasks": [
                    {"id": "a", "times": {"A": 1}},
                    {"id": "b", "times": {"B": 1, "C": 1}},
                    {"id": "c", "times": {"C": 1, "B": 1}},
                ],
                "files": [
                    {"source": "a", "target": "b", "size": 6},
                    {"source": "a", "target": "c", "size": 6},
                    {"source": "b", "target": "c", "size": 1},
                ],
            },
            "routing": "free",
        }
    )
    monkeypatch.setattr(prices, "QUICK_ENTRIES", 1)
    relaxed = prices.relaxation(MonoTables(pinned), reins())
    assert any(both.sent or both.received for both in relaxed.messages.values())
    assert Fraction(599, 100) < relaxed.period <= 6
    assert codes(pinned, relaxed) == set()
    lopsided = Shares({"B": Fraction(2), "C": Fraction(-2)}, {})
    changed = replace(relaxed, messages={**relaxed.messages, ("b", "c"): lopsided})
    assert codes(pinned, changed) == {"cheap_allocation"}


def chain_of(times: list[int], size: int, processors: int) -> MonoAllocationInstance:
    """Tasks in a row on processors that are all alike, each linked to each."""
    names = [f"P{i}" for i in range(processors)]
    return instance(
        {
            "platform": {
                "processors": [{"id": name, "speed": 1, "bandwidth_in": 1} for name in names],
                "links": [
                    {"source": a, "target": b, "bandwidth": 1}
                    for i, a in enumerate(names)
                    for b in names[:i]
                ],
            },
            "application": {
                "tasks": [{"id": f"T{k}", "work": time} for k, time in enumerate(times)],
                "files": [
                    {"source": f"T{k}", "target": f"T{k + 1}", "size": size}
                    for k in range(len(times) - 1)
                ],
            },
        }
    )


def test_weights_close_what_prices_leave_open() -> None:
    problem = chain_of([2, 2, 2], 1, 2)
    tables = MonoTables(problem)
    assert prices.allocations(tables, reins()).period == 3
    bound = prices.forbidding(tables, reins(), Fraction(4))
    assert (bound.period, bound.source) == (4, "forbidden_assignments")
    assert sum(bound.weights.values()) > 0
    assert codes(problem, bound) == set()
    assert codes(problem, replace(bound, period=Fraction(5))) == {"weights_fit"}


def test_files_too_large_to_leave_keep_tasks_together() -> None:
    problem = chain_of([1, 1, 1, 1], 10, 4)
    bound = prices.forbidding(MonoTables(problem), reins(), Fraction(4))
    assert bound.period == 4
    assert codes(problem, bound) == set()


def test_only_what_enters_counts_with_copies() -> None:
    problem = chain_of([1, 1, 1, 1], 10, 4)
    copied = problem.model_copy(update={"duplication": "tasks"})
    packing = Packing(MonoTables(copied))
    assert packing.weights(Fraction(4), reins()) == Packing(MonoTables(problem)).weights(
        Fraction(4), reins()
    )
    assert all(host.most_out is None for host in packing.hosts(Fraction(4)))


def test_what_no_processor_can_run_in_time_is_proved_at_once() -> None:
    problem = chain_of([5, 1], 1, 2)
    without_weights = prices.forbidding(MonoTables(problem), reins(), Fraction(5))
    assert without_weights.period == 5
    by_prices = prices._by_prices(
        prices._problem(MonoTables(problem), reins()), Fraction(5), reins()
    )
    assert by_prices is not None
    assert by_prices.period == 5
    assert codes(problem, by_prices) == set()


def test_a_search_for_the_heaviest_set_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steadygrid.kinds.mono_allocation.solver.bounds.packing.MOST_NODES", 0)
    packing = Packing(MonoTables(chain_of(list(range(10, 40)), 1, 3)))
    assert packing.weights(Fraction(1000, 3), reins()) is None


@pytest.mark.parametrize("find", [prices.relaxation, prices.allocations, prices.rough])
def test_a_bound_stops_when_cancelled(find: Callable[[MonoTables, Control], PeriodBound]) -> None:
    control = reins()
    control.cancel()
    with pytest.raises(Cancelled):
        find(MonoTables(wide(1, routing="fixed")), control)


def test_the_best_proof_so_far_counts_when_the_time_is_over() -> None:
    class Late(Control):
        """Lets so many checks pass."""

        left = 0

        def check(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise OutOfTime

        def within(self, seconds: float, *, silent: bool = False) -> Control:
            return self

    problem = wide(3, routing="fixed")
    found = set()
    for checks in (20, 40, 80, 160, 320, 640):
        control = Late()
        control.left = checks
        try:
            bound = prices.forbidding(MonoTables(problem), control, None)
        except OutOfTime:
            continue
        found.add(bound.period)
        assert codes(problem, bound) == set()
    assert found


def test_where_only_speeds_differ_even_the_rough_bound_is_all_work_over_all_speed() -> None:
    problem = instance(
        {
            "platform": {
                "processors": [
                    {"id": name, "speed": s} for name, s in zip("ABC", (1, 2, 3), strict=True)
                ],
                "links": [{"source": "A", "target": name, "bandwidth": 9} for name in "BC"],
            },
            "application": {
                "tasks": [{"id": "first", "work": 7}, {"id": "then", "work": 5}],
                "files": [{"source": "first", "target": "then", "size": "1/100"}],
            },
        }
    )
    assert prices.rough(MonoTables(problem), reins()).period == 2


@pytest.mark.parametrize("bound_by", [prices.relaxation, prices.rough, prices.allocations])
def test_too_many_routes_leave_a_bound_by_the_tasks_alone(
    bound_by: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = MonoTables(instance(drawn(Random(3), everywhere=True)))
    strong = prices.forbidding(tables, reins(), None)

    def listed(*_: Any, **__: Any) -> None:
        pytest.fail("looked at ways")

    monkeypatch.setattr(prices, "MOST_ROUTES", 1)
    monkeypatch.setattr(network.Network, "distances", listed)
    found = bound_by(tables, reins())
    assert found.exact
    assert 0 < found.period <= strong.period
    single = prices.forbidding(tables, reins(), None)
    assert found.period <= single.period <= strong.period


def test_no_period_is_shorter_than_the_longest_task_where_it_is_fastest() -> None:
    found = prices.longest_task(MonoTables(chain_of([5, 1], 1, 2)))
    assert found.exact
    assert found.source == "forbidden_assignments"
    assert found.period == 5
    assert sum(found.prices.values()) == Fraction(1, 5)


def test_bounds_without_time_are_those_of_speeds() -> None:
    tables = MonoTables(instance(drawn(Random(3), everywhere=True)))
    found = prices.rough(tables, Control(0))
    assert found.exact
    assert found.period > 0
