"""Attributes of SimGrid's elements, read as what they mean."""

import re
from fractions import Fraction
from itertools import pairwise

from steadygrid.formats.simgrid.declarations import LinkSort, Policy
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.units import Quantity, parse_bandwidth, parse_speed, parse_time
from steadygrid.formats.simgrid.xml import Element, Misread

_GROUP = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", re.ASCII)


class Attributes:
    """Reads attributes, and notes what had to be interpreted."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def speed(self, element: Element, name: str) -> Fraction | None:
        """Read the speed of all cores together, in the state that the host starts in.

        Parameters
        ----------
        element
            Of the XML document. It knows its line.
        name
            Of the host, for the notes.
        """
        speeds = element.text("speed").split(",")
        state = element.count("pstate", 0, least=0)
        if state >= len(speeds):
            raise Misread(f"pstate={state}, but only {len(speeds)} speeds are given")
        try:
            quantities = [parse_speed(speed.strip()) for speed in speeds]
        except ValueError as error:
            raise Misread(f"speed: {error}") from None
        if len(speeds) > 1:
            self._notes.add("of several speeds (pstates) only the first in use is kept", name)
        cores = element.count("core", 1, least=1)
        if cores > 1:
            self._notes.add(
                "the speed is that of one core times the number of cores, as if one task could"
                " use them all",
                name,
            )
        speed = self._with_unit(quantities[state], element) * cores
        if speed == 0:
            self._notes.add("a host of speed 0 forwards, but runs nothing", name)
        return speed or None

    def _with_unit(self, quantity: Quantity, element: Element) -> Fraction:
        if quantity.unitless:
            self._notes.add(
                "numbers without a unit are read as flops, bytes per second or seconds",
                str(element),
            )
        return quantity.value

    def policy(
        self, element: Element, allowed: tuple[str, ...], default: str, name: str = "sharing_policy"
    ) -> Policy:
        """Read how a link is shared.

        Parameters
        ----------
        element
            Of the XML document. It knows its line.
        allowed
            Policies that the element may have.
        default
            Policy where the attribute is left out.
        name
            Of the attribute.
        """
        policy = element.choice(name, allowed, default)
        if policy == "WIFI":
            raise Misread("WIFI links cannot be represented: their bandwidth depends on the hosts")
        if policy == "FULLDUPLEX":
            return "SPLITDUPLEX"
        return policy  # type: ignore[return-value]

    def bandwidth(self, element: Element, name: str) -> Fraction:
        """Read a bandwidth that must be there.

        Parameters
        ----------
        element
            Of the XML document. It knows its line.
        name
            Of the attribute.
        """
        bandwidth = self._with_unit(element.quantity(name, parse_bandwidth), element)
        if bandwidth == 0:
            raise Misread(f"{name} is zero: nothing could ever cross")
        return bandwidth

    def optional_bandwidth(self, element: Element, name: str) -> Fraction | None:
        """Read a bandwidth, or None where it is left out or zero.

        Parameters
        ----------
        element
            Of the XML document. It knows its line.
        name
            Of the attribute.
        """
        if not element.optional(name):
            return None
        return self._with_unit(element.quantity(name, parse_bandwidth), element) or None

    def time(self, element: Element, name: str) -> Fraction:
        """Read a time, zero where it is left out.

        Parameters
        ----------
        element
            Of the XML document. It knows its line.
        name
            Of the attribute.
        """
        return self._with_unit(element.quantity(name, parse_time, default="0"), element)

    def loopback(self, element: Element) -> LinkSort | None:
        """Read what a host sends to itself over, if the element says so."""
        bandwidth = self.optional_bandwidth(element, "loopback_bw")
        latency = self.time(element, "loopback_lat")
        if bandwidth is None:
            return None
        self._notes.add(
            "loopback links are left out: what stays on a host takes no time", str(element)
        )
        return LinkSort(bandwidth, latency, "FATPIPE")


def radicals(element: Element) -> tuple[range, ...]:
    """Read ``1-29,58,60``, without making the numbers."""
    ranges = []
    for group in element.text("radical").split(","):
        match = _GROUP.fullmatch(group)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise Misread(f"radical: {group[:80]!r} is not a number or a range like 1-29")
        ranges.append(range(int(match[1]), int(match[2] or match[1]) + 1))
    ascending = sorted(ranges, key=lambda numbers: numbers.start)
    for before, after in pairwise(ascending):
        if after.start < before.stop:
            raise Misread(f"radical: {after.start} is listed twice")
    return tuple(ranges)
