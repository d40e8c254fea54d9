"""The portfolio: optimal where it can search everything, and never worse than its parts."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.transfers import period_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver import portfolio as module
from steadygrid.kinds.mono_allocation.solver.heuristics import large_neighborhood
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import delegate
from steadygrid.kinds.mono_allocation.solver.heuristics.large_neighborhood import (
    MOST_ROUNDS,
    Neighborhoods,
)
from steadygrid.kinds.mono_allocation.solver.portfolio import portfolio
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import optimum


def tables(seed, **shape):
    return MonoTables(instance(drawn(Random(seed), **shape)))


def closed(answer):
    """Tell whether a search or an exact bound says that nothing is better."""
    exact = answer.bound is not None and answer.bound.period == answer.period
    return exact or (answer.proved and answer.searched == answer.period)


@pytest.mark.parametrize("seed", range(10))
def test_small_instances_are_solved(seed):
    found = tables(seed, tasks=4, processors=3)
    best = optimum(found)
    if best is None:
        with pytest.raises(NoMapping):
            portfolio(found, Control())
        return
    answer = portfolio(found, Control())
    assert closed(answer)
    assert answer.period == best
    index = found.platform.index_by_id
    places = [[index[name] for name in answer.allocated.tasks[task]] for task in found.tasks]
    assert period_of(found, places, answer.allocated.transfers) == answer.period


@pytest.mark.parametrize("routing", ["free", "multipath"])
def test_chosen_paths_are_never_worse_than_the_reference_paths(routing):
    for seed in range(5):
        document = drawn(Random(seed), everywhere=True, tasks=4, processors=3)
        chosen = MonoTables(instance({**document, "routing": routing}))
        given = MonoTables(instance({**document, "routing": "fixed"}))
        assert portfolio(chosen, Control()).period <= portfolio(given, Control()).period


def test_copies_of_tasks_are_never_worse_than_none():
    document = drawn(Random(2), everywhere=True, tasks=4, processors=3)
    copies = MonoTables(instance({**document, "duplication": "tasks"}))
    assert (
        portfolio(copies, Control()).period
        <= portfolio(MonoTables(instance(document)), Control()).period
    )


@pytest.fixture
def only_parts(monkeypatch):
    """Searches small programs only, and knows no bound at which to end."""

    def no_time(*_):
        raise OutOfTime

    monkeypatch.setattr(module.prices, "forbidding", no_time)
    monkeypatch.setattr(module, "SMALL_COEFFICIENTS", 0)
    monkeypatch.setattr(module, "MOST_SEARCHED", 0)


@pytest.mark.usefixtures("only_parts")
def test_small_programs_around_the_best_never_make_it_worse():
    for seed in range(2):
        found = tables(seed, tasks=8, processors=5, everywhere=True)
        answer = portfolio(found, Control())
        assert answer.period <= found.period(delegate(found, Control()))
        assert answer.rounds > 0 or closed(answer)
        assert portfolio(found, Control()).allocated == answer.allocated


@pytest.mark.usefixtures("only_parts")
def test_a_solver_that_gives_up_costs_a_round_only(monkeypatch):
    def failing(*_, **__):
        raise SolverError("it stumbled")

    monkeypatch.setattr(module, "search_schedules", failing)
    monkeypatch.setattr(large_neighborhood, "search_program", failing)
    found = tables(1, tasks=8, processors=5, everywhere=True)
    answer = portfolio(found, Control())
    assert answer.searched is None
    assert answer.rounds == MOST_ROUNDS


def test_the_bound_of_a_part_does_not_go_out(monkeypatch):
    monkeypatch.setattr(module, "SMALL_COEFFICIENTS", 0)
    found = tables(1, tasks=8, processors=5, everywhere=True)
    told: list[Any] = []
    answer = portfolio(found, Control(None, told.append))
    best = 1 / answer.period
    assert all(Fraction(state["bound"]) >= best for state in told if "bound" in state)
    values = [Fraction(state["value"]) for state in told if "value" in state]
    assert values == sorted(values)
    assert values[-1] == best


def test_the_processor_or_the_ends_of_the_longest_load_are_always_freed():
    found = tables(1, tasks=8, processors=5, everywhere=True)
    mapping = delegate(found, Control())
    times = found.occupation(mapping)
    top = max(times, key=lambda place: (times[place], -place))
    for size in range(2, 6):
        chosen = Neighborhoods(found, Random(0)).chosen(mapping, size)
        assert len(chosen) == size
        ends = {
            frozenset((mapping[k], mapping[m]))
            for k, m, _ in found.files
            if top in dict(found.path_uses(mapping[k], mapping[m]))
        }
        assert top in chosen or any(pair <= chosen for pair in ends)


def test_a_reached_floor_needs_no_search(monkeypatch):
    for searching, name in ((module, "search_schedules"), (large_neighborhood, "search_program")):
        monkeypatch.setattr(searching, name, lambda *_, **__: pytest.fail("searched"))
    document = {
        "platform": {
            "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}],
            "links": [{"source": "A", "target": "B", "unit_time": 1}],
        },
        "application": {"tasks": [{"id": "a", "work": 5}, {"id": "b", "work": 2}]},
    }
    answer = portfolio(MonoTables(instance(document)), Control())
    assert closed(answer)
    assert answer.period == 5


def test_an_instance_without_any_mapping_is_refused():
    document = {
        "platform": {"processors": [{"id": "A"}, {"id": "B"}]},
        "application": {
            "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    with pytest.raises(NoMapping, match="has a route"):
        portfolio(MonoTables(instance(document)), Control())


def test_a_cancelled_portfolio_stops():
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        portfolio(tables(0), control)
