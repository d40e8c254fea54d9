"""Circuits of real firings, and the tokens that they wait for."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from steadygrid.kinds.dataflow.schemas import (
    MOST_LISTED,
    CircuitArrays,
    CircuitStep,
    DeadlockStep,
)
from steadygrid.kinds.dataflow.solver.net import Actor, Channel, Net
from steadygrid.kinds.dataflow.solver.rounds import Circuit


def total(times: Iterable[Fraction]) -> Fraction:
    """Add up many numbers at their common denominator."""
    whole = tuple(times)
    unit = lcm(*{time.denominator for time in whole})
    return Fraction(sum(time.numerator * (unit // time.denominator) for time in whole), unit)


@dataclass(frozen=True)
class Step:
    """A firing of an actor, and the channel by which it waits for the firing before."""

    actor: Actor
    firing: int
    channel: Channel

    @property
    def time(self) -> Fraction:
        """How long the firing takes."""
        return self.actor.times[self.firing % len(self.actor.times)]


@dataclass(frozen=True)
class Walk:
    """A circuit of firings.

    Attributes
    ----------
    steps
        Each waits for the one before, and the first for the last of one circuit earlier.
    iterations
        By which one circuit advances; not positive: a deadlock.
    """

    steps: tuple[Step, ...]
    iterations: Fraction

    @cached_property
    def time(self) -> Fraction:
        """Of all firings on it."""
        return total(step.time for step in self.steps)

    def critical_steps(self) -> list[CircuitStep]:
        """List the firings with the tokens that they take from each other; only the first of many."""
        listed = []
        for place, step in enumerate(self.steps[:MOST_LISTED]):
            before = self.steps[place - 1]
            firing = before.firing - (self._advance(before.actor) if place == 0 else 0)
            listed.append(
                CircuitStep(
                    actor=step.actor.name,
                    firing=step.firing,
                    channel=step.channel.name,
                    token=None if step.channel.name is None else _token(step, firing),
                    time=step.time,
                )
            )
        return listed

    def arrays(self, net: Net) -> CircuitArrays | None:
        """Give the numbers of all firings. None where all are listed.

        Parameters
        ----------
        net
            The whole graph, with all that its actors wait for.
        """
        return None if len(self.steps) <= MOST_LISTED else self.numbers(net)

    def numbers(self, net: Net) -> CircuitArrays:
        """Give the numbers of all firings.

        Parameters
        ----------
        net
            The whole graph, with all that its actors wait for.
        """
        actors = {actor.name: place for place, actor in enumerate(net.actors)}
        named = [one.name for one in net.channels if one.name is not None and one.of is None]
        channels: dict[str | None, int] = {name: place for place, name in enumerate(named)}
        channels[None] = -1
        return CircuitArrays(
            actors=[actors[step.actor.name] for step in self.steps],
            firings=[step.firing for step in self.steps],
            channels=[
                channels[step.channel.name]
                if step.channel.of is None
                else len(named) + step.channel.of
                for step in self.steps
            ],
        )

    def deadlock_steps(self) -> list[DeadlockStep]:
        """List the firings with the tokens that are there at the beginning."""
        return [
            DeadlockStep(
                actor=step.actor.name,
                firing=step.firing,
                channel=step.channel.name,
                tokens=None if step.channel.name is None else step.channel.tokens,
            )
            for step in self.steps
        ]

    def _advance(self, actor: Actor) -> int:
        """Say by how many firings of an actor one circuit advances."""
        return int(self.iterations * actor.repetitions) * len(actor.times)


def _token(step: Step, firing: int) -> int:
    """Give the first token that a step takes of those that a firing makes."""
    return max(step.channel.made_by(firing)[0], step.channel.taken_by(step.firing)[0])


def walk_of(circuit: Circuit) -> Walk:
    """Read the firings off a circuit; turns of all its actors advance alike."""
    steps, turns = _steps(circuit)
    net, unfolded = circuit.unfolded.net, circuit.unfolded
    least = min(turn for _, _, turn, _ in steps)
    # No firing takes a token of before the beginning, not even the first of the circuit before.
    shift = max(0, -least, -(steps[-1][2] - turns))
    listed = []
    for actor, phase, after, channel in steps:
        size = unfolded.starts[actor + 1] - unfolded.starts[actor]
        listed.append(Step(net.actors[actor], (after + shift) * size + phase, channel))
    actor = steps[0][0]
    # Turns of all actors on it are as long; there may be fewer than were unfolded for it.
    turn = Fraction(unfolded.turns[actor], net.actors[actor].repetitions)
    return Walk(tuple(listed), turns * turn)


def even_circuit(circuit: Circuit) -> tuple[list[CircuitStep], Fraction]:
    """Read a circuit of the first round: phases that wait for each other, and by how many iterations.

    Parameters
    ----------
    circuit
        Of actors that are not unfolded.

    Returns
    -------
    tuple of list of CircuitStep and Fraction
        Each phase as firing of the first cycle, without a token.
    """
    unfolded = circuit.unfolded
    steps, _ = _steps(circuit)
    heights = sum(int(unfolded.graph.heights[edge]) for edge in circuit.edges)
    listed = [
        CircuitStep(
            actor=unfolded.net.actors[actor].name,
            firing=phase,
            channel=channel.name,
            token=None,
            time=unfolded.net.actors[actor].times[phase],
        )
        for actor, phase, _, channel in steps
    ]
    return listed, Fraction(heights, unfolded.height_unit)


def _steps(circuit: Circuit) -> tuple[list[tuple[int, int, int, Channel]], int]:
    """Give actor, unfolded phase, turn and channel of each step, and by how many turns they advance."""
    unfolded = circuit.unfolded
    net: Net = unfolded.net
    edges = _from_a_phase(circuit)
    steps = []
    turn = 0
    for edge in edges:
        block, local = _place(unfolded.first_edges, edge)
        turn += int(unfolded.blocks[block].heights[local])
        target = int(unfolded.graph.targets[edge])
        actor = unfolded.actor(target)
        if actor is not None:
            phase = target - unfolded.starts[actor]
            steps.append((actor, phase, turn, net.channels[block]))
    # The last edge ends at the phase with which the circuit begins, one circuit later.
    actor, phase, turns, channel = steps.pop()
    return [(actor, phase, 0, channel), *steps], turns


def _from_a_phase(circuit: Circuit) -> tuple[int, ...]:
    sources = circuit.unfolded.graph.sources
    edges = circuit.edges
    first = next(i for i, edge in enumerate(edges) if sources[edge] < circuit.unfolded.phases)
    return edges[first:] + edges[:first]


def _place(first_edges: Sequence[int], edge: int) -> tuple[int, int]:
    block = bisect_right(first_edges, edge) - 1
    return block, edge - first_edges[block]
