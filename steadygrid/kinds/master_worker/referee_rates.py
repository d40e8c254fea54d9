"""All rates of an answer of `master_worker`, as the referee reads them."""

from collections.abc import Iterator
from functools import partial

from steadygrid.domain.schedule import Schedule
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult
from steadygrid.verification.exact import Ratio, add, common_denominator, scaled_ratio, show, times
from steadygrid.verification.steady import SteadyInstance

FILES = {"input": ("begin", "task"), "output": ("task", "end")}

Flow = tuple[str, str, str]
"""Sender, receiver, and ``input`` or ``output``."""


class ExactRates:
    """All rates of an answer, over one common denominator.

    Attributes
    ----------
    common
        By which rates are multiplied.
    computed
        By processor.
    sent, routed
        By ends and file.
    """

    def __init__(self, result: MasterWorkerResult, schedule: Schedule | None) -> None:
        allocations = () if schedule is None else schedule.allocations
        self.common = common_denominator(
            [
                *result.computed.values(),
                *(sent.rate for sent in (*result.sent, *(result.routed or ()))),
                *(allocation.rate for allocation in allocations),
            ]
        )
        scaled = partial(scaled_ratio, common=self.common)
        self.computed = {name: scaled(rate) for name, rate in result.computed.items()}
        self.sent: dict[Flow, Ratio] = {
            (s.source, s.target, s.file): scaled(s.rate) for s in result.sent
        }
        self.routed: dict[Flow, Ratio] = {
            (s.source, s.target, s.file): scaled(s.rate) for s in result.routed or ()
        }

    def show(self, rate: Ratio) -> str:
        """Write a rate for people."""
        return show((rate[0], rate[1] * self.common))

    def traffic(self, steady: SteadyInstance) -> Ratio:
        """Sum up the time for which links carry what is sent. Links that there are not have none."""
        return add(self._busy(steady))

    def _busy(self, steady: SteadyInstance) -> Iterator[Ratio]:
        for (source, target, file), rate in self.sent.items():
            hop, size = steady.network.hops.get((source, target)), steady.sizes.get(FILES[file])
            if hop is not None and size is not None:
                yield times(hop.unit_time * size, rate)
