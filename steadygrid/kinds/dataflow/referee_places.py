"""Whether places do for a period, and why fewer do not."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from math import gcd, inf, lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.dataflow.referee_counted import WrongRowError, needed_together
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph, Span
from steadygrid.kinds.dataflow.schemas import CoverClause, DataflowInstance, DataflowResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

MOST_LOOKS = 1_000_000
"""At distributions of places."""
_ROOM = 2**60

Ratio = Fraction | float
"""Time per iteration; infinite where firings wait for ever."""


class Counted(NamedTuple):
    """A channel whose places are chosen."""

    channel: Channel
    weight: Fraction
    step: int
    """All tokens that it ever holds differ by multiples of this: places between help nothing."""
    least: int
    """With fewer places some firing never starts."""


class _Circuit(NamedTuple):
    """What a clause says."""

    ratio: Ratio
    most: Mapping[str, int]

    def holds(self, places: Mapping[str, int]) -> bool:
        """Tell whether so many places leave the circuit as slow."""
        return all(places[name] <= most for name, most in self.most.items())


def counted_channels(instance: DataflowInstance, graph: Graph) -> list[Counted]:
    """List the channels whose places are chosen, in the order of the graph.

    Parameters
    ----------
    instance
        That asks for the fewest places.
    graph
        Its actors and channels.

    Notes
    -----
    A firing needs places for all that it makes when it starts, and all that it takes is there then.
    Where all firings of the source make p tokens and all of the target take c, with g = gcd(p, c),
    the numbers of tokens are those that are M modulo g. Let there be x < p + c - g + M mod g places.
    Then the source never starts with c - g + M mod g tokens or more, nor the target with fewer than c.
    So nothing starts at n = c - g + M mod g, and elsewhere only one of both may. A firing adds p or
    takes c. Both add p modulo p + c, and come, since p/g and (p + c)/g have no common divisor, to
    every number modulo p + c that is M modulo g, to n too.
    """
    weights, given = instance.weights or {}, instance.capacities or {}
    found = []
    for channel, listed in zip(graph.channels, instance.graph.channels, strict=True):
        if channel.name in given:
            continue
        own = channel.source == channel.target
        if own if instance.counted is None else channel.name not in instance.counted:
            continue
        made, taken = ({*_listed(rates)} for rates in (listed.production, listed.consumption))
        step = gcd(*made, *taken)
        least = max(channel.initial, *made, *taken)
        if not own and len(made) == len(taken) == 1:
            least = max(least, sum(made) + sum(taken) - step + channel.initial % step)
        least += (channel.initial - least) % step
        found.append(Counted(channel, weights.get(channel.name, Fraction(1)), step, least))
    return found


def _listed(rates: int | tuple[int, ...]) -> tuple[int, ...]:
    return rates if isinstance(rates, tuple) else (rates,)


def check_places(
    instance: DataflowInstance,
    graph: Graph,
    cycles: Sequence[int],
    result: DataflowResult,
    findings: Findings,
) -> None:
    """Check the places that were chosen, each point of the front, and that fewer do not do.

    Parameters
    ----------
    instance
        That asks for the fewest places.
    graph
        Its actors and channels.
    cycles
        Of each actor, in an iteration.
    result
        With a value.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= =====================
    1  the answer has capacities, places and a bound on them, a front only      `wrong_parts`
       where it was asked for; value and bound are these
    2  capacities are of the counted channels, with room for their tokens and   `wrong_capacities`
       a firing; places are their sum
    3  the last point of the front is the answer; each has more places than the `wrong_front`
       one before, and a smaller period
    4  the period is at most the target                                         `too_slow`
    5  a schedule with so many places has the period                            `wrong_period`
    6  each clause is a circuit of firings, for places of its capacities        `wrong_clause`
    7  with fewer places than the bound some clause is not satisfied; with      `uncovered`
       fewer than a point of the front, one at least as slow as the point before
    8  rows are circuits of firings that move one token, of the least places    `wrong_row`
       for a period; none counts a place for more than its weight
    9  with fewer places than the bound some row is not satisfied               `uncovered`
    == ======================================================================= =====================
    """
    at: Pointer = ("result", "capacities")
    asked = counted_channels(instance, graph)
    chosen, places, bound = result.capacities, result.places, result.places_bound
    if (
        chosen is None
        or places is None
        or bound is None
        or result.objective is None
        or result.bound is None
        or (result.objective.value, result.bound.value) != (places, bound)
        or (result.front is None) != (instance.buffers != "front")
    ):
        detail = "The capacities, their places, and the bound do not stand for value and bound."
        findings.add(at, "wrong_parts", detail)
        return
    if result.period is None:
        return
    points = [(places, result.period, chosen)]
    if result.front is not None:
        points = [(one.places, one.period, one.capacities) for one in result.front]
    for i, (size, _, capacities) in enumerate(points):
        here = at if result.front is None else ("result", "front", i)
        _check_capacities(asked, capacities, size, here, findings)
    if findings:
        return
    _check_order(points, (places, result.period, chosen), findings)
    target, period = instance.target_period, result.period
    if target is not None and (period is None or period > target):
        findings.add(("result", "period"), "too_slow", f"The target is {show(target)}.")
    for i, (_, period, capacities) in enumerate(points):
        if not _allows(graph, cycles, capacities, period):
            here = ("result", "period") if result.front is None else ("result", "front", i)
            findings.add(here, "wrong_period", "With so many places an iteration takes longer.")
    if result.certificate.type == "cover" and not findings:
        levels = [(size, period) for size, period, _ in points]
        _check_cover(instance, graph, cycles, asked, result, levels, bound, findings)
    if result.certificate.type == "rows" and not findings:
        _check_rows(instance, graph, asked, result, bound, findings)


def _check_rows(
    instance: DataflowInstance,
    graph: Graph,
    asked: Sequence[Counted],
    result: DataflowResult,
    bound: Fraction,
    findings: Findings,
) -> None:
    assert result.certificate.type == "rows"
    rows, target = result.certificate.rows, instance.target_period
    if target is None:
        target = result.period
    assert target is not None
    at: Pointer = ("result", "certificate", "rows")
    weights = {one.channel.name: one.weight for one in asked}
    least = {one.channel.name: one.least for one in asked}
    try:
        if instance.buffers != "least":
            raise WrongRowError
        proved = needed_together(instance, graph, rows, target, weights, least)
    except WrongRowError as wrong:
        if wrong.row is not None:
            detail = "These actors do not wait for each other by these channels."
            findings.add((*at, wrong.row), "wrong_row", detail)
            return
        detail = "Rows prove the least places for a period, where each firing moves one token."
        findings.add(at, "wrong_row", f"{detail} They count a place for its weight at most.")
        return
    if proved < bound:
        detail = f"The rows need {show(proved)} places, not {show(bound)}."
        findings.add(at, "uncovered", detail)


def _check_capacities(
    asked: Sequence[Counted],
    capacities: Mapping[str, int],
    size: Fraction,
    at: Pointer,
    findings: Findings,
) -> None:
    if capacities.keys() != {one.channel.name for one in asked}:
        findings.add(at, "wrong_capacities", "These are not the counted channels.")
        return
    for one in asked:
        name = one.channel.name
        if capacities[name] < one.least:
            detail = f"{name!r} needs {one.least} places at least."
            findings.add(at, "wrong_capacities", detail)
    due = sum((one.weight * capacities[one.channel.name] for one in asked), Fraction(0))
    if due != size:
        findings.add(at, "wrong_capacities", f"These are {show(due)} places.")


def _check_order(
    points: Sequence[tuple[Fraction, Fraction, Mapping[str, int]]],
    answer: tuple[Fraction, Fraction, Mapping[str, int]],
    findings: Findings,
) -> None:
    if points[-1] != answer:
        findings.add(("result", "front"), "wrong_front", "The last point is not the answer.")
    for i, (before, after) in enumerate(pairwise(points)):
        if before[0] >= after[0] or before[1] <= after[1]:
            findings.add(
                ("result", "front", i + 1),
                "wrong_front",
                "It has no more places than the point before, or no smaller period.",
            )


def _check_cover(
    instance: DataflowInstance,
    graph: Graph,
    cycles: Sequence[int],
    asked: Sequence[Counted],
    result: DataflowResult,
    levels: Sequence[tuple[Fraction, Fraction]],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Walk through all distributions that no clause forbids, the fewest places first."""
    assert result.certificate.type == "cover"
    circuits = []
    for i, clause in enumerate(result.certificate.clauses):
        ratio = _ratio_of(graph, cycles, instance.capacities or {}, clause)
        if ratio is None or not clause.capacities.keys() <= {one.channel.name for one in asked}:
            findings.add(
                ("result", "certificate", "clauses", i),
                "wrong_clause",
                "These firings do not wait for each other with so many places.",
            )
            return
        circuits.append(_Circuit(ratio, clause.capacities))
    target = instance.target_period
    if target is None:
        target = result.period
    assert target is not None
    scale = lcm(*(one.weight.denominator for one in asked))
    weights = {one.channel.name: int(one.weight * scale) for one in asked}
    steps = {one.channel.name: one.step for one in asked}
    first = {one.channel.name: one.least for one in asked}
    size = sum(weights[name] * count for name, count in first.items())
    waiting, seen = [(size, 0, first)], {tuple(first.values())}
    while waiting:
        size, _, places = heappop(waiting)
        if size >= bound * scale:
            return
        # The claim: with fewer places than the next point no schedule is faster than the point
        # before, and with fewer than the bound none reaches the target.
        passed = [period for needed, period in levels if needed * scale <= size]
        front = instance.buffers == "front"
        blocking = next(
            (
                one
                for one in circuits
                if (one.ratio >= (passed[-1] if passed else inf) if front else one.ratio > target)
                and one.holds(places)
            ),
            None,
        )
        if blocking is None or len(seen) > MOST_LOOKS:
            why = (
                "No clause forbids it" if blocking is None else "There are too many to look at them"
            )
            findings.add(
                ("result", "certificate", "clauses"),
                "uncovered",
                f"{why}: {show(Fraction(size, scale))} places may do.",
            )
            return
        for name, most in blocking.most.items():
            more = places | {name: most + steps[name]}
            key = tuple(more.values())
            if key not in seen:
                seen.add(key)
                larger = size + weights[name] * (more[name] - places[name])
                heappush(waiting, (larger, len(seen), more))


