"""What the hops of a periodic schedule have to carry, and what its transfers carry."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import Pointer
from steadygrid.domain.slots import FileName
from steadygrid.verification.allocations import AllocationByIndex
from steadygrid.verification.exact import Ratio, add, equals, show
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.network import Network
from steadygrid.verification.steady import Views

Move = tuple[str, str, FileName, int]
"""Sender, receiver, file and allocation."""


class Lane:
    """What one hop of one file of one allocation may carry, and has carried so far."""

    __slots__ = ("asked", "latency", "parts", "per", "resources", "time", "uses", "whole")

    def __init__(self, network: Network, move: Move, size: Fraction, *, pays: bool = False) -> None:
        hop = network.hops.get(move[:2])
        self.uses = [] if hop is None else [(name, time * size) for name, time in hop.uses]
        """Time on each limited resource for one file."""
        self.resources = tuple(name for name, _ in self.uses)
        each = Fraction(0) if hop is None else hop.unit_time * size
        self.time, self.per = each.as_integer_ratio()
        """Time for one file."""
        self.latency = hop.latency if hop is not None and pays else Fraction(0)
        self.asked = Fraction(0)
        """Files per period."""
        self.whole = 0
        self.parts: list[Ratio] = []

    def carry(self, count: Fraction) -> None:
        """Count files that a schedule carries."""
        numerator, denominator = count.as_integer_ratio()
        if denominator == 1:
            self.whole += numerator
        else:
            self.parts.append((numerator, denominator))

    @property
    def carried(self) -> Ratio:
        """All files that were counted."""
        return add([(self.whole, 1), *self.parts])


def lanes_of(views: Views, by_index: AllocationByIndex, *, pays: bool) -> dict[Move, Lane]:
    """Say what each hop has to carry in a period.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    by_index
        The allocations by index, see `check_allocations`.
    pays
        Whether the schedule pays latencies.
    """
    lanes: dict[Move, Lane] = {}
    for index, allocation in by_index.items():
        sizes = views.of(allocation).sizes
        for transfer in allocation.transfers:
            size = sizes.get(transfer.file)
            if not size:
                continue
            count = transfer.share * allocation.instances_per_period
            for sender, receiver in pairwise(transfer.path):
                move = (sender, receiver, transfer.file, index)
                lane = lanes.get(move)
                if lane is None:
                    lane = lanes[move] = Lane(views.network, move, size, pays=pays)
                lane.asked += count
    return lanes


def check_carried(lanes: Mapping[Move, Lane], at: Pointer, what: str, findings: Findings) -> None:
    """Check that each hop carries each file as often as the instances need it.

    Parameters
    ----------
    lanes
        With what was counted.
    at
        The part of the schedule that carries.
    what
        Its entries, in words.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == =================================================== =============
    1  each hop carries each file as often as is needed    `wrong_count`
    == =================================================== =============
    """
    for (sender, receiver, file, index), lane in lanes.items():
        if not equals(lane.carried, lane.asked.as_integer_ratio()):
            findings.add(
                at,
                "wrong_count",
                f"Allocation {index}: the {what} carry {show(lane.carried)} of {named(file)} from"
                f" {sender!r} to {receiver!r}, but its instances need {show(lane.asked)}.",
            )
