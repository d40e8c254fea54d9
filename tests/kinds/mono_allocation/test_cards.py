"""One allocation on processors with several network cards."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.references.clustering import clustering
from steadygrid.kinds.mono_allocation.solver.references.data_parallel import data_parallel
from steadygrid.kinds.mono_allocation.solver.references.heft import heft
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.engine.scheduling import cards
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.executions import check_execution, watched
from tests.kinds.mono_allocation.test_enumeration import agreed
from tests.kinds.task_graph.test_cards import is_accepted
from tests.solved import solve

F = Fraction


def carded(seed: int, **fields: Any) -> dict[str, Any] | None:
    """Draw a document whose processors have cards; None where it has a fault."""
    random = Random(seed)
    document = drawn(random, 4, 4, ports="one_port", **fields)
    document["platform"] = cards.with_cards(random, document["platform"], pools=seed % 4 != 0)
    body = {"problem": {"kind": "mono_allocation", **document}}
    return document if is_accepted(body) else None


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_the_optimum_is_that_of_trying_all(routing: str) -> None:
    number = 0
    for seed in range(draws(8, 400)):
        document = carded(seed, routing=routing)
        if document is not None and seed % 4:
            agreed(instance(document))
            number += 1
    assert number > 5


@pytest.mark.parametrize(
    "method", ["simple_greedy", "delegate", "portfolio", "upper_bound", "milp", "heft"]
)
def test_every_answer_stands(method: str) -> None:
    """Half-duplex links meet at named cards here and there; the referee judges all schedules."""
    for seed in range(draws(4, 8)):
        document = carded(seed, routing="fixed")
        if document is not None:
            body = {"problem": {"kind": "mono_allocation", **document, "method": method}}
            solve(body, max_period=[None, 50][seed % 2] or "exact")


@pytest.mark.parametrize("reference", [heft, data_parallel, clustering])
def test_references_hold_as_many_cards_as_there_are(
    reference: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    side_by_side = 0
    for seed in range(30):
        document = carded(seed, everywhere=True)
        if document is None:
            continue
        tables = MonoTables(
            MonoAllocationInstance.model_validate({"kind": "mono_allocation", **document})
        )
        with watched(monkeypatch) as seen:
            simulation = reference(tables, 6, Control())
        check_execution(tables, seen[-1], simulation)
        side_by_side += any(p.num_pooled > 1 for p in tables.platform.processors)
    assert side_by_side > 5


def two_receivers(given: int) -> dict[str, Any]:
    """One task on A whose files, of 3 each, go to B and to C."""
    return {
        "kind": "mono_allocation",
        "ports": "one_port",
        "platform": {
            "processors": [{"id": "A", "cards": given}, {"id": "B"}, {"id": "C"}],
            "links": [{"source": "A", "target": end, "unit_time": 1} for end in "BC"],
        },
        "application": {
            "tasks": [
                {"id": "make", "times": {"A": 1}},
                {"id": "left", "times": {"B": 1}},
                {"id": "right", "times": {"C": 1}},
            ],
            "files": [{"source": "make", "target": end, "size": 3} for end in ("left", "right")],
        },
    }


@pytest.mark.parametrize(("given", "period", "makespan"), [(1, 6, 8), (2, 3, 5)])
def test_files_for_two_leave_by_two_cards(given: int, period: int, makespan: int) -> None:
    asked = two_receivers(given)
    result, schedule = solve({"problem": asked | {"method": "milp"}})
    assert result.period == period
    assert schedule.throughput == F(1, period)
    executed = solve({"problem": asked | {"method": "heft", "instances": 1}}).result
    assert executed.simulation.makespan == makespan
