"""When programs end: by hand, beside a run of the written text, and below what links can carry."""

import random
from fractions import Fraction

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.platform import Platform
from steadygrid.formats.msccl import playback
from steadygrid.formats.msccl.algorithm import write_trees
from steadygrid.formats.msccl.document import Settings as Text
from steadygrid.formats.msccl.fitting import Plan, fitting_program
from steadygrid.formats.msccl.moves import Program, Route, Split, Tree, arrange, reorder
from steadygrid.formats.msccl.network import Network, network_of
from steadygrid.formats.msccl.simulation import (
    Settings,
    loops_of,
    order_by_start,
    simulate,
)
from tests.draws import draws
from tests.formats.msccl_clock import Clock
from tests.formats.msccl_machine import check
from tests.formats.msccl_programs import OPERATIONS, Case, drawn_case

ONE = Fraction(1)


def network(latency: Fraction = Fraction(0), **bandwidths: int) -> Network:
    """Give links of one direction each, named by their ends."""
    hops = [(int(name[1]), int(name[2])) for name in bandwidths]
    return Network(
        [Fraction(bandwidth) for bandwidth in bandwidths.values()],
        {hop: (number,) for number, hop in enumerate(hops)},
        dict.fromkeys(hops, latency) if latency else {},
    )


def test_one_hop_by_hand() -> None:
    """Steps of 1/4, data of 1, latency of 1/2: the next leaves while the one before is under way."""
    program = arrange([Tree(0, 1, ((0, 1),))])
    links = network(Fraction(1, 2), l01=1)
    for loops in (1, 2, 5):
        run = simulate(program, links, Settings(ONE, loops, Fraction(1, 4)))
        assert run.time == loops * Fraction(5, 4) + Fraction(1, 2)
    assert run.tick == Fraction(1, 2**28)


def test_a_full_queue_stops_a_sender() -> None:
    """Latency of 3: two pieces are under way, and the third starts when the first is received."""
    program = arrange([Tree(0, 1, ((0, 1),))])
    times = [
        simulate(program, network(Fraction(3), l01=1), Settings(ONE, loops)).time
        for loops in (1, 2, 3, 4)
    ]
    assert times == [4, 5, 8, 9]


def test_a_shared_link_by_hand() -> None:
    """Rank 0 sends to 2 and 3 by a switch 1 whose link carries 2: each gets 1, though one could take 4.

    When the first has got its chunk, half of that of the second is left, and flows at 2 / 3.
    """
    spread = ((0, 1, 2), (0, 1, 3))
    links = network(l01=2, l12=4, l13=2)
    assert simulate(arrange([Tree(0, 1, spread)]), links, Settings(ONE)).time == 1
    slow = Network([Fraction(2), Fraction(4), Fraction(2, 3)], links.uses, {})
    ended = simulate(arrange([Tree(0, 1, spread)]), slow, Settings(ONE)).time
    assert ended == Fraction(3, 2)


def test_what_is_added_is_received_in_the_order_of_its_chain() -> None:
    """Rank 2 is fast and second: it is received with what rank 1 sends, and only then passed on."""
    tree = Tree(0, 1, (), ((1, 3), (2, 3), (3, 0)))
    links = network(l13=1, l23=4, l30=1)
    program = arrange([tree])
    assert [move.chained for move in program.moves] == [None, 0, None]
    assert [move.after for move in program.moves] == [(), (), (0, 1)]
    assert simulate(program, links, Settings(ONE)).time == 2


