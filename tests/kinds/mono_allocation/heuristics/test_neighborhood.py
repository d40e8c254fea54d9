"""Algorithm 6 of the source against its plainest form, and against the optimum."""

from random import Random

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.mapping import NoMapping, screen
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics import neighborhood as module
from steadygrid.kinds.mono_allocation.solver.heuristics.neighborhood import neighborhood
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import neighborly, optimum


def found_by(tables):
    try:
        return neighborhood(tables, Control())
    except NoMapping:
        return None


@pytest.mark.parametrize("seed", range(draws(10, 1200)))
def test_neighborhood_does_what_the_algorithm_says(seed):
    tables = MonoTables(instance(drawn(Random(seed))))
    assert found_by(tables) == neighborly(tables)


@pytest.mark.parametrize("seed", range(20))
def test_rounding_never_decides(seed, monkeypatch):
    monkeypatch.setattr(screen, "LARGEST_EXACT", 0)
    monkeypatch.setattr(screen, "ROUNDING", 0.01)
    monkeypatch.setattr(module, "MOST_KEPT", 0)
    tables = MonoTables(instance(drawn(Random(seed))))
    assert found_by(tables) == neighborly(tables)


def test_neighborhood_is_never_better_than_the_optimum():
    for seed in range(60):
        tables = MonoTables(instance(drawn(Random(seed), tasks=4, processors=3)))
        mapping = found_by(tables)
        if mapping is not None:
            assert tables.period(mapping) >= optimum(tables)


def test_a_task_that_cannot_meet_its_neighbours_is_named():
    document = {
        "platform": {"processors": [{"id": "A"}, {"id": "B"}]},
        "application": {
            "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
            "files": [{"source": "a", "target": "b", "size": 0}],
        },
    }
    with pytest.raises(NoMapping, match="no processor that can run 'a' has a path"):
        neighborhood(MonoTables(instance(document)), Control())


def test_neighborhood_stops_when_told():
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        neighborhood(MonoTables(instance(drawn(Random(0)))), control)
