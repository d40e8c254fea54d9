"""The referee's replay and the simulator of programs, which share nothing, on random programs."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.formats.msccl.moves import ORDERS, SPLITS, Tree, arrange
from steadygrid.formats.msccl.network import network_of
from steadygrid.formats.msccl.simulation import Settings, order_by_start, simulate
from steadygrid.kinds.collective.referee_carriers import read_carriers
from steadygrid.kinds.collective.referee_execution import ChunkTree, Program, replay


def _platform(random: Random) -> Platform:
    number = random.randint(3, 6)
    links = [(random.randrange(i), i) for i in range(1, number)]
    for _ in range(number):
        i, j = sorted(random.sample(range(number), 2))
        if (i, j) not in links:
            links.append((i, j))
    return Platform.model_validate(
        {
            "processors": [
                {"id": f"p{i}"}
                | ({"bandwidth_out": random.randint(2, 9)} if random.random() < 0.3 else {})
                for i in range(number)
            ],
            "links": [
                {
                    "source": f"p{i}",
                    "target": f"p{j}",
                    "bandwidth": f"{random.randint(1, 20)}/{random.randint(1, 4)}",
                    "latency": f"{random.randint(0, 5)}/7",
                    "duplex": random.choice(["full", "half"]),
                    "media": ["bus"] if random.random() < 0.2 else [],
                }
                for i, j in links
            ],
            "media": [{"id": "bus", "bandwidth": 5}],
        }
    )


def _routes(platform: Platform, root: int, members: list[int], random: Random) -> list[list[int]]:
    """Grow a tree from the root in random order; those that are no members are passed."""
    before = {root: root}
    waiting = [root]
    while waiting:
        here = waiting.pop(random.randrange(len(waiting)))
        for arc in platform.arcs_out[here]:
            if arc.target not in before:
                before[arc.target] = here
                waiting.append(arc.target)
    routes = []
    for member in members:
        if member != root:
            route = [member, before[member]]
            while route[-1] not in members:
                route.append(before[route[-1]])
            routes.append(route[::-1])
    random.shuffle(routes)
    return routes


@pytest.mark.parametrize("seed", range(20))
def test_both_predict_the_same_time(seed: int) -> None:
    random = Random(seed)
    platform = _platform(random)
    number = len(platform.processors)
    members = sorted(random.sample(range(number), random.randint(2, number)))
    trees = []
    for _ in range(random.randint(1, 4)):
        root = random.choice(members)
        out = tuple(map(tuple, _routes(platform, root, members, random)))
        back = tuple(tuple(r[::-1]) for r in _routes(platform, root, members, random))
        what = random.choice(["copied", "combined", "both"])
        trees.append(
            Tree(
                root,
                random.randint(1, 3),
                out if what != "combined" else (),
                back if what != "copied" else (),
            )
        )
    order, split = random.choice(ORDERS), random.choice(SPLITS)
    instances, loops = random.randint(1, 2), random.randint(1, 5)
    piece = Fraction(random.randint(1, 50), random.randint(1, 30))
    step = Fraction(random.randint(0, 3), 5)
    program = arrange(trees, split, instances)
    network = network_of(platform)
    if order == "start":
        program = order_by_start(program, network)
    simulated = simulate(program, network, Settings(piece, loops, step)).time

    names = [processor.id for processor in platform.processors]

    def named(routes: tuple[tuple[int, ...], ...]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(names[i] for i in route) for route in routes)

    told = [ChunkTree(names[t.root], named(t.combined), named(t.spread), t.chunks) for t in trees]
    replayed = replay(
        Program(told, order, split, instances, loops, piece), read_carriers(platform), step
    )
    assert replayed == simulated
