"""The fewest places of channels for a period, and for each period that some number of places reaches.

Stuijk, Geilen, Basten: Exploring trade-offs in buffer requirements and throughput constraints for
synchronous dataflow graphs, DAC 2006, whose search is by the channels that delay the slowest circuit.
Here each circuit is kept as a clause: whoever is faster has more places on one of its channels.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import gcd, lcm
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.schemas import MOST_CLAUSES, DataflowInstance
from steadygrid.kinds.dataflow.solver.circuits import Walk, walk_of
from steadygrid.kinds.dataflow.solver.net import Channel, Net, net_of
from steadygrid.kinds.dataflow.solver.rounds import Progress, run_rounds

MOST_DISTRIBUTIONS = 200_000
"""Looked at; the referee repeats the search."""

Places = tuple[int, ...]
"""Of each variable channel."""


class Variable(NamedTuple):
    """A channel whose places are chosen."""

    number: int
    name: str
    weight: Fraction
    step: int
    """More places help only if they are so many more."""
    least: int
    """With fewer some firing never starts."""


class Evaluation(NamedTuple):
    """What so many places allow."""

    net: Net
    progress: Progress
    walk: Walk
    """The slowest circuit, or one whose firings wait for ever."""
    period: Fraction | None
    """None: they wait for ever."""


class Clause(NamedTuple):
    """A circuit that stays as slow while no variable listed has more places."""

    walk: Walk
    most: tuple[tuple[int, int], ...]
    """Variables by place in the list, each with its places."""

    def holds(self, places: Places) -> bool:
        """Tell whether so many places leave the circuit as slow."""
        return all(places[i] <= most for i, most in self.most)


@dataclass
class Exploration:
    """What the search has found.

    Attributes
    ----------
    points
        Places and what they allow, each with more places than the one before and a smaller period.
    bound
        Weighted places, times `scale`; fewer do not reach the target.
    complete
        Whether the last point reaches the target.
    """

    variables: list[Variable]
    scale: int
    every: bool
    """Whether each period counts, not the target alone."""
    clauses: list[Clause] = field(default_factory=list)
    points: list[tuple[Places, Evaluation]] = field(default_factory=list)
    bound: int = 0
    distributions: int = 0
    complete: bool = False

    def size(self, places: Places) -> int:
        """Add up weighted places, in units of 1 / `scale`."""
        return sum(
            int(one.weight * self.scale) * count
            for one, count in zip(self.variables, places, strict=True)
        )

    def fitting(self, needed: Mapping[int, int]) -> Places:
        """Give the places, by number of channel, that hold so many tokens."""
        return tuple(
            max(one.least, needed[one.number] + (one.least - needed[one.number]) % one.step)
            for one in self.variables
        )

    def named(self, places: Places) -> dict[str, int]:
        """Give the places by name of channel."""
        return {one.name: count for one, count in zip(self.variables, places, strict=True)}


def variables_of(instance: DataflowInstance, net: Net) -> list[Variable]:
    """List the channels whose places are chosen, in the order of the graph.

    Parameters
    ----------
    instance
        With the channels that count, and their weights.
    net
        Its actors and channels.
    """
    weights, given = instance.weights or {}, instance.capacities or {}
    found = []
    for number, channel in enumerate(net.channels):
        name = channel.name
        if name is None or channel.of is not None or name in given:
            continue
        own = channel.source == channel.target
        if not own if instance.counted is None else name in instance.counted:
            step = gcd(*channel.production, *channel.consumption)
            found.append(
                Variable(
                    number, name, weights.get(name, Fraction(1)), step, _least_places(channel, step)
                )
            )
    return found


def _least_places(channel: Channel, step: int) -> int:
    """Give the places, as many more than the tokens as a multiple of the step, that all firings need."""
    made, taken = channel.production, channel.consumption
    least = max(channel.tokens, *made, *taken)
    if channel.source != channel.target and len({*made}) == len({*taken}) == 1:
        least = max(least, made[0] + taken[0] - step + channel.tokens % step)
    return least + (channel.tokens - least) % step


def evaluate(
    instance: DataflowInstance, capacities: Mapping[str, int], control: Control
) -> Evaluation | None:
    """Find the least period with so many places; None where it is not found exactly.

    Parameters
    ----------
    instance
        Without faults.
    capacities
        Of channels by name, beside those of the instance.
    control
        Deadline and cancellation.
    """
    limited = instance.model_copy(
        update={"capacities": {**(instance.capacities or {}), **capacities}}
    )
    net, progress = net_of(limited), Progress()
    run_rounds(net, progress, control.check, lambda *_: None, lambda: control.remaining)
    if progress.circuit is None:
        return None
    walk = walk_of(progress.circuit)
    if progress.deadlock:
        return Evaluation(net, progress, walk, None)
    schedule = progress.schedule
    if schedule is None or schedule.period * walk.iterations != walk.time:
        return None
    return Evaluation(net, progress, walk, schedule.period)


def explore(
    instance: DataflowInstance, net: Net, target: Fraction, control: Control
) -> Exploration:
    """Look at distributions of places, the fewest first, until one reaches the target.

    Parameters
    ----------
    instance
        That asks for the least, or for the front.
    net
        Its actors and channels.
    target
        Period to be reached, which some places do.
    control
        Deadline and cancellation; ends the search, with what it has found.
    """
    variables = variables_of(instance, net)
    scale = lcm(*(one.weight.denominator for one in variables))
    found = Exploration(variables, scale, instance.buffers == "front")
    with suppress(OutOfTime):
        _explore(instance, found, target, control)
    return found


def _explore(
    instance: DataflowInstance, found: Exploration, target: Fraction, control: Control
) -> None:
    first = tuple(one.least for one in found.variables)
    waiting, seen = [(found.size(first), first)], {first}
    while waiting and found.distributions < MOST_DISTRIBUTIONS:
        control.check()
        found.bound, places = waiting[0]
        clause = next((one for one in reversed(found.clauses) if one.holds(places)), None)
        if clause is None:
            allowed = evaluate(instance, found.named(places), control)
            if allowed is None or len(found.clauses) == MOST_CLAUSES:
                return
            reached = allowed.period is not None and allowed.period <= target
            if reached or found.every:
                _add(found, places, allowed)
            if reached:
                found.complete = True
                return
            clause = _clause(found.variables, places, allowed.walk)
            found.clauses.append(clause)
        heappop(waiting)
        found.distributions += 1
        for i, most in clause.most:
            more = (*places[:i], most + found.variables[i].step, *places[i + 1 :])
            if more not in seen:
                seen.add(more)
                heappush(waiting, (found.size(more), more))


def _add(found: Exploration, places: Places, allowed: Evaluation) -> None:
    """Add a point that is faster than all before, in the place of one with as many places."""
    if allowed.period is None:
        return
    if found.points:
        before, last = found.points[-1]
        assert last.period is not None
        if allowed.period >= last.period:
            return
        if found.size(before) == found.size(places):
            found.points.pop()
    found.points.append((places, allowed))


def _clause(variables: Sequence[Variable], places: Places, walk: Walk) -> Clause:
    delaying = {step.channel.of for step in walk.steps}
    return Clause(
        walk,
        tuple(
            (i, count)
            for i, (one, count) in enumerate(zip(variables, places, strict=True))
            if one.number in delaying
        ),
    )
