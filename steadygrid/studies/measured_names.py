"""Which resource of a platform a measured value names."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Protocol, TypeVar

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform, no_processor
from steadygrid.domain.wording import shown


class OfLink(Protocol):
    """What was measured of a link."""

    @property
    def source(self) -> str:
        """One end."""

    @property
    def target(self) -> str:
        """The other end."""

    @property
    def bandwidth(self) -> Fraction | None:
        """0: it is gone."""

    @property
    def unit_time(self) -> Fraction | None:
        """Instead of the bandwidth."""


L = TypeVar("L", bound=OfLink)


class MeasuredNames:
    """Finds what is named. What is wrong is added to `faults`.

    Parameters
    ----------
    platform
        Whose resources they are.
    """

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._processors = Known(platform.index_by_id)
        self._media = {medium.id: i for i, medium in enumerate(platform.media)}
        self._known_media = Known(self._media)
        ids = platform.processors
        self._links = {(ids[a.source].id, ids[a.target].id): a.link for a in platform.arcs}
        self.faults: list[Fault] = []

    def processor(self, name: str, at: Pointer) -> int | None:
        """Give the index of a processor. None if there is none."""
        index = self._platform.index_by_id.get(name)
        if index is None:
            detail = no_processor(name, self._processors)
            self.faults.append(Fault(at, "unknown_processor", detail))
        return index

    def medium(self, name: str, at: Pointer) -> int | None:
        """Give the index of a medium. None if there is none."""
        index = self._media.get(name)
        if index is None:
            detail = f"there is no medium {shown(name)}{self._known_media.suggestion(name)}"
            self.faults.append(Fault(at, "unknown_medium", detail))
        return index

    def links(self, listed: Iterable[L], at: Pointer) -> Iterator[tuple[int, L, Pointer]]:
        """Give the index of each link, what was measured of it, and where that stands.

        Parameters
        ----------
        listed
            Measured links. Each names its ends in any order, unless it has one direction.
        at
            Where the list stands.
        """
        seen: dict[int, int] = {}
        for i, measured in enumerate(listed):
            here: Pointer = (*at, i)
            link = self._link(measured, here)
            if link is None:
                continue
            if link in seen:
                detail = f"entry {seen[link]} measures this link, too, in both directions"
                self.faults.append(Fault(here, "measured_twice", detail))
            else:
                seen[link] = i
                yield link, measured, here

    def _link(self, measured: OfLink, at: Pointer) -> int | None:
        ends = (("source", measured.source), ("target", measured.target))
        unknown = [one for one in ends if one[1] not in self._platform.index_by_id]
        for member, name in unknown:
            self.processor(name, (*at, member))
        if (measured.bandwidth is None) == (measured.unit_time is None):
            detail = "give exactly one of bandwidth and unit_time"
            self.faults.append(Fault(at, "ambiguous_speed", detail))
            return None
        link = self._links.get((measured.source, measured.target))
        if link is None and not unknown:
            detail = f"there is no link from {shown(measured.source)} to {shown(measured.target)}"
            self.faults.append(Fault(at, "unknown_link", detail))
        return link


def slowness(speed: Fraction | None, unit_time: Fraction | None) -> Fraction:
    """Give the time of a unit: what was given, or the inverse of a speed, which is not 0.

    Raises
    ------
    ValueError
        Neither is given.
    """
    if unit_time is not None:
        return unit_time
    if speed is None:
        raise ValueError("neither a speed nor a time")
    return 1 / speed
