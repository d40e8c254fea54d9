"""The exact program knows of interchangeable processors no more than there are tasks."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.processor_bound import spare
from steadygrid.kinds.mono_allocation.solver.programs import interchange
from steadygrid.kinds.mono_allocation.solver.programs.interchange import interchangeable
from steadygrid.kinds.mono_allocation.solver.programs.search import Search, search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.planted import planted_document


def _shortest(tables: MonoTables, **given: Any) -> tuple[Fraction | None, bool]:
    found: Search = search_program(tables, Control(20), presolve=False, **given)
    return found.period, found.proved


@pytest.mark.parametrize("routing", ["fixed", "free"])
@pytest.mark.parametrize("seed", range(draws(3, 1000)))
def test_the_optimum_is_that_of_all_processors(seed: int, routing: str) -> None:
    document = planted_document(Random(seed), tasks=3, routing=routing)
    tables = MonoTables(instance(document))
    assert _shortest(tables) == _shortest(tables, labels=tables.labels)


def _star(leaves: int, **fields: Any) -> dict[str, Any]:
    hosts = [{"id": f"P{i}", "speed": 1} for i in range(leaves)]
    links = [{"source": host["id"], "target": "hub", "bandwidth": 1} for host in hosts]
    return {
        "platform": {"processors": [{"id": "hub", "switch": True}, *hosts], "links": links},
        "application": {
            "tasks": [{"id": f"T{k}", "work": k + 1} for k in range(3)],
            "files": [{"source": "T0", "target": "T1", "size": 1}],
        },
        **fields,
    }


def test_a_start_on_spare_processors_is_moved_to_others() -> None:
    tables = MonoTables(instance(_star(6)))
    assert spare(tables.instance) == {4, 5, 6}
    found = search_program(tables, Control(20), start=[6, 6, 5])
    assert found.allocation is not None
    assert found.period == 3
    used = {name for names in found.allocation.tasks.values() for name in names}
    assert used <= {"P0", "P1", "P2"}


def test_copies_may_need_all() -> None:
    assert not spare(instance(_star(6, duplication="tasks")))


def test_classes_are_known_where_hops_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = MonoTables(instance(_star(6)))
    found = interchangeable(tables, tables.needed_labels)
    monkeypatch.setattr(interchange, "MOST_HOPS", 0)
    assert interchangeable(tables, tables.needed_labels) == found == ((1, 2, 3),)
    fewer = [(1, 2, 3), (1, 2), (1, 2, 3)]
    assert interchangeable(tables, fewer) == ((1, 2),)


def test_sizes_tell_classes_and_count_no_spare_processors() -> None:
    few, many = (
        PROBLEM.sizing(instance(_star(leaves, method="milp")), Options()).sizes
        for leaves in (3, 60)
    )
    assert few["classes"] == many["classes"] == 1
    assert few["variables"] == many["variables"]
