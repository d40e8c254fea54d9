"""Periods of operations that differ from turn to turn: unfold them, but only where it matters.

Each operation gets a number of turns of its own, after which its start repeats. With too few of them
the unfolded graph asks for more than the operations do, so that its ratio is a period that can be
kept, if not the least. It is the least if its critical cycle is one of the operations' own. That is
so once their numbers are multiples of what that cycle requires (Bodin, Munier-Kordon, de Dinechin,
"Optimal and fast throughput evaluation of CSDF", 2016). Else they are raised, on that cycle only.
"""

from collections.abc import Mapping, Sequence
from math import lcm
from typing import NamedTuple, Protocol

import numpy as np

from steadygrid.engine.cycles.edges import STOP, Edges, Heartbeat
from steadygrid.engine.cycles.graph import ROOM, Graph, Integers, Whole, fitting, largest, whole
from steadygrid.engine.cycles.policies import NoProgress
from steadygrid.engine.cycles.ratio import Critical, critical, silent, spare_of


class Unfolded(NamedTuple):
    """The graph of operations with some turns each.

    Attributes
    ----------
    graph
        The nodes of one operation stand in the order of its turns.
    owner
        Operation of each node; -1 for nodes that only join edges, and lead to operations' nodes.
    advances
        By operation: the height by which its start moves from one pass through all its nodes to the
        next, if heights count from its first turn. None for 0. It matters to the next round's
        speed only.
    """

    graph: Graph
    owner: Integers
    advances: Sequence[int] | None = None


class Recurrence(Protocol):
    """Operations that can be unfolded, numbered from 0."""

    def unfold(self, turns: Sequence[int]) -> Unfolded:
        """Give the graph with these turns by operation; may raise `TooLarge` instead."""
        ...

    def required(self, owners: Sequence[int]) -> Mapping[int, int]:
        """Tell what must divide the turns of operations for a cycle among them to be real."""
        ...


class TooLarge(Exception):
    """A graph has more nodes than allowed, and there is no smaller one with an answer."""


class Deadlock(NoProgress):
    """A cycle of the operations themselves has no finite ratio.

    Attributes
    ----------
    cycle
        Its edges in `unfolded.graph`.
    unfolded, turns
        Where it was found.
    """

    def __init__(self, cycle: tuple[int, ...], unfolded: Unfolded, turns: tuple[int, ...]) -> None:
        super().__init__(cycle)
        self.unfolded, self.turns = unfolded, turns


class Rounds(NamedTuple):
    """The last round that was finished.

    Attributes
    ----------
    critical
        Of its graph.
    unfolded, turns
        Its graph, and the turns of each operation.
    exact
        Whether its ratio is the least; else it is only a period that can be kept.
    rounds
        How many there were. The last may have been too large to be finished.
    nodes, edges
        Of its graph.
    policy_rounds
        Of all rounds.
    """

    critical: Critical
    unfolded: Unfolded
    turns: tuple[int, ...]
    exact: bool
    rounds: int
    nodes: int
    edges: int
    policy_rounds: int


def periodic(
    recurrence: Recurrence,
    start: Sequence[int],
    most_nodes: int,
    heartbeat: Heartbeat = silent,
    *,
    until_finite: bool = False,
) -> Rounds:
    """Unfold operations further, round by round, until the critical cycle is one of their own.

    Parameters
    ----------
    start
        Turns of each operation to begin with.
    most_nodes
        Of a graph. If another round would need more, the last one is the answer, not `exact`.
    heartbeat
        As of `critical`.
    until_finite
        End with the first round that has a finite ratio. With all times 1 this tells whether any
        cycle is without progress, even of operations that take no time.

    Raises
    ------
    Deadlock
        If a cycle without progress is one of the operations' own.
    TooLarge
        If no round with a finite ratio has few enough nodes.
    """
    turns = tuple(start)
    last: Rounds | None = None
    rounds = policies = 0
    while True:
        heartbeat()
        rounds += 1
        unfolded = _unfold(recurrence, turns, most_nodes)
        if unfolded is None:
            if last is None:
                raise TooLarge(f"more than {most_nodes} nodes, after {rounds - 1} rounds")
            return last._replace(rounds=rounds)
        graph = unfolded.graph
        policy = None if last is None else lifted(last.unfolded, last.critical, unfolded, heartbeat)
        try:
            found = critical(graph, policy=policy, heartbeat=heartbeat)
            cycle = found.cycle
        except NoProgress as stuck:
            cycle = stuck.cycle
            further = _raised(recurrence, unfolded, cycle, turns)
            if further == turns:
                raise Deadlock(cycle, unfolded, turns) from None
        else:
            further = _raised(recurrence, unfolded, cycle, turns)
            policies += found.statistics.policy_rounds
            edges, exact = len(graph.sources), further == turns
            last = Rounds(found, unfolded, turns, exact, rounds, graph.nodes, edges, policies)
            if exact or until_finite:
                return last
        turns = further


