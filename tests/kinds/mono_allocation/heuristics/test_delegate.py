"""Algorithm 5 of the source against its plainest form, by hand and against the optimum."""

from random import Random

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.engine.mapping import NoMapping, screen
from steadygrid.engine.mapping.screen import screen_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics import delegate as module
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import (
    Neighborhoods,
    capped,
    default_source,
    delegate,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import (
    delegated,
    neighborhoods,
    occupation,
    optimum,
)


def tables(seed, **shape):
    return MonoTables(instance(drawn(Random(seed), **shape)))


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("seed", range(draws(5, 25)))
def test_delegate_does_what_the_algorithm_says(seed, depth, monkeypatch):
    monkeypatch.setattr(module, "MOST_NEIGHBOURHOODS", 10**6)
    found = tables(seed, tasks=6, processors=3)
    try:
        start = module._start(found, Control(), default_source(found)).complete()
    except NoMapping:
        return
    assert delegate(found, Control(), None, depth) == delegated(found, start, depth)


@pytest.mark.parametrize(
    ("seed", "tasks", "density"), [*((seed, 6, 0.5) for seed in range(8)), (5, 8, 0.3)]
)
def test_computing_with_a_port_that_transfers_use_hides_nothing(seed, tasks, density, monkeypatch):
    monkeypatch.setattr(module, "MOST_NEIGHBOURHOODS", 10**6)
    shape = {"tasks": tasks, "processors": 3, "density": density, "everywhere": True}
    found = tables(seed, ports="no_overlap", **shape)
    start = [seed % 3] * tasks
    assert delegate(found, Control(), start[0], 1) == delegated(found, start, 1)


@pytest.mark.parametrize("seed", range(draws(5, 25)))
def test_rounding_never_decides(seed, monkeypatch):
    monkeypatch.setattr(screen, "LARGEST_EXACT", 0)
    monkeypatch.setattr(screen, "ROUNDING", 0.01)
    found = tables(seed, tasks=6, processors=3)
    try:
        start = module._start(found, Control(), default_source(found)).complete()
    except NoMapping:
        return
    assert not screen_of(found, Control()).exact
    assert delegate(found, Control(), None, 2) == delegated(found, start, 2)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_each_connected_neighborhood_is_tried_once(depth, monkeypatch):
    monkeypatch.setattr(module, "MOST_NEIGHBOURHOODS", 10**6)
    for seed in range(10):
        found = tables(seed, tasks=7, everywhere=True, density=0.3)
        tried = Neighborhoods(found, screen_of(found, Control()), depth)
        sets = [tuple(row.nonzero()[0].tolist()) for row in tried.members]
        roots = [set(row.nonzero()[0].tolist()) for row in tried.roots]
        assert len(set(sets)) == len(sets)
        assert dict(zip(sets, roots, strict=True)) == neighborhoods(found, depth)


def test_two_heavy_neighbours_move_together():
    # Moving one of two tasks costs a file of time 10; moving both, nothing.
    document = {
        "platform": {
            "processors": [{"id": "P1", "speed": 1}, {"id": "P2", "speed": 1}],
            "links": [{"source": "P1", "target": "P2", "unit_time": 1}],
        },
        "application": {
            "tasks": [{"id": name, "work": 4} for name in "abcd"],
            "files": [
                {"source": "a", "target": "b", "size": 20},
                {"source": "c", "target": "d", "size": 20},
            ],
        },
    }
    found = MonoTables(instance(document))
    mapping = delegate(found, Control(), 0, 1)
    assert mapping == [1, 1, 0, 0]
    assert found.period(mapping) == 8


def test_everything_starts_on_the_source():
    found = tables(0, everywhere=True)
    assert module._start(found, Control(), 2).complete() == [2] * 5


def test_the_default_source_runs_the_most_tasks_in_the_shortest_time():
    document = {
        "platform": {"processors": [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "D"}]},
        "application": {
            "tasks": [
                {"id": "a", "times": {"A": 1, "B": 5, "C": 4, "D": 3}},
                {"id": "b", "times": {"B": 5, "C": 4, "D": 5}},
            ]
        },
    }
    assert default_source(MonoTables(instance(document))) == 2


def test_tasks_with_many_neighborhoods_are_named(monkeypatch):
    star = {
        "platform": {"processors": [{"id": "A", "speed": 1}]},
        "application": {
            "tasks": [{"id": f"T{k}", "work": 1} for k in range(9)],
            "files": [{"source": "T0", "target": f"T{k}", "size": 1} for k in range(1, 9)],
        },
    }
    found = MonoTables(instance(star))
    assert capped(found, 0) == ()
    assert capped(found, 1) == ("T0",)
    assert len(capped(found, 2)) == 9


def test_delegate_is_never_better_than_the_optimum_and_often_equal():
    reached = tried = 0
    for seed in range(60):
        found = tables(seed, tasks=4, processors=3)
        best = optimum(found)
        try:
            period = found.period(delegate(found, Control()))
        except NoMapping:
            continue
        assert best is not None
        assert period >= best
        tried += 1
        reached += period == best
    assert reached * 2 > tried


def test_delegate_never_ends_worse_than_it_starts():
    for seed in range(20):
        found = tables(seed, tasks=9, processors=5, everywhere=True)
        start = occupation(found, [1] * 9)
        assert occupation(found, delegate(found, Control(), 1, 2)) <= start


def test_without_time_the_mapping_so_far_is_the_answer():
    found = tables(0, everywhere=True)

    class Late(Control):
        calls = 0

        def check(self):
            Late.calls += 1
            if Late.calls > 5:
                raise OutOfTime

    assert delegate(found, Late(), 0) == [0] * 5


def test_a_cancelled_delegation_stops():
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        delegate(tables(0, everywhere=True), control)
