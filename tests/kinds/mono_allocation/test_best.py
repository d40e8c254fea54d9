"""Ways for tasks that are in place: fixed, chosen, or split."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, CertificationError, SolverError
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.transfers import period_of
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution, SearchTree
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes import best
from steadygrid.kinds.mono_allocation.solver.transfer_routes.best import best_paths
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import over_best_paths
from steadygrid.kinds.mono_allocation.solver.transfer_routes.copies import (
    needed_copies,
    over_chosen_paths,
)
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.single_ports import PORTS, around


def square(**fields: Any) -> MonoTables:
    """Two ways from A to D, each half as fast as the file would like."""
    names = "ABCD"
    return MonoTables(
        instance(
            {
                "platform": {
                    "processors": [{"id": name, "speed": 1} for name in names],
                    "links": [
                        {"source": s, "target": t, "bandwidth": 1}
                        for s, t in ("AB", "BD", "AC", "CD")
                    ],
                },
                "application": {
                    "tasks": [{"id": "make", "work": 1}, {"id": "use", "work": 1}],
                    "files": [{"source": "make", "target": "use", "size": 4}],
                },
                **fields,
            }
        )
    )


def test_a_port_that_computes_may_be_relieved_by_other_paths() -> None:
    """Over B a file takes less time, but B computes with the port that passes it on."""
    document: dict[str, Any] = {
        "platform": {
            "processors": [{"id": name} for name in "ABC"],
            "links": [
                {"source": s, "target": t, "unit_time": c}
                for s, t, c in (("A", "B", 1), ("B", "C", 1), ("A", "C", 3))
            ],
        },
        "application": {
            "tasks": [
                {"id": "make", "times": {"A": 1}},
                {"id": "use", "times": {"C": 1}},
                {"id": "else", "times": {"B": 3}},
            ],
            "files": [{"source": "make", "target": "use", "size": 1}],
        },
        "ports": "no_overlap",
        "routing": "free",
    }
    tables = MonoTables(instance(document))
    assert tables.period([0, 2, 1]) == 5
    found = best_paths(tables, [0, 2, 1], Control())
    assert found == (Transfer(("make", "use"), ("A", "C"), Fraction(1)),)


@pytest.mark.parametrize("ports", PORTS)
def test_split_files_leave_room_for_odd_sets(ports: str) -> None:
    """The period of the best ways is that of a program over all paths and all slots."""
    decided = 0
    for seed in range(1, 24, 2):
        tables = MonoTables(instance(around(seed, 4, 4, routing="multipath", ports=ports)))
        mapping = [row[0] for row in tables.labels]
        try:
            found = over_best_paths(tables, mapping, Control())
        except NoMapping:
            continue
        tried = Enumeration(tables.instance)
        places = [(tried.names[i],) for i in mapping]
        assert found.period == tried.best_ways(places, tried.computing(places), None)
        decided += bool(found.odd_sets)
    assert decided


def test_a_file_is_split_where_that_is_allowed() -> None:
    split = best_paths(square(routing="multipath"), [0, 3], Control())
    assert sorted(split) == [
        Transfer(("make", "use"), ("A", "B", "D"), Fraction(1, 2)),
        Transfer(("make", "use"), ("A", "C", "D"), Fraction(1, 2)),
    ]
    for whole in ("fixed", "free"):
        assert best_paths(square(routing=whole), [0, 3], Control()) == (
            Transfer(("make", "use"), ("A", "B", "D"), Fraction(1)),
        )


def test_a_file_that_stays_has_no_path() -> None:
    for name in ("fixed", "free", "multipath"):
        assert best_paths(square(routing=name), [2, 2], Control()) == ()


@pytest.mark.parametrize("name", ["fixed", "free", "multipath"])
def test_the_paths_are_the_best_of_all_for_the_places(name: str) -> None:
    moving = 0
    for seed in range(draws(25, 60)):
        random = Random(seed)
        tables = MonoTables(instance(drawn(random, 5, 4, density=0.6, routing=name)))
        mapping = [random.choice(row) for row in tables.labels]
        tried = Enumeration(tables.instance)
        places = [[tried.names[i]] for i in mapping]
        best = tried.best_ways(places, tried.computing(places), None)
        if best is None:
            with pytest.raises(NoMapping):
                best_paths(tables, mapping, Control())
            continue
        ways = best_paths(tables, mapping, Control())
        moving += bool(ways)
        assert period_of(tables, [[i] for i in mapping], ways) == best
        assert best <= tables.period(mapping)
        shares: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for file, path, share in ways:
            shares[file] += share
            assert len(set(path)) == len(path)
            assert all(hop in tried.hops for hop in pairwise(path))
        assert set(shares.values()) <= {1}
    assert moving > 12


@pytest.mark.parametrize("name", ["free", "multipath"])
def test_without_time_or_proof_the_reference_paths_are_given(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = square(routing=name)
    reference = tables.transfers([0, 3])
    assert best_paths(tables, [0, 3], Control(time_limit=0)) == reference
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        best_paths(tables, [0, 3], control)
    failures: list[Exception] = [
        CertificationError("no proof"),
        SolverError("no answer"),
        NoSolution("no solution"),
    ]
    for failure in failures:

        def fail(*_: object, failure: Exception = failure, **__: object) -> None:
            raise failure

        monkeypatch.setattr(best, "solve_certified", fail)
        monkeypatch.setattr(best, "search_mixed_integer", fail)
        assert best_paths(tables, [0, 3], Control()) == reference
    nothing = SearchTree(None, 0.0, False, 0)
    monkeypatch.setattr(best, "search_mixed_integer", lambda *_, **__: nothing)
    monkeypatch.setattr(best, "solve_certified", fail)
    assert best_paths(tables, [0, 3], Control()) == reference


def test_unneeded_copies_and_paths_are_left_out() -> None:
    """`make` runs on A, B and C, `use` on D; the ways A to B and C to D were chosen."""
    tables = square(routing="fixed", duplication="tasks_and_files")
    chosen = over_chosen_paths(tables, {(0, 0, 1): 1.0, (0, 2, 3): 1.0, (0, 1, 3): 0.0})
    places, transfers = needed_copies(tables, [[0, 1, 2], [3]], chosen)
    assert places == [(2,), (3,)]
    assert transfers == (Transfer(("make", "use"), ("C", "D"), Fraction(1)),)
    with pytest.raises(NoMapping):
        needed_copies(tables, [[0], [3]], over_chosen_paths(tables, {}))


def test_a_fixed_route_is_followed_only_as_far_as_the_file_is_needed() -> None:
    """From A to D the given way is over B: B has what it needs by the way to B."""
    tables = square(routing="fixed", duplication="tasks_and_files")
    chosen = over_chosen_paths(tables, {(0, 0, 3): 1.0})
    _, transfers = needed_copies(tables, [[0], [1]], chosen)
    assert transfers == (Transfer(("make", "use"), ("A", "B"), Fraction(1)),)


def past_the_user(method: str) -> dict[str, Any]:
    """The slow way from P1 to P2 is the given one; the fast one is a part of that to P0."""
    return {
        "problem": {
            "kind": "mono_allocation",
            "platform": {
                "processors": [{"id": "P0"}, {"id": "P1", "speed": 1}, {"id": "P2", "speed": 100}],
                "links": [
                    {"source": "P1", "target": "P0", "unit_time": 1},
                    {"source": "P0", "target": "P2", "unit_time": "1/1000"},
                    {"source": "P2", "target": "P1", "unit_time": "1/1000"},
                ],
                "routes": [
                    {"source": "P1", "target": "P2", "via": ["P0"]},
                    {"source": "P1", "target": "P0", "via": ["P2"]},
                ],
            },
            "application": {
                "tasks": [{"id": "make", "times": {"P1": "1/1000"}}, {"id": "use", "work": 1}],
                "files": [{"source": "make", "target": "use", "size": 1}],
            },
            "ports": "one_port",
            "routing": "fixed",
            "duplication": "tasks_and_files",
            "method": method,
        }
    }


@pytest.mark.parametrize("method", ["milp", "portfolio"])
def test_no_file_is_dropped_on_a_path_that_ends_where_it_is_not_needed(method: str) -> None:
    """An answer that the referee refuses is none: the best of the others is given."""
    result, _ = run(parse_submission(past_the_user(method), Limits()), Control(30), Limits())
    assert result.verified
    assert result.objective is not None
    assert result.bound is not None
    assert result.objective.value <= 1 <= result.bound.value
    assert result.gap > Fraction(98, 100)
    assert "no exact schedule could be made of what the search found" in result.notes


def test_a_path_that_cannot_end_where_the_file_is_needed_is_none() -> None:
    submission = parse_submission(past_the_user("milp"), Limits())
    assert isinstance(submission.instance, MonoAllocationInstance)
    tables = MonoTables(submission.instance)
    with pytest.raises(NoMapping, match="goes on"):
        needed_copies(tables, [[1], [2]], over_chosen_paths(tables, {(0, 1, 0): 1.0}))
