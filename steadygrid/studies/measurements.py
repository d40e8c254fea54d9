"""Measured speeds and bandwidths of a platform, each at a moment."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, WithJsonSchema

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.moments import parse_moment
from steadygrid.domain.platform import Platform
from steadygrid.domain.quantity import without_platform_units
from steadygrid.domain.rational import MAX_DIGITS, PositiveWithUnit, RationalWithUnit
from steadygrid.domain.resources import pair_name
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.domain.wording import shown
from steadygrid.studies.measured_names import MeasuredNames, slowness
from steadygrid.submissions.submission import MAX_FAULTS, parse_model

AHEAD = timedelta(hours=1)
"""A clock may be so much ahead of this machine's."""
EXAMPLE = "2026-11-27T12:00:00Z"


class SpeedOfProcessor(Frozen):
    """What was measured of a processor."""

    speed: RationalWithUnit | None = Field(
        None, description="work per time unit; 0: the processor is gone, with its links"
    )
    unit_time: PositiveWithUnit | None = Field(None, description="instead of speed")


class BandwidthOfLink(Frozen):
    """What was measured of a link, in both directions if it has two."""

    source: Identifier
    target: Identifier
    bandwidth: RationalWithUnit | None = Field(
        None, description="data per time unit; 0: the link is gone"
    )
    unit_time: PositiveWithUnit | None = Field(None, description="instead of bandwidth")


class BandwidthOfMedium(Frozen):
    """What was measured of a medium."""

    bandwidth: RationalWithUnit = Field(
        description="data per time unit; 0: the medium is gone, with the links that use it"
    )


class MeasuredParts(Frozen):
    """What was measured of a platform. A value may have a unit where the platform says its units."""

    processors: dict[Identifier, SpeedOfProcessor] = Field(default_factory=dict)
    links: Annotated[tuple[BandwidthOfLink, ...], Field(strict=False)] = ()
    media: dict[Identifier, BandwidthOfMedium] = Field(default_factory=dict)


