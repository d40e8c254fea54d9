"""How many tokens the channels hold in a schedule.

Room for a token is taken from the start of the firing that makes it to the start of the firing that
takes it; tokens keep their places, so what a channel needs is the farthest that a token already begun
is ahead of one not yet taken. With the letters of `model`, ``gamma = T g / Theta``, and starts s of the
source's phases i and r of the target's phases j that make or take something,

    B = max(M, max over i, j of M + I(i) - O(j-1) + g (ceil((r_j - s_i) / gamma) - 1)):

turns in which i starts before j are those with ``D / Theta > (s_i - r_j) / T``, and i is then
``M + I(i) - O(j-1) - D`` ahead. Where firings start in order, that is the most tokens at any time.
Writing ``s = gamma n + rho`` sorts out the ceiling: it is ``n_j - n_i``, and 1 more if
``rho_j > rho_i``.
"""

from collections.abc import Sequence
from math import gcd, lcm

import numpy as np

from steadygrid.engine.cycles.graph import ROOM, Whole, fitting, whole
from steadygrid.kinds.dataflow.solver.net import Channel
from steadygrid.kinds.dataflow.solver.rounds import Schedule


def buffers(schedule: Schedule, starts: Sequence[int]) -> list[int]:
    """Count the tokens of each channel that has a name, in their order.

    Parameters
    ----------
    starts
        Of each phase, in units of ``1/q`` of a unit of the net's `scale` where the ratio is p/q.
    """
    channels = schedule.unfolded.net.channels
    at = whole(starts)
    return [_of(schedule, channel, at) for channel in channels if channel.name is not None]


def _of(schedule: Schedule, channel: Channel, starts: Whole) -> int:
    unfolded = schedule.unfolded
    net, turns = unfolded.net, unfolded.turns
    ends = (channel.source, channel.target)
    parts = lcm(*(net.actors[actor].repetitions // turns[actor] for actor in ends))
    gamma = schedule.critical.ratio.numerator * unfolded.height_unit // parts
    begins, uses = (starts[unfolded.starts[actor] : unfolded.starts[actor + 1]] for actor in ends)
    total = turns[channel.source] * sum(channel.production)
    divisor = gcd(total, turns[channel.target] * sum(channel.consumption))
    longest = max(int(begins.max()), int(uses.max()))
    # Tokens that have passed when the last one starts, and the times themselves.
    fits = max(2 * total + divisor * (longest // gamma + 1), gamma, longest) < ROOM
    made, taken = (
        np.tile(np.array(rates, dtype=np.int64 if fits else object), turns[actor])
        for actor, rates in zip(ends, (channel.production, channel.consumption), strict=True)
    )
    begins, uses = fitting(begins, fits), fitting(uses, fits)
    all_made, all_taken = np.cumsum(made), np.cumsum(taken)
    makers, takers = made != 0, taken != 0
    ahead, made_at = _split(all_made[makers], begins[makers], divisor, gamma)
    behind, taken_at = _split((all_taken - taken)[takers], uses[takers], divisor, gamma)
    most = int(ahead.max()) - int(behind.min()) - divisor
    order = np.argsort(made_at, kind="stable")
    highest = np.maximum.accumulate(ahead[order])
    earlier = np.searchsorted(made_at[order], taken_at, side="left")
    some = np.flatnonzero(earlier)
    if len(some):
        most = max(most, int((highest[earlier[some] - 1] - behind[some]).max()))
    return channel.tokens + max(0, most)


def _split(tokens: Whole, starts: Whole, divisor: int, gamma: int) -> tuple[Whole, Whole]:
    """Give ``tokens - g n`` and ``rho``."""
    turns = starts // gamma
    return tokens - divisor * turns, starts - gamma * turns
