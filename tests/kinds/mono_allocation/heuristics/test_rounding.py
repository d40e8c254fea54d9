"""Algorithm 4 of the source: reproducible, complete, never below the optimum."""

from random import Random

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.rounding import rlp_max, rlp_rand
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import optimum


def tables(seed, **shape):
    return MonoTables(instance(drawn(Random(seed), **shape)))


def test_a_relaxed_program_with_one_whole_optimum_is_followed():
    # Each task has one processor on which it takes 1; elsewhere 9, and files are dear.
    document = {
        "platform": {
            "processors": [{"id": name} for name in "ABC"],
            "links": [
                {"source": a, "target": b, "unit_time": "1/2"} for a, b in ("AB", "BC", "AC")
            ],
        },
        "application": {
            "tasks": [
                {"id": "a", "times": {"A": 9, "B": 1, "C": 9}},
                {"id": "b", "times": {"A": 9, "B": 9, "C": 1}},
                {"id": "c", "times": {"A": 1, "B": 9, "C": 9}},
            ],
            "files": [
                {"source": "a", "target": "b", "size": 1},
                {"source": "b", "target": "c", "size": 1},
            ],
        },
    }
    found = MonoTables(instance(document))
    assert rlp_max(found, Control()) == [1, 2, 0]
    assert rlp_rand(found, Control(), 5) == [1, 2, 0]


def test_a_rounded_mapping_is_never_better_than_the_optimum():
    for seed in range(40):
        found = tables(seed, tasks=4, processors=3)
        best = optimum(found)
        for method in (rlp_max, rlp_rand):
            try:
                mapping = method(found, Control())
            except NoMapping:
                continue
            assert all(i in found.labels[k] for k, i in enumerate(mapping))
            assert found.period(mapping) >= best


def test_the_same_seed_gives_the_same_mapping():
    found = tables(1, tasks=8, processors=5, everywhere=True)
    for seed in (0, 1, 2**32 - 1):
        assert rlp_rand(found, Control(), seed) == rlp_rand(found, Control(), seed)
    assert len({tuple(rlp_rand(found, Control(), seed)) for seed in range(6)}) > 1
    assert rlp_max(found, Control()) == rlp_max(found, Control())


def test_an_instance_without_any_allocation_has_no_mapping():
    document = {
        "platform": {"processors": [{"id": "A"}, {"id": "B"}]},
        "application": {
            "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    with pytest.raises(NoMapping, match="no processor that its files can reach"):
        rlp_max(MonoTables(instance(document)), Control())


def test_rounding_stops_when_told():
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        rlp_max(tables(0), control)
