"""How many places the tokens of each channel need in a schedule.

Room for a token is taken from the start of the firing that makes it to the end or start of the
firing that takes it. Tokens keep their places, so what a channel needs is the farthest that a
token already begun is ahead of one whose place is not free. With the letters of `model`,
``gamma = T g / Theta``, starts s of the source's phases i, and times r when the target's phases j
free their places, of phases that make or take something,

    B = max(M, max over i, j of M + I(i) - O(j-1) + g (ceil((r_j - s_i) / gamma) - 1)):

turns in which i starts before j are those with ``D / Theta > (s_i - r_j) / T``, and i is then
``M + I(i) - O(j-1) - D`` ahead. Where firings start in order, that is the most tokens at any
time. Writing ``s = gamma n + rho`` sorts out the ceiling: it is ``n_j - n_i``, and 1 more if
``rho_j > rho_i``.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from steadygrid.engine.cycles.graph import ROOM, Whole, fitting, largest, whole
from steadygrid.kinds.dataflow.solver.model import FEW_PAIRS, Heartbeat
from steadygrid.kinds.dataflow.solver.net import Channel, Net
from steadygrid.kinds.dataflow.solver.rounds import Schedule


class PlacesNeeded(NamedTuple):
    """Places of each channel of the graph, in their order.

    Attributes
    ----------
    to_the_end
        Where a place is free when the firing that takes its token ends.
    waiting
        Where it is free when that firing starts.
    """

    to_the_end: list[int]
    waiting: list[int]


def queues(net: Net) -> Iterator[Channel]:
    """Give the channels of the graph, in their order."""
    return (one for one in net.channels if one.name is not None and one.of is None)


def places_needed(schedule: Schedule, starts: Sequence[int], heartbeat: Heartbeat) -> PlacesNeeded:
    """Count the places of each channel of the graph.

    Parameters
    ----------
    starts
        Of each phase, in units of ``1/q`` of a unit of the net's `scale` where the ratio is p/q.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    net = schedule.unfolded.net
    queued = [*queues(net)]
    counting = _Counting(schedule, starts, queued)
    for shape, members in counting.shapes().items():
        heartbeat()
        if shape[0] * shape[1] <= FEW_PAIRS:
            counting.count_together(shape, members)
        else:
            for place in members:
                counting.count(place)
    to_the_end, waiting = counting.found
    limits = {one.of: one.tokens for one in net.channels if one.of is not None}
    for place, free in limits.items():
        if place is not None:
            to_the_end[place] = min(to_the_end[place], free + queued[place].tokens)
    return PlacesNeeded(to_the_end, waiting)


