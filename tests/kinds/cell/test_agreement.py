"""The shortest period is that of enumeration, and its schedule runs."""

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Outcome
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.schemas import CellInstance
from steadygrid.kinds.cell.solver.bounds import bound_of_core_types
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables
from tests.draws import draws
from tests.kinds.cell.enumeration import (
    buffer_sizes,
    first_periods,
    mappings,
    period_of,
    shortest_period,
)
from tests.kinds.cell.random_instances import random_body
from tests.kinds.cell.replay import assert_replays
from tests.solved import solve

BATCH = 25


@pytest.mark.parametrize("first", range(0, draws(13, 300), BATCH))
def test_the_search_finds_the_shortest_period_of_all_mappings(first: int) -> None:
    for seed in range(first, first + BATCH):
        body = random_body(seed)
        instance = CellInstance.model_validate(body["problem"])
        shortest = shortest_period(instance)
        try:
            result, schedule = solve(body)
        except InstanceError:
            assert shortest is None
            continue
        assert result.period == shortest
        if shortest is None:
            assert result.outcome is Outcome.INFEASIBLE
            assert schedule is None
            continue
        assert result.outcome is Outcome.OPTIMAL
        assert result.objective.value == result.bound.value == 1 / shortest
        assert period_of(instance, result.mapping) == shortest
        assert schedule.period == shortest
        assert_replays(instance, schedule)


@pytest.mark.parametrize("method", ["greedy", "ppe_only"])
def test_the_schedules_of_the_references_run(method: str) -> None:
    replayed = 0
    number = draws(20, 100)
    for seed in range(number):
        body = random_body(seed)
        body["problem"]["method"] = method
        try:
            result, schedule = solve(body)
        except InstanceError:
            continue
        if schedule is None:
            assert result.outcome is Outcome.UNKNOWN
            continue
        instance = CellInstance.model_validate(body["problem"])
        assert period_of(instance, result.mapping) == result.period == schedule.period
        assert result.period >= shortest_period(instance)
        assert_replays(instance, schedule)
        replayed += 1
    assert replayed > number / 5


@pytest.mark.parametrize("seed", range(draws(8, 60)))
def test_tables_and_bounds_agree_with_the_plain_words_of_the_chapter(seed: int) -> None:
    instance = CellInstance.model_validate(random_body(seed, largest=4)["problem"])
    tables = Tables(instance)
    assert dict(zip(tables.tasks, tables.first, strict=True)) == first_periods(instance)
    assert tables.room == list(buffer_sizes(instance).values())
    shortest = None
    for mapping in mappings(instance):
        placed = [tables.cores.index(mapping[task]) for task in tables.tasks]
        period = period_of(instance, mapping)
        use = Occupancy(tables, placed)
        assert (period is None) == (use.excess > 0) == (next(use.breaches(), None) is not None)
        if period is not None:
            assert tables.period(placed) == period
            shortest = period if shortest is None else min(shortest, period)
    if shortest is not None:
        bound = bound_of_core_types(tables, shortest, Control())
        assert bound is not None
        assert bound.throughput >= 1 / shortest
        assert sum(bound.prices.values()) == bound.throughput
