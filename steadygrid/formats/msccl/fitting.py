"""Whether trees fit into an algorithm of MSCCL, and in how large steps."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from steadygrid.formats.msccl.blocks import brings_output, connect
from steadygrid.formats.msccl.buffers import Buffers
from steadygrid.formats.msccl.dialects import DIALECTS, DialectName, Operation
from steadygrid.formats.msccl.limits import (
    AWAITED,
    CHANNELS,
    CHUNKS,
    COUNT,
    ELEMENTS,
    STEPS,
    Excess,
)
from steadygrid.formats.msccl.moves import Order, Program, Split, Tree, arrange
from steadygrid.formats.msccl.network import Network

GRAINS = (1, 2, 4, 8, 16, 32, 64, COUNT)
"""Chunks of a step that are tried, from few on: what comes in small steps is passed on early."""


class Plan(NamedTuple):
    """How trees become a program."""

    split: Split = "arc"
    order: Order = "depth"
    instances: int = 1


class Collective(NamedTuple):
    """What an algorithm does, and for whom."""

    operation: Operation
    rank_of: Mapping[int, int]
    """The rank of each processor that has one."""
    inplace: bool = False
    dialect: DialectName = "msccl"


def buffers_of(trees: Sequence[Tree], collective: Collective, instances: int = 1) -> Buffers:
    """Find the sizes of buffers.

    Parameters
    ----------
    trees
        Of all messages, each of the same number of chunks.
    collective
        What they do.
    instances
        Into which each chunk is cut.
    """
    chunks = sum(tree.chunks for tree in trees)
    ranks = len(collective.rank_of)
    if collective.operation in ("allgather", "reduce_scatter"):
        chunks //= ranks
    elif collective.operation in ("scatter", "gather"):
        chunks //= ranks - 1
    elif collective.operation == "all_to_all":
        chunks //= ranks * (ranks - 1)
    return Buffers(collective.operation, ranks, chunks * instances, collective.inplace)


def fitting_grain(
    trees: Sequence[Tree], collective: Collective, plan: Plan | None = None
) -> int | Excess:
    """Give the fewest chunks of a step with which trees fit, or what is too much with any.

    Nothing is written.

    Parameters
    ----------
    trees
        Of all messages.
    collective
        What they do.
    plan
        How. Its order does not matter.
    """
    plan = plan or Plan()
    most = max(tree.chunks for tree in trees)
    coarse = arrange(trees, plan.split, plan.instances, grain=most)
    found = None
    for grain in GRAINS:
        found = _excess(coarse, collective, grain)
        if found is None:
            return grain
        if grain >= most or found.code not in ("too_many_steps", "too_many_elements"):
            break
    assert found is not None
    return found


def fitting_program(
    trees: Sequence[Tree],
    collective: Collective,
    plan: Plan | None = None,
    network: Network | None = None,
) -> Program:
    """Make the program of trees, in steps as small as fit.

    Parameters
    ----------
    trees, collective
        As for `fitting_grain`.
    plan
        Default: by arc and depth, one instance.
    network
        What moves share; needed where the order is `start`.

    Raises
    ------
    LimitError
        They do not fit.
    """
    plan = plan or Plan()
    grain = fitting_grain(trees, collective, plan)
    if isinstance(grain, Excess):
        raise grain.error()
    program = arrange(trees, plan.split, plan.instances, grain)
    if plan.order == "depth":
        return program
    if network is None:
        raise ValueError("an order by start needs a network")
    # It loads numpy, which the front end does without.
    from steadygrid.formats.msccl.simulation import order_by_start

    return order_by_start(program, network)


def blocks_of(program: Program, collective: Collective) -> int:
    """Count the blocks of the rank that has most.

    Parameters
    ----------
    program
        Its steps do not matter.
    collective
        What it does.
    """
    return max(_blocks(program, collective).values())


def _blocks(program: Program, collective: Collective) -> Counter[int]:
    buffers = buffers_of(program.trees, collective, program.instances)
    blocks = Counter({rank: len(list(buffers.copies(rank))) for rank in range(buffers.ranks)})
    for channel in program.channels:
        for end in (channel.sender, channel.receiver):
            blocks[collective.rank_of[end]] += program.instances
    return blocks


def _excess(coarse: Program, collective: Collective, grain: int) -> Excess | None:
    """Find the first limit that is passed, if each tree is cut into parts of `grain` chunks."""
    return next(
        (
            excess
            for excess in (
                _excess_of_chunks(coarse, collective),
                _excess_of_steps(coarse, collective, grain),
                *_excess_of_blocks(coarse, collective, grain),
            )
            if excess
        ),
        None,
    )


def _excess_of_chunks(coarse: Program, collective: Collective) -> Excess | None:
    buffers = buffers_of(coarse.trees, collective, coarse.instances)
    scratch: Counter[int] = Counter()
    kept = set()
    for move in coarse.moves:
        if (
            not brings_output(coarse, move, collective.operation)
            and (
                move.tree,
                move.route[-1],
            )
            not in kept
        ):
            kept.add((move.tree, move.route[-1]))
            scratch[collective.rank_of[move.route[-1]]] += move.chunks * coarse.instances
    for rank in range(buffers.ranks):
        if (most := max(buffers.inputs(rank), buffers.outputs(rank), scratch[rank])) > CHUNKS:
            return Excess(
                "too_many_chunks",
                f"a buffer of rank {rank} needs {most:,} chunks, and one of MSCCL has at most"
                f" {CHUNKS:,}",
            )
    return None


def _steps(coarse: Program, grain: int) -> list[int]:
    """Count the steps of each channel."""
    return [
        sum(-(-coarse.moves[number].chunks // grain) for number in channel.moves)
        for channel in coarse.channels
    ]


def _excess_of_steps(coarse: Program, collective: Collective, grain: int) -> Excess | None:
    for channel, number in zip(coarse.channels, _steps(coarse, grain), strict=True):
        if number > STEPS:
            sender, receiver = (collective.rank_of[e] for e in (channel.sender, channel.receiver))
            return Excess(
                "too_many_steps",
                f"rank {sender} sends to rank {receiver} in {number:,} steps, and a block of MSCCL"
                f" has {STEPS}",
            )
    return None


def _excess_of_blocks(coarse: Program, collective: Collective, grain: int) -> Iterator[Excess]:
    dialect = DIALECTS[collective.dialect]
    buffers = buffers_of(coarse.trees, collective, coarse.instances)
    blocks = _blocks(coarse, collective)
    elements = Counter(blocks)
    for rank in range(buffers.ranks):
        if any(buffers.copies(rank)):
            elements[rank] += -(-buffers.chunks // COUNT)
    receives: Counter[int] = Counter()
    for channel, steps in zip(coarse.channels, _steps(coarse, grain), strict=True):
        for end in (channel.sender, channel.receiver):
            elements[collective.rank_of[end]] += steps * coarse.instances
        receives[collective.rank_of[channel.receiver]] += coarse.instances
    for rank in range(buffers.ranks):
        if blocks[rank] > dialect.blocks:
            yield Excess(
                "too_many_blocks",
                f"rank {rank} needs {blocks[rank]:,} blocks, one for each channel by which it sends"
                f" or receives, and {dialect.title} has {dialect.blocks:,}",
            )
        if (listed := 1 + buffers.ranks + elements[rank]) > ELEMENTS:
            yield Excess(
                "too_many_elements",
                f"rank {rank} needs {listed:,} elements, and MSCCL reads {ELEMENTS:,}",
            )
    for rank in sorted(_awaiting(coarse, collective)):
        if receives[rank] > AWAITED:
            yield Excess(
                "too_many_blocks",
                f"rank {rank} receives from {receives[rank]:,} ranks and sends it on, or adds it up,"
                f" and in MSCCL only {AWAITED} blocks can be waited for",
            )
    channels = 1 + max(connect(coarse, buffers.ranks, collective.rank_of).values())
    if channels > CHANNELS:
        yield Excess(
            "too_many_channels",
            f"{channels:,} channels are needed, and MSCCL has {CHANNELS}",
        )


def _awaiting(coarse: Program, collective: Collective) -> set[int]:
    """Find the ranks where steps wait for others."""
    waiting = {move.route[0] for move in coarse.moves if move.after}
    waiting |= {move.route[-1] for move in coarse.moves if move.chained is not None}
    return {collective.rank_of[processor] for processor in waiting}