def _ratio_of(
    graph: Graph, cycles: Sequence[int], given: Mapping[str, int], clause: CoverClause
) -> Ratio | None:
    """Give the least period with which a circuit runs. None where it is no circuit.

    Each firing waits for the one before, and the first, so many iterations later, for the last. Where
    that is no later, it waits for itself or for a later one, and so for ever.
    """
    steps = len(clause.actors)
    if not steps == len(clause.firings) == len(clause.channels):
        return None
    if not {*clause.actors} <= {*range(len(graph.names))} or min(clause.firings) < 0:
        return None
    advance = {actor: clause.iterations * cycles[actor] for actor in {*clause.actors}}
    if any(count.denominator != 1 for count in advance.values()):
        return None
    used: set[str] = set()
    for j, (actor, firing, number) in enumerate(
        zip(clause.actors, clause.firings, clause.channels, strict=True)
    ):
        maker, made_by = clause.actors[j - 1], clause.firings[j - 1]
        turns = 0 if j else int(advance[actor])
        if number < 0:
            later = firing + turns * graph.phases[actor]
            if not graph.sequential or maker != actor or later != made_by + 1:
                return None
            continue
        channel = _channel(graph, given, clause, number, used)
        if channel is None or (channel.source, channel.target) != (maker, actor):
            return None
        shift = turns * graph.per_cycle(channel)[1]
        if not _meet(channel.made(made_by), channel.taken(firing), shift):
            return None
    if used != clause.capacities.keys():
        return None
    if clause.iterations <= 0:
        return inf
    time = sum(
        (graph.time(a, f) for a, f in zip(clause.actors, clause.firings, strict=True)), Fraction(0)
    )
    return time / clause.iterations


