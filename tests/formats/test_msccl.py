"""Algorithms of any trees, run by a machine of our own that knows the rules of MSCCL."""

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.formats.msccl.algorithm import Alternative, write_trees
from steadygrid.formats.msccl.blocks import Layout, lay_out
from steadygrid.formats.msccl.document import Settings
from steadygrid.formats.msccl.fitting import (
    Collective,
    Plan,
    blocks_of,
    buffers_of,
    fitting_grain,
    fitting_program,
)
from steadygrid.formats.msccl.limits import Excess
from steadygrid.formats.msccl.moves import Tree
from steadygrid.formats.msccl.settings import read_settings
from tests.draws import draws
from tests.formats.msccl_machine import Broken, Element, check
from tests.formats.msccl_programs import OPERATIONS, drawn_case


def allgather(ranks: int, inplace: bool = False) -> Collective:
    return Collective("allgather", {rank: rank for rank in range(ranks)}, inplace)


def written(ranks: int, trees: list[Tree], settings: Settings | None = None) -> str:
    settings = settings or Settings()
    return write_trees(trees, allgather(ranks, settings.inplace), settings)


def laid_out(ranks: int, trees: list[Tree]) -> Layout:
    collective = allgather(ranks)
    program = fitting_program(trees, collective)
    layout = lay_out(program, buffers_of(trees, collective), collective.rank_of)
    assert max(map(len, layout.blocks)) == blocks_of(program, collective)
    return layout


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
    for _ in range(draws(6, 3000)):
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
        changed('cnt="1"', 'cnt="2"'),
        changed('cnt="1"', 'cnt="0"'),
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


def most_blocks(algorithm: Element) -> int:
    return max(len(gpu.children) for gpu in algorithm.children)


@pytest.mark.parametrize(("ranks", "channels"), [(33, 1), (34, 2)])
def test_more_peers_than_a_channel_has_take_another(ranks: int, channels: int) -> None:
    algorithm = check(written(ranks, stars(ranks)))
    assert (algorithm.nchannels, most_blocks(algorithm)) == (channels, 2 * ranks - 1)


def waited_for(layout: Layout) -> set[int]:
    steps = (step for blocks in layout.blocks for block in blocks for step in block.steps)
    return {step.after[0] for step in steps if step.after}


def test_the_most_blocks() -> None:
    layout = laid_out(108, stars(108))
    assert {len(blocks) for blocks in layout.blocks} == {215}
    assert max(waited_for(layout), default=0) <= 127
    with pytest.raises(LimitError) as caught:
        laid_out(109, stars(109))
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
    assert waited_for(laid_out(129, into_a_hub(129))) == set(range(128))
    with pytest.raises(LimitError) as caught:
        laid_out(130, into_a_hub(130))
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
        written(ranks, trees, Settings(inplace=True))
    assert [fault.code for fault in caught.value.faults] == ["too_many_elements"]


def test_large_trees_move_in_the_smallest_steps_that_fit() -> None:
    grains = {chunks: fitting_grain(pair(chunks), allgather(2)) for chunks in (256, 257, 1025)}
    assert grains == {256: 1, 257: 2, 1025: 8}
    steps = check(written(2, pair(257))).children[0].children[0].children
    assert [step.cnt for step in steps] == [2] * 128 + [1]


CROWDED = [
    Tree(root, 1, tuple((root, rank) for rank in range(40) if rank != root)) for root in range(40)
]


