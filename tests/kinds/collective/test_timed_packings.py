"""Programs of trees that grow as they run: exported, run with values and on the clock, and fast."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.formats.msccl.algorithm import write_trees
from steadygrid.formats.msccl.document import Settings as Text
from steadygrid.formats.msccl.fitting import Collective, Plan, fitting_program
from steadygrid.formats.msccl.network import network_of
from steadygrid.formats.msccl.simulation import Settings, simulate
from steadygrid.kinds.collective.solver.completion_trees import (
    Operation,
    Packing,
    least_time,
    pack_by_time,
)
from steadygrid.submissions.submission import parse_submission
from tests.formats.msccl_clock import Clock
from tests.formats.msccl_machine import check
from tests.kinds.collective.test_chunks import on

F = Fraction
LINKS = {
    **{(v, (v + 1) % 3 + v // 3 * 3): 6 for v in range(6)},
    **{(v, 6): 1 for v in range(6)},
    **{(6, v): 1 for v in range(6)},
}
"""Two rings of three ranks in one direction, and a switch, to which all have a narrow link."""
CHUNKS = 4


def packed(
    operation: str, longest: Fraction | None = None
) -> tuple[Any, Operation, Packing | None]:
    named = {"broadcast": {"source": "0"}}.get(operation, {})
    body = on(LINKS, 6, operation, **named)
    instance = parse_submission(body, Limits()).instance
    asked = Operation.from_instance(instance)
    return instance, asked, pack_by_time(asked, CHUNKS, longest, lambda: None)


@pytest.mark.parametrize("operation", ["allgather", "broadcast", "allreduce"])
def test_it_does_what_it_says_in_the_time_that_is_told(operation: Any) -> None:
    instance, _, packing = packed(operation)
    assert packing is not None
    trees = [loaded.tree for loaded in packing.trees]
    assert sum(tree.chunks for tree in trees) == (CHUNKS if operation == "broadcast" else 24)
    network, plan = network_of(instance.platform), Plan("arc", "start")
    collective = Collective(operation, {rank: rank for rank in range(6)})
    routes = {
        (route[0], route[-1]): route for tree in trees for route in (*tree.combined, *tree.spread)
    }
    for rank in range(6):  # over the switch to one rank, and from one
        over = [ends for ends, route in routes.items() if len(route) > 2 and rank in ends]
        assert len(over) <= 2
    algorithm = check(write_trees(trees, collective, Text(plan=plan), network))
    clock = Clock(algorithm, routes, network.uses, dict(enumerate(network.bandwidths)), {})
    program = fitting_program(trees, collective, plan, network)
    times = [simulate(program, network, Settings(packing.chunk, loops)).time for loops in (1, 3)]
    assert times == [clock.run(packing.chunk, loops) for loops in (1, 3)]


def test_links_wait_for_little_but_their_last_chunks() -> None:
    instance, asked, packing = packed("allgather")
    assert packing is not None
    least = least_time(asked, CHUNKS, lambda: None)
    network = network_of(instance.platform)
    trees = [loaded.tree for loaded in packing.trees]
    collective = Collective("allgather", {rank: rank for rank in range(6)})
    program = fitting_program(trees, collective, Plan("arc", "start"), network)
    longest = max(
        sum(packing.chunk / network.bandwidths[network.uses[hop][0]] for hop in pairwise(route))
        for tree in trees
        for route in tree.spread
    )
    assert least <= simulate(program, network, Settings(packing.chunk)).time <= least + longest


def test_routes_that_are_too_narrow_are_not_packed() -> None:
    _, asked, packing = packed("allgather")
    assert packing is not None
    least = least_time(asked, CHUNKS, lambda: None)
    assert packed("allgather", least)[2] == packing
    assert packed("allgather", least * F(99, 100))[2] is None
