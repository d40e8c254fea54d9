"""Every token of a timetable is taken after it was made, and how many places that takes.

Let T be the period of an iteration, and X the tokens that it moves over a channel. A turn of the
source (its rows, K cycles) makes U tokens and lasts U T/X. A turn of the target takes V and lasts
V T/X. So a firing that ends at E and makes the token at position y has firings like it that make
y + N U and end at E + N U T/X, N = 0, 1, .... And one that starts at S and takes y' has those that
take y' + N' V at S + N' V T/X. Two of these handle the same token only if y = y' modulo
g = gcd(U, V), and then there are such N and N' however large. So all tokens are made before they are
taken if and only if, for all y = y' modulo g,

    E - y T/X  <=  S - y' T/X.                                                                  (1)

With y = m g + c, 0 <= c < g, this reads E - m g T/X <= S - m' g T/X where c = c'. Among the tokens
that one firing makes those of least m are the latest to satisfy it, among those that one takes
those of largest m'. At most g of them, and as intervals of c at most two for each firing. (1) is
checked by walking through the ends of these intervals.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from math import gcd, lcm
from operator import itemgetter

from steadygrid.kinds.dataflow.referee_graph import Channel, Graph

Piece = tuple[int, int, int, int]
"""A firing of a turn that handles the tokens of some residues modulo g.

It has the first of them, the first after them, its end E - m g T/X or its start S - m g T/X, and
its number among the rows of the actor."""


@dataclass(frozen=True)
class Timed:
    """Starts and ends of the rows of an actor, in units of their own.

    Attributes
    ----------
    unit
        So many units are one of time.
    again
        When the first row starts for the next time.
    """

    unit: int
    starts: Sequence[int]
    ends: Sequence[int]
    again: Fraction


def timed(starts: Sequence[Fraction], times: Sequence[Fraction], every: Fraction) -> Timed:
    """Scale the starts of an actor's rows, and the times that they take, to whole numbers.

    Parameters
    ----------
    starts
        Of the rows, in time units.
    times
        What each row takes, in time units.
    every
        After how long the rows start again, in time units.
    """
    unit = lcm(*{moment.denominator for moment in (*starts, *times)})
    scaled = [start.numerator * (unit // start.denominator) for start in starts]
    return Timed(
        unit,
        scaled,
        [
            start + time.numerator * (unit // time.denominator)
            for start, time in zip(scaled, times, strict=True)
        ],
        scaled[0] + unit * every,
    )


class Course:
    """What a timetable lets happen on a channel.

    Parameters
    ----------
    source, target
        The rows of the actors at its ends.
    turns
        K of the source, and of the target.
    token_time
        T/X.
    """

    def __init__(
        self,
        graph: Graph,
        channel: Channel,
        source: Timed,
        target: Timed,
        turns: tuple[int, int],
        token_time: Fraction,
    ) -> None:
        made, taken = graph.per_cycle(channel)
        self._initial = channel.initial
        self._g = gcd(turns[0] * made, turns[1] * taken)
        step = token_time * self._g
        unit = lcm(source.unit, target.unit, step.denominator)
        self._step = step.numerator * (unit // step.denominator)
        self._made = channel.production.ends(len(source.starts), channel.initial)
        self._taken = channel.consumption.ends(len(target.starts), 0)
        self._begun = [start * (unit // source.unit) for start in source.starts]
        self._ended = [end * (unit // source.unit) for end in source.ends]
        self._started = [start * (unit // target.unit) for start in target.starts]
        # In half units: a firing without time frees its places after what starts at the same moment.
        self._freed = [
            2 * end * (unit // target.unit) + (start == end)
            for start, end in zip(target.starts, target.ends, strict=True)
        ]

    def producers(self) -> list[Piece]:
        """Give the firings of the source, with their ends, by residues of tokens."""
        g = self._g
        spans = ((first, min(end, first + g)) for first, end in pairwise(self._made))
        return self._pieces(spans, self._ended)

    def consumers(self) -> list[Piece]:
        """Give the firings of the target, with their starts, by residues of tokens."""
        g = self._g
        spans = ((max(first, end - g), end) for first, end in pairwise(self._taken))
        return self._pieces(spans, self._started)

    def _pieces(self, spans: Iterable[tuple[int, int]], moments: Sequence[int]) -> list[Piece]:
        g, step = self._g, self._step
        found: list[Piece] = []
        for row, ((first, end), moment) in enumerate(zip(spans, moments, strict=True)):
            if first == end:
                continue
            m, low = divmod(first, g)
            high = low + end - first
            moved = moment - m * step
            found.append((low, min(high, g), moved, row))
            if high > g:
                found.append((0, high - g, moved - step, row))
        return found

    def too_early(self) -> tuple[int, int] | None:
        """Give rows of source and target of which the second does not wait for the first.

        None: there are none.
        """
        pieces = [(*piece, False) for piece in self.producers()]
        pieces += [(*piece, True) for piece in self.consumers()]
        pieces.sort(key=itemgetter(0))
        latest: list[tuple[int, int, int]] = []
        earliest: list[tuple[int, int, int]] = []
        for low, high, moment, row, takes in pieces:
            if takes:
                heappush(earliest, (moment, high, row))
            else:
                heappush(latest, (-moment, high, row))
            for heap in (latest, earliest):
                while heap and heap[0][1] <= low:
                    heappop(heap)
            if latest and earliest and -latest[0][0] > earliest[0][0]:
                return latest[0][2], earliest[0][2]
        return None

    def places(self, *, to_the_end: bool) -> int:
        """Count the places that tokens need which take them in turn.

        That is how far a token already begun is ahead of one whose place is not free, at most, both
        counted. The firing that makes y has started before the place of y' is free, and not
        in reverse. Of rows i and j (with the first token O of the one, the last token I - 1 of
        the other), shifted by N and N' turns, y - y' = I - 1 - O + N U - N' V. Here N U - N' V is a
        multiple n g with n g T/X < S_j - S_i, and S_j is when row j frees its places. The largest
        such n counts.

        Parameters
        ----------
        to_the_end
            Whether a place is free when the firing that takes its token ends, or when that starts.
        """
        g, step, begins, moments = self._g, self._step, self._begun, self._started
        if to_the_end:
            step, begins, moments = 2 * step, [2 * begun for begun in begins], self._freed
        ahead = sorted(
            (moment % step, moment // step * g - first)
            for moment, (first, end) in zip(moments, pairwise(self._taken), strict=True)
            if end > first
        )
        rests = [rest for rest, _ in ahead]
        lasts = [last for _, last in ahead]
        # Of those up to a place, and of those from a place on.
        up_to = list(accumulate(lasts, max))
        since = list(accumulate(lasts[::-1], max))[::-1]
        most = self._initial
        for begun, (first, end) in zip(begins, pairwise(self._made), strict=True):
            if end == first:
                continue
            turn, rest = divmod(begun, step)
            place = bisect_right(rests, rest)
            reached = since[place] if place < len(since) else up_to[-1] - g
            if place:
                reached = max(reached, up_to[place - 1] - g)
            most = max(most, end - turn * g + reached)
        return most
