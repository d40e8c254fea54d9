"""An allgather as blocks of steps: who copies what from where to where, in which order."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from steadygrid.formats.msccl.limits import (
    AWAITED,
    BLOCKS,
    CHUNKS,
    COUNT,
    ELEMENTS,
    PEERS,
    STEPS,
    beyond,
)

Arc = tuple[int, int]
"""Two ranks: who sends, and who receives."""
Place = tuple[Literal["i", "o"], int]
"""Input or output buffer, and the offset in it, in chunks."""
Number = tuple[int, int]
"""A block of a rank, and a step in it."""


class Tree(NamedTuple):
    """How some chunks of one rank come to all others."""

    root: int
    chunks: int
    hops: tuple[Arc, ...]
    """Who sends to whom; all ranks but the root receive once, and before they send."""


@dataclass(slots=True)
class Step:
    """One element ``step``."""

    type: Literal["s", "r", "cpy"]
    source: Place
    target: Place
    count: int
    after: Number | None = None
    """The step of the same rank that it waits for."""
    awaited: bool = False


@dataclass(slots=True)
class Block:
    """One element ``tb``: steps that run one after the other; -1 is no rank."""

    send: int
    receive: int
    channel: int
    steps: list[Step] = field(default_factory=list)


Program = list[list[Block]]
"""The blocks of each rank."""


class _Move(NamedTuple):
    """Some chunks over one hop of a tree. Moves are sorted as they are written here.

    All blocks keep this order, in which chunks arrive before they leave: so no block waits for
    ever.
    """

    depth: int
    tree: int
    offset: int
    arc: Arc
    chunks: int
    root: int


def allgather(ranks: int, trees: Sequence[Tree], inplace: bool) -> Program:
    """Lay out an allgather.

    Every tree moves its own range of the chunks of its root, in the order of `trees`. A hop is a
    step ``s`` of its sender and a step ``r`` of its receiver; each ``s`` waits at most for the ``r``
    that brought the chunks, so that no ``nop`` is ever needed. What a rank has itself is copied by a
    block of its own, unless it is in its place.

    Parameters
    ----------
    ranks
        How many there are; all are roots of the same number of chunks in all, at least 1.
    inplace
        The input of a rank is its part of the output.

    Raises
    ------
    LimitError
        MSCCL does not take so much; nothing was built.
    """
    own = sum(tree.chunks for tree in trees) // ranks
    _check(ranks, trees, own, inplace)
    channels = _channels(ranks, {arc for tree in trees for arc in tree.hops})
    program, numbers = _blocks(ranks, channels, inplace)
    _fill(program, numbers, _moves(trees), own, inplace)
    if not inplace:
        for rank, blocks in enumerate(program):
            blocks[-1].steps = list(_copies(rank, own))
    return program


def _pieces(first: int, chunks: int) -> Iterator[tuple[int, int]]:
    """Cut a range into offsets and counts that a step can move."""
    for offset in range(first, first + chunks, COUNT):
        yield offset, min(COUNT, first + chunks - offset)


def _check(ranks: int, trees: Sequence[Tree], own: int, inplace: bool) -> None:
    """Refuse what is too much, before it is built."""
    if own * ranks > CHUNKS:
        raise beyond(
            "too_many_chunks",
            f"{own:,} chunks of each of {ranks:,} ranks are more than the {CHUNKS:,} that a buffer"
            " can have",
        )
    steps: Counter[Arc] = Counter()
    for tree in trees:
        for arc in tree.hops:
            steps[arc] += -(-tree.chunks // COUNT)
    blocks: Counter[int] = Counter(range(0 if inplace else ranks))
    elements: Counter[int] = Counter(dict.fromkeys(blocks, -(-own // COUNT)))
    for arc, number in steps.items():
        for rank in arc:
            blocks[rank] += 1
            elements[rank] += number
        if number > STEPS:
            raise beyond(
                "too_many_steps",
                f"rank {arc[0]} sends to rank {arc[1]} in {number:,} steps, and a block of MSCCL has"
                f" {STEPS}",
            )
    for rank, number in blocks.items():
        if number > BLOCKS:
            raise beyond(
                "too_many_blocks",
                f"rank {rank} needs {number:,} blocks, one for each rank that it sends to or"
                f" receives from, and MSCCL has {BLOCKS}",
            )
        if (listed := 1 + ranks + number + elements[rank]) > ELEMENTS:
            raise beyond(
                "too_many_elements",
                f"rank {rank} needs {listed:,} elements, and MSCCL reads {ELEMENTS:,}",
            )
    receives = Counter(receiver for _, receiver in steps)
    for rank in sorted({arc[0] for tree in trees for arc in tree.hops if arc[0] != tree.root}):
        if receives[rank] > AWAITED:
            raise beyond(
                "too_many_blocks",
                f"rank {rank} receives from {receives[rank]:,} ranks and sends it on, and in MSCCL"
                f" only {AWAITED} blocks can be waited for",
            )


def _channels(ranks: int, arcs: Iterable[Arc]) -> dict[Arc, int]:
    """Give each arc the first channel in which both of its ends have room.

    Those over the same number of ranks come one after the other: of all arcs between all ranks, each
    has one such arc out and one in, and the channels are as few as they can be.
    """
    order = sorted(arcs, key=lambda arc: ((arc[1] - arc[0]) % ranks, arc))
    sends: Counter[tuple[int, int]] = Counter()
    receives: Counter[tuple[int, int]] = Counter()
    channels = {}
    for sender, receiver in order:
        channel = 0
        while PEERS in (sends[sender, channel], receives[receiver, channel]):
            channel += 1
        sends[sender, channel] += 1
        receives[receiver, channel] += 1
        channels[sender, receiver] = channel
    return channels


def _blocks(
    ranks: int, channels: Mapping[Arc, int], inplace: bool
) -> tuple[Program, dict[tuple[Arc, int], int]]:
    """Make all blocks, without steps: those that receive first, since others wait for them.

    Returns
    -------
    tuple
        The blocks, and by arc and rank which block of that rank serves it.
    """
    program: Program = [[] for _ in range(ranks)]
    numbers: dict[tuple[Arc, int], int] = {}
    for arc, channel in channels.items():
        sender, receiver = arc
        numbers[arc, receiver] = len(program[receiver])
        program[receiver].append(Block(-1, sender, channel))
    for arc, channel in channels.items():
        sender, receiver = arc
        numbers[arc, sender] = len(program[sender])
        program[sender].append(Block(receiver, -1, channel))
    if not inplace:
        for blocks in program:
            blocks.append(Block(-1, -1, 0))
    return program, numbers


def _moves(trees: Sequence[Tree]) -> list[_Move]:
    """List what moves, in the one order of all."""
    used: Counter[int] = Counter()
    moves = []
    for number, tree in enumerate(trees):
        depth = {tree.root: 0}
        for sender, receiver in tree.hops:
            depth[receiver] = depth[sender] + 1
        for offset, count in _pieces(used[tree.root], tree.chunks):
            moves += [
                _Move(depth[arc[1]], number, offset, arc, count, tree.root) for arc in tree.hops
            ]
        used[tree.root] += tree.chunks
    return sorted(moves)


def _fill(
    program: Program,
    numbers: Mapping[tuple[Arc, int], int],
    moves: Sequence[_Move],
    own: int,
    inplace: bool,
) -> None:
    """Put the steps of all moves into their blocks."""
    arrivals: dict[tuple[int, int, int], Number] = {}
    for move in moves:
        sender, receiver = move.arc
        target: Place = ("o", move.root * own + move.offset)
        first = sender == move.root and not inplace
        source: Place = ("i", move.offset) if first else target
        after = arrivals.get((move.root, move.offset, sender))
        if after is not None:
            program[sender][after[0]].steps[after[1]].awaited = True
        block = program[sender][numbers[move.arc, sender]]
        block.steps.append(Step("s", source, target, move.chunks, after))
        number = numbers[move.arc, receiver]
        block = program[receiver][number]
        arrivals[move.root, move.offset, receiver] = number, len(block.steps)
        block.steps.append(Step("r", source, target, move.chunks))


def _copies(rank: int, own: int) -> Iterator[Step]:
    for offset, count in _pieces(0, own):
        yield Step("cpy", ("i", offset), ("o", rank * own + offset), count)
