"""What may not be as planned: processors, links and media, for the form that asks what is kept."""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from app.pages.quantities import Shown, brief
from steadygrid.domain.errors import InstanceError, Pointer, format_pointer
from steadygrid.domain.platform import Link, Platform
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    link_resource,
    medium_resource,
)
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list
from steadygrid.studies.replan import require_periodic

_GROUPS = {"processor": "processors", "medium": "media"}
"""Where measured values of a kind of resource stand in a request."""
_JOINS = "->", "--"
"""Between the ends of a link, in the keys of resources."""


class Measurable(NamedTuple):
    """A processor, a link or a medium, and where its measured value goes in a request."""

    name: str
    what: str
    planned: Shown | None
    unit: str
    """Of both values; empty where the platform does not say it."""
    used: Fraction
    """The greatest of both directions."""
    ways: Sequence[tuple[str, Fraction]]
    """How much each direction of a full-duplex link is in use, with its sign; else empty."""
    at: Pointer
    """In the body of the request; of a link into the next of a list."""
    entry: str
    """Members that an entry of a list begins with, as JSON; else empty."""

    @property
    def pointer(self) -> str:
        """Write where it goes."""
        return format_pointer(self.at)

    def is_marked(self, marked: Sequence[str]) -> bool:
        """Whether it is among the members of a marked resource, whose kind comes first."""
        if not marked:
            return False
        kind, *members = marked
        if not self.entry:
            return self.at[1] == _GROUPS.get(kind) and self.at[2] in members
        source, target = json.loads(self.entry).values()
        ends = (source, target), (target, source)
        return kind == "link" and any(join.join(e) in members for e in ends for join in _JOINS)


def slower(measurable: Sequence[Measurable]) -> dict[str, Any]:
    """Say that one of them has half its speed: the first processor with a speed, or else a link.

    Parameters
    ----------
    measurable
        At least one.
    """
    ranked = (
        [one for one in measurable if one.what == "speed" and one.planned is not None],
        [one for one in measurable if one.what == "bandwidth"],
        measurable,
    )
    one = next(first for listed in ranked for first in listed)
    if one.entry:
        return {"links": [json.loads(one.entry) | {one.what: "1/2"}]}
    _, group, name, quantity = map(str, one.at)
    return {group: {name: {quantity: "1/2"}}}


def measurable_of(report: Report) -> Iterator[Measurable]:
    """List the processors, links and media of an answer whose schedule can be timed anew.

    Parameters
    ----------
    report
        The answer, and what was asked.
    """
    platform = report.platform
    if platform is None or report.schedule is None:
        return
    try:
        require_periodic(report.submission)
    except InstanceError:
        return
    listed = resource_list(report, folded=False).rows
    busy = {port.name: port.busy for row in listed for port in row.ports if port.busy is not None}
    for processor in platform.processors:
        resource = compute_resource(processor.id)
        time = processor.time_per_work
        if time is None and resource not in busy:
            continue
        yield Measurable(
            printable(processor.id),
            "speed",
            None if time is None else brief(1 / time),
            _unit(platform, "work"),
            busy.get(resource, Fraction(0)),
            (),
            ("measured", "processors", processor.id, "speed"),
            "",
        )
    yield from _measurable_links(platform, busy)


def _measurable_links(platform: Platform, busy: Mapping[str, Fraction]) -> Iterator[Measurable]:
    for link in platform.links:
        bandwidth = 1 / link.unit_time if link.unit_time is not None else link.bandwidth
        assert bandwidth is not None
        sign = UNICODE.to if link.duplex == "simplex" else "\N{LEFT RIGHT ARROW}"
        yield Measurable(
            printable(f"{link.source} {sign} {link.target}"),
            "bandwidth",
            brief(bandwidth),
            _unit(platform, "data"),
            max(busy.get(name, Fraction(0)) for name in _link_resources(link)),
            _by_direction(link, busy),
            ("measured", "links", "-", "bandwidth"),
            json.dumps({"source": link.source, "target": link.target}),
        )
    for medium in platform.media:
        yield Measurable(
            printable(medium.id),
            "bandwidth",
            brief(medium.bandwidth),
            _unit(platform, "data"),
            busy.get(medium_resource(medium.id), Fraction(0)),
            (),
            ("measured", "media", medium.id, "bandwidth"),
            "",
        )


def _by_direction(link: Link, busy: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    if link.duplex != "full":
        return []
    there, back, _ = (busy.get(name, Fraction(0)) for name in _link_resources(link))
    return [(UNICODE.to, there), ("\N{LEFTWARDS ARROW}", back)]


def _link_resources(link: Link) -> Sequence[str]:
    ends = (link.source, link.target)
    return link_resource(*ends), link_resource(*reversed(ends)), half_resource(*ends)


def _unit(platform: Platform, amount: str) -> str:
    """Write the unit of a speed or a bandwidth; empty where the platform does not say it."""
    units = platform.units
    of_amount, of_time = (None, None) if units is None else (getattr(units, amount), units.time)
    return printable(f"{of_amount}/{of_time}") if of_amount and of_time else ""
