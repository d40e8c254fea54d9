"""What every heuristic of the registry must do, whatever its rule."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.methods import METHODS
from steadygrid.kinds.mono_allocation.schemas import REFERENCES, SEARCHES
from steadygrid.kinds.mono_allocation.solver import method_runs
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import HEURISTICS, SOME, Heuristic
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import occupation

SEEDS = range(8)


@pytest.fixture(params=[SOME, *HEURISTICS.values()], ids=lambda heuristic: heuristic.name)
def heuristic(request: pytest.FixtureRequest) -> Heuristic:
    found: Heuristic = request.param
    return found


def tables_of(seed: int) -> MonoTables:
    random = Random(seed)
    return MonoTables(instance(drawn(random, 5, 4, links=random.choice((0.6, 1)), seed=seed)))


def test_each_method_that_finds_one_mapping_is_in_the_registry() -> None:
    others = REFERENCES | SEARCHES | {"upper_bound", "given"}
    assert set(HEURISTICS) == set(METHODS) - others
    assert set(method_runs.REFERENCES) == REFERENCES
    assert SOME.name not in METHODS


@pytest.mark.parametrize("seed", SEEDS)
def test_each_task_is_where_it_can_run_and_each_file_has_a_path(
    heuristic: Heuristic, seed: int
) -> None:
    tables = tables_of(seed)
    try:
        mapping = heuristic.mapping(tables, Control())
    except NoMapping:
        return
    assert all(i in row for i, row in zip(mapping, tables.labels, strict=True))
    assert all(
        tables.reference_path(mapping[k], mapping[m]) is not None for k, m, _ in tables.files
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_its_period_is_what_its_busiest_resource_takes(heuristic: Heuristic, seed: int) -> None:
    tables = tables_of(seed)
    try:
        mapping = heuristic.mapping(tables, Control())
    except NoMapping:
        return
    listed = occupation(tables, mapping)
    assert listed is not None
    assert tables.period(mapping) == listed[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_does_the_same_once_more(heuristic: Heuristic, seed: int) -> None:
    found: list[list[int] | str] = []
    for _ in range(2):
        try:
            found.append(heuristic.mapping(tables_of(seed), Control()))
        except NoMapping as failure:
            found.append(str(failure))
    assert found[0] == found[1]


def test_it_stops_when_it_is_told_to(heuristic: Heuristic) -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        heuristic.mapping(tables_of(0), control)


def test_it_ends_when_the_time_is_over(heuristic: Heuristic) -> None:
    if heuristic.anytime:
        assert len(heuristic.mapping(tables_of(0), Control(0))) == 5
        return
    with pytest.raises(OutOfTime):
        heuristic.mapping(tables_of(0), Control(0))


def test_on_one_processor_there_is_one_mapping(heuristic: Heuristic) -> None:
    tables = MonoTables(instance(drawn(Random(1), 4, 1, density=1, everywhere=True)))
    mapping = heuristic.mapping(tables, Control())
    assert mapping == [0] * 4
    assert tables.period(mapping) == sum(tables.time(k, 0) for k in range(4))


def test_one_task_is_placed_where_it_can_run(heuristic: Heuristic) -> None:
    document = drawn(Random(2), 1, 3, everywhere=True)
    document["application"]["tasks"] = [{"id": "only", "times": {"P0": 7, "P2": "3/2"}}]
    (place,) = heuristic.mapping(MonoTables(instance(document)), Control())
    assert place in (0, 2)
    if heuristic.name in {"refined_greedy", "neighborhood", "rlp_max", "delegate"}:
        assert MonoTables(instance(document)).period([place]) == Fraction(3, 2)