class _Counting:
    """The moments of a schedule, and the places that were counted so far.

    Moments are in half units: a firing without time frees its places after what starts at the same
    moment.
    """

    def __init__(self, schedule: Schedule, starts: Sequence[int], queued: list[Channel]) -> None:
        unfolded = self._unfolded = schedule.unfolded
        net, turns = unfolded.net, unfolded.turns
        self._queued = queued
        unit = 2 * schedule.critical.ratio.denominator * net.scale
        times = [
            time.numerator * (unit // time.denominator) or 1
            for actor, times in zip(net.actors, turns, strict=True)
            for time in actor.times * times
        ]
        begins = [2 * int(start) for start in starts[: len(times)]]
        ends = [start + time for start, time in zip(begins, times, strict=True)]
        self._begins, self._frees = whole(begins), (whole(ends), whole(begins))
        self._longest = largest(self._frees[0])
        self._sizes = np.diff(unfolded.starts).tolist()
        parts = [actor.repetitions // k for actor, k in zip(net.actors, turns, strict=True)]
        whole_turn = 2 * schedule.critical.ratio.numerator * unfolded.height_unit
        self._gammas = [whole_turn // lcm(parts[one.source], parts[one.target]) for one in queued]
        self.found = [0] * len(queued), [0] * len(queued)

    def shapes(self) -> dict[tuple[int, int], list[int]]:
        """Group the channels by the phases of a turn of their source and of their target."""
        alike = defaultdict(list)
        for place, channel in enumerate(self._queued):
            alike[self._sizes[channel.source], self._sizes[channel.target]].append(place)
        return alike

    def count_together(self, shape: tuple[int, int], members: Sequence[int]) -> None:
        """Look at each phase of the sources and each of the targets, of channels of one shape."""
        channels = [self._queued[place] for place in members]
        turns, firsts = self._unfolded.turns, np.array(self._unfolded.starts)
        made = _whole_rows([one.production * turns[one.source] for one in channels])
        taken = _whole_rows([one.consumption * turns[one.target] for one in channels])
        gammas = whole([self._gammas[place] for place in members])
        totals = np.stack((made.sum(axis=1), taken.sum(axis=1)))
        divisors = whole([gcd(int(a), int(b)) for a, b in totals.T])
        fits = self._fit(int(totals.max()), largest(divisors), int(gammas.min()), largest(gammas))
        made, taken, gammas, divisors = (
            fitting(values, fits) for values in (made, taken, gammas, divisors)
        )
        ahead = made.cumsum(axis=1)[:, :, None] - (taken.cumsum(axis=1) - taken)[:, None, :]
        moved = (made != 0)[:, :, None] & (taken != 0)[:, None, :]
        sources, targets = (
            firsts[ends][:, None] + np.arange(phases)
            for ends, phases in zip(
                ([one.source for one in channels], [one.target for one in channels]),
                shape,
                strict=True,
            )
        )
        begins = fitting(self._begins[sources], fits)[:, :, None]
        for found, frees in zip(self.found, self._frees, strict=True):
            later = (begins - fitting(frees[targets], fits)[:, None, :]) // gammas[:, None, None]
            more = np.where(moved, ahead - divisors[:, None, None] * (later + 1), 0)
            most = more.reshape(len(members), -1).max(axis=1)
            for place, channel, number in zip(members, channels, most.tolist(), strict=True):
                found[place] = channel.tokens + max(0, number)

    def count(self, place: int) -> None:
        """Sort the phases of the source, and look each one of the target up, of one channel."""
        channel, gamma = self._queued[place], self._gammas[place]
        unfolded = self._unfolded
        turns, firsts = unfolded.turns, unfolded.starts
        total = turns[channel.source] * sum(channel.production)
        divisor = gcd(total, turns[channel.target] * sum(channel.consumption))
        most_tokens = max(total, turns[channel.target] * sum(channel.consumption))
        fits = self._fit(most_tokens, divisor, gamma, gamma)
        made, taken = (
            np.tile(np.array(rates, dtype=np.int64 if fits else object), turns[actor])
            for actor, rates in (
                (channel.source, channel.production),
                (channel.target, channel.consumption),
            )
        )
        all_made, all_taken = np.cumsum(made), np.cumsum(taken)
        makers, takers = made != 0, taken != 0
        begins = fitting(self._begins[firsts[channel.source] : firsts[channel.source + 1]], fits)
        ahead, made_at = _split(all_made[makers], begins[makers], divisor, gamma)
        order = np.argsort(made_at, kind="stable")
        highest = np.maximum.accumulate(ahead[order])
        for found, frees in zip(self.found, self._frees, strict=True):
            uses = fitting(frees[firsts[channel.target] : firsts[channel.target + 1]], fits)
            behind, taken_at = _split((all_taken - taken)[takers], uses[takers], divisor, gamma)
            most = int(ahead.max()) - int(behind.min()) - divisor
            earlier = np.searchsorted(made_at[order], taken_at, side="left")
            some = np.flatnonzero(earlier)
            if len(some):
                most = max(most, int((highest[earlier[some] - 1] - behind[some]).max()))
            found[place] = channel.tokens + max(0, most)

    def _fit(self, total: int, divisor: int, least_gamma: int, most_gamma: int) -> bool:
        """Tell whether tokens that have passed when the last one starts, and times, fit 64 bits."""
        passed = 2 * total + divisor * (self._longest // least_gamma + 2)
        return max(passed, most_gamma, self._longest) < ROOM


def _whole_rows(rows: Sequence[Sequence[int]]) -> Whole:
    """Give rows of equal length as an array of int64, or of Python's integers if sums do not fit."""
    fits = max(sum(row) for row in rows) < ROOM
    return np.array(rows, dtype=np.int64 if fits else object)


def _split(tokens: Whole, starts: Whole, divisor: int, gamma: int) -> tuple[Whole, Whole]:
    """Give ``tokens - g n`` and ``rho``."""
    turns = starts // gamma
    return tokens - divisor * turns, starts - gamma * turns
