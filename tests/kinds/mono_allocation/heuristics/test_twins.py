"""On platforms with interchangeable processors heuristics try fewer, and find the same."""

from collections.abc import Callable
from random import Random

import pytest

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.twins import Twins, twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import delegate
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import refined_greedy, simple_greedy
from steadygrid.kinds.mono_allocation.solver.heuristics.local_search import improved
from steadygrid.kinds.mono_allocation.solver.heuristics.neighborhood import neighborhood
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.planted import planted_document

Found = list[int] | str


def _found(find: Callable[[], list[int]]) -> Found:
    try:
        return find()
    except NoMapping as failure:
        return str(failure)


def _by_all(tables: MonoTables) -> list[Found]:
    control = Control()
    greedy = _found(lambda: simple_greedy(tables, control))
    refined = _found(lambda: refined_greedy(tables, control))
    found = [greedy, refined, _found(lambda: delegate(tables, control))]
    if isinstance(greedy, list):
        found.append(improved(tables, greedy, control))
    return found


def _without_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Twins, "candidates", lambda self, processors, used: list(processors))
    monkeypatch.setattr(Twins, "like", lambda self, processor: (processor,))


@pytest.mark.parametrize("seed", range(draws(10, 2000)))
def test_the_same_mappings_are_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = planted_document(Random(seed))
    found = _by_all(MonoTables(instance(document)))
    _without_twins(monkeypatch)
    assert found == _by_all(MonoTables(instance(document)))


@pytest.mark.parametrize("seed", range(draws(5, 1000)))
def test_neighborhood_finds_as_short_a_period(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, control = MonoTables(instance(planted_document(Random(seed)))), Control()
    found = _found(lambda: neighborhood(tables, control))
    _without_twins(monkeypatch)
    known = _found(lambda: neighborhood(tables, control))
    if isinstance(found, str) or isinstance(known, str):
        assert found == known
    else:
        assert tables.period(found) == tables.period(known)


def test_one_unused_processor_of_a_class_is_tried() -> None:
    hub = {"id": "hub", "switch": True}
    hosts = [{"id": f"P{i}", "speed": 1} for i in range(4)]
    platform = {
        "processors": [hub, *hosts],
        "links": [{"source": host["id"], "target": "hub", "bandwidth": 1} for host in hosts],
    }
    application = {"tasks": [{"id": "T", "work": 1}], "files": []}
    twins = twins_of(MonoTables(instance({"platform": platform, "application": application})))
    assert twins.classes == [(1, 2, 3, 4)]
    assert twins.candidates((1, 2, 3, 4), ()) == [1]
    assert twins.candidates((1, 2, 3, 4), {1, 3}) == [1, 2, 3]
    assert twins.candidates((2, 4), {4}) == [2, 4]
