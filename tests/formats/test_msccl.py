"""Allgathers of any trees, run by a machine of our own that knows the rules of MSCCL."""

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.formats.msccl import Settings, Tree, allgather, read_settings, write_algorithm
from steadygrid.formats.msccl.program import Program
from tests.draws import draws
from tests.formats.msccl_machine import Broken, Element, check


def written(ranks: int, trees: list[Tree], settings: Settings | None = None) -> str:
    settings = settings or Settings()
    own = sum(tree.chunks for tree in trees) // ranks
    return write_algorithm(allgather(ranks, trees, settings.inplace), settings, own)


def drawn_tree(draw: random.Random, ranks: int, root: int, chunks: int) -> Tree:
    inside = [root]
    outside = [rank for rank in range(ranks) if rank != root]
    draw.shuffle(outside)
    hops = []
    for rank in outside:
        hops.append((draw.choice(inside[-3:]), rank))
        inside.append(rank)
    return Tree(root, chunks, tuple(hops))


def drawn(draw: random.Random) -> tuple[int, list[Tree]]:
    """Draw trees for the same number of chunks of each rank, in any order."""
    ranks, own = draw.randint(2, 7), draw.choice([1, 2, 5, 71, 72, 150, 300])
    trees = []
    for root in range(ranks):
        cuts = sorted(draw.sample(range(1, own), min(draw.randint(0, 3), own - 1)))
        for first, last in zip([0, *cuts], [*cuts, own], strict=True):
            trees.append(drawn_tree(draw, ranks, root, last - first))
    draw.shuffle(trees)
    return ranks, trees


def stars(ranks: int) -> list[Tree]:
    return [
        Tree(root, 1, tuple((root, rank) for rank in range(ranks) if rank != root))
        for root in range(ranks)
    ]


def test_any_trees_become_an_algorithm_that_gathers_everything() -> None:
    draw = random.Random(7)
    for _ in range(draws(30, 3000)):
        ranks, trees = drawn(draw)
        algorithm = check(written(ranks, trees, Settings(inplace=draw.random() < 0.3)))
        assert algorithm.ngpus == ranks
        assert algorithm.nchunksperloop == sum(tree.chunks for tree in trees)
        assert algorithm.nchannels == 1


def test_the_smallest_allgather_as_it_stands() -> None:
    text = written(2, [Tree(0, 1, ((0, 1),)), Tree(1, 1, ((1, 0),))])
    assert text.splitlines()[:12] == [
        '<algo name="steadygrid_allgather" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2"'
        ' coll="allgather" inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">',
        '  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">',
        '    <tb id="0" send="-1" recv="1" chan="0">',
        '      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1"'
        ' deps="-1" hasdep="0"/>',
        "    </tb>",
        '    <tb id="1" send="1" recv="-1" chan="0">',
        '      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1"'
        ' deps="-1" hasdep="0"/>',
        "    </tb>",
        '    <tb id="2" send="-1" recv="-1" chan="0">',
        '      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1"'
        ' deps="-1" hasdep="0"/>',
        "    </tb>",
        "  </gpu>",
    ]


CHAIN = [
    Tree(0, 2, ((0, 1), (1, 2))),
    Tree(1, 1, ((1, 2), (2, 0))),
    Tree(1, 1, ((1, 0), (1, 2))),
    Tree(2, 2, ((2, 0), (0, 1))),
]


def swapped_steps(text: str) -> str:
    """Exchange what the first two steps of a block do."""
    inside = r'(      <step s="{}")( type="r".*)\n'
    pattern = inside.format(0) + inside.format(1)
    return re.sub(pattern, r"\1\4\n\3\2\n", text, count=1)


