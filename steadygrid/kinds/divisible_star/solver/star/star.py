"""A star whose messages and computations may take a time of their own, and what is sent on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.kinds.divisible_star.order import arcs_down, order_of, reverse_arc
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance

ZERO = Fraction(0)


@dataclass(frozen=True)
class Costs:
    r"""What a worker needs for the fraction :math:`a` of the load, above 0.

    Receiving it takes :math:`C + c a`, computing it :math:`W + w a`, returning its result
    :math:`D + d a`. Nothing of that is paid where nothing is sent.

    Attributes
    ----------
    wire, work, back
        c, w and d: times of the whole load.
    wire_latency, work_latency, back_latency
        C, W and D: times of a message, a computation and a result, of any size.
    """

    wire: Fraction
    work: Fraction
    back: Fraction = ZERO
    wire_latency: Fraction = ZERO
    work_latency: Fraction = ZERO
    back_latency: Fraction = ZERO


@dataclass(frozen=True)
class Star:
    """A master and those of its workers that compute.

    Attributes
    ----------
    master
        Its identifier.
    own
        What the master needs for a fraction that it computes itself, besides its messages: `work`
        and `work_latency`. None where it does not compute.
    names, workers
        The workers, in the order that is asked for, or in the platform's.
    two_ports
        Whether the master may receive a result while it sends.
    """

    master: str
    own: Costs | None
    names: Sequence[str]
    workers: Sequence[Costs]
    two_ports: bool

    @property
    def has_latencies(self) -> bool:
        """Whether anything takes a time of its own, besides that of its share."""
        return any(
            costs.wire_latency or costs.work_latency or costs.back_latency
            for costs in (self.own, *self.workers)
            if costs is not None
        )

    @property
    def one_order(self) -> bool:
        """Whether all orders of messages are the same, since all workers are."""
        return len({*self.workers}) <= 1

    @property
    def with_round_trips(self) -> "Star":
        """Give the star without results whose messages take as long as there and back."""
        workers = [
            Costs(
                costs.wire + costs.back,
                costs.work,
                ZERO,
                costs.wire_latency + costs.back_latency,
                costs.work_latency,
            )
            for costs in self.workers
        ]
        return replace(self, workers=workers)


@dataclass(frozen=True)
class Message:
    """A fraction of the load, above 0, on its route to a worker, by its place in the star."""

    worker: int
    round: int
    """Counted from 1."""
    share: Fraction


@dataclass(frozen=True)
class Plan:
    """What is computed where, and in which order it is sent: all that dates need.

    Attributes
    ----------
    own
        The fraction that the master computes.
    messages
        In the order in which they are sent, back to back from 0.
    returns
        Workers in the order in which their results come back; empty without results.
    """

    own: Fraction
    messages: Sequence[Message]
    returns: Sequence[int] = ()


def read_star(instance: DivisibleStarInstance) -> Star:
    """Compute the times of an instance without faults whose workers are all next to the master.

    The workers are in the order given, or by nondecreasing link time, ties in the platform's order.
    Processors that cannot compute are left out.
    """
    platform, load = instance.platform, instance.load
    down = arcs_down(platform, instance.master)
    names, workers = [], []
    for place in order_of(instance):
        processor, arc = platform.processors[place], down[place]
        if processor.time_per_work is None:
            continue
        back = reverse_arc(platform, arc) if instance.load.return_volume else None
        names.append(processor.id)
        workers.append(
            Costs(
                arc.unit_time * load.communication_volume,
                processor.time_per_work * load.computation_volume,
                ZERO if back is None else back.unit_time * load.return_volume,
                platform.links[arc.link].latency,
                processor.latency,
                ZERO if back is None else platform.links[back.link].latency,
            )
        )
    master = platform.processors[platform.index_by_id[instance.master]]
    own = None
    if master.time_per_work is not None:
        time = master.time_per_work * load.computation_volume
        own = Costs(ZERO, time, work_latency=master.latency)
    return Star(instance.master, own, names, workers, instance.ports == "one_port")