Moment = Annotated[
    datetime,
    BeforeValidator(parse_moment),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class PlatformMeasurement(Frozen):
    """What was measured at a moment."""

    at: Moment = Field(description=f"with its time zone, such as {EXAMPLE}")
    measured: MeasuredParts


class MeasurementsRequest(Frozen):
    """What was measured, once or several times."""

    measurements: Annotated[tuple[PlatformMeasurement, ...], Field(strict=False, min_length=1)]


class MeasuredValue(NamedTuple):
    """A speed or bandwidth at a moment; 0: the resource is gone."""

    resource: str
    at: datetime
    value: Fraction


class MeasuredResource(NamedTuple):
    """What can be measured of a platform."""

    key: str
    planned: Fraction | None
    """Its speed or bandwidth. None: the platform says none."""


def processor_key(processor: str) -> str:
    """Name what is measured of a processor: ``processor:P1``."""
    return f"processor:{processor}"


def link_key(source: str, target: str) -> str:
    """Name what is measured of a link: ``link:P1->P2``.

    Parameters
    ----------
    source, target
        As the platform lists its ends.
    """
    return f"link:{pair_name(source, target)}"


def medium_key(medium: str) -> str:
    """Name what is measured of a medium: ``medium:wan``."""
    return f"medium:{medium}"


def measurable(platform: Platform) -> Iterator[MeasuredResource]:
    """List what can be measured of a platform: processors, links, media."""
    for one in platform.processors:
        if not one.switch:
            time = one.time_per_work
            yield MeasuredResource(processor_key(one.id), None if time is None else 1 / time)
    for link in platform.links:
        planned = 1 / slowness(link.bandwidth, link.unit_time)
        yield MeasuredResource(link_key(link.source, link.target), planned)
    for medium in platform.media:
        yield MeasuredResource(medium_key(medium.id), medium.bandwidth)


def read_measurements(
    document: Any, platform: Platform, now: datetime, limits: Limits | None = None
) -> list[MeasuredValue]:
    """Read measurements of a platform.

    Parameters
    ----------
    document
        As JSON has it.
    platform
        Whose resources are named. Its units are those of numbers without one.
    now
        What is later by more than `AHEAD` is refused.
    limits
        How many measured values are accepted, if not as many as by default.

    Raises
    ------
    LimitError
        If there are more than `Limits.max_measurements`.
    InstanceError
        With every fault; pointers walk `document`.
    """
    most = (limits or Limits()).max_measurements
    count = _count(document)
    if count > most:
        detail = f"{count:,} measured values, and at most {most:,} are accepted: send less at once"
        raise LimitError(detail, [Fault(("measurements",), "limit_exceeded", detail)])
    request = parse_model(MeasurementsRequest, _with_numbers(document, platform))
    reader = _Reader(platform, now)
    found = list(reader.read(request))
    if reader.names.faults:
        raise InstanceError(faults=reader.names.faults[:MAX_FAULTS])
    return found


def _count(document: Any) -> int:
    """Count the values of a request that may be none."""
    listed = document.get("measurements") if isinstance(document, Mapping) else None
    total = 0
    for one in listed if isinstance(listed, list) else ():
        measured = one.get("measured") if isinstance(one, Mapping) else None
        if isinstance(measured, Mapping):
            parts = (measured.get(name) for name in MeasuredParts.model_fields)
            total += sum(len(part) for part in parts if isinstance(part, list | dict))
    return total


def _with_numbers(document: Any, platform: Platform) -> Any:
    """Give the request with plain numbers for quantities that have units."""
    listed = document.get("measurements") if isinstance(document, Mapping) else None
    if platform.units is None or not isinstance(listed, list):
        return document
    units = platform.units.model_dump(mode="json", exclude_none=True)
    return {**document, "measurements": [_without_units(one, units) for one in listed]}


def _without_units(one: Any, units: Mapping[str, Any]) -> Any:
    measured = one.get("measured") if isinstance(one, Mapping) else None
    if not isinstance(measured, Mapping):
        return one
    known = {name: measured[name] for name in MeasuredParts.model_fields if name in measured}
    tables = {name: part for name, part in known.items() if isinstance(part, Mapping)}
    # As a platform lists them.
    listed = known | {name: list(table.values()) for name, table in tables.items()}
    plain = without_platform_units({**listed, "units": units})
    found = {**measured, **{name: plain[name] for name in known}}
    for name, table in tables.items():
        found[name] = dict(zip(table, plain[name], strict=True))
    return {**one, "measured": found}


class _Reader:
    def __init__(self, platform: Platform, now: datetime) -> None:
        self._platform = platform
        self._latest = now + AHEAD
        self.names = MeasuredNames(platform)
        self._seen: dict[tuple[str, datetime], int] = {}

    def read(self, request: MeasurementsRequest) -> Iterator[MeasuredValue]:
        for i, one in enumerate(request.measurements):
            at: Pointer = ("measurements", i)
            if one.at > self._latest:
                detail = "it is over an hour later than now: say when it was measured, with the time zone"
                self._fault((*at, "at"), "in_the_future", detail)
                continue
            for resource, value, where in self._values(one.measured, (*at, "measured")):
                before = self._seen.setdefault((resource, one.at), i)
                if max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
                    detail = f"as a fraction it has more than {MAX_DIGITS} digits in its numerator or denominator: round it"
                    self._fault(where, "rational_too_long", detail)
                elif before != i:
                    detail = f"entry {before} measures {shown(resource)} at this moment, too"
                    self._fault(where, "measured_twice", detail)
                else:
                    yield MeasuredValue(resource, one.at, value)

    def _values(
        self, measured: MeasuredParts, at: Pointer
    ) -> Iterator[tuple[str, Fraction, Pointer]]:
        if not (measured.processors or measured.links or measured.media):
            detail = "nothing was measured: give processors, links or media"
            self._fault(at, "nothing_measured", detail)
        for name, processor in measured.processors.items():
            here: Pointer = (*at, "processors", name)
            index = self.names.processor(name, here)
            value = None if index is None else self._speed(index, processor, here)
            if value is not None:
                yield processor_key(name), value, here
        for link, of_link, here in self.names.links(measured.links, (*at, "links")):
            ends = self._platform.links[link]
            value = _rate(of_link.bandwidth, of_link.unit_time)
            yield link_key(ends.source, ends.target), value, here
        for name, medium in measured.media.items():
            here = (*at, "media", name)
            if self.names.medium(name, here) is not None:
                yield medium_key(name), medium.bandwidth, here

    def _speed(self, index: int, measured: SpeedOfProcessor, at: Pointer) -> Fraction | None:
        if (measured.speed is None) == (measured.unit_time is None):
            self._fault(at, "ambiguous_speed", "give exactly one of speed and unit_time")
            return None
        value = _rate(measured.speed, measured.unit_time)
        if value and self._platform.processors[index].time_per_work is None:
            detail = (
                "the platform gives it no speed: only 0, which says that it is gone, makes sense"
            )
            self._fault(at, "no_speed", detail)
            return None
        return value

    def _fault(self, at: Pointer, code: str, detail: str) -> None:
        self.names.faults.append(Fault(at, code, detail))


def _rate(rate: Fraction | None, unit_time: Fraction | None) -> Fraction:
    return Fraction(0) if rate == 0 else 1 / slowness(rate, unit_time)


def measured_document(platform: Platform, values: Mapping[str, Fraction]) -> dict[str, Any]:
    """Write measured values as a replan's ``measured``. What is as planned, or not there, is left out.

    Parameters
    ----------
    platform
        Of the plan. It may lack resources that were measured.
    values
        By the keys of the resources.
    """
    found: dict[str, Any] = {"processors": {}, "links": [], "media": {}}
    for one in platform.processors:
        time, value = one.time_per_work, values.get(processor_key(one.id))
        if value is not None and (value == 0 or time is not None) and value != _speed_of(time):
            found["processors"][one.id] = {"speed": str(value)}
    for link in platform.links:
        pair = (link.source, link.target)
        ends = (pair,) if link.duplex == "simplex" else (pair, pair[::-1])
        value = next((values[key] for key in _keys(ends) if key in values), None)
        if value is not None and value != 1 / slowness(link.bandwidth, link.unit_time):
            source, target = ends[0]
            found["links"].append({"source": source, "target": target, "bandwidth": str(value)})
    for medium in platform.media:
        value = values.get(medium_key(medium.id))
        if value is not None and value != medium.bandwidth:
            found["media"][medium.id] = {"bandwidth": str(value)}
    return {name: part for name, part in found.items() if part}


def _speed_of(time: Fraction | None) -> Fraction | None:
    return None if time is None else 1 / time


def _keys(ends: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (link_key(*pair) for pair in ends)