def _unfold(recurrence: Recurrence, turns: Sequence[int], most_nodes: int) -> Unfolded | None:
    """Unfold, unless that has too many nodes."""
    if sum(turns) > most_nodes:
        return None
    try:
        unfolded = recurrence.unfold(turns)
    except TooLarge:
        return None
    return unfolded if unfolded.graph.nodes <= most_nodes else None


def _raised(
    recurrence: Recurrence, unfolded: Unfolded, cycle: Sequence[int], turns: tuple[int, ...]
) -> tuple[int, ...]:
    """Give the turns that make a cycle real: the same if it is."""
    owners = set(unfolded.owner[np.asarray(unfolded.graph.sources)[list(cycle)]].tolist()) - {-1}
    raised = list(turns)
    if owners:
        for owner, number in recurrence.required(sorted(owners)).items():
            raised[owner] = lcm(raised[owner], number)
    return tuple(raised)


def lifted(
    old: Unfolded, found: Critical, new: Unfolded, heartbeat: Heartbeat = silent
) -> Integers:
    """Give a policy for a graph from the answer of one that is unfolded less.

    The old potentials, each pass later by what it advances, satisfy the new edges at the old ratio.
    Each node follows the edge that they leave least to spare.

    Parameters
    ----------
    old
        The graph that is unfolded less.
    found
        The answer for it, with its ratio and potentials.
    new
        The graph that the policy is for.
    heartbeat
        Called at every step. What it raises ends the work.

    Returns
    -------
    array
        By node, the edge that it follows by its number in the graph, or `STOP`.
    """
    ratio = found.ratio
    potentials, known = _lifted_potentials(old, found, new)
    spare = spare_of(new.graph, ratio, potentials, heartbeat)
    sources = np.asarray(new.graph.sources)
    joining = np.flatnonzero(~known[sources] & known[new.graph.targets])
    if len(joining):
        # A joining node starts as late as what it leads to allows.
        joining = joining[np.argsort(sources[joining], kind="stable")]
        nodes, first = np.unique(sources[joining], return_index=True)
        latest = np.minimum.reduceat(spare[joining], first)
        potentials = fitting(potentials, latest.dtype != object and potentials.dtype != object)
        potentials[nodes] = latest
        spare = spare_of(new.graph, ratio, potentials, heartbeat)
    edges = Edges(new.graph)
    heartbeat()
    policy = edges.greatest(-spare[edges.order])
    going = policy != STOP
    policy[going] = edges.order[policy[going]]
    return policy


def _lifted_potentials(
    old: Unfolded, found: Critical, new: Unfolded
) -> tuple[Whole, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Give potentials of operations' nodes, 0 for the others, and which nodes are whose."""
    operations = int(max(old.owner.max(initial=-1), new.owner.max(initial=-1))) + 1
    order, begins = _by_owner(old.owner, operations)
    new_order, new_begins = _by_owner(new.owner, operations)
    known = new.owner >= 0
    nodes = new_order[new_begins[0] :]
    owner = new.owner[nodes]
    turn = np.arange(len(nodes)) + new_begins[0] - new_begins[owner]
    passes, place = np.divmod(turn, (begins[1:] - begins[:-1])[owner])
    before = whole(found.potentials)[order[begins[owner] + place]]
    potentials = np.zeros(new.graph.nodes, dtype=before.dtype)
    if old.advances is not None and len(nodes):
        advances = whole([found.ratio.numerator * advance for advance in old.advances])
        most = largest(before) + largest(advances) * (int(passes.max()) + 1)
        fits = most < ROOM and object not in (before.dtype, advances.dtype)
        before = fitting(before, fits) + fitting(advances, fits)[owner] * passes
        potentials = fitting(potentials, fits)
    potentials[nodes] = before
    return potentials, known


def _by_owner(owner: Integers, operations: int) -> tuple[Integers, Integers]:
    """Order nodes by operation; tell where the nodes of each begin, and where the last end."""
    order = np.argsort(owner, kind="stable")
    return order, np.searchsorted(owner[order], np.arange(operations + 1))
