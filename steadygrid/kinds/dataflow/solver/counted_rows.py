"""What circuits require of the places together, where each firing moves one token.

A circuit that takes t time advances by one iteration for each token on it. So at a period T it has
``t / T`` tokens at least, rounded up. Those that are not free places are known. The others are the
places of its channels, less their tokens: a row ``sum n_c x_c >= need``, for any places x. Rows, each
times a factor that is not negative, add up to a bound on all places.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import ceil, gcd, lcm
from typing import Any

from steadygrid.domain.errors import SchedulingError
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.solver.circuits import Walk
from steadygrid.kinds.dataflow.solver.net import Net
from steadygrid.kinds.dataflow.solver.starting_places import Bounding, Variable


@dataclass(frozen=True)
class Row:
    """A circuit, by the actors that wait and the channels by which they wait for the one before.

    Attributes
    ----------
    channels
        By number in the net; of n channels of the graph n + i stands for free places of channel i,
        -1 for the actor's own order.
    counts
        How often each variable is on it.
    need
        Places that it needs on them.
    """

    actors: tuple[int, ...]
    channels: tuple[int, ...]
    counts: Mapping[int, int]
    need: int


@dataclass(frozen=True)
class RowBound:
    """Places that rows prove to be needed, each counted by its factor."""

    places: Fraction
    rows: tuple[tuple[Row, Fraction], ...]


class Rows:
    """The rows that were met.

    Parameters
    ----------
    net
        Without limits of the channels that are chosen; rates are 1.
    variables
        These channels.
    target
        Period.
    """

    def __init__(self, net: Net, variables: Sequence[Variable], target: Fraction) -> None:
        self._net, self._variables, self._target = net, variables, target
        self._index = {one.number: i for i, one in enumerate(variables)}
        self._names = {actor.name: i for i, actor in enumerate(net.actors)}
        self._numbers = {one.name: i for i, one in enumerate(net.channels)}
        self._size = sum(1 for one in net.channels if one.name is not None and one.of is None)
        self._found: dict[tuple[tuple[int, ...], tuple[int, ...]], Row] = {}

    def add_walk(self, walk: Walk) -> None:
        """Add the row of a circuit that an evaluation met."""
        steps = []
        for step in walk.steps:
            actor, channel = self._names[step.actor.name], step.channel
            if channel.name is None:
                steps.append((actor, -1))
            elif channel.of is not None:
                steps.append((actor, self._size + channel.of))
            else:
                steps.append((actor, self._numbers[channel.name]))
        self._add(steps)

    def add_prices(self, bounding: Bounding) -> None:
        """Take the prices of a program apart into circuits.

        What an actor's waits cost is what those that wait for it cost, so prices flow in circles.
        """
        unfolded = bounding.unfolded
        sources, targets = unfolded.graph.sources.tolist(), unfolded.graph.targets.tolist()
        left = {edge: price for edge, price in bounding.prices.items() if price > 0}
        leaving: dict[int, list[int]] = {}
        for edge in left:
            leaving.setdefault(sources[edge], []).append(edge)
        for first in list(left):
            while first in left:
                route: list[int] = []
                seen: dict[int, int] = {}
                node = sources[first]
                while node not in seen:
                    seen[node] = len(route)
                    edge = next(one for one in leaving[node] if one in left)
                    route.append(edge)
                    node = targets[edge]
                cycle = route[seen[node] :]
                least = min(left[edge] for edge in cycle)
                for edge in cycle:
                    left[edge] -= least
                    if not left[edge]:
                        del left[edge]
                channels = [unfolded.net.channels[edge] for edge in cycle]
                self._add(
                    [
                        (
                            targets[edge],
                            -1
                            if one.name is None
                            else edge
                            if one.of is None
                            else self._size + one.of,
                        )
                        for edge, one in zip(cycle, channels, strict=True)
                    ]
                )

    def _add(self, steps: Sequence[tuple[int, int]]) -> None:
        net, time = self._net, Fraction(0)
        counts: Counter[int] = Counter()
        known = 0
        for actor, number in steps:
            time += net.actors[actor].times[0]
            if number < 0:
                known += 1
                continue
            of = number - self._size
            channel = net.channels[number if of < 0 else of]
            if of < 0:
                known += channel.tokens
            elif of in self._index:
                counts[self._index[of]] += 1
                known -= channel.tokens
            else:
                known += next(one.tokens for one in net.channels if one.of == of)
        if counts:
            actors, channels = zip(*steps, strict=True)
            need = ceil(time / self._target) - known
            self._found[actors, channels] = Row(actors, channels, dict(counts), need)

    def bound(self, control: Control) -> tuple[RowBound, Mapping[int, Fraction]] | None:
        """Add rows up to the best bound that they prove, and give places that satisfy all rows.

        Parameters
        ----------
        control
            Deadline and cancellation.
        """
        program: Any = import_module("steadygrid.kinds.dataflow.solver.model_places")
        rows, variables = [*self._found.values()], self._variables
        least, weights = [one.least for one in variables], [one.weight for one in variables]
        with suppress(SchedulingError):
            places, factors = program.best_factors(
                [row.counts for row in rows], [row.need for row in rows], least, weights, control
            )
            used = tuple((rows[i], factor) for i, factor in factors.items() if factor > 0)
            return RowBound(proved_places(used, least, weights), used), places
        return None


def proved_places(
    rows: Sequence[tuple[Row, Fraction]], least: Sequence[int], weights: Sequence[Fraction]
) -> Fraction:
    """Add rows up, and what no row counts at its least; round up to what weights can add up to.

    Parameters
    ----------
    rows
        Each with its factor.
    least, weights
        Of each variable.
    """
    left = [*weights]
    total = Fraction(0)
    for row, factor in rows:
        total += factor * row.need
        for i, count in row.counts.items():
            left[i] -= factor * count
    total += sum((rest * low for rest, low in zip(left, least, strict=True)), Fraction(0))
    scale = lcm(*(weight.denominator for weight in weights))
    unit = Fraction(gcd(*(int(weight * scale) for weight in weights)), scale)
    return unit * ceil(total / unit)
