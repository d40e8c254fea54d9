"""The fewest places of channels for a period, and for each period that some number of places reaches.

Stuijk, Geilen, Basten: Exploring trade-offs in buffer requirements and throughput constraints for
synchronous dataflow graphs, DAC 2006, whose search is by the channels that delay the slowest circuit.
Here each circuit is kept as a clause: a faster schedule has more places on one of its channels.

Before the search, a linear program and what its channels can do without give places that reach the
target. The search ends as soon as fewer are excluded. Where each firing moves one token, the program
gives a bound, too (see `counted_rows`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, gcd, lcm
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.schemas import MOST_CLAUSES, DataflowInstance
from steadygrid.kinds.dataflow.solver.circuits import Walk, walk_of
from steadygrid.kinds.dataflow.solver.counted_rows import RowBound, Rows
from steadygrid.kinds.dataflow.solver.net import Channel, Net, net_of
from steadygrid.kinds.dataflow.solver.rounds import Progress, Schedule, run_rounds
from steadygrid.kinds.dataflow.solver.starting_places import (
    MOST_REPAIRS,
    Places,
    Variable,
    by_program,
    floor_of,
    moves_single_tokens,
)

MOST_DISTRIBUTIONS = 200_000
"""Looked at. The referee repeats the search."""
_START_SHARE = 0.4
"""Of the time of the search, for places to start from."""
_FLOOR_SHARE = 0.3
"""Of this time, for channels alone."""
_PROGRAM_SHARE = 0.5
"""Of what is left of it, for the linear program."""
MOST_FLOORS = 2_000
"""Clauses of channels alone. The referee looks at all clauses for each."""
_MOST_CUTS = 100
"""Rows that are looked for, one after the other."""


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
        Whether the last point reaches the target with the fewest places.
    reaching
        Places that reach the target, not the fewest where the search has not ended.
    rows
        The bound by rows, where each firing moves one token.
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
    reaching: tuple[Places, Evaluation] | None = None
    rows: RowBound | None = None

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
    """Find the least period with so many places. None where it is not found exactly.

    Parameters
    ----------
    instance
        Without faults.
    capacities
        Of channels by name, besides those of the instance.
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
    instance: DataflowInstance,
    net: Net,
    target: Fraction,
    needed: Mapping[int, int],
    schedule: Schedule | None,
    control: Control,
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
    needed
        Places of each channel, by number, in a schedule that reaches it.
    schedule
        That one. None where it is not known.
    control
        Deadline and cancellation; ends the search, with what it has found.
    """
    variables = variables_of(instance, net)
    scale = lcm(*(one.weight.denominator for one in variables))
    found = Exploration(variables, scale, instance.buffers == "front")
    first = [one.least for one in variables]
    found.bound = found.size(tuple(first))
    with suppress(OutOfTime):
        start = control.limited(_START_SHARE * control.remaining)
        _Start(instance, net, target, found, first, start).run(needed, schedule)
    with suppress(OutOfTime):
        if not found.complete:
            _explore(instance, found, tuple(first), target, control)
    return found


class _Start:
    """What is done before the search.

    Parameters
    ----------
    first
        Least places of each variable; raised where the ends of a channel alone need more, unless each
        period counts.
    """

    def __init__(
        self,
        instance: DataflowInstance,
        net: Net,
        target: Fraction,
        found: Exploration,
        first: list[int],
        control: Control,
    ) -> None:
        self._instance, self._net, self._target = instance, net, target
        self._found, self._first, self._control = found, first, control
        self._slow: list[Clause] = []
        self._floors = [*first]
        self._rows = (
            Rows(net, found.variables, target)
            if moves_single_tokens(net) and not found.every
            else None
        )

    def run(self, needed: Mapping[int, int], schedule: Schedule | None) -> None:
        """Find floors, places that reach the target, and a bound by rows."""
        found = self._found
        with suppress(OutOfTime):
            self._find_floors(self._control.limited(_FLOOR_SHARE * self._control.remaining))
        started = None
        with suppress(OutOfTime):
            part = self._control.limited(_PROGRAM_SHARE * self._control.remaining)
            if schedule is not None:
                started = by_program(
                    self._net, schedule, found.variables, self._floors, self._target, part
                )
        if started is not None:
            places, bounding = started
            if bounding is not None and self._rows is not None:
                self._rows.add_prices(bounding)
            self._repair(places)
        fitting = found.fitting(needed)
        if found.reaching is None or found.size(fitting) < found.size(found.reaching[0]):
            self._reaches(fitting)
        self._bound_by_rows(1)
        if found.reaching is not None and not found.complete:
            self._lower()
        if not found.complete:
            self._bound_by_rows(_MOST_CUTS)

    def _find_floors(self, control: Control) -> None:
        found = self._found
        for i, one in enumerate(found.variables):
            control.check()
            self._floors[i], slow = floor_of(self._net, one, self._target, control.check)
            if slow is None or found.every or len(found.clauses) == MOST_FLOORS:
                continue
            self._first[i] = self._floors[i]
            found.clauses.append(Clause(slow[1], ((i, slow[0]),)))
            if self._rows is not None:
                self._rows.add_walk(slow[1])

    def _repair(self, places: Places) -> None:
        """Give the channels of the slowest circuit more places, until the target is reached."""
        for _ in range(MOST_REPAIRS):
            slow = self._reaches(places)
            if slow is None:
                return
            more = dict(slow.most)
            places = tuple(
                count + (one.step if i in more else 0)
                for i, (one, count) in enumerate(zip(self._found.variables, places, strict=True))
            )

    def _reaches(self, places: Places) -> Clause | None:
        """Keep places if they reach the target; else give the circuit that is too slow."""
        found = self._found
        known = next((one for one in reversed(self._slow) if one.holds(places)), None)
        if known is not None:
            return known
        allowed = evaluate(self._instance, found.named(places), self._control)
        if allowed is None:
            raise OutOfTime
        if allowed.period is not None and allowed.period <= self._target:
            if found.reaching is None or found.size(places) < found.size(found.reaching[0]):
                found.reaching = places, allowed
            return None
        clause = _clause(found.variables, places, allowed.walk)
        self._slow.append(clause)
        if self._rows is not None:
            self._rows.add_walk(allowed.walk)
        return clause

    def _lower(self) -> None:
        """Take places away, channel by channel, as many as the target allows."""
        found = self._found
        assert found.reaching is not None
        best = found.reaching[0]
        spare = [
            (count - floor) * one.weight
            for one, count, floor in zip(found.variables, best, self._floors, strict=True)
        ]
        for i in sorted(range(len(spare)), key=lambda one: -spare[one]):
            step, short = found.variables[i].step, self._floors[i] - found.variables[i].step
            tried = best[i] - step
            while tried > short:
                places = (*best[:i], tried, *best[i + 1 :])
                if self._reaches(places) is None:
                    best = places
                else:
                    short = tried
                # One place less mostly is too few; else halve what is left.
                tried = short + (best[i] - short) // (2 * step) * step

    def _bound_by_rows(self, cuts: int) -> None:
        """Add rows that places of the best bound break, until they break none."""
        found = self._found
        if self._rows is None:
            return
        for _ in range(cuts):
            proved = self._rows.bound(self._control)
            if proved is None:
                return
            if found.rows is None or proved[0].places > found.rows.places:
                found.rows = proved[0]
            if found.reaching is not None and self._is_proved():
                _add(found, *found.reaching)
                found.complete = True
                return
            places = tuple(ceil(count) for count in proved[1].values())
            if found.reaching is not None and found.size(places) >= found.size(found.reaching[0]):
                return
            if self._reaches(places) is None:
                return

    def _is_proved(self) -> bool:
        found = self._found
        assert found.rows is not None
        assert found.reaching is not None
        return found.rows.places * found.scale >= found.size(found.reaching[0])


def _explore(
    instance: DataflowInstance,
    found: Exploration,
    first: Places,
    target: Fraction,
    control: Control,
) -> None:
    waiting, seen = [(found.size(first), first)], {first}
    while waiting and found.distributions < MOST_DISTRIBUTIONS:
        control.check()
        found.bound, places = waiting[0]
        if found.reaching is not None and found.bound >= found.size(found.reaching[0]):
            _add(found, *found.reaching)
            found.complete = True
            return
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
