"""Programs replayed by the referee, against times found by hand."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.kinds.collective.referee_carriers import Carriers, read_carriers
from steadygrid.kinds.collective.referee_execution import ChunkTree, Program, replay
from steadygrid.kinds.collective.referee_rates import share_fairly

NOW = Fraction(0)
ONE = Fraction(1)


def carriers(
    links: Mapping[str, Fraction | int], latencies: Mapping[str, Fraction | int] | None = None
) -> Carriers:
    """Give links by the letters of their ends."""
    return Carriers(
        {name: Fraction(bandwidth) for name, bandwidth in links.items()},
        {(name[0], name[1]): [name] for name in links},
        {(name[0], name[1]): Fraction(time) for name, time in (latencies or {}).items()},
    )


def program(
    *trees: ChunkTree,
    order: str = "depth",
    split: str = "arc",
    instances: int = 1,
    loops: int = 1,
    piece: Fraction = ONE,
) -> Program:
    """Give a program of one loop unless asked otherwise."""
    return Program(trees, order, split, instances, loops, piece)


def test_a_message_takes_its_latency_and_its_data() -> None:
    one = program(ChunkTree("a", (), (("a", "b"),)), piece=Fraction(6))
    assert replay(one, carriers({"ab": 3}, {"ab": Fraction(1, 2)}), NOW) == Fraction(5, 2)


def test_pieces_of_a_chain_follow_each_other() -> None:
    # Four pieces of 1/4 over two links that take 1/4 for each: the last leaves `a` after 1, and is
    # passed on within 1/4.
    chain = program(ChunkTree("a", (), (("a", "b"), ("b", "c"))), loops=4, piece=Fraction(1, 4))
    assert replay(chain, carriers({"ab": 1, "bc": 1}), NOW) == Fraction(5, 4)


def test_a_block_waits_for_the_receipt_of_all_but_one() -> None:
    # Pieces leave at 1 and 2 and arrive 4 later, so the third starts at 5, the fourth at 6.
    one = program(ChunkTree("a", (), (("a", "b"),)), loops=4)
    assert replay(one, carriers({"ab": 1}, {"ab": 4}), NOW) == 11


def test_a_step_takes_its_time_before_the_data_flows() -> None:
    one = program(ChunkTree("a", (), (("a", "b"),)), loops=3)
    assert replay(one, carriers({"ab": 1}), Fraction(1, 2)) == Fraction(9, 2)


def test_flows_share_a_link_evenly_and_what_is_left_goes_to_the_others() -> None:
    # `xb` is shared by two until each has 1; from 2 on `c` is served alone.
    links = {"ax": 2, "xb": 1, "xc": 1}
    star = program(
        ChunkTree("a", (), (("a", "x", "b"), ("a", "x", "c"))),
        ChunkTree("a", (), (("a", "x", "b"), ("a", "x", "c"))),
        split="arc",
    )
    assert replay(star, carriers(links), NOW) == 2
    assert share_fairly([{"l": 1, "m": 1}, {"l": 1}, {"m": 1}], {"l": 7, "m": 20}) == (3, 3, 17)
    assert share_fairly([{"l": 2}, {"l": 1}], {"l": 9}) == (3, 3)


def test_operands_are_combined_before_they_go_on() -> None:
    # b is there at 1, c at 4; then a sends to the root for 1.
    tree = ChunkTree("r", (("b", "a"), ("c", "a"), ("a", "r")), ())
    assert replay(program(tree), carriers({"ba": 1, "ca": Fraction(1, 4), "ar": 1}), NOW) == 5


def test_operands_are_combined_in_the_order_of_moves() -> None:
    # What c has for the first tree is there at 1, but combined after what b has, at 4: only then is
    # there a place for its third piece, which takes 1.
    others = [ChunkTree("r", (("c", "r"),), ())] * 2
    links = carriers({"br": Fraction(1, 4), "cr": 1})
    b_first = ChunkTree("r", (("b", "r"), ("c", "r")), ())
    c_first = ChunkTree("r", (("c", "r"), ("b", "r")), ())
    assert replay(program(b_first, *others), links, NOW) == 5
    assert replay(program(c_first, *others), links, NOW) == 4


def test_an_allreduce_spreads_what_it_has_combined() -> None:
    tree = ChunkTree("a", (("b", "a"), ("c", "a")), (("a", "b"), ("a", "c")))
    links = carriers({"ba": 1, "ca": Fraction(1, 2), "ab": 1, "ac": 1})
    assert replay(program(tree), links, NOW) == 3


def test_blocks_of_other_depths_do_not_wait_for_each_other() -> None:
    # With one channel from a to b the piece of tree 2 waits behind tree 1's; the link is the same,
    # so what changes is who goes first.
    trees = (
        ChunkTree("a", (), (("a", "b"), ("b", "c"))),
        ChunkTree("d", (), (("d", "a"), ("a", "b"), ("b", "c"))),
    )
    links = {"ab": 1, "bc": 1, "da": 1}
    assert replay(program(*trees), carriers(links), NOW) == 3
    assert replay(program(*trees, split="depth"), carriers(links), NOW) == 3
    assert replay(program(*trees, loops=2, split="depth"), carriers(links), NOW) == 6


def test_instances_share_the_links() -> None:
    two = program(ChunkTree("a", (), (("a", "b"),)), instances=2, piece=Fraction(1, 2))
    assert replay(two, carriers({"ab": 1}), NOW) == 1


@pytest.mark.parametrize(("order", "time"), [("depth", 6), ("start", 5)])
def test_the_order_of_starts_lets_what_is_there_go_first(order: str, time: int) -> None:
    # At depth 2 both chunks leave c for d; the first, from a, is at c at 4, the other at 1.
    trees = (
        ChunkTree("a", (), (("a", "c"), ("c", "d"))),
        ChunkTree("b", (), (("b", "c"), ("c", "d"))),
    )
    links = carriers({"ac": Fraction(1, 4), "bc": 1, "cd": 1})
    assert replay(program(*trees, order=order), links, NOW) == time


def test_chunks_of_one_tree_are_moves_of_their_own() -> None:
    whole = ChunkTree("a", (), (("a", "b"), ("b", "c")), chunks=3)
    assert replay(program(whole), carriers({"ab": 1, "bc": 1}), NOW) == 4


def test_links_that_differ_by_too_much_are_not_told() -> None:
    tree = ChunkTree("a", (), (("a", "b"), ("a", "c")))
    assert replay(program(tree), carriers({"ab": 1, "ac": 2**16}), NOW) == 1
    assert replay(program(tree), carriers({"ab": 1, "ac": 2**16 + 1}), NOW) is None


def test_a_platform_is_read_with_all_that_limits_its_links() -> None:
    platform = Platform.model_validate(
        {
            "processors": [
                {"id": "A", "bandwidth_out": 5, "bandwidth_in": 6},
                {"id": "B", "bandwidth_in": 7},
                {"id": "S", "switch": True, "bandwidth_in": 1, "bandwidth_out": 1},
            ],
            "links": [
                {"source": "A", "target": "B", "unit_time": "1/2", "media": ["m", "m"]},
                {"source": "A", "target": "S", "bandwidth": 3, "duplex": "half", "latency": 2},
                {"source": "S", "target": "B", "bandwidth": 4, "duplex": "simplex"},
            ],
            "media": [{"id": "m", "bandwidth": 9}],
        }
    )
    read = read_carriers(platform)
    assert read.uses == {
        ("A", "B"): ["A->B.link", "A.out", "B.in", "m.medium", "m.medium"],
        ("B", "A"): ["B->A.link", "A.in", "m.medium", "m.medium"],
        ("A", "S"): ["A--S.half", "A.out"],
        ("S", "A"): ["A--S.half", "A.in"],
        ("S", "B"): ["S->B.link", "B.in"],
    }
    assert read.bandwidths == {
        "A->B.link": 2,
        "B->A.link": 2,
        "A--S.half": 3,
        "S->B.link": 4,
        "A.out": 5,
        "A.in": 6,
        "B.in": 7,
        "m.medium": 9,
    }
    assert read.latencies["S", "A"] == 2


def test_nothing_moves_in_no_time() -> None:
    assert replay(program(), carriers({}), NOW) == 0


def test_bandwidths_are_rounded_down_and_times_up() -> None:
    # 2**20 / 3 units fit into a tick of the faster link, rounded down; a latency of 1/3 is not a
    # whole number of ticks.
    both = ChunkTree("a", (), (("a", "b"), ("b", "c")))
    links = carriers({"ab": Fraction(4, 3), "bc": 1}, {"bc": Fraction(1, 3)})
    found = replay(program(both), links, NOW)
    assert found is not None
    tick = Fraction(1, 2**28)
    first = -(-(2**48) // (2**20 * 4 // 3))
    latency = -(-(2**28) // 3)
    assert found == tick * (first + 2**28 + latency)
    assert found > Fraction(3, 4) + 1 + Fraction(1, 3)