def boxes(inside: int = 300, between: int = 25) -> Network:
    """Two boxes of eight ranks: each has a switch, and two fabrics join ranks of one parity."""
    uses = {}
    bandwidths: list[Fraction] = []
    for rank in range(16):
        for switch, bandwidth in ((16 + rank // 8, inside), (18 + rank % 2, between)):
            for hop in ((rank, switch), (switch, rank)):
                uses[hop] = (len(bandwidths),)
                bandwidths.append(Fraction(bandwidth))
    return Network(bandwidths, uses, {})


def counterparts() -> list[Tree]:
    """Send all to the rank of the same place in the other box, and around in both boxes."""
    trees = []
    for root in range(16):
        other, box = (root + 8) % 16, root // 8
        spread: list[Route] = [(root, 18 + root % 2, other)]
        for near in (root, other):
            here = 16 + near // 8
            spread += [(near, here, rank) for rank in range(16) if rank // 8 == near // 8 and rank != near]  # fmt: skip
        assert here == 17 - box
        trees.append(Tree(root, 1, tuple(spread)))
    return trees


PIECE = Fraction(2**21, 10**9)


@pytest.mark.parametrize(("loops", "known"), [(1, "252.6"), (4, "314.8"), (20, "336.8")])
def test_two_boxes_gather_as_fast_as_is_known(loops: int, known: str) -> None:
    run = simulate(arrange(counterparts()), boxes(), Settings(PIECE, loops))
    speed = 16 * PIECE * loops / run.time
    assert f"{float(speed):.1f}" == known


@pytest.mark.parametrize("split", ["arc", "depth"])
def test_nothing_is_faster_than_links_allow(split: Split) -> None:
    """15 chunks come to each rank, 14 of them by the 300 of its switch."""
    program = order_by_start(arrange(counterparts(), split), boxes())
    for loops in (1, 7, 300):
        run = simulate(program, boxes(), Settings(PIECE, loops))
        assert run.time >= 14 * PIECE * loops / 300


def least(case: Case, program: Program) -> Fraction:
    """Give the time in which the busiest resource carries everything."""
    loads = [Fraction(0)] * len(case.network.bandwidths)
    for move in program.moves:
        for hop in zip(move.route, move.route[1:], strict=False):
            for number in case.network.uses[hop]:
                loads[number] += move.chunks / case.network.bandwidths[number]
    return max(loads)


def test_a_run_of_the_written_text_ends_at_the_same_tick() -> None:
    draw = random.Random(5)
    for number in range(draws(20, 4000)):
        case = drawn_case(draw, OPERATIONS[number % len(OPERATIONS)])
        collective = case.collective
        plan = Plan(
            draw.choice(["arc", "depth"]),
            draw.choice(["depth", "start"]),
            draw.choice([1, 1, 2, 3]),
        )
        settings = Text(plan=plan, dialect=collective.dialect)
        text = write_trees(case.trees, collective, settings, case.network)
        program = fitting_program(case.trees, collective, plan, case.network)
        loops, step = draw.choice([1, 2, 6]), draw.choice([Fraction(0), Fraction(1, 7)])
        run = simulate(program, case.network, Settings(ONE, loops, step))
        ranks = collective.rank_of
        clock = Clock(
            check(text, collective.dialect),
            {(ranks[a], ranks[b]): route for (a, b), route in case.routes.items()},
            case.network.uses,
            dict(enumerate(case.network.bandwidths)),
            case.network.latencies,
        )
        assert clock.run(ONE, loops, step) == run.time
        assert run.time >= loops * plan.instances * least(case, program)


def test_skipped_loops_end_as_if_they_had_run(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(8)
    skipped = 0
    monkeypatch.setattr(playback, "CHECKED", 1)
    calls: list[int] = []

    def check_in() -> None:
        calls.append(1)

    for number in range(draws(12, 1000)):
        case = drawn_case(draw, OPERATIONS[number % len(OPERATIONS)])
        program = arrange(case.trees, draw.choice(["arc", "depth"]))
        settings = Settings(ONE, draw.randint(20, 60), draw.choice([Fraction(0), Fraction(1, 9)]))
        calls.clear()
        run = simulate(program, case.network, settings, check_in)
        short = len(calls)
        with monkeypatch.context() as patch:
            patch.setattr(playback, "REMEMBERED", 0)
            assert simulate(program, case.network, settings, check_in) == run
        skipped += 3 * short < len(calls)
    assert skipped > 3


def test_an_order_by_start_takes_first_what_can_leave_first() -> None:
    """Rank 1 passes on what comes fast from 2 before what comes slowly from 0."""
    trees = [Tree(0, 1, ((0, 1), (1, 3))), Tree(2, 1, ((2, 1), (1, 3)))]
    links = network(l01=1, l21=5, l13=5)
    program = arrange(trees)
    assert [move.tree for move in program.moves] == [0, 1, 0, 1]
    ordered = order_by_start(program, links)
    assert [move.tree for move in ordered.moves] == [0, 1, 1, 0]
    assert [move.after for move in ordered.moves] == [(), (), (1,), (0,)]
    assert (
        simulate(program, links, Settings(ONE)).time > simulate(ordered, links, Settings(ONE)).time
    )


def test_weights_are_cut_into_trees_that_follow_each_other() -> None:
    tree = Tree(0, 3, ((0, 1), (1, 2)))
    assert [move.chunks for move in arrange([tree]).moves] == [1] * 6
    assert [(move.tree, move.chunks) for move in arrange([tree], grain=2).moves] == [
        (0, 2),
        (1, 1),
        (0, 2),
        (1, 1),
    ]
    links = network(l01=1, l12=1)
    assert simulate(arrange([tree]), links, Settings(ONE)).time == 4
    assert simulate(arrange([tree], grain=3), links, Settings(ONE)).time == 6


@pytest.mark.parametrize(
    "tree",
    [
        Tree(0, 1, ((0, 1), (2, 1))),
        Tree(0, 1, ((2, 3),)),
        Tree(0, 1, ((1, 2), (2, 1))),
        Tree(0, 1, ((0, 1), (1, 0))),
        Tree(0, 1, (), ((1, 0), (1, 0))),
        Tree(0, 1, (), ((1, 2),)),
        Tree(0, 1, (), ((1, 2), (2, 1))),
        Tree(0, 1, (), ((0, 1), (1, 0))),
    ],
)
def test_routes_that_are_no_tree_are_refused(tree: Tree) -> None:
    with pytest.raises(ValueError, match="tree 0"):
        arrange([tree])


def test_resources_that_differ_too_much_predict_nothing() -> None:
    program = arrange([Tree(0, 1, ((0, 1), (1, 2)))])
    assert simulate(program, network(l01=1, l12=2**16), Settings(ONE)).time > 1
    with pytest.raises(LimitError, match="65,536") as caught:
        simulate(program, network(l01=1, l12=2**16 + 1), Settings(ONE))
    assert [fault.code for fault in caught.value.faults] == ["bandwidths_too_different"]


def test_an_order_in_which_moves_wait_for_each_other_has_no_end() -> None:
    """Each of two channels has first what comes after the second move of the other."""
    trees = [Tree(2, 1, ((2, 3), (3, 0), (0, 1))), Tree(0, 1, ((0, 1), (1, 2), (2, 3)))]
    links = network(l01=1, l12=1, l23=1, l30=1)
    program = arrange(trees)
    assert (program.depth, simulate(program, links, Settings(ONE)).time) == (3, 3)
    with pytest.raises(RuntimeError, match="wait for each other"):
        simulate(reorder(program, [4, 5, 0, 1, 2, 3]), links, Settings(ONE))


def test_latencies_may_be_far_longer_than_data_flows() -> None:
    tree = Tree(0, 1, ((0, 1), (1, 2)))
    links = network(Fraction(10**20), l01=1, l12=1)
    assert simulate(arrange([tree]), links, Settings(ONE, 2)).time == 2 * 10**20 + 3


def test_moves_of_very_many_chunks_are_refused() -> None:
    program = arrange([Tree(0, 2**13, ((0, 1),))], grain=2**13)
    with pytest.raises(ValueError, match="more than 4,096 chunks"):
        simulate(program, network(l01=1), Settings(ONE))


def test_a_run_can_be_stopped() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        simulate(arrange(counterparts()), boxes(), Settings(PIECE), stop)


def test_loops_are_counted_by_whole_pieces() -> None:
    assert [loops_of(chunk, 2, 10) for chunk in (0, 1, 20, 21, 41)] == [1, 1, 1, 2, 3]


def test_a_platform_gives_its_resources() -> None:
    platform = Platform.model_validate(
        {
            "processors": [
                {"id": "a", "bandwidth_out": "3"},
                {"id": "b", "bandwidth_in": "4"},
                {"id": "s", "switch": True},
            ],
            "media": [{"id": "bus", "bandwidth": "5"}],
            "links": [
                {
                    "source": "a",
                    "target": "b",
                    "bandwidth": "2",
                    "duplex": "half",
                    "latency": "1/9",
                },
                {"source": "a", "target": "s", "bandwidth": "7", "media": ["bus", "bus"]},
            ],
        }
    )
    found = network_of(platform)
    limits = {hop: [found.bandwidths[n] for n in numbers] for hop, numbers in found.uses.items()}
    assert limits == {(0, 1): [2, 3, 4], (1, 0): [2], (0, 2): [7, 3, 5, 5], (2, 0): [7, 5, 5]}
    assert found.uses[0, 1][0] == found.uses[1, 0][0]
    assert found.latencies == {(0, 1): Fraction(1, 9), (1, 0): Fraction(1, 9)}
