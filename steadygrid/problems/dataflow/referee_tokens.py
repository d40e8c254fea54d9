"""Every token of a timetable is taken after it was made, and how many places that takes.

Let T be the period of an iteration, and X the tokens that it moves over a channel. A turn of the
source (its rows, K cycles) makes U tokens and lasts U T/X; a turn of the target takes V and lasts
V T/X. So a firing that ends at E and makes the token at position y has firings like it that make
y + N U and end at E + N U T/X, N = 0, 1, ...; and one that starts at S and takes y' has those that
take y' + N' V at S + N' V T/X. Two of these handle the same token only if y = y' modulo
g = gcd(U, V), and then there are such N and N' however large. So all tokens are made before they are
taken if and only if, for all y = y' modulo g,

    E - y T/X  <=  S - y' T/X.                                                                  (1)

With y = m g + c, 0 <= c < g, this reads E - m g T/X <= S - m' g T/X where c = c'. Among the tokens
that one firing makes those of least m are the latest to satisfy it, among those that one takes
those of largest m': at most g of them, and as intervals of c at most two for each firing. (1) is
checked by walking through the ends of these intervals.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate
from math import gcd, lcm
from typing import NamedTuple

from steadygrid.problems.dataflow.referee_graph import Channel, Graph, Span


class Piece(NamedTuple):
    """A firing of a turn that handles the tokens of some residues."""

    low: int
    high: int
    """The residues modulo g, `high` not among them."""
    moment: int
    """Its end E - m g T/X, or its start S - m g T/X."""
    row: int
    """Its number among the rows of the actor."""


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
    """Scale the starts of an actor's rows, and the times that they take, to whole numbers."""
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
        self._made = [channel.made(row) for row in range(len(source.starts))]
        self._taken = [channel.taken(row) for row in range(len(target.starts))]
        self._begun = [start * (unit // source.unit) for start in source.starts]
        self._ended = [end * (unit // source.unit) for end in source.ends]
        self._started = [start * (unit // target.unit) for start in target.starts]

    def producers(self) -> list[Piece]:
        """Give the firings of the source, with their ends, by residues of tokens."""
        found: list[Piece] = []
        for row, (span, end) in enumerate(zip(self._made, self._ended, strict=True)):
            handled = min(span.end - span.first, self._g)
            found += self._pieces(Span(span.first, span.first + handled), end, row)
        return found

    def consumers(self) -> list[Piece]:
        """Give the firings of the target, with their starts, by residues of tokens."""
        found: list[Piece] = []
        for row, (span, start) in enumerate(zip(self._taken, self._started, strict=True)):
            handled = min(span.end - span.first, self._g)
            found += self._pieces(Span(span.end - handled, span.end), start, row)
        return found

    def _pieces(self, span: Span, moment: int, row: int) -> Iterator[Piece]:
        if span.first == span.end:
            return
        m, low = divmod(span.first, self._g)
        high = low + span.end - span.first
        yield Piece(low, min(high, self._g), moment - m * self._step, row)
        if high > self._g:
            yield Piece(0, high - self._g, moment - (m + 1) * self._step, row)

    def too_early(self) -> tuple[int, int] | None:
        """Give rows of source and target of which the second does not wait for the first.

        None: there are none.
        """
        pieces = [(p.low, False, p) for p in self.producers()]
        pieces += [(p.low, True, p) for p in self.consumers()]
        pieces.sort(key=lambda each: each[0])
        latest: list[tuple[int, int, int]] = []
        earliest: list[tuple[int, int, int]] = []
        for low, takes, piece in pieces:
            if takes:
                heappush(earliest, (piece.moment, piece.high, piece.row))
            else:
                heappush(latest, (-piece.moment, piece.high, piece.row))
            for heap in (latest, earliest):
                while heap and heap[0][1] <= low:
                    heappop(heap)
            if latest and earliest and -latest[0][0] > earliest[0][0]:
                return latest[0][2], earliest[0][2]
        return None

    def places(self) -> int:
        """Count the places that tokens need which take them in turn.

        That is how far a token already begun is ahead of one still to be taken, at most, both
        counted: the firing that makes y has started at or before the one that takes y' starts,
        and not the other way round. Of rows i and j (with the first token O of the one, the last
        token I - 1 of the other), shifted by N and N' turns, y - y' = I - 1 - O + N U - N' V where
        N U - N' V is a multiple n g with n g T/X < S_j - S_i; the largest such n counts.
        """
        g, step = self._g, self._step
        ahead = sorted(
            (start % step, start // step * g - span.first)
            for start, span in zip(self._started, self._taken, strict=True)
            if span.end > span.first
        )
        rests = [rest for rest, _ in ahead]
        lasts = [last for _, last in ahead]
        # Of those up to a place, and of those from a place on.
        up_to = list(accumulate(lasts, max))
        since = list(accumulate(lasts[::-1], max))[::-1]
        most = self._initial
        for begun, span in zip(self._begun, self._made, strict=True):
            if span.end == span.first:
                continue
            turn, rest = divmod(begun, step)
            place = bisect_right(rests, rest)
            reached = since[place] if place < len(since) else up_to[-1] - g
            if place:
                reached = max(reached, up_to[place - 1] - g)
            most = max(most, span.end - turn * g + reached)
        return most
