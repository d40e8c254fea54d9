"""Reference ways, their uses, and what a mapping takes from each resource."""

from fractions import Fraction

import pytest

from steadygrid.domain.schedule import Transfer
from steadygrid.engine.mapping import NoMapping
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import instance

CHAIN = {
    "tasks": [{"id": "a", "work": 2}, {"id": "b", "work": 3}, {"id": "c", "times": {"P3": 1}}],
    "files": [{"source": "a", "target": "b", "size": 4}, {"source": "b", "target": "c", "size": 1}],
}
SQUARE = {
    "processors": [
        {"id": "P1", "speed": 1, "bandwidth_out": "1/2"},
        {"id": "P2", "speed": 2, "bandwidth_in": 3},
        {"id": "P3"},
        {"id": "S", "switch": True},
    ],
    "links": [
        {"source": "P1", "target": "P2", "unit_time": 5},
        {"source": "P1", "target": "S", "unit_time": 1, "duplex": "half"},
        {"source": "S", "target": "P2", "unit_time": 1, "media": ["M", "M"]},
        {"source": "P2", "target": "P3", "unit_time": 2, "duplex": "simplex"},
    ],
    "media": [{"id": "M", "bandwidth": 4}],
}


def tables(**changes):
    document = {"platform": SQUARE, "application": CHAIN, "ports": "multiport"}
    return MonoTables(instance({**document, **changes}))


def test_labels_are_the_processors_that_can_run_a_task():
    assert tables().labels == ((0, 1), (0, 1), (2,))


def test_the_compute_resources_come_first_in_platform_order():
    found = tables()
    assert found.resources[:4] == ("P1.compute", "P2.compute", "P3.compute", "S.compute")
    assert all(found.resources[place] == name for name, place in found.position.items())


def test_a_path_without_a_route_has_the_least_total_unit_time():
    found = tables()
    arcs = found.platform.arcs
    assert [(arcs[a].source, arcs[a].target) for a in found.reference_path(0, 1)] == [
        (0, 3),
        (3, 1),
    ]
    assert found.reference_path(1, 1) == ()
    assert found.reference_path(2, 0) is None
    assert found.path_uses(2, 0) is None


def test_a_given_route_is_the_path_of_fixed_routing_only():
    routed = {**SQUARE, "routes": [{"source": "P1", "target": "P2"}]}
    assert len(tables(platform=routed, routing="fixed").reference_path(0, 1)) == 1
    for routing in ("free", "multipath"):
        assert len(tables(platform=routed, routing=routing).reference_path(0, 1)) == 2


def test_a_path_uses_every_resource_that_it_passes():
    found = tables()
    used = {found.resources[place]: time for place, time in found.path_uses(0, 1)}
    assert used == {
        "P1--S.half": 1,
        "P1.out": 2,
        "S->P2.link": 1,
        "P2.in": Fraction(1, 3),
        "M.medium": Fraction(1, 2),
    }


def test_an_occupation_adds_computing_and_transfers():
    found = tables()
    times = {found.resources[place]: t for place, t in found.occupation([0, 1, 2]).items()}
    assert times == {
        "P1.compute": 2,
        "P2.compute": Fraction(3, 2),
        "P3.compute": 1,
        "P1--S.half": 4,
        "P1.out": 8,
        "S->P2.link": 4,
        "P2.in": Fraction(4, 3),
        "M.medium": 2,
        "P2->P3.link": 2,
    }
    assert found.period([0, 1, 2]) == 8


def test_only_files_that_move_are_transferred():
    assert tables().transfers([1, 1, 2]) == (Transfer(("b", "c"), ("P2", "P3"), Fraction(1)),)


def test_a_file_without_a_path_is_refused_by_name():
    application = {**CHAIN, "files": [{"source": "c", "target": "a", "size": 0}]}
    found = tables(application=application)
    with pytest.raises(NoMapping, match="no path from 'P3' to 'P1' for the file from 'c' to 'a'"):
        found.occupation([0, 0, 2])
    with pytest.raises(NoMapping, match="no path"):
        found.transfers([0, 0, 2])


def test_a_task_takes_no_time_where_it_cannot_run():
    with pytest.raises(ValueError, match="'P1' cannot run 'c'"):
        tables().time(2, 0)
