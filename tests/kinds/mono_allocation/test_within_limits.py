"""Allocations within memory, and chains in intervals, against trying all of them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.mapping.limits import Limits as Kept
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.fitting import UndecidedError, fitting_of, some_mapping
from steadygrid.kinds.mono_allocation.methods import METHODS
from steadygrid.kinds.mono_allocation.schemas import REFERENCES, MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver import intervals
from steadygrid.kinds.mono_allocation.solver.intervals import best_intervals, interval_bound
from steadygrid.kinds.mono_allocation.solver.programs.interchange import interchangeable
from steadygrid.kinds.mono_allocation.solver.programs.search import search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.drawn_limits import chained, limited, pipeline, tight
from tests.kinds.mono_allocation.enumeration import Enumeration, fault_of, period_of

PORTS = ("multiport", "one_port", "send_or_receive", "no_overlap")


def longest_occupation(asked: MonoAllocationInstance) -> Fraction | None:
    """Try all mappings over fixed ways, slots left out."""
    tried = Enumeration(asked)
    tried.slotted = False
    return tried.best()


@pytest.mark.parametrize(
    ("routing", "duplication", "number"),
    [
        ("fixed", "none", draws(24, 1000)),
        ("free", "none", draws(16, 300)),
        ("multipath", "none", draws(6, 100)),
        ("fixed", "tasks", draws(12, 200)),
        ("free", "tasks", draws(8, 100)),
        ("fixed", "tasks_and_files", draws(8, 60)),
    ],
)
def test_the_programs_place_within_memory_as_well_as_trying_all(
    routing: str, duplication: str, number: int
) -> None:
    tasks = 5 if duplication == "none" else 3
    split = routing == "multipath"
    found = held_back = 0
    for seed in range(number):
        document = limited(Random(seed), tasks, 3, routing=routing, duplication=duplication)
        asked = instance(document)
        if not all(any(time is not None for time in row) for row in asked.times):
            continue
        search = search_program(MonoTables(asked), Control())
        best = Enumeration(asked).best()
        assert search.period == best
        if search.allocation is not None:
            found += 1
            assert fault_of(asked, search.allocation) is None
            assert period_of(asked, search.allocation) == best
            assert best is not None
            assert best * (1 - Fraction(split, 10**6)) <= search.bound <= best
            for task in document["application"]["tasks"]:
                task.pop("memory", None)
            held_back += Enumeration(instance(document)).best() != best
    assert found > number / 3
    assert held_back


@pytest.mark.parametrize("routing", ["fixed", "free"])
def test_the_programs_cut_chains_as_well_as_trying_all(routing: str) -> None:
    found = 0
    for seed in range(draws(14, 500)):
        asked = instance(chained(Random(seed), 5, 3, routing=routing))
        if not all(any(time is not None for time in row) for row in asked.times):
            continue
        search = search_program(MonoTables(asked), Control())
        assert search.period == Enumeration(asked).best()
        if search.allocation is not None:
            found += len({name for (name,) in search.allocation.tasks.values()}) > 1
            assert fault_of(asked, search.allocation) is None
    assert found


@pytest.mark.parametrize("ports", PORTS)
def test_intervals_are_cut_as_well_as_by_trying_all(ports: str) -> None:
    cut = 0
    for seed in range(draws(45, 800)):
        random = Random(seed)
        document = chained(random, random.randint(1, 6), random.randint(2, 4), ports=ports)
        if seed % 3 == 0:
            document = pipeline(random, random.randint(2, 7), random.randint(2, 4), ports=ports)
        asked = instance(document)
        best = longest_occupation(asked)
        found = best_intervals(MonoTables(asked), Control())
        if found is None:
            assert best is None
            continue
        assert found.mapping is not None
        assert found.bound == best
        tables = MonoTables(asked)
        assert tables.period(found.mapping) == best
        assert tables.limits is not None
        assert tables.limits.fit([(i,) for i in found.mapping])
        cut += len(set(found.mapping)) > 1
    assert cut > 10


def test_a_search_for_intervals_that_is_cut_short_still_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = instance(pipeline(Random(1), 7, 4, ports="multiport"))
    best = best_intervals(MonoTables(asked), Control())
    assert best is not None
    for most in range(6):
        monkeypatch.setattr(intervals, "MOST_BEGINNINGS", most)
        found = best_intervals(MonoTables(asked), Control())
        assert found is not None
        assert found.mapping is None
        assert found.bound <= best.bound
    late = best_intervals(MonoTables(asked), Control(0))
    assert late is not None
    assert late.mapping is None
    assert interval_bound(MonoTables(asked), Control(0)) is None


@pytest.mark.parametrize("draw", [limited, chained, tight])
def test_what_fits_is_found_and_what_does_not_is_told(draw: Any) -> None:
    impossible = 0
    for seed in range(draws(70, 800)):
        random = Random(seed)
        asked = instance(draw(random, random.randint(1, 6), random.randint(2, 4)))
        tried = Enumeration(asked)
        exists = any(tried.best_ways(places, {}, None) is not None for places in tried.all_places())
        mapping = some_mapping(asked)
        assert (mapping is not None) == exists
        if mapping is not None:
            places = [(tried.names[i],) for i in mapping]
            assert tried.kept(places)
            assert tried.best_ways(places, {}, None) is not None
        impossible += not exists
    assert impossible


def test_whether_things_fit_may_take_too_long() -> None:
    asked = instance(limited(Random(3), 5, 3))
    with pytest.raises(UndecidedError):
        fitting_of(asked).mapping(most_steps=3)
    asked = instance(chained(Random(3), 5, 3))
    with pytest.raises(UndecidedError):
        fitting_of(asked).mapping(most_steps=1)


def test_who_differs_in_memory_is_not_interchangeable() -> None:
    """In order the first, small one would have the first task, with which nothing else fits."""
    document = pipeline(Random(0), 2, 2, ports="multiport")
    for processor, room in zip(document["platform"]["processors"][1:], (1, 2), strict=True):
        processor |= {"speed": 1, "memory": room}
    for task in document["application"]["tasks"]:
        task["memory"] = 1
    for link in document["platform"]["links"]:
        link["bandwidth"] = 1
    tables = MonoTables(instance(document))
    assert interchangeable(tables, tables.labels) == ()


def ends_well(placed: Sequence[int | None], complete: Sequence[Sequence[int]]) -> bool:
    """Tell whether some of the mappings goes on from what is placed."""
    return any(all(a in (None, b) for a, b in zip(placed, row, strict=True)) for row in complete)


@pytest.mark.parametrize("draw", [limited, chained])
def test_a_move_is_allowed_if_what_is_placed_can_be_completed(draw: Any) -> None:
    refused = 0
    for seed in range(draws(14, 400)):
        random = Random(seed)
        asked = instance(draw(random, 4, 3))
        tables = MonoTables(asked)
        if not all(tables.labels):
            continue
        kept = tables.limits or Kept(asked.needs, asked.memory, tables.labels)
        tried = Enumeration(asked)
        position = {name: i for i, name in enumerate(tried.names)}
        complete = [[position[name] for (name,) in places] for places in tried.all_places()]

        for mapping in product(*([None, *row] for row in tables.labels)):
            task = random.randrange(len(mapping))
            moves = {task: random.choice(tables.labels[task])}
            after = [moves.get(k, place) for k, place in enumerate(mapping)]
            allowed = kept.allow(mapping, kept.held(mapping), moves)
            if ends_well(after, complete):
                assert allowed
            elif ends_well(mapping, complete) and None not in after:
                assert not allowed
                refused += 1
    assert refused


def solved(document: dict[str, Any], **options: Any) -> Any:
    """Answer a document as a worker does; the referee judges."""
    body = {"problem": {"kind": "mono_allocation", **document}, "options": options}
    return run(parse_submission(body, Limits()), Control(20), Limits())[0]


@pytest.mark.parametrize("method", sorted({*METHODS} - REFERENCES - {"given"}))
def test_every_method_keeps_to_the_limits_or_says_why_not(method: str) -> None:
    outcomes = set()
    for seed in range(draws(6, 150)):
        draw = (limited, chained)[seed % 2]
        document = draw(Random(seed), 5, 3, ports=PORTS[seed // 2 % 4], instances=3)
        try:
            result = solved(document | {"method": method}, time_limit=20)
        except InstanceError:
            continue
        outcomes.add(result.outcome)
        if method in ("portfolio", "milp", "compare"):
            exists = Enumeration(instance(document)).best() is not None
            assert (result.outcome is not Outcome.INFEASIBLE) == exists
    assert outcomes & {Outcome.OPTIMAL, Outcome.FEASIBLE, Outcome.BOUND_ONLY}


@pytest.mark.parametrize("method", ["rlp_max", "rlp_rand", "portfolio", "milp"])
def test_what_double_precision_cannot_tell_does_not_fit(method: str) -> None:
    """Four tasks of a little more than 1 do not fit into 4."""
    document = pipeline(Random(0), 4, 2, ports="multiport") | {"method": method}
    for task in document["application"]["tasks"]:
        task |= {"memory": f"{10**20 + 1}/{10**20}", "work": 1}
    for file in document["application"]["files"]:
        file["size"] = 1000
    for processor in document["platform"]["processors"][1:]:
        processor["memory"] = 4
    result = solved(document)
    assert result.outcome is not Outcome.INFEASIBLE
    assert not result.mapping or len({name for (name,) in result.mapping.values()}) == 2


def test_tasks_that_do_not_divide_into_the_memory_are_proved_infeasible() -> None:
    """Thirteen times 3 is 39 of 44, but only three of them fit into 11."""
    document = pipeline(Random(0), 13, 4, ports="multiport") | {"contiguous": False}
    for task in document["application"]["tasks"]:
        task["memory"] = 3
    for processor in document["platform"]["processors"][1:]:
        processor["memory"] = 11
    for method in ("portfolio", "upper_bound", "simple_greedy", "compare", "data_parallel"):
        result = solved(document | {"method": method})
        assert result.outcome is Outcome.INFEASIBLE
        assert "(the tasks need 39, they have 44)" in result.notes[0]
    result = solved(document | {"contiguous": True})
    assert result.outcome is Outcome.INFEASIBLE
    assert "intervals" in result.notes[0]
    document["platform"]["processors"][1]["memory"] = 12
    assert solved(document).outcome is Outcome.OPTIMAL


def test_copies_that_have_no_room_are_no_proof() -> None:
    """Memory for one copy of each, but the file of a has to come from where b is, and c too."""
    document: dict[str, Any] = {
        "duplication": "tasks",
        "platform": {
            "processors": [
                {"id": "A", "speed": 1, "memory": 2},
                {"id": "B", "speed": 1, "memory": 2},
            ]
        },
        "application": {
            "tasks": [
                {"id": "a", "work": 1, "memory": 2},
                {"id": "b", "work": 1, "memory": 1},
            ],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    result = solved(document)
    assert result.outcome is Outcome.UNKNOWN
    assert "not proved" in result.notes[0]
    document["duplication"] = "none"
    assert solved(document).outcome is Outcome.INFEASIBLE
    document["platform"]["processors"][0]["memory"] = 3
    assert solved(document | {"duplication": "tasks"}).outcome is Outcome.OPTIMAL


def test_references_obey_or_are_named() -> None:
    document = limited(Random(5), 3, 3, everywhere=True, ports="multiport", instances=5)
    for processor in document["platform"]["processors"]:
        processor["memory"] = 100
    for task in document["application"]["tasks"]:
        task["memory"] = 1
        task.pop("allowed", None)
    rows = {row.method: row for row in solved(document | {"method": "compare"}).comparison}
    assert "knows nothing of memory" in rows["heft"].note
    assert rows["clustering"].throughput is None
    assert rows["data_parallel"].throughput is not None
    for processor in document["platform"]["processors"]:
        processor["memory"] = 2
    rows = {row.method: row for row in solved(document | {"method": "compare"}).comparison}
    assert "no processor has the memory" in rows["data_parallel"].note
    chain = pipeline(Random(2), 4, 2, ports="multiport")
    for processor in chain["platform"]["processors"][1:]:
        processor["memory"] = 20
    rows = {row.method: row for row in solved(chain | {"method": "compare"}).comparison}
    assert all("knows nothing of contiguous" in rows[method].note for method in REFERENCES)


def test_more_room_never_hurts_and_twins_agree_in_memory() -> None:
    for seed in range(draws(10, 100)):
        document = pipeline(Random(seed), 6, 3, ports="one_port")
        before = solved(document).objective
        for processor in document["platform"]["processors"][1:]:
            processor["memory"] = 1000
        after = solved(document).objective
        assert before is None or after.value >= before.value
        assert len(MonoTables(instance(document)).instance.sort_members) <= 3
        document["platform"]["processors"][1]["memory"] = 999
        two = instance(document)
        assert two.times_given[1] != two.times_given[2]
