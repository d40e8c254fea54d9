r"""Assignments that no allocation of a shorter period has, and what becomes of them where something is faster.

Prices of a certificate ``farkas`` prove their sum B for the allocations whose tasks and files each keep every
resource busy for less than 1/B (`steadygrid.verification.relaxation`). Others are slower anyway. Where
something is f times faster, an assignment that was too long may be short enough. So let T be the bound
of `steadygrid.studies.upgrades`, but no less than f/t for each assignment on what is faster that took
:math:`t \ge 1/B`. An allocation that did more than T would have none of these: there each takes t/f at
least, and is in no period below that. All others take what they took, or were short enough before. So it is among those
of which the prices speak, at which it does no more than T.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.studies.parts import Part, Parts
from steadygrid.verification.network import Network
from steadygrid.verification.routes import FixedRoutes, Path
from steadygrid.verification.steady import SteadyInstance

MOST_ENDS = 300
"""Processors that compute, above which not all routes among them are looked at."""

Ends = tuple[str, str]


@dataclass(frozen=True)
class Forbidden:
    """The assignments that the prices of an answer do not speak of.

    Attributes
    ----------
    parts
        The platform.
    steady
        Tasks and files.
    network
        With the odd sets that are priced.
    routes
        The routes of files. None where these choose theirs hop by hop.
    bound
        The sum of the prices, above 0.
    """

    parts: Parts
    steady: SteadyInstance
    network: Network
    routes: FixedRoutes | None
    bound: Fraction

    def least_bound(self, part: Part, factor: Fraction) -> Fraction:
        """Give what no assignment exceeds that was too long, where a part is faster; 0 without one.

        Parameters
        ----------
        part
            Some of the platform, by positions in its lists.
        factor
            How many times faster it is.
        """
        return max((factor / time for time in self._too_long(part)), default=Fraction(0))

    def _too_long(self, part: Part) -> Iterator[Fraction]:
        """List times of assignments on a part that forbid them; of files on a route, only the shortest."""
        names = {self.parts.platform.processors[i].id for i in part.speeds}
        for times in self.steady.times.values():
            for name in names & times.keys():
                if times[name] * self.bound >= 1:
                    yield times[name]
        touched = self._touched(part)
        if not touched or not self._sizes:
            return
        if self._longest is None:
            yield 1 / self.bound
            return
        for longest in {time for ends in touched for time in self._longest.get(ends, ())}:
            if longest:
                place = bisect_left(self._sizes, 1 / (self.bound * longest))
                if place < len(self._sizes):
                    yield longest * self._sizes[place]

    def _touched(self, part: Part) -> set[Ends]:
        """List the hops of which something takes less where a part is faster."""
        platform = self.parts.platform
        media = {platform.media[i].id for i in part.media}
        outs = {platform.processors[i].id for i in part.outs}
        ins = {platform.processors[i].id for i in part.ins}
        touched: set[Ends] = set()
        for i, link in enumerate(platform.links):
            for ends in ((link.source, link.target), (link.target, link.source)):
                if ends in self.network.hops and (
                    i in part.links
                    or not media.isdisjoint(link.media)
                    or ends[0] in outs
                    or ends[1] in ins
                ):
                    touched.add(ends)
        return touched

    @cached_property
    def _sizes(self) -> list[Fraction]:
        return sorted({size for size in self.steady.sizes.values() if size})

    @cached_property
    def _longest(self) -> dict[Ends, set[Fraction]] | None:
        """Give, for each hop, the longest times of a unit of data on a route over it. None: too many routes."""
        if self.routes is None:
            return {ends: {self._longest_occupation((ends,))} for ends in self.network.hops}
        computing = {name for times in self.steady.times.values() for name in times}
        if len(computing) > MOST_ENDS:
            return None
        found: dict[Ends, set[Fraction]] = {}
        for origin in computing:
            for name, path in self.routes.paths(origin).items():
                if name in computing:
                    self._add(path, found)
        return found

    def _add(self, path: Path, found: dict[Ends, set[Fraction]]) -> None:
        hops = tuple(pairwise(path))
        longest = self._longest_occupation(hops)
        for ends in hops:
            found.setdefault(ends, set()).add(longest)

    def _longest_occupation(self, hops: tuple[Ends, ...]) -> Fraction:
        times: Amounts[str] = Amounts()
        for ends in hops:
            for name, time in self.network.hops[ends].uses:
                times[name] += time
        return max(times.values(), default=Fraction(0))
