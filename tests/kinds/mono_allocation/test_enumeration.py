"""The search against trying everything, exactly."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.programs.interchange import interchangeable
from steadygrid.kinds.mono_allocation.solver.programs.search import Search, search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.contended import alike, restricted, spread
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import Enumeration, fault_of, period_of

TOLD_APART = Fraction(1, 10**6)
"""Relative; any period is possible where files are split, so that the search's bound stays below."""


def agreed(asked: MonoAllocationInstance) -> Search:
    """Search, and compare what is found with the best of all allocations."""
    found = search_program(MonoTables(asked), Control())
    best = Enumeration(asked).best()
    assert found.period == best
    assert found.proved
    if found.allocation is None:
        assert best is None
    else:
        assert fault_of(asked, found.allocation) is None
        assert period_of(asked, found.allocation) == best
        split = asked.routing == "multipath" and asked.duplication != "tasks_and_files"
        assert best * (1 - TOLD_APART * split) <= found.bound <= best
    return found


@pytest.mark.parametrize(
    ("routing", "tasks", "processors", "number"),
    [
        ("fixed", 5, 4, draws(45, 120)),
        ("fixed", 4, 5, draws(30, 60)),
        ("free", 4, 4, draws(40, 100)),
        ("multipath", 4, 3, draws(25, 50)),
        ("multipath", 3, 4, draws(25, 50)),
    ],
)
def test_one_place_per_task_is_chosen_as_well_as_by_trying_all(
    routing: str, tasks: int, processors: int, number: int
) -> None:
    moving = impossible = 0
    for seed in range(number):
        draw = (restricted, restricted, drawn)[seed % 3]
        found = agreed(instance(draw(Random(seed), tasks, processors, routing=routing)))
        impossible += found.allocation is None
        moving += found.allocation is not None and bool(found.allocation.transfers)
    assert moving > number / 3
    assert impossible


@pytest.mark.parametrize(
    ("routing", "duplication", "tasks", "number"),
    [
        ("fixed", "tasks", 3, 40),
        ("fixed", "tasks", 4, 25),
        ("free", "tasks", 3, 40),
        ("free", "tasks", 4, 10),
        ("multipath", "tasks", 3, 20),
        ("fixed", "tasks_and_files", 3, 20),
        ("free", "tasks_and_files", 3, 40),
        ("free", "tasks_and_files", 4, 10),
        ("multipath", "tasks_and_files", 3, 5),
    ],
)
def test_copies_are_placed_as_well_as_by_trying_all_subsets(
    routing: str, duplication: str, tasks: int, number: int
) -> None:
    copied = 0
    for seed in range(number):
        draw = (spread, spread, restricted)[seed % 3]
        asked = instance(draw(Random(seed), tasks, 3, routing=routing, duplication=duplication))
        found = agreed(asked)
        copied += found.allocation is not None and any(
            len(row) > 1 for row in found.allocation.tasks.values()
        )
    assert copied


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_putting_alike_processors_in_order_loses_nothing(routing: str, duplication: str) -> None:
    for seed in range(6):
        single = duplication == "none"
        groups = (2, 2) if single else ((3,), (2, 1))[seed % 2]
        asked = instance(
            alike(
                Random(seed),
                4 if single else 3,
                groups,
                routing=routing,
                duplication=duplication,
                ports=("multiport", "one_port")[seed % 2],
            )
        )
        tables = MonoTables(asked)
        classes = interchangeable(tables, tables.labels)
        assert {len(members) for members in classes} >= {max(groups)}
        agreed(asked)
