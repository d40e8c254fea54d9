"""Large platforms seen in part: mappings of the part are mappings of the whole."""

from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.sizing import faults
from steadygrid.kinds.mono_allocation.solver.heuristics import few as module
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import delegate
from steadygrid.kinds.mono_allocation.solver.heuristics.few import choose_part
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import refined_greedy, simple_greedy
from steadygrid.kinds.mono_allocation.solver.method_runs import find, seen_in_part
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn, instance


@pytest.fixture
def at_most_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEWEST_SEEN", 4)
    monkeypatch.setattr(module, "MOST_SEEN", 4)
    monkeypatch.setattr(module, "WHOLE", 1)


def drawn_tables(seed: int, **fields: Any) -> MonoTables:
    return MonoTables(instance(drawn(Random(seed), tasks=4, processors=10, links=0.4, **fields)))


@pytest.mark.usefixtures("at_most_four")
@pytest.mark.parametrize("seed", range(15))
def test_the_part_has_the_paths_and_times_of_the_whole(seed: int) -> None:
    tables = drawn_tables(seed)
    seen = choose_part(tables, Control())
    part, position = seen.tables, seen.position
    assert part.tasks == tables.tasks
    able = {i for row in part.labels for i in row}
    names = [processor.id for processor in tables.platform.processors]
    assert [processor.id for processor in part.platform.processors] == [names[i] for i in position]
    for task, row in enumerate(part.labels):
        assert [position[i] for i in row] == [i for i in tables.labels[task] if i in position]
        for i in row:
            assert part.time(task, i) == tables.time(task, position[i])
    for source in able:
        for target in able:
            way = part.reference_path(source, target)
            whole = tables.reference_path(position[source], position[target])
            assert (way is None) == (whole is None)
            assert [part.platform.arcs[arc][3] for arc in way or ()] == [
                tables.platform.arcs[arc][3] for arc in whole or ()
            ]


@pytest.mark.usefixtures("at_most_four")
@pytest.mark.parametrize("seed", range(10))
def test_a_mapping_of_the_part_takes_as_long_on_the_whole(seed: int) -> None:
    tables = drawn_tables(seed, everywhere=True)
    seen = choose_part(tables, Control())
    assert seen is choose_part(tables, Control())
    assert len(seen.position) < tables.num_processors
    mapping = delegate(seen.tables, Control())
    assert tables.period(seen.whole(mapping)) == seen.tables.period(mapping)
    assert seen.part(seen.whole(mapping)) == mapping
    for greedy in (simple_greedy, refined_greedy):
        places = greedy(tables, Control())
        assert seen.tables.period(seen.part(places)) == tables.period(places)


@pytest.mark.usefixtures("at_most_four")
def test_methods_that_see_a_part_say_so() -> None:
    tables = drawn_tables(1, everywhere=True)
    for method in ("delegate", "neighborhood", "portfolio"):
        finding = find(tables, method, Options(), Control(30))
        assert any("of 10 processors" in note for note in finding.notes)
    assert not seen_in_part(tables, "simple_greedy")


@pytest.mark.usefixtures("at_most_four")
def test_the_source_and_where_few_can_run_are_seen() -> None:
    document = drawn(Random(0), tasks=4, processors=10, everywhere=True, source="P7")
    document["application"]["tasks"][2]["allowed"] = ["P8", "P9", "P7"]
    found = instance(document)
    assert not list(faults(found, Options(), ()))
    seen = choose_part(MonoTables(found), Control())
    assert {"P7", "P8", "P9"} <= {processor.id for processor in seen.tables.platform.processors}


def test_small_platforms_are_seen_as_a_whole() -> None:
    tables = drawn_tables(0)
    seen = choose_part(tables, Control())
    assert seen.tables is tables
    assert list(seen.position) == list(range(tables.num_processors))
    assert not seen_in_part(tables, "delegate")


@pytest.mark.usefixtures("at_most_four")
def test_choosing_stops_when_the_time_is_over() -> None:
    with pytest.raises(OutOfTime):
        choose_part(drawn_tables(0, everywhere=True), Control(0))