@pytest.mark.parametrize(
    ("plan", "alternatives", "remedy"),
    [
        (Plan(instances=4), [], "instances: 1 fits"),
        (Plan("depth", instances=4), [], "instances: 1 fits"),
        (Plan(instances=4), [Alternative("chunks: 3 fits", pair(1))], "instances: 1 fits"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_fits(
    plan: Plan, alternatives: list[Alternative], remedy: str
) -> None:
    with pytest.raises(LimitError) as caught:
        write_trees(CROWDED, allgather(40), Settings(plan=plan), None, alternatives)
    assert caught.value.detail.endswith(f"; {remedy}")
    assert [fault.code for fault in caught.value.faults] == ["too_many_blocks"]


def test_other_trees_are_offered_where_these_do_not_fit() -> None:
    large = Alternative("chunks: 300 fits", pair(1, 300))
    small = Alternative("chunks: 3 fits, with 1 of 2", pair(1, 3))
    with pytest.raises(LimitError, match="; chunks: 3 fits, with 1 of 2"):
        write_trees(pair(1, 257), allgather(2), Settings(), None, [large, small])
    found = fitting_grain(large.trees, allgather(2))
    assert isinstance(found, Excess)
    assert found.code == "too_many_steps"
    assert "300 steps" in found.detail


def test_a_depth_of_its_own_needs_channels_of_its_own() -> None:
    """Along a ring: at each depth each rank sends to the next, so that 33 channels join the two."""
    ranks = 34
    ring = [
        Tree(root, 1, tuple(((root + i) % ranks, (root + i + 1) % ranks) for i in range(ranks - 1)))
        for root in range(ranks)
    ]
    assert check(written(ranks, ring)).nchannels == 1
    with pytest.raises(LimitError, match="split: arc fits") as caught:
        written(ranks, ring, Settings(plan=Plan("depth")))
    assert [fault.code for fault in caught.value.faults] == ["too_many_channels"]


REDUCTION = Tree(0, 2, (), ((2, 1), (1, 0), (3, 1)))


def reduction(chunks: int = 2) -> str:
    collective = Collective("reduce", {rank: rank for rank in range(4)})
    return write_trees([REDUCTION._replace(chunks=chunks)], collective, Settings())


def test_the_smallest_reduction_as_it_stands() -> None:
    """Rank 1 adds what it has to what rank 2 sends, and that to what rank 3 sends."""
    text = reduction(1)
    inside = text[text.index('<gpu id="1"') : text.index('<gpu id="2"')]
    assert [line.strip() for line in inside.splitlines() if "step" in line or "gpu" in line] == [
        '<gpu id="1" i_chunks="1" o_chunks="1" s_chunks="1">',
        '<step s="0" type="rrc" srcbuf="s" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="1"'
        ' deps="0" hasdep="1"/>',
        '<step s="0" type="rrc" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1"'
        ' deps="-1" hasdep="1"/>',
        '<step s="0" type="s" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0"'
        ' deps="0" hasdep="0"/>',
        "</gpu>",
    ]


@pytest.mark.parametrize(
    "plant",
    [
        changed(r'type="rrc" srcbuf="i"', 'type="r" srcbuf="i"'),
        changed(r'type="rrc" srcbuf="s"', 'type="rrc" srcbuf="i"'),
        changed(r'(type="rrc" srcbuf="s".*) depid="\d" deps="\d"', r'\1 depid="-1" deps="-1"'),
        changed(r'(type="rrc" srcbuf="s") srcoff="1"', r'\1 srcoff="0"'),
        changed(r's_chunks="2"', 's_chunks="1"'),
        changed(r'coll="reduce"', 'coll="allreduce"'),
    ],
)
def test_planted_faults_of_reductions_are_found(plant: Callable[[str], str]) -> None:
    right = reduction()
    check(right)
    assert plant(right) != right
    with pytest.raises(Broken):
        check(plant(right))


def test_any_operation_on_any_platform_does_what_it_says() -> None:
    draw = random.Random(13)
    for number in range(draws(20, 4000)):
        case = drawn_case(draw, OPERATIONS[number % len(OPERATIONS)])
        plan = Plan(
            draw.choice(["arc", "depth"]),
            draw.choice(["depth", "start"]),
            draw.choice([1, 1, 2, 3]),
        )
        inplace = case.operation != "all_to_all" and draw.random() < 0.4
        collective = case.collective._replace(inplace=inplace)
        if draw.random() < 0.3:
            collective = collective._replace(dialect="executor")
        settings = Settings(plan=plan, inplace=inplace, dialect=collective.dialect)
        text = write_trees(case.trees, collective, settings, case.network)
        algorithm = check(text, collective.dialect, runs=2, seed=number)
        assert algorithm.name == f"steadygrid_{case.operation}"
        assert algorithm.ngpus == len(case.ranks)


def test_settings_are_read_and_wrong_ones_told_together() -> None:
    given = {"name": ["x-1"], "proto": ["LL"], "inplace": ["true"], "max_bytes": ["9"], "rank": []}
    assert read_settings(given) == Settings("x-1", "LL", True, 0, 9)
    planned = {"dialect": ["executor"], "split": ["depth"], "order": ["start"], "instances": ["4"]}
    assert read_settings(planned)[5:] == ("executor", Plan("depth", "start", 4))
    assert read_settings({"split": ["arc"]}, Plan("depth", "start", 2)).plan == Plan(
        "arc", "start", 2
    )
    wrong = {"name": ['a"b'], "proto": ["ll"], "inplace": [""], "min_bytes": ["-1"]}
    wrong |= {"dialect": ["x"], "split": ["x"], "order": ["x"], "instances": ["33"]}
    with pytest.raises(InstanceError) as caught:
        read_settings(wrong)
    assert [fault.pointer for fault in caught.value.faults] == [(name,) for name in wrong]
    with pytest.raises(InstanceError, match="more than max_bytes"):
        read_settings({"min_bytes": ["2"], "max_bytes": ["1"]})
