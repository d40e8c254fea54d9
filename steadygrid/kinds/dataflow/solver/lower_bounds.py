"""Circuits of real firings that are found without all rounds: bounds where these have not ended."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.cycles.ratio import NoProgress, critical
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.solver.circuits import Step, Walk, total, walk_of
from steadygrid.kinds.dataflow.solver.model import TooLargeError, Unfolding
from steadygrid.kinds.dataflow.solver.net import Net
from steadygrid.kinds.dataflow.solver.rounds import Circuit, Progress, wanted

MOST_SUSPECT_FIRINGS = 100_000
"""Of the actors that were critical in the last round, unfolded for a bound."""
MOST_NEIGHBOUR_FIRINGS = 10_000
"""Of two actors with channels in both directions."""


def best_known(net: Net, progress: Progress, control: Control) -> Walk | None:
    """Find a circuit with as long a time per iteration as is quickly seen.

    Those of single actors that are in order, and the critical ones of the actors that were critical
    in the last round and where a round was too large. As long as time lasts, also those of single
    actors and of neighbours.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    Walk | None
        None if none of them takes time.
    """
    best: Walk | None = None
    for walk in (*_in_order(net), *_searched(net, progress, control)):
        if walk.time and (best is None or _slower(walk, best)):
            best = walk
    return best


def _slower(walk: Walk, other: Walk) -> bool:
    return walk.time * other.iterations > other.time * walk.iterations


def _in_order(net: Net) -> Iterator[Walk]:
    """Give a cycle of phases: of actors whose firings are one after the other, the busiest one's."""
    kept = {channel.source: channel for channel in net.channels if channel.keeps_order}
    busy = {place: total(net.actors[place].times) * net.actors[place].repetitions for place in kept}
    if busy:
        place = max(busy, key=lambda one: busy[one])
        actor, phases = net.actors[place], len(net.actors[place].times)
        steps = tuple(Step(actor, phases + phase, kept[place]) for phase in range(phases))
        yield Walk(steps, Fraction(1, actor.repetitions))


def _searched(net: Net, progress: Progress, control: Control) -> Iterator[Walk]:
    """Give the critical circuits of small groups of actors."""
    suspects = [progress.suspects, progress.refused]
    groups = [(group, MOST_SUSPECT_FIRINGS) for group in suspects if group]
    ends = {(channel.source, channel.target) for channel in net.channels}
    near = sorted({tuple(sorted({a, b})) for a, b in ends if (b, a) in ends})
    groups += [([*group], MOST_NEIGHBOUR_FIRINGS) for group in near]
    try:
        for members, most in groups:
            control.check()
            walk = _of_group(net, members, most, control)
            if walk is not None:
                yield walk
    except OutOfTime:
        return


def _of_group(net: Net, members: Sequence[int], most: int, control: Control) -> Walk | None:
    turns = wanted(net, members)
    sizes = (k * len(net.actors[a].times) for k, a in zip(turns, members, strict=True))
    if sum(sizes) > most:
        return None
    part = Unfolding(net.among(members), live=False, heartbeat=control.check)
    try:
        unfolded = part.unfold(turns)
        found = critical(unfolded.graph, heartbeat=control.check)
    except (TooLargeError, NoProgress):
        return None
    return walk_of(Circuit(unfolded, found.cycle)) if found.ratio else None
