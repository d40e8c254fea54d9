"""The exact program: starts, limits, and what is never worse."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, SolverError
from steadygrid.engine.solving import mixed_integer
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import SearchTree
from steadygrid.kinds.mono_allocation.solver.programs import search
from steadygrid.kinds.mono_allocation.solver.programs.interchange import in_order, interchangeable
from steadygrid.kinds.mono_allocation.solver.programs.search import search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.contended import alike, restricted, spread
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import fault_of, period_of

EVERY = [
    (routing, duplication)
    for routing in ("fixed", "free", "multipath")
    for duplication in ("none", "tasks", "tasks_and_files")
]


def linked(seed: int, tasks: int = 6, processors: int = 5, **fields: Any) -> MonoTables:
    """Every processor runs every task, and every pair is linked."""
    return MonoTables(instance(drawn(Random(seed), tasks, processors, everywhere=True, **fields)))


@pytest.mark.parametrize("seed", range(8))
def test_more_freedom_is_never_worse(seed: int) -> None:
    periods = {
        (routing, duplication): search_program(
            MonoTables(
                instance(spread(Random(seed), 4, 4, routing=routing, duplication=duplication))
            ),
            Control(),
        ).period
        for routing, duplication in EVERY
    }
    if periods["fixed", "none"] is None:
        return
    for duplication in ("none", "tasks"):
        assert periods["multipath", duplication] <= periods["free", duplication]
        assert periods["free", duplication] <= periods["fixed", duplication]
    assert periods["free", "tasks_and_files"] <= periods["fixed", "tasks_and_files"]
    for routing in ("fixed", "free"):
        assert periods[routing, "tasks_and_files"] <= periods[routing, "tasks"]
        assert periods[routing, "tasks"] <= periods[routing, "none"]
    assert periods["multipath", "tasks"] <= periods["multipath", "none"]


@pytest.mark.parametrize(("routing", "duplication"), EVERY)
def test_any_start_ends_at_the_same_period(routing: str, duplication: str) -> None:
    for seed in range(4):
        tables = linked(seed, 3, 3, routing=routing, duplication=duplication)
        best = search_program(tables, Control()).period
        random = Random(seed)
        for _ in range(3):
            start = [random.randrange(3) for _ in range(3)]
            heard: list[Fraction] = []
            found = search_program(tables, Control(), start=start, incumbent=heard.append)
            assert found.period == best
            assert found.proved
            assert heard == sorted(heard, reverse=True)
            assert all(period < tables.period(start) for period in heard)


@pytest.mark.parametrize("routing", ["fixed", "free"])
def test_a_poor_start_is_not_the_answer_where_presolve_is_enough(routing: str) -> None:
    for seed in (5, 28):
        size = (5, 4) if routing == "fixed" else (4, 4)
        asked = instance(restricted(Random(seed), *size, routing=routing))
        with_start = search_program(MonoTables(asked), Control())
        assert (
            with_start.period
            == search_program(MonoTables(asked), Control(), below=with_start.period * 1000).period
        )


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_only_shorter_periods_than_a_known_one_count(routing: str) -> None:
    for seed in range(4):
        tables = linked(seed, 4, 3, routing=routing)
        best = search_program(tables, Control())
        assert best.period is not None
        none = search_program(tables, Control(), below=best.period)
        assert none.allocation is None
        assert none.period is None
        assert none.proved
        assert none.bound <= best.period
        some = search_program(tables, Control(), below=best.period * 2)
        assert some.period == best.period


def test_a_search_keeps_to_the_labels_that_it_is_given() -> None:
    for seed in range(4):
        tables = linked(seed, routing="fixed")
        labels = [[0, 1] if k % 2 else [2] for k in range(6)]
        found = search_program(tables, Control(), labels=labels)
        assert found.allocation is not None
        names = [p.id for p in tables.platform.processors]
        for task, row in zip(tables.tasks, labels, strict=True):
            assert set(found.allocation.tasks[task]) <= {names[i] for i in row}
        assert found.period >= search_program(tables, Control()).period
        # A start that the labels forbid is none.
        assert (
            search_program(tables, Control(), labels=labels, start=[3] * 6).period == found.period
        )
    assert search_program(linked(0), Control(), labels=[[], *labels[1:]]).allocation is None


def test_files_that_cannot_move_leave_no_allocation() -> None:
    document = restricted(Random(0), 2, 2)
    document["platform"]["links"] = []
    document["application"] = {
        "tasks": [{"id": f"T{k}", "work": 1, "allowed": [f"P{k}"]} for k in range(2)],
        "files": [{"source": "T0", "target": "T1", "size": 0}],
    }
    for routing, duplication in EVERY:
        asked = instance({**document, "routing": routing, "duplication": duplication})
        found = search_program(MonoTables(asked), Control())
        assert found.allocation is None
        assert found.period is None
        assert found.proved
        assert search_program(MonoTables(asked), Control(), start=[0, 1]).allocation is None


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_when_the_time_is_over_the_best_so_far_is_given_with_its_bound(routing: str) -> None:
    tables = linked(1, 16, 12, routing=routing)
    start = [k % 12 for k in range(16)]
    found = search_program(tables, Control(time_limit=0.5), start=start)
    assert found.allocation is not None
    if routing != "fixed":
        assert fault_of(tables.instance, found.allocation) is None
    assert period_of(tables.instance, found.allocation) == found.period
    assert 0 <= found.bound <= found.period <= tables.period(start)
    late = search_program(tables, Control(time_limit=0), start=start)
    assert late.period == tables.period(start)
    assert late.bound == 0
    assert not late.proved


def test_a_search_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed_integer, "SECONDS_BETWEEN_REPORTS", 0.0)
    tables = linked(1, 8, 6, routing="fixed")
    told: list[dict[str, object]] = []
    found = search_program(tables, Control(report=told.append), start=[0] * 8)
    assert found.period is not None
    values = [Fraction(str(state["value"])) for state in told if "value" in state]
    bounds = [Fraction(str(state["bound"])) for state in told if "bound" in state]
    assert values == sorted(values)
    assert values[-1] == 1 / found.period
    assert bounds
    assert min(bounds) * Fraction(1_000_001, 1_000_000) >= 1 / found.period


def test_a_cancelled_search_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        search_program(linked(0), control)
    monkeypatch.setattr(mixed_integer, "SECONDS_BETWEEN_REPORTS", 0.0)
    meanwhile = Control(report=lambda state: meanwhile.cancel() if "bound" in state else None)
    with pytest.raises(Cancelled):
        search_program(linked(1, 8, 6, routing="fixed"), meanwhile, start=[0] * 8)


def test_a_solver_that_fails_costs_nothing_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> SearchTree:
        raise SolverError("it failed")

    tables = linked(0, routing="fixed")
    best = search_program(tables, Control()).period
    monkeypatch.setattr(search, "search_mixed_integer", fail)
    found = search_program(tables, Control(), start=[0] * 6)
    assert found.period == tables.period([0] * 6)
    assert found.bound == 0
    assert not found.proved
    assert best is not None
    with pytest.raises(SolverError):
        search_program(tables, Control(), below=best * Fraction(1001, 1000))


def test_a_gap_that_is_allowed_is_kept_to() -> None:
    for seed in range(3):
        tables = linked(seed, 6, 5, routing="fixed")
        best = search_program(tables, Control())
        rough = search_program(tables, Control(), relative_gap=0.2)
        assert best.period is not None
        assert rough.period is not None
        assert rough.proved
        assert rough.bound <= best.period <= rough.period
        assert rough.bound * 100 >= rough.period * 79


def test_sizes_and_times_of_every_magnitude_are_searched() -> None:
    """Coefficients beyond double precision are left out, which only lowers the bound."""
    for exponent in (-30, -12, 0, 12, 30):
        document = restricted(Random(3), 4, 3, routing="fixed")
        for k, task in enumerate(document["application"]["tasks"]):
            task["work"] = str((k + 1) * Fraction(10) ** exponent)
        for f, file in enumerate(document["application"]["files"]):
            file["size"] = str(Fraction(10) ** (exponent - 12 * (f % 2)))
        tables = MonoTables(instance(document))
        found = search_program(tables, Control())
        assert found.allocation is not None
        assert period_of(tables.instance, found.allocation) == found.period
        assert found.bound <= found.period


def test_mappings_are_renamed_so_that_alike_processors_come_in_order() -> None:
    tables = MonoTables(instance(alike(Random(0), 4, (3, 2), routing="fixed")))
    classes = interchangeable(tables, tables.labels)
    assert classes == ((1, 2, 3), (4, 5))
    assert in_order([3, 5, 2, 3], classes) == [1, 4, 2, 1]
    assert in_order([4, 1, 2, 5], classes) == [4, 1, 2, 5]


def test_processors_are_not_alike_where_labels_or_links_differ() -> None:
    document = alike(Random(0), 4, (3,), routing="fixed")
    tables = MonoTables(instance(document))
    labels = [[1, 2], *([1, 2, 3] for _ in range(3))]
    assert interchangeable(tables, labels) == ((1, 2),)
    document["platform"]["links"].append({"source": "H00", "target": "H01", "bandwidth": 10**6})
    assert interchangeable(MonoTables(instance(document)), tables.labels) == ((1, 2),)
    document["platform"]["links"][-1]["duplex"] = "simplex"
    assert interchangeable(MonoTables(instance(document)), tables.labels) == ()


def test_a_solution_that_cannot_be_read_does_not_prove_that_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_read", lambda *_: None)
    monkeypatch.setattr(search, "_some_mapping", lambda *_: None)
    found = search_program(MonoTables(instance(drawn(Random(1), 3, 3, everywhere=True))), Control())
    assert found.allocation is None
    assert not found.proved
