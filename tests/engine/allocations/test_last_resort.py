"""What is said of any instance at once: one allocation, one bound."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.allocations import last_resort
from steadygrid.engine.allocations.last_resort import some_allocation, speed_prices
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import optimum


@pytest.mark.parametrize("seed", range(15))
def test_some_allocation_can_run_and_the_prices_bound_the_best(seed: int) -> None:
    tables = MonoTables(instance(drawn(Random(seed), tasks=4, processors=3)))
    best = optimum(tables)
    places = some_allocation(tables.instance, tables.routes, lambda: None)
    if places is not None:
        assert best is not None
        assert all(place in row for place, row in zip(places, tables.labels, strict=True))
        assert tables.period(places) >= best
    prices = speed_prices(tables.instance)
    assert prices is not None
    if best is not None:
        assert sum(prices.values()) >= 1 / best
    names = [f"{processor.id}.compute" for processor in tables.platform.processors]
    alone = sum(
        min(tables.time(k, i) * prices.get(names[i], Fraction(0)) for i in row)
        for k, row in enumerate(tables.labels)
    )
    assert alone >= 1


def test_all_on_one_processor_where_files_cost_more_than_work() -> None:
    document = {
        "platform": {
            "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 2}],
            "links": [{"source": "A", "target": "B", "unit_time": 100}],
        },
        "application": {
            "tasks": [{"id": "a", "work": 2}, {"id": "b", "work": 2}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    tables = MonoTables(instance(document))
    assert some_allocation(tables.instance, tables.routes, lambda: None) == [1, 1]


def test_all_processors_are_tried_where_the_fastest_have_no_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(last_resort, "FASTEST", 1)
    document = {
        "platform": {
            "processors": [{"id": "A"}, {"id": "B"}, {"id": "C"}],
            "links": [{"source": "A", "target": "B", "unit_time": 1}],
        },
        "application": {
            "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 5, "C": 1}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    tables = MonoTables(instance(document))
    assert some_allocation(tables.instance, tables.routes, lambda: None) == [0, 1]
    document["platform"]["links"] = []
    tables = MonoTables(instance(document))
    assert some_allocation(tables.instance, tables.routes, lambda: None) is None


def test_when_the_time_is_over_one_processor_runs_all_tasks() -> None:
    tables = MonoTables(instance(drawn(Random(0), everywhere=True)))
    fastest = min(
        range(tables.num_processors),
        key=lambda i: sum(row[i] or 0 for row in tables.instance.times),
    )
    places = some_allocation(tables.instance, tables.routes, Control(0).check)
    assert places == [fastest] * len(tables.tasks)


def test_it_stops_when_the_time_is_over_and_no_processor_can_run_all() -> None:
    document = drawn(Random(0), everywhere=True)
    first, second = document["platform"]["processors"][:2]
    for task, processor in zip(document["application"]["tasks"], (first, second), strict=False):
        task["allowed"] = [processor["id"]]
    tables = MonoTables(instance(document))
    with pytest.raises(OutOfTime):
        some_allocation(tables.instance, tables.routes, Control(0).check)


def test_no_prices_where_every_task_can_run_in_no_time() -> None:
    document: dict[str, Any] = {
        "platform": {"processors": [{"id": "A"}, {"id": "B"}], "links": []},
        "application": {"tasks": [{"id": "a", "times": {"A": 0, "B": 1}}]},
    }
    assert speed_prices(instance(document)) is None
    document["application"]["tasks"][0]["times"] = {"A": 0}
    assert speed_prices(instance(document)) is None
