"""A star and its messages as the referee sees them: derived anew from the instance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.findings import Findings

ZERO = Fraction(0)
BY_RULE = ("umr", "periodic")
"""Methods that choose the number of rounds themselves."""


class Times(NamedTuple):
    """What a fraction a > 0 of the load takes: ``C + c a``, ``W + w a`` and ``D + d a``."""

    c: Fraction
    w: Fraction
    d: Fraction
    C: Fraction
    W: Fraction
    D: Fraction

    @property
    def latency(self) -> Fraction:
        """Give C + W + D."""
        return self.C + self.W + self.D

    @property
    def unit(self) -> Fraction:
        """Give c + w + d."""
        return self.c + self.w + self.d

    def max_load(self, time: Fraction) -> Fraction | None:
        """Give what it does alone within a time, not below 0. None where that has no limit."""
        left = time - self.latency
        if left <= 0:
            return ZERO
        return left / self.unit if self.unit else None


@dataclass(frozen=True)
class StarTerms:
    """Times by position in the order of an answer.

    Attributes
    ----------
    master
        Its identifier.
    own
        Times of the master, which needs no messages for itself. None where it cannot compute.
    ids, times
        Of the workers, in the order. Who cannot compute has no times.
    returning
        Positions in the order in which results come back; empty without results.
    rounds
        How often the master may go through the order.
    two_ports
        Whether the master may receive while it sends.
    items
        Of which the load consists. None where any fraction can be computed.
    asked
        Times of all workers that compute and may take part: in the order where one is given, else
        all next to the master, whichever workers the order of the answer lists.
    """

    master: str
    own: Times | None
    ids: Sequence[str]
    times: Sequence[Times | None]
    returning: Sequence[int]
    rounds: int
    two_ports: bool
    items: int | None
    asked: Sequence[Times]

    @property
    def has_latencies(self) -> bool:
        """Whether a message, a computation or a result costs time of its own."""
        return any(times.latency for times in self.participants)

    @property
    def one_order(self) -> bool:
        """Whether there is only one: all who may be sent to are alike, and no results are ordered."""
        return len({*self.asked}) <= 1 and (len(self.asked) <= 1 or not self.returning)

    @property
    def participants(self) -> Sequence[Times]:
        """All who may take part, the master too where it computes."""
        return self.asked if self.own is None else (*self.asked, self.own)

    def named(self, message: tuple[int, int]) -> str:
        """Name the constraint of a message, by its round and position."""
        return f"{self.ids[message[1]]}.message{message[0]}"


def read_star(
    instance: DivisibleStarInstance, result: DivisibleStarResult, findings: Findings
) -> StarTerms | None:
    """Check that the orders of an answer were asked for, and compute all times.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Returns
    -------
    StarTerms or None
        None where the answer is about something else, and nothing more can be checked.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== ====================
    1  the order lists workers beside the master once, and is the given one `wrong_order`
    2  the return order is one that was asked for                           `wrong_return_order`
    == ==================================================================== ====================

    Rule 2: it is of the same processors, as sent, in reverse order or as listed. There is none
    without results.
    """
    times = read_times(instance)
    order = result.order
    given = instance.order
    sound = len({*order}) == len(order) and {*order} <= times.keys() - {instance.master}
    if not sound or (given is not None and tuple(order) != given):
        findings.add(
            ("result", "order"), "wrong_order", "This is not an order that was asked about."
        )
        return None
    back = result.return_order or []
    if not _is_right_return_order(instance, order, result.return_order):
        findings.add(
            ("result", "return_order"),
            "wrong_return_order",
            "This is not an order that was asked about.",
        )
        return None
    position = {id_: i for i, id_ in enumerate(order)}
    return StarTerms(
        instance.master,
        times[instance.master],
        order,
        [times[id_] for id_ in order],
        [position[id_] for id_ in back],
        instance.max_rounds if result.method in BY_RULE else instance.rounds,
        instance.ports == "one_port",
        instance.load.items,
        [
            one
            for id_, one in ((id_, times[id_]) for id_ in (times if given is None else given))
            if one is not None and id_ != instance.master
        ],
    )


def _is_right_return_order(
    instance: DivisibleStarInstance, order: Sequence[str], back: Sequence[str] | None
) -> bool:
    if not instance.load.return_volume:
        return back is None
    if back is None or sorted(back) != sorted(order):
        return False
    asked = instance.return_orders
    if asked == "fifo":
        return list(back) == list(order)
    if asked == "lifo":
        return list(back) == list(order)[::-1]
    listed = {*order}
    return asked == "any" or list(back) == [id_ for id_ in asked if id_ in listed]


def read_times(instance: DivisibleStarInstance) -> Mapping[str, Times | None]:
    """Give the times of the master and of each processor next to it. None for who cannot compute.

    The latter may stand in orders wherever they are.
    """
    load = instance.load
    there: dict[str, tuple[Fraction, Fraction]] = {}
    back: dict[str, tuple[Fraction, Fraction]] = {}
    for link in instance.platform.links:
        time = link.unit_time if link.bandwidth is None else 1 / link.bandwidth
        assert time is not None
        for source, target in ((link.source, link.target), (link.target, link.source)):
            if source == instance.master:
                there[target] = time, link.latency
            elif target == instance.master:
                back[source] = time, link.latency
            if link.duplex == "simplex":
                break
    found: dict[str, Times | None] = {}
    for processor in instance.platform.processors:
        unit = processor.unit_time if processor.speed is None else 1 / processor.speed
        if unit is None:
            found[processor.id] = None
            continue
        if processor.id not in there and processor.id != instance.master:
            continue
        (sent, send_latency) = there.get(processor.id, (ZERO, ZERO))
        (returned, return_latency) = back.get(processor.id, (ZERO, ZERO))
        returns = load.return_volume > 0
        found[processor.id] = Times(
            sent * load.communication_volume,
            unit * load.computation_volume,
            returned * load.return_volume,
            send_latency,
            processor.latency,
            return_latency if returns else ZERO,
        )
    return found
