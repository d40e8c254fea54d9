"""Moves and swaps make a mapping better until neither can."""

from random import Random

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.mapping import screen
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.local_search import improved
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import mappings, occupation


def tables(seed, **shape):
    return MonoTables(instance(drawn(Random(seed), **shape)))


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_no_move_of_one_task_is_left_that_helps(seed, coarse, monkeypatch):
    if coarse:
        monkeypatch.setattr(screen, "LARGEST_EXACT", 0)
        monkeypatch.setattr(screen, "ROUNDING", 0.01)
    found = tables(seed)
    start = next(mappings(found), None)
    if start is None:
        return
    mapping = improved(found, start, Control())
    reached = occupation(found, mapping)
    assert reached <= occupation(found, start)
    for task in range(5):
        for processor in found.labels[task]:
            other = [processor if k == task else i for k, i in enumerate(mapping)]
            value = occupation(found, other)
            assert value is None or value >= reached


def test_two_tasks_swap_where_no_single_move_helps():
    # Each takes 3 where it is and 2 where the other is; together on one processor they take 5.
    document = {
        "platform": {
            "processors": [{"id": "A"}, {"id": "B"}],
            "links": [{"source": "A", "target": "B", "unit_time": 1}],
        },
        "application": {
            "tasks": [
                {"id": "a", "times": {"A": 3, "B": 2}},
                {"id": "b", "times": {"A": 2, "B": 3}},
            ]
        },
    }
    assert improved(MonoTables(instance(document)), [0, 1], Control()) == [1, 0]


def test_a_late_search_gives_what_it_was_given():
    assert improved(tables(0, everywhere=True), [0] * 5, Control(0)) == [0] * 5


def test_a_cancelled_search_stops():
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        improved(tables(0, everywhere=True), [0] * 5, control)
