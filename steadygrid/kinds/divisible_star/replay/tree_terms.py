"""A tree and its load as the referee sees them: derived anew from the instance."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.findings import Findings

ZERO = Fraction(0)


@dataclass(frozen=True)
class Terms:
    """Times by position: the master is the first, then come those it and others send to.

    Attributes
    ----------
    work
        Time of the whole load. None where it cannot be computed.
    wire
        Time of the whole load on the link from the sender; 0 for the master.
    back
        Time of the results of the whole load on the link to the sender; 0 for the master.
    senders
        Position of the one that a processor receives from. None for the master.
    receivers
        Positions of those that it sends to, in order.
    downwards
        All positions, each after its sender.
    """

    ids: Sequence[str]
    work: Sequence[Fraction | None]
    wire: Sequence[Fraction]
    back: Sequence[Fraction]
    senders: Sequence[int | None]
    receivers: Sequence[Sequence[int]]
    downwards: Sequence[int]

    def below(self, own: Sequence[Fraction]) -> list[Fraction]:
        """Sum up, for each position, what it and all behind it have."""
        sums = list(own)
        for i in reversed(self.downwards):
            sender = self.senders[i]
            if sender is not None:
                sums[sender] += sums[i]
        return sums


def is_linear(instance: DivisibleStarInstance) -> bool:
    """Tell whether nothing takes time but the load itself, sent once and not sent back to a star.

    Latencies count of whom the answer may need: who computes, and the links on the paths there. On
    a tree, where a processor that computes is sent to by another than the master, results may come
    back in reverse order.
    """
    load = instance.load
    if instance.rounds > 1 or load.items is not None:
        return False
    senders = _senders(instance)[0]
    listed = senders.keys() if instance.order is None else {*instance.order}
    late = {
        frozenset((link.source, link.target)) for link in instance.platform.links if link.latency
    }
    seen: set[str] = set()
    deep = False
    for processor in instance.platform.processors:
        place = processor.id
        computes = processor.speed is not None or processor.unit_time is not None
        if not computes or (place not in listed and place != instance.master):
            continue
        if processor.latency:
            return False
        deep = deep or senders.get(place, instance.master) != instance.master
        while place in senders and place not in seen:
            seen.add(place)
            if frozenset((place, senders[place])) in late:
                return False
            place = senders[place]
    return not load.return_volume or (deep and instance.return_orders == "lifo")


def read_terms(
    instance: DivisibleStarInstance, result: DivisibleStarResult, findings: Findings
) -> Terms | None:
    """Check the order of an answer and why it is said to be the best, and compute all times.

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
    Terms or None
        None where the answer is about something else, and nothing more can be checked.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ========================
    1  the order is the given one, or of all that can be sent to          `wrong_order`
    2  `order_proof` says which of these it is: ``given``, or ``theorem`` `wrong_order_proof`
    3  by the theorem, each sends by nondecreasing link time, there and   `order_not_by_link_time`
       back
    == ================================================================== ========================
    """
    terms = _terms(instance, result.order)
    if terms is None or not _is_the_order(instance, result.order):
        findings.add(
            ("result", "order"), "wrong_order", "This is not an order that was asked about."
        )
        return None
    proof = "theorem" if instance.order is None else "given"
    if result.order_proof != proof:
        findings.add(
            ("result", "order_proof"), "wrong_order_proof", f"The order stands by {proof!r}."
        )
    for i, receivers in enumerate(terms.receivers) if proof == "theorem" else ():
        times = [terms.wire[j] + terms.back[j] for j in receivers]
        if times != sorted(times):
            findings.add(
                ("result", "order"),
                "order_not_by_link_time",
                f"{terms.ids[i]!r} does not send by nondecreasing link time, there and back.",
            )
    return terms


def _terms(instance: DivisibleStarInstance, order: Sequence[str]) -> Terms | None:
    ids = [instance.master, *order]
    place = {id_: i for i, id_ in enumerate(ids)}
    if len(place) < len(ids):
        return None
    senders, costs, costs_back = _senders(instance)
    position: list[int | None] = [None]
    for id_ in order:
        sender = senders.get(id_)
        if sender not in place:
            return None
        position.append(place[sender])
    receivers: list[list[int]] = [[] for _ in ids]
    for i, at in enumerate(position):
        if at is not None:
            receivers[at].append(i)
    downwards = [0]
    for i in downwards:
        downwards += receivers[i]
    data, work = instance.load.communication_volume, instance.load.computation_volume
    results = instance.load.return_volume
    own: dict[str, Fraction | None] = {}
    for processor in instance.platform.processors:
        unit = processor.unit_time
        if processor.speed is not None:
            unit = 1 / processor.speed
        own[processor.id] = None if unit is None else unit * work
    return Terms(
        ids,
        [own[id_] for id_ in ids],
        [ZERO, *(costs[id_] * data for id_ in order)],
        [ZERO, *(costs_back[id_] * results if results else ZERO for id_ in order)],
        position,
        receivers,
        downwards,
    )


def _senders(
    instance: DivisibleStarInstance,
) -> tuple[dict[str, str], dict[str, Fraction], dict[str, Fraction]]:
    """Give by processor who sends to it, and the times of a unit of data there and back."""
    around: dict[str, list[tuple[str, Fraction]]] = {}
    by_ends: dict[tuple[str, str], Fraction] = {}
    for link in instance.platform.links:
        time = link.unit_time if link.bandwidth is None else 1 / link.bandwidth
        assert time is not None
        ends = link.source, link.target
        for source, target in (ends,) if link.duplex == "simplex" else (ends, ends[::-1]):
            around.setdefault(source, []).append((target, time))
            by_ends[source, target] = time
    senders: dict[str, str] = {}
    costs: dict[str, Fraction] = {}
    back: dict[str, Fraction] = {}
    queue = [instance.master]
    for sender in queue:
        for receiver, time in around.get(sender, ()):
            if receiver != instance.master and receiver not in senders:
                senders[receiver], costs[receiver] = sender, time
                if (receiver, sender) in by_ends:
                    back[receiver] = by_ends[receiver, sender]
                queue.append(receiver)
    return senders, costs, back


def _is_the_order(instance: DivisibleStarInstance, order: Sequence[str]) -> bool:
    """Tell whether it is the given one, or one of all that can be sent to."""
    if instance.order is not None:
        return tuple(order) == instance.order
    return set(order) == _senders(instance)[0].keys()
