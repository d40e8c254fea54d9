"""Places that reach a period, near the fewest: a linear program, then one channel after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from steadygrid.domain.errors import SchedulingError
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.schemas import room_name
from steadygrid.kinds.dataflow.solver.circuits import Walk, walk_of
from steadygrid.kinds.dataflow.solver.model import Heartbeat, TooLargeError, Unfolded, Unfolding
from steadygrid.kinds.dataflow.solver.net import Channel, Net
from steadygrid.kinds.dataflow.solver.rounds import Progress, Schedule, run_rounds

MOST_WAITS = 20_000
"""Of the linear program."""
MOST_REPAIRS = 50
_ROUNDING = Fraction(1, 10**6)
"""Places that double precision may have too many."""

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


class Bounding(NamedTuple):
    """The linear program of a round, solved exactly."""

    unfolded: Unfolded
    prices: Mapping[int, Fraction]
    """By edge."""


def room_of(net: Net, number: int, places: int) -> Channel:
    """Give the free places of a channel, where firings are in order.

    Parameters
    ----------
    net
        Actors and channels.
    number
        Of the channel.
    places
        That it has.
    """
    one = net.channels[number]
    return Channel(
        room_name(one.name or ""),
        one.target,
        one.source,
        one.consumption,
        one.production,
        places - one.tokens,
        True,
        number,
    )


def floor_of(
    net: Net, variable: Variable, target: Fraction, heartbeat: Heartbeat
) -> tuple[int, tuple[int, Walk] | None]:
    """Find the fewest places with which the two ends of a channel alone reach a period.

    Parameters
    ----------
    net
        Without limits of the channels that are chosen.
    variable
        The channel.
    target
        Period, which enough places reach.
    heartbeat
        Called now and then; may raise, which ends the work.

    Returns
    -------
    tuple of int and tuple
        These places, and the most that are too few, with the circuit that is too slow then, if any are.
    """
    channel = net.channels[variable.number]
    ends = sorted({channel.source, channel.target})

    def too_slow(steps: int) -> Walk | None:
        room = room_of(net, variable.number, variable.least + steps * variable.step)
        progress = Progress()
        pair = Net(net.actors, (*net.channels, room)).among(ends)
        run_rounds(pair, progress, heartbeat, lambda *_: None)
        if progress.circuit is None:
            return None
        walk = walk_of(progress.circuit)
        return walk if progress.deadlock or walk.time > target * walk.iterations else None

    short, enough, step = -1, 0, 1
    slow: Walk | None = None
    while (walk := too_slow(enough)) is not None:
        short, slow, enough, step = enough, walk, enough + step, 2 * step
    while enough - short > 1:
        middle = (enough + short) // 2
        if (walk := too_slow(middle)) is None:
            enough = middle
        else:
            short, slow = middle, walk
    places = [variable.least + steps * variable.step for steps in (enough, short)]
    return places[0], None if slow is None else (places[1], slow)


def by_program(
    net: Net,
    schedule: Schedule,
    variables: Sequence[Variable],
    floors: Sequence[int],
    target: Fraction,
    control: Control,
) -> tuple[Places, Bounding | None] | None:
    """Choose places by the linear program of the round that gave the schedule without limits.

    Parameters
    ----------
    net
        Without limits of the channels that are chosen.
    schedule
        Reaches the target.
    variables
        The channels that are chosen.
    floors
        Places that they have at least.
    target
        Period.
    control
        Deadline and cancellation.

    Returns
    -------
    tuple, or None
        Places, rounded up, and the exact program, where each firing moves one token. None where the
        program is too large or was not solved.
    """
    free = [room_of(net, one.number, one.least) for one in variables]
    limited = replace(net, channels=(*net.channels, *free))
    try:
        unfolding = Unfolding(limited, live=False, heartbeat=control.check)
        unfolded = unfolding.unfold(schedule.unfolded.turns)
    except TooLargeError:
        return None
    graph, exact = unfolded.graph, moves_single_tokens(limited)
    if len(graph.sources) > MOST_WAITS:
        return None
    program: Any = import_module("steadygrid.kinds.dataflow.solver.model_places")
    sizes = np.diff(np.array(unfolded.first_edges))
    channels = np.repeat(np.arange(len(sizes)), sizes).tolist()
    waits = []
    for edge, channel in enumerate(channels):
        least = Fraction(int(graph.times[edge]), net.scale) / target
        least -= Fraction(int(graph.heights[edge]), unfolded.height_unit)
        ends = int(graph.sources[edge]), int(graph.targets[edge])
        number = channel - len(net.channels)
        if number < 0 or ends[0] >= unfolded.phases:
            waits.append(program.Wait(*ends, least))
            continue
        room = limited.channels[channel]
        moved = net.actors[room.source].repetitions * sum(room.production)
        waits.append(program.Wait(*ends, least, number, Fraction(1, moved)))
    weights = [one.weight for one in variables]
    least_places = [one.least for one in variables]
    try:
        found = program.fewest_places(
            graph.nodes, waits, least_places, weights, control, exact=exact
        )
    except SchedulingError:
        return None
    if found is None:
        return None
    places = tuple(
        max(floor, one.least + one.step * ceil((count - one.least) / one.step - _ROUNDING))
        for one, floor, count in zip(variables, floors, found.places.values(), strict=True)
    )
    return places, Bounding(unfolded, found.prices) if exact else None


def moves_single_tokens(net: Net) -> bool:
    """Tell whether each firing moves one token on each channel: rates are 1, and no actor has phases."""
    return all(one.production == one.consumption == (1,) for one in net.channels)