def _channel(
    graph: Graph, given: Mapping[str, int], clause: CoverClause, number: int, used: set[str]
) -> Channel | None:
    """Give a channel, or its free places, by number."""
    if number < len(graph.channels):
        return graph.channels[number]
    if number >= 2 * len(graph.channels):
        return None
    channel = graph.channels[number - len(graph.channels)]
    if channel.name in given:
        return graph.by_name[graph.room(channel, given[channel.name]).name]
    places = clause.capacities.get(channel.name)
    if places is None or places < channel.initial:
        return None
    used.add(channel.name)
    return graph.room(channel, places)


def _meet(made: Span, taken: Span, shift: int) -> bool:
    return max(made.first, taken.first + shift) < min(made.end, taken.end + shift)


def _allows(
    graph: Graph, cycles: Sequence[int], capacities: Mapping[str, int], period: Fraction
) -> bool:
    """Tell whether a schedule with so many places repeats after a period.

    It does if starts of all firings of an iteration satisfy what each waits for: then each starts
    again an iteration later, and so for ever. They are found by rounds that raise starts. Without
    such starts they rise for ever, along a circuit which takes more than its iterations times the
    period, and after as many rounds as there are firings that is certain.
    """
    counts = [count * graph.phases[actor] for actor, count in enumerate(cycles)]
    firsts = [0, *accumulate(counts)]
    by_phase = [
        [graph.time(actor, phase) for phase in range(phases)]
        for actor, phases in enumerate(graph.phases)
    ]
    unit = lcm(period.denominator, *(time.denominator for times in by_phase for time in times))
    every = int(period * unit)
    scaled = [[int(time * unit) for time in listed] for listed in by_phase]
    times = [time for listed, count in zip(scaled, cycles, strict=True) for time in listed * count]
    longest = max(every, *times)
    rooms = [graph.room(graph.by_name[name], places) for name, places in capacities.items()]
    edges: list[tuple[Integers, Integers, Integers]] = []
    for channel in (*graph.by_name.values(), *rooms):
        one, other = channel.source, channel.target
        makers, turns = _last_makers(channel, counts[one], counts[other])
        takers = np.flatnonzero(makers != _NONE)
        edges.append((firsts[one] + makers[takers], firsts[other] + takers, turns[takers]))
    if graph.sequential:
        for first, count in zip(firsts, counts, strict=False):
            numbers = np.arange(count)
            edges.append(
                (first + (numbers - 1) % count, first + numbers, -(numbers == 0).astype(np.int64))
            )
    sources, targets, turns = (np.concatenate(parts) for parts in zip(*edges, strict=True))
    reached = (len(times) + 2) * longest * (int(np.abs(turns).max()) + 2)
    kind = np.int64 if reached < _ROOM else object
    takes, count = np.array(times, dtype=kind), len(times)
    # Firings without time may wait for each other for ever; not if starts exist where all take one
    # unit, and an iteration longer than all of them.
    if not all(times) and not _has_starts(sources, targets, 1 + turns * (count + 1), count):
        return False
    return _has_starts(sources, targets, takes[sources] + turns.astype(kind) * every, count)


