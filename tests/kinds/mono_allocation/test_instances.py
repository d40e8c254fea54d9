"""Published and hand-made instances whose shortest period is known, compared exactly."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.programs import search
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.verification.occupation import occupation
from steadygrid.verification.routes import FixedRoutes

HERE = Path(__file__).parent
INSTANCES = [
    path
    for path in sorted((HERE / "instances").glob("*.json"))
    if "periods" in json.loads(path.read_text())["expected"]
]
CASES = [
    pytest.param(path, place, id=f"{path.stem}-{case['routing']}-{case['duplication']}")
    for path in INSTANCES
    for place, case in enumerate(json.loads(path.read_text())["expected"]["periods"])
]


def load(path: Path, place: int) -> tuple[MonoAllocationInstance, Fraction]:
    document = json.loads(path.read_text())
    case = document["expected"]["periods"][place]
    problem = document["body"]["problem"] | {
        name: case[name] for name in ("routing", "duplication")
    }
    return MonoAllocationInstance.model_validate(problem), Fraction(case["period"])


def periods(instance: MonoAllocationInstance) -> Iterator[Fraction]:
    """Give the period of every mapping over the fixed routes, as the referee counts it."""
    steady = steady_instance(instance)
    routes = FixedRoutes(steady.network, instance.platform.routes)
    for names in product(*steady.times.values()):
        tasks = {task: (name,) for task, name in zip(steady.times, names, strict=True)}
        paths = {
            (source, target): routes.paths(*tasks[source]).get(*tasks[target])
            for source, target in steady.sizes
        }
        moving = {file: path for file, path in paths.items() if path is None or len(path) > 1}
        if None not in moving.values():
            transfers = tuple(
                Transfer(file, path, Fraction(1)) for file, path in moving.items() if path
            )
            allocation = Allocation(0, Fraction(1), Fraction(1), tasks, transfers)
            yield max(occupation(steady, allocation).values())


@pytest.mark.parametrize(("path", "place"), CASES)
def test_an_instance_has_no_fault(path: Path, place: int) -> None:
    instance, _ = load(path, place)
    assert list(PROBLEM.faults(instance, Options(), ())) == []


@pytest.mark.parametrize(("path", "place"), CASES)
def test_the_shortest_period_is_found_exactly(path: Path, place: int) -> None:
    instance, period = load(path, place)
    found = search.search_program(MonoTables(instance), Control())
    assert found.proved
    assert found.period == period


@pytest.mark.parametrize(
    ("path", "place"), [case for case in CASES if case.id and case.id.endswith("-fixed-none")]
)
def test_the_shortest_period_over_fixed_routes_is_that_of_the_best_mapping(
    path: Path, place: int
) -> None:
    instance, period = load(path, place)
    assert min(periods(instance)) == period
