from itertools import combinations
from random import Random

import pytest

from steadygrid.engine.arborescences.maxflow import MaxFlow
from tests.draws import draws
from tests.engine.arborescences.checks import out_of, random_network


@pytest.mark.parametrize("seed", range(draws(10, 4000)))
def test_the_maximum_flow_is_the_minimum_cut(seed: int) -> None:
    random = Random(seed)
    number, capacities, (source, sink, *_) = random_network(random, 6, random.choice((4, 10**40)))
    parting = [
        {source, *more}
        for size in range(number)
        for more in combinations(sorted(set(range(number)) - {source, sink}), size)
    ]
    least = min(out_of(side, capacities) for side in parting)
    flow = MaxFlow(number)
    arcs = {arc: flow.add(*arc, capacity) for arc, capacity in capacities.items()}
    if least:
        assert flow.push(source, sink, least - 1) == least - 1
        assert flow.push(source, sink) == 1
    assert flow.push(source, sink) == 0
    carried = {arc: flow.flow(k) for arc, k in arcs.items()}
    assert all(0 <= amount <= capacities[arc] for arc, amount in carried.items())
    for vertex in range(number):
        net = out_of({vertex}, carried) - out_of(set(range(number)) - {vertex}, carried)
        assert net == {source: least, sink: -least}.get(vertex, 0)
    minimum = [side for side in parting if out_of(side, capacities) == least]
    assert flow.source_side(source) == set.intersection(*minimum)
    assert set(range(number)) - flow.sink_side(sink) == set.union(*minimum)


def test_a_changed_network_flows_on_or_anew() -> None:
    flow = MaxFlow(3)
    narrow, _ = flow.add(0, 1, 1), flow.add(1, 2, 5)
    assert flow.push(0, 2) == 1
    flow.set_capacity(narrow, 4)
    assert flow.push(0, 2) == 3
    flow.reset()
    assert flow.push(0, 2) == 4