_NONE = -1
Integers = npt.NDArray[np.int64]


def _last_makers(channel: Channel, made_by: int, taken_by: int) -> tuple[Integers, Integers]:
    """Give, by firing of the target, who makes the last of its tokens, and in which iteration.

    Its number is that in an iteration; `_NONE`: the firing takes nothing. Where firings are in order,
    or all of an actor take the same time, it is enough to wait for the last one.
    """
    made = np.array(channel.production.ends(made_by, 0))
    taken = np.array(channel.consumption.ends(taken_by, 0))
    turns, rest = np.divmod(taken[1:] - 1 - channel.initial, made[-1])
    makers = np.searchsorted(made, rest, side="right") - 1
    return np.where(taken[1:] > taken[:-1], makers, _NONE), turns


def _has_starts(sources: Integers, targets: Integers, waits: Integers, count: int) -> bool:
    """Tell whether starts satisfy ``start[target] >= start[source] + wait`` on each edge."""
    order = np.argsort(targets, kind="stable")
    sources, targets, waits = sources[order], targets[order], waits[order]
    groups = np.flatnonzero(np.diff(targets, prepend=-1))
    heads = targets[groups]
    starts = np.zeros(count, dtype=waits.dtype)
    for _ in range(count + 1):
        raised = np.maximum.reduceat(starts[sources] + waits, groups)
        if (raised <= starts[heads]).all():
            return True
        starts[heads] = np.maximum(starts[heads], raised)
    return False
