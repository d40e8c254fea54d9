"""What each method of `task_graph` answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.pools import Pools
from steadygrid.domain.rounding import rounded_down, rounded_up
from steadygrid.engine.exact.safe_rounding import ROUNDED, ROUNDED_BITS, rounded_prices, too_long
from steadygrid.engine.scheduling import Plan, UnitSlot
from steadygrid.kinds.task_graph.schemas import (
    PricedSearchCertificate,
    RatedAllocation,
    RatedTransfer,
    TaskGraphStatistics,
)


@dataclass(frozen=True)
class Answer:
    """Allocations with their rates, and prices that bound every throughput.

    Attributes
    ----------
    plans
        The allocations used, each with a positive rate. They respect every resource. Empty where
        nothing is feasible. What one places on the first member of a class stands for all members
        evenly.
    bound
        No throughput is larger: the sum of the prices, if there are any. None where nothing is feasible.
    exact
        Whether the bound is proved in exact arithmetic.
    prices
        By resource, zeros left out: every allocation costs at least 1, as is proved, or by a
        search's word. Empty where the bound is a search's that has none.
    statistics
        Of the method.
    notes, warnings
        What a reader should know.
    pools
        The classes of processors that the method took for one. None if for none.
    slots
        Per time unit, where half-duplex links need slots of their own: the rates fit into them.
    infeasible
        Where there is no allocation at all: why, for a person. None else.
    """

    plans: Sequence[Plan]
    bound: Fraction | None
    exact: bool
    prices: Mapping[str, Fraction]
    statistics: TaskGraphStatistics
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    pools: Pools | None = None
    slots: Sequence[UnitSlot] | None = None
    infeasible: str | None = None

    @property
    def throughput(self) -> Fraction:
        """Sum of the rates."""
        return sum((plan.rate for plan in self.plans), Fraction(0))


def certificate_of(answer: Answer) -> DualityCertificate | PricedSearchCertificate:
    """Write the prices that prove the bound, or those of a search."""
    prices = {name: price for name, price in sorted(answer.prices.items()) if price}
    if not answer.exact:
        return PricedSearchCertificate(solver="HiGHS", prices=prices)
    return DualityCertificate(prices=prices)


def rated(index: int, plan: Plan) -> RatedAllocation:
    """Write an allocation as answers list it.

    Parameters
    ----------
    index
        Position among all allocations of the answer.
    plan
        Runs each task on one processor.
    """
    return RatedAllocation(
        index=index,
        rate=plan.rate,
        tasks={task: place for task, (place,) in plan.tasks.items()},
        transfers=rated_transfers(plan),
    )


def rated_transfers(plan: Plan) -> list[RatedTransfer]:
    """Write the routes of its files."""
    return [RatedTransfer(file=t.file, path=list(t.path), share=t.share) for t in plan.transfers]


def printable(answer: Answer) -> Answer:
    """Round what no client could read, to the safe side: rates down, prices up."""
    rates = [plan.rate for plan in answer.plans]
    bound = Fraction(0) if answer.bound is None else answer.bound
    numbers = [answer.throughput, bound, *rates, *answer.prices.values()]
    if not too_long(numbers):
        return answer
    plans = [plan._replace(rate=rounded_down(plan.rate, ROUNDED_BITS)) for plan in answer.plans]
    prices = rounded_prices(answer.prices)
    return replace(
        answer,
        plans=[plan for plan in plans if plan.rate],
        bound=sum(prices.values(), Fraction(0)) if prices else rounded_up(bound, ROUNDED_BITS),
        prices=prices,
        notes=(*answer.notes, ROUNDED),
    )