def changed(pattern: str, replacement: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        return re.sub(pattern, replacement, text, count=1)

    return change


@pytest.mark.parametrize(
    "plant",
    [
        swapped_steps,
        changed(r'(type="s" srcbuf="o") srcoff="4"', r'\1 srcoff="2"'),
        changed(r'(type="s" srcbuf="i") srcoff="1"', r'\1 srcoff="0"'),
        changed(r'type="r" (.*) dstoff="2"', r'type="r" \1 dstoff="1"'),
        changed(r'(type="s".*) depid="\d" deps="\d"', r'\1 depid="-1" deps="-1"'),
        changed('hasdep="1"', 'hasdep="0"'),
        changed('hasdep="0"', 'hasdep="1"'),
        changed('cnt="2"', 'cnt="1"'),
        changed('cnt="2"', 'cnt="0"'),
        changed('send="1"', 'send="0"'),
        changed('send="1"', 'send="2"'),
        changed('tb id="1"', 'tb id="7"'),
        changed('chan="0"', 'chan="1"'),
        changed('i_chunks="2"', 'i_chunks="6"'),
        changed('      <step s="0" type="cpy".*\n', ""),
        changed('outofplace="1"', 'outofplace="0"'),
        changed("<algo ", "<algo  "),
    ],
)
def test_planted_faults_are_found(plant: Callable[[str], str]) -> None:
    right = written(3, CHAIN)
    check(right)
    assert plant(right) != right
    with pytest.raises(Broken):
        check(plant(right))


def test_blocks_that_wait_for_each_other_are_found() -> None:
    """Both send only what they have received from each other first."""
    right = written(2, pair(1))
    waits = re.sub(r'(type="s".*) depid="-1" deps="-1"', r'\1 depid="0" deps="0"', right)
    with pytest.raises(Broken, match="deadlock"):
        check(re.sub(r'(type="r".*) hasdep="0"', r'\1 hasdep="1"', waits))


def blocks_of(algorithm: Element) -> int:
    return max(len(gpu.children) for gpu in algorithm.children)


@pytest.mark.parametrize(("ranks", "channels"), [(33, 1), (34, 2)])
def test_more_peers_than_a_channel_has_take_another(ranks: int, channels: int) -> None:
    algorithm = check(written(ranks, stars(ranks)))
    assert (algorithm.nchannels, blocks_of(algorithm)) == (channels, 2 * ranks - 1)


def waited_for(program: Program) -> set[int]:
    steps = (step for blocks in program for block in blocks for step in block.steps)
    return {step.after[0] for step in steps if step.after}


def test_the_most_blocks() -> None:
    program = allgather(108, stars(108), inplace=False)
    assert {len(blocks) for blocks in program} == {215}
    assert max(waited_for(program), default=0) <= 127
    with pytest.raises(LimitError) as caught:
        allgather(109, stars(109), inplace=False)
    assert [fault.code for fault in caught.value.faults] == ["too_many_blocks"]
    assert "needs 217 blocks" in caught.value.detail


def into_a_hub(ranks: int) -> list[Tree]:
    """All send to rank 0, from which everything runs along a chain."""
    trees = []
    for root in range(ranks):
        chain = [0, *(rank for rank in range(1, ranks) if rank != root)]
        trees.append(Tree(root, 1, (*([(root, 0)] if root else []), *pairwise(chain))))
    return trees


def test_the_most_blocks_that_others_wait_for() -> None:
    """They are the first of a rank, and their numbers have to fit into 8 bits with a sign."""
    assert waited_for(allgather(129, into_a_hub(129), inplace=False)) == set(range(128))
    with pytest.raises(LimitError) as caught:
        allgather(130, into_a_hub(130), inplace=False)
    assert [fault.code for fault in caught.value.faults] == ["too_many_blocks"]
    assert "rank 0 receives from 129 ranks" in caught.value.detail


def pair(chunks: int, trees: int = 1) -> list[Tree]:
    return [Tree(root, chunks, ((root, 1 - root),)) for root in (0, 1) for _ in range(trees)]


@pytest.mark.parametrize(
    ("accepted", "refused", "code"),
    [
        (pair(2**14), pair(2**14 + 1), "too_many_chunks"),
        (pair(1, 256), pair(1, 257), "too_many_steps"),
    ],
)
def test_what_is_too_much_is_refused_with_the_remedy(
    accepted: list[Tree], refused: list[Tree], code: str
) -> None:
    check(written(2, accepted))
    with pytest.raises(LimitError) as caught:
        written(2, refused)
    (fault,) = caught.value.faults
    assert fault.code == code
    assert "options.max_period" in fault.detail


def test_more_elements_than_are_read_are_refused() -> None:
    """All strides round 47 ranks: few steps from one rank to another, but many in all."""
    ranks = 47
    trees = [
        Tree(root, 1, tuple(pairwise((root + step * i) % ranks for i in range(ranks))))
        for step in range(1, ranks)
        for root in range(ranks)
    ]
    with pytest.raises(LimitError) as caught:
        allgather(ranks, trees, inplace=True)
    assert [fault.code for fault in caught.value.faults] == ["too_many_elements"]


def test_settings_are_read_and_wrong_ones_told_together() -> None:
    given = {"name": ["x-1"], "proto": ["LL"], "inplace": ["true"], "max_bytes": ["9"], "rank": []}
    assert read_settings(given) == Settings("x-1", "LL", True, 0, 9)
    wrong = {"name": ['a"b'], "proto": ["ll"], "inplace": [""], "min_bytes": ["-1"]}
    with pytest.raises(InstanceError) as caught:
        read_settings(wrong)
    assert [fault.pointer for fault in caught.value.faults] == [(name,) for name in wrong]
    with pytest.raises(InstanceError, match="more than max_bytes"):
        read_settings({"min_bytes": ["2"], "max_bytes": ["1"]})
