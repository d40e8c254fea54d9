"""The search for schedules, against all allocations and all slots there are."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.programs import schedules
from steadygrid.kinds.mono_allocation.solver.programs.schedules import search_schedules
from steadygrid.kinds.mono_allocation.solver.programs.search import Search, search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.enumeration import Enumeration, fault_of, period_of
from tests.kinds.mono_allocation.single_ports import PORTS, around, triangle
from tests.kinds.mono_allocation.test_enumeration import TOLD_APART


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(
    ("routing", "duplication", "tasks", "processors", "number"),
    [
        ("fixed", "none", 5, 3, 16),
        ("fixed", "none", 5, 5, 6),
        ("free", "none", 4, 3, 16),
        ("multipath", "none", 4, 3, 16),
        ("fixed", "tasks", 3, 3, 6),
        ("free", "tasks", 3, 3, 6),
        ("multipath", "tasks", 3, 3, 4),
        ("fixed", "tasks_and_files", 3, 3, 4),
        ("free", "tasks_and_files", 3, 3, 4),
    ],
)
def test_the_best_schedule_is_that_of_all_slots(
    routing: str, duplication: str, tasks: int, processors: int, number: int, ports: str
) -> None:
    claimed = 0
    for seed in range(number):
        shape = {"routing": routing, "duplication": duplication, "ports": ports}
        asked = instance(around(seed, tasks, processors, **shape))
        tables = MonoTables(asked)
        found = search_schedules(tables, Control())
        best = Enumeration(asked).best()
        assert (found.period, found.proved) == (best, True)
        if found.allocation is not None and best is not None:
            assert fault_of(asked, found.allocation) is None
            assert period_of(asked, found.allocation) == best
            split = routing == "multipath"
            assert best * (1 - TOLD_APART * split) <= found.bound <= best
            alone = search_program(tables, Control()).period
            claimed += alone is not None and alone < best
    assert claimed or (duplication, processors) != ("none", 3)


def test_a_full_set_becomes_a_resource_and_the_program_is_searched_again() -> None:
    tables = MonoTables(instance(triangle("send_or_receive")))
    alone = search_program(tables, Control())
    assert (alone.period, alone.allocation.tasks["c"]) == (4, ("C",))
    knowing = search_program(tables.knowing([OddSet((0, 1, 2))]), Control())
    assert (knowing.period, knowing.allocation.tasks["c"]) == (5, ("B",))
    heard: list[Fraction] = []
    found = search_schedules(tables, Control(), incumbent=heard.append)
    assert found.allocation.tasks == knowing.allocation.tasks
    assert (found.period, found.bound, found.proved) == (5, 5, True)
    assert heard == [6, 5]


def test_the_search_ends_where_the_gap_is_as_small_as_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of an allocation of period 6, for which the ports alone would take 4."""
    searched: list[Search] = []

    def bounded(*given: Any, **named: Any) -> Search:
        exactly = search_program(*given, **named | {"relative_gap": 0.0})
        searched.append(replace(exactly, bound=Fraction(39, 10)))
        return searched[-1]

    monkeypatch.setattr(schedules, "search_program", bounded)
    tables = MonoTables(instance(triangle("send_or_receive")))
    found = search_schedules(tables, Control(), relative_gap=0.36)
    assert (found.period, found.bound, found.proved) == (6, Fraction(39, 10), True)
    assert len(searched) == 1
    assert search_schedules(tables, Control(), relative_gap=0.34).period == 5
    assert len(searched) == 3


def test_when_the_time_is_over_the_best_so_far_is_left() -> None:
    tables = MonoTables(instance(triangle("send_or_receive")))
    late = search_schedules(tables, Control(time_limit=0), start=[0, 1, 2, 0])
    assert (late.period, late.bound, late.proved) == (6, 0, False)


def test_a_later_search_that_finds_nothing_leaves_what_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = [Search(None, Fraction(0), False, 1)]

    def only_once(tables: MonoTables, *given: Any, **named: Any) -> Search:
        return left.pop() if tables.odd_sets else search_program(tables, *given, **named)

    monkeypatch.setattr(schedules, "search_program", only_once)
    found = search_schedules(MonoTables(instance(triangle("send_or_receive"))), Control())
    assert (found.period, found.bound, found.proved, left) == (6, 4, False, [])


def test_that_there_is_no_allocation_is_said() -> None:
    document = triangle("send_or_receive")
    document["platform"]["links"] = []
    found = search_schedules(MonoTables(instance(document)), Control())
    assert (found.allocation, found.proved) == (None, True)
