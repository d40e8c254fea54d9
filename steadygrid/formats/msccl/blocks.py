"""A program as blocks of steps: who takes what from where to where, in which order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from steadygrid.formats.msccl.buffers import Buffers, Chunk, Place
from steadygrid.formats.msccl.dialects import DIFFERENT, Operation
from steadygrid.formats.msccl.limits import COUNT, PEERS
from steadygrid.formats.msccl.moves import Move, Program

Number = tuple[int, int]
"""A block of a rank, and a step in it."""
Connection = tuple[int, int]
"""A channel of the program, and one of its instances."""


@dataclass(slots=True)
class Step:
    """One element ``step``.

    Both places of a copy and of a reduction are those of its rank. What is sent is read from
    `source`, and what is received written to `target`. The other place is that of the other rank.
    """

    type: Literal["s", "r", "rrc", "cpy"]
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


class Layout(NamedTuple):
    """All blocks of all ranks."""

    buffers: Buffers
    blocks: list[list[Block]]
    """By rank."""
    scratch: list[int]
    """Chunks of the scratch buffer, by rank."""


def chunks_of(program: Program, buffers: Buffers, rank_of: Mapping[int, int]) -> list[Chunk]:
    """Give each tree its own range of chunks of its message, in the order of trees.

    Parameters
    ----------
    program
        Its trees have the same number of chunks of each message.
    buffers
        Of the operation.
    rank_of
        The rank of each processor that has one.
    """
    used: Counter[tuple[int, int]] = Counter()
    chunks = []
    for tree in program.trees:
        root = target = rank_of[tree.root]
        if buffers.operation in DIFFERENT:
            passed = {route[0] for route in tree.spread}
            (last,) = (route[-1] for route in tree.spread if route[-1] not in passed)
            target = rank_of[last]
        message = (0, 0) if buffers.operation == "allreduce" else (root, target)
        chunks.append(Chunk(root, target, used[message]))
        used[message] += tree.chunks
    return chunks


def brings_output(program: Program, move: Move, operation: Operation) -> bool:
    """Tell whether what a move brings ends in the output of its receiver; else it is in scratch.

    Parameters
    ----------
    program
        In which it moves.
    move
        One of its moves.
    operation
        What the program does.
    """
    tree, receiver = program.trees[move.tree], move.route[-1]
    if operation in DIFFERENT:
        return all(route[0] != receiver for route in tree.spread)
    return not move.combined or receiver == tree.root or operation == "allreduce"


def connect(program: Program, ranks: int, rank_of: Mapping[int, int]) -> dict[Connection, int]:
    """Give each connection the first channel in which both of its ends have room.

    Those over the same number of ranks come one after the other: of all pairs of ranks, each has one such
    connection out and one in, and the channels are as few as they can be.
    """
    listed = []
    for number, channel in enumerate(program.channels):
        ends = rank_of[channel.sender], rank_of[channel.receiver]
        listed += [
            ((ends[1] - ends[0]) % ranks, ends, number, instance)
            for instance in range(program.instances)
        ]
    sends: Counter[tuple[int, int]] = Counter()
    receives: Counter[tuple[int, int]] = Counter()
    taken: set[tuple[int, int, int]] = set()
    channels = {}
    for _, (sender, receiver), number, instance in sorted(listed):
        first = 0
        while (sender, receiver, first) in taken or PEERS in (
            sends[sender, first],
            receives[receiver, first],
        ):
            first += 1
        taken.add((sender, receiver, first))
        sends[sender, first] += 1
        receives[receiver, first] += 1
        channels[number, instance] = first
    return channels


def lay_out(program: Program, buffers: Buffers, rank_of: Mapping[int, int]) -> Layout:
    """Turn moves into steps: ``s`` at the sender, at the receiver ``r`` or, where it adds, ``rrc``.

    A step waits for at most one other: that which brought, or added last, what it sends; or
    that which added before it to the same place. All blocks keep the one order of the program: so
    no block waits for ever, and no ``nop`` is needed. What a rank has itself is copied by a block
    of its own.

    Parameters
    ----------
    program
        Moves of at most `COUNT` chunks.
    buffers
        Where chunks stand.
    rank_of
        The rank of each processor that has one.
    """
    blocks, numbers = _blocks(program, buffers, rank_of)
    writer = _Filling(program, buffers, rank_of, blocks, numbers)
    for number in range(len(program.moves)):
        for instance in range(program.instances):
            writer.add(number, instance)
    for rank, there in enumerate(blocks):
        steps = [
            Step("cpy", (source[0], source[1] + offset), (target[0], target[1] + offset), count)
            for source, target in buffers.copies(rank)
            for offset, count in _parts(buffers.chunks)
        ]
        if steps:
            there.append(Block(-1, -1, 0, steps))
    return Layout(buffers, blocks, writer.scratch)


def _parts(chunks: int) -> Iterator[tuple[int, int]]:
    """Cut a range into offsets and counts that a step can move."""
    for offset in range(0, chunks, COUNT):
        yield offset, min(COUNT, chunks - offset)


def _blocks(
    program: Program, buffers: Buffers, rank_of: Mapping[int, int]
) -> tuple[list[list[Block]], dict[tuple[Connection, int], int]]:
    """Make all blocks, without steps: those that receive first, since others wait for them.

    Returns
    -------
    tuple
        The blocks, and by connection and rank which block of that rank serves it.
    """
    blocks: list[list[Block]] = [[] for _ in range(buffers.ranks)]
    numbers: dict[tuple[Connection, int], int] = {}
    channels = connect(program, buffers.ranks, rank_of)
    for receiving in (True, False):
        for connection, channel in channels.items():
            ends = program.channels[connection[0]]
            sender, receiver = rank_of[ends.sender], rank_of[ends.receiver]
            rank = receiver if receiving else sender
            numbers[connection, rank] = len(blocks[rank])
            peers = (-1, sender) if receiving else (receiver, -1)
            blocks[rank].append(Block(*peers, channel))
    return blocks, numbers


class _Filling:
    """Puts steps into blocks, one move after the other."""

    def __init__(
        self,
        program: Program,
        buffers: Buffers,
        rank_of: Mapping[int, int],
        blocks: Sequence[Sequence[Block]],
        numbers: Mapping[tuple[Connection, int], int],
    ) -> None:
        self.scratch = [0] * buffers.ranks
        self._buffers = buffers
        self._program = program
        self._rank_of = rank_of
        self._blocks = blocks
        self._numbers = numbers
        self._chunks = chunks_of(program, buffers, rank_of)
        self._own = buffers.chunks // program.instances
        self._held: dict[tuple[int, int, int], tuple[Place, Number]] = {}
        """By tree, instance and rank: where the rank has its chunks now, and since which step."""

    def add(self, number: int, instance: int) -> None:
        """Add the steps of one instance of a move; moves come in their order."""
        move = self._program.moves[number]
        connection = self._program.channel_of[number], instance
        sender, receiver = (self._rank_of[end] for end in move.ends)
        chunk = self._chunks[move.tree]
        chunk = chunk._replace(offset=chunk.offset + instance * self._own)
        source, after = self._held.get(
            (move.tree, instance, sender), (self._buffers.source(chunk), None)
        )
        before = self._held.get((move.tree, instance, receiver)) if move.combined else None
        target = before[0] if before else self._target(move, chunk, receiver)
        self._append(sender, connection, Step("s", source, target, move.chunks, after))
        step = Step("r", source, target, move.chunks)
        if move.combined:
            place, since = before or (self._buffers.source(chunk), None)
            step = Step("rrc", place, target, move.chunks, since)
        self._held[move.tree, instance, receiver] = target, self._append(receiver, connection, step)

    def _target(self, move: Move, chunk: Chunk, receiver: int) -> Place:
        """Give the place where a rank keeps what it gets, or adds up."""
        if brings_output(self._program, move, self._buffers.operation):
            return self._buffers.end(chunk)
        first = self.scratch[receiver]
        self.scratch[receiver] += move.chunks
        return "s", first

    def _append(self, rank: int, connection: Connection, step: Step) -> Number:
        number = self._numbers[connection, rank]
        steps = self._blocks[rank][number].steps
        if step.after is not None:
            block, index = step.after
            self._blocks[rank][block].steps[index].awaited = True
        steps.append(step)
        return number, len(steps) - 1
