"""Trees as moves in one order of all: who sends which chunks to whom, after what, by which channel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple, get_args

Route = tuple[int, ...]
"""Processors from the rank that sends to the rank that receives. Those between only forward."""
Split = Literal["arc", "halves", "thirds", "depth"]
SPLITS: tuple[Split, ...] = get_args(Split)
Order = Literal["depth", "start"]
ORDERS: tuple[Order, ...] = get_args(Order)


class Tree(NamedTuple):
    """Routes of some chunks of a message: to its root where they are combined, from it as copies.

    A message that is copied has no `combined`, one that is combined no `spread`, and that of an
    allreduce has both. A message for one receiver is a tree, too: its root is where it begins, and
    its routes follow each other.
    """

    root: int
    chunks: int
    spread: tuple[Route, ...] = ()
    combined: tuple[Route, ...] = ()


class Move(NamedTuple):
    """Some chunks over one route of a tree."""

    tree: int
    """Index into `Program.trees`."""
    route: Route
    chunks: int
    after: tuple[int, ...]
    """Earlier moves that bring what this one passes on."""
    depth: int
    """1, or 1 more than the deepest move of `after`."""
    combined: bool
    """Whether the receiver adds it to what it has, instead of keeping it as it is."""
    chained: int | None
    """The move before this one of those that the receiver adds up in this tree."""

    @property
    def ends(self) -> tuple[int, int]:
        """Who sends, and who receives."""
        return self.route[0], self.route[-1]


@dataclass(frozen=True)
class Channel:
    """A block of the sender and one of the receiver, which do the same moves in the same order."""

    sender: int
    receiver: int
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """All moves in an order that everyone keeps: none comes before what it waits for."""

    trees: tuple[Tree, ...]
    """As they move: a tree of many chunks was cut into several of few chunks each."""
    moves: tuple[Move, ...]
    split: Split = "arc"
    instances: int = 1
    """Parallel copies of everything, each with an equal part of each chunk."""

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The channels of one instance, in the order of their first moves."""
        deepest = self.depth
        bands = {"arc": 1, "halves": 2, "thirds": 3, "depth": deepest}[self.split]
        found: dict[tuple[int, ...], list[int]] = {}
        for number, move in enumerate(self.moves):
            band = (bands * move.depth - 1) // deepest
            found.setdefault((*move.ends, band), []).append(number)
        return tuple(Channel(key[0], key[1], tuple(moves)) for key, moves in found.items())

    @cached_property
    def channel_of(self) -> tuple[int, ...]:
        """For each move, the index of its channel."""
        by_move = [0] * len(self.moves)
        for number, channel in enumerate(self.channels):
            for move in channel.moves:
                by_move[move] = number
        return tuple(by_move)

    @property
    def depth(self) -> int:
        """The largest depth of a move."""
        return max((move.depth for move in self.moves), default=0)


def arrange(
    trees: Sequence[Tree], split: Split = "arc", instances: int = 1, grain: int = 1
) -> Program:
    """List the moves of trees by depth, then tree, then position of the route in its tree.

    Parameters
    ----------
    trees
        At least one route each, in any order: from the root to all, or from all to the root.
    split
        `arc`: one channel for all moves from one rank to another; `halves` and `thirds`: one for
        each half or third of the depth of the program; `depth`: one for each depth.
    instances
        Parallel copies, at least 1.
    grain
        Chunks that move together at most. A tree of more is cut into several, one after the other
        in the order of `trees`. So its first chunks are passed on before its last ones leave.

    Raises
    ------
    ValueError
        Routes are no tree.
    """
    pieces = tuple(piece for tree in trees for piece in _cut(tree, grain))
    drafts = [draft for number, tree in enumerate(pieces) for draft in _drafts(number, tree)]
    order = sorted(range(len(drafts)), key=lambda i: (drafts[i].depth, i))
    return Program(pieces, _renumbered(_placed(drafts), order), split, instances)


def reorder(program: Program, order: Sequence[int]) -> Program:
    """Put the moves of a program into another order.

    Parameters
    ----------
    program
        Its moves are numbered as they stand.
    order
        The numbers of all moves, none before one that it waits for.
    """
    moves = _renumbered(program.moves, order)
    return Program(program.trees, moves, program.split, program.instances)


def _cut(tree: Tree, grain: int) -> Iterator[Tree]:
    for first in range(0, tree.chunks, grain):
        yield tree._replace(chunks=min(grain, tree.chunks - first))


def _drafts(number: int, tree: Tree) -> list[Move]:
    """Make the moves of a tree, numbered from 0 on: what is combined first."""
    into: dict[int, list[int]] = {}
    for position, route in enumerate(tree.combined):
        into.setdefault(route[-1], []).append(position)
    first_copy = len(tree.combined)
    from_root = tuple(into.get(tree.root, ()))
    brought: dict[int, tuple[int, ...]] = {
        route[-1]: (first_copy + i,) for i, route in enumerate(tree.spread)
    }
    if len(brought) < len(tree.spread) or tree.root in brought:
        raise ValueError(f"tree {number} brings its chunks to a rank twice")
    brought[tree.root] = from_root
    if len({route[0] for route in tree.combined} | {tree.root}) <= len(tree.combined):
        raise ValueError(f"tree {number} sends what is combined away twice")
    after = [tuple(into.get(route[0], ())) for route in tree.combined]
    try:
        after += [brought[route[0]] for route in tree.spread]
    except KeyError as error:
        raise ValueError(f"tree {number} sends from {error}, where nothing comes") from None
    depths = _depths(after)
    if 0 in depths or any(
        route[-1] != tree.root and route[-1] not in {r[0] for r in tree.combined}
        for route in tree.combined
    ):
        raise ValueError(f"tree {number} is none: not all of its routes join its root")
    return [
        Move(number, route, tree.chunks, after[i], depths[i], i < first_copy, None)
        for i, route in enumerate((*tree.combined, *tree.spread))
    ]


def _depths(after: Sequence[tuple[int, ...]]) -> list[int]:
    """Give each move its depth; 0 to those that wait for each other."""
    depths = [0] * len(after)
    missing = [len(moves) for moves in after]
    following: list[list[int]] = [[] for _ in after]
    for number, moves in enumerate(after):
        for move in moves:
            following[move].append(number)
    ready = [number for number, count in enumerate(missing) if not count]
    for number in ready:
        depths[number] = 1 + max((depths[move] for move in after[number]), default=0)
        for waiting in following[number]:
            missing[waiting] -= 1
            if not missing[waiting]:
                ready.append(waiting)
    return depths


def _placed(drafts: Sequence[Move]) -> list[Move]:
    """Give each move its number among those of all trees."""
    placed: list[Move] = []
    for _, moves in groupby(drafts, key=lambda move: move.tree):
        first = len(placed)
        placed += [
            move._replace(after=tuple(first + number for number in move.after)) for move in moves
        ]
    return placed


def _renumbered(moves: Sequence[Move], order: Sequence[int]) -> tuple[Move, ...]:
    """Put moves into an order, and tell each what it is added to."""
    number_of = {old: new for new, old in enumerate(order)}
    added: dict[tuple[int, int], int] = {}
    result = []
    for new, old in enumerate(order):
        move = moves[old]
        after = tuple(sorted(number_of[number] for number in move.after))
        chained = None
        if move.combined:
            chained = added.get((move.tree, move.route[-1]))
            added[move.tree, move.route[-1]] = new
        result.append(move._replace(after=after, chained=chained))
    return tuple(result)
