from random import Random

import pytest

from steadygrid.engine.arborescences.incremental_flows import KeptFlows
from tests.draws import draws
from tests.engine.arborescences.checks import random_network, too_narrow


@pytest.mark.parametrize("seed", range(draws(8, 4000)))
def test_repaired_flows_find_what_enumeration_finds(seed: int) -> None:
    random = Random(seed)
    number, capacities, members = random_network(random, 6, random.choice((3, 9)))
    demands = {member: random.choice((0, 0, 1, 2)) for member in members}
    flows = KeptFlows(number, capacities, demands)
    for _ in range(12):
        asked = random.sample(members, random.randint(0, len(members)))
        for member in asked:
            narrow = too_narrow(number, capacities, demands, [member])
            found = flows.cuts_before(member)
            assert set(found) <= set(narrow)
            assert bool(found) == bool(narrow)
        for _ in range(random.randint(0, 3)):
            tail, head = random.sample(range(number), 2)
            capacities[tail, head] = random.choice((0, 1, 3, 9))
            flows.set_capacity((tail, head), capacities[tail, head])


def test_a_vertex_is_forgotten() -> None:
    arcs = {(0, 1): 1, (1, 2): 1}
    flows = KeptFlows(3, arcs, {0: 1})
    assert flows.cuts_before(2) == []
    flows.set_capacity((0, 2), 1)
    for arc in arcs:
        flows.set_capacity(arc, 0)
    assert flows.cuts_before(2) == []
    flows.detach(1)
    assert flows.cuts_before(2) == []
    flows.set_capacity((0, 2), 0)
    assert flows.cuts_before(2) == [{0}, {0, 1}]
