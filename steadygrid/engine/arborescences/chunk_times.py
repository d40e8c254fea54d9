r"""How long whole chunks take at least, in exact rationals.

A link of the bandwidth b carries :math:`\lfloor U b \rfloor` whole chunks in the time U. Trees for
:math:`k_i` chunks of every root i exist in that time only if

.. math:: \sum_{e \text{ leaves } S} \lfloor U b_e \rfloor \ge \sum_{i \in S} k_i

for every set S with a member outside; and if so, where at every forwarder as many whole chunks enter as
leave (Edmonds; Bang-Jensen, Frank, Jackson).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from steadygrid.engine.arborescences.cuts import Arc, Number, RootedNetwork, least_cut


class ChunkTime(NamedTuple):
    """The least time of some chunks, and a set that needs as much.

    In less time fewer chunks leave the set than have to. None where no time at all is needed.
    """

    time: Fraction
    cut: frozenset[int]


def whole_chunks(bandwidths: Mapping[Arc, Number], time: Fraction) -> dict[Arc, int]:
    """Count the whole chunks that arcs carry in a time.

    Parameters
    ----------
    bandwidths
        Of the arcs, in chunks per time unit.
    time
        For which arcs carry chunks.
    """
    return {arc: floor(time * bandwidth) for arc, bandwidth in bandwidths.items()}


def least_chunk_time(
    number: int,
    bandwidths: Mapping[Arc, Number],
    chunks: Mapping[int, int],
    members: Collection[int],
    check: Callable[[], None] = lambda: None,
) -> ChunkTime:
    """Find the least time in which every set lets all chunks through that have to leave it.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    bandwidths
        Of the arcs, in chunks per time unit, at least 0.
    chunks
        How many each root has, at least 0.
    members
        Who has to get all of them.
    check
        Called often; may raise, for instance when the time is over.

    Returns
    -------
    ChunkTime
        The time, and the set that decides.

    Raises
    ------
    ValueError
        If nothing has to move, or if a member is cut off.

    Notes
    -----
    The time without whole chunks is too short or right. A set that is too narrow at one time needs a
    longer one, which is the next to be tried. A member that all chunks reach in a time is reached in all
    longer ones. So every member takes one flow, and one more for each longer time. The last set proves
    that there is none shorter.
    """
    ratio, cut = least_cut(number, bandwidths, chunks, members)
    if not ratio:
        raise ValueError("a member cannot be reached: no time is enough")
    demands = {root: count for root, count in chunks.items() if count}
    time = time_of_cut(cut, bandwidths, demands)
    network = RootedNetwork(number, whole_chunks(bandwidths, time), demands)
    for member in sorted(members):
        check()
        while narrow := network.cuts_before(member):
            check()
            time, cut = max(
                ((time_of_cut(inside, bandwidths, demands), inside) for inside in narrow),
                key=lambda pair: pair[0],
            )
            network = RootedNetwork(number, whole_chunks(bandwidths, time), demands)
    return ChunkTime(time, cut)


def next_time(bandwidths: Mapping[Arc, Number], time: Fraction) -> Fraction:
    """Give the first later time at which an arc carries one chunk more.

    Parameters
    ----------
    bandwidths
        Of the arcs, in chunks per time unit; some above 0.
    time
        Before it.
    """
    return min(Fraction(floor(time * b) + 1) / b for b in set(bandwidths.values()) if b)


def first_time(bandwidths: Mapping[Arc, Number], time: Fraction) -> Fraction:
    """Give the first time, this one or later, at which an arc has carried a whole number of chunks.

    Parameters
    ----------
    bandwidths
        Of the arcs, in chunks per time unit; some above 0.
    time
        Before it, or it.
    """
    return min(Fraction(ceil(time * b)) / b for b in set(bandwidths.values()) if b)


def time_of_cut(
    inside: Collection[int], bandwidths: Mapping[Arc, Number], chunks: Mapping[int, int]
) -> Fraction:
    """Give the least time in which all chunks of a set can leave it.

    Parameters
    ----------
    inside
        Vertices of the set.
    bandwidths
        Of the arcs, in chunks per time unit. Some out of the set is above 0.
    chunks
        How many each root has.
    """
    leaving = {
        (tail, head): b
        for (tail, head), b in bandwidths.items()
        if b and tail in inside and head not in inside
    }
    widths = Counter(leaving.values())
    needed = sum(count for root, count in chunks.items() if root in inside)
    time = needed / Fraction(sum(b * many for b, many in widths.items()))
    while sum(floor(time * b) * many for b, many in widths.items()) < needed:
        time = next_time(leaving, time)
    return time


def fewest_chunks(
    number: int,
    bandwidths: Mapping[Arc, Number],
    shares: Mapping[int, int],
    members: Collection[int],
    loss: Fraction,
    most: int,
    check: Callable[[], None] = lambda: None,
) -> int:
    """Find the least k for which whole chunks cost no more than a part of the throughput.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    bandwidths
        Of the arcs.
    shares
        By root: how many of the chunks it has for k = 1.
    members
        Who has to get all of them.
    loss
        Part of the unlimited throughput that may be lost.
    most
        The largest k that is tried. Where all lose more, it is the k that loses least.
    check
        Called often; may raise, for instance when the time is over.
    """
    ratio, _ = least_cut(number, bandwidths, shares, members)

    def rate(k: int) -> Fraction:
        chunks = {root: k * share for root, share in shares.items()}
        return k / least_chunk_time(number, bandwidths, chunks, members, check).time

    return fewest_within(loss, rate, ratio, most)


def fewest_within(
    loss: Fraction, rate_of: Callable[[int], Fraction], unlimited: Fraction, most: int
) -> int:
    """Find the least k that loses no more than a part; or the one that loses least.

    Parameters
    ----------
    loss
        Part of the unlimited rate that may be lost.
    rate_of
        Gives the rate with k chunks.
    unlimited
        The rate with any number of chunks.
    most
        The largest k that is tried.
    """
    best, highest = 1, Fraction(0)
    for k in range(1, most + 1):
        rate = rate_of(k)
        if rate > highest:
            best, highest = k, rate
        if rate >= (1 - loss) * unlimited:
            break
    return best
