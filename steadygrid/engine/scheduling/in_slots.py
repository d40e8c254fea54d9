"""The best rates of allocations that slots of half-duplex links can carry, one port at a time.

Where the shared reconstruction needs slots, `putting_off` gives some at once. They begin the search:
the program of `steadygrid.engine.slots.model` gives rates and slots together, and slots that pay at
its prices join it, and, if the kind can say so, allocations.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.platform import Platform
from steadygrid.domain.rounding import rounded_down
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.safe_rounding import ROUNDED, ROUNDED_BITS, too_long
from steadygrid.engine.scheduling.half_duplex_general import with_slots
from steadygrid.engine.scheduling.workload import Plan, UnitSlot, Workload, operations, unit_slot
from steadygrid.engine.slots.heaviest import SlotArcs
from steadygrid.engine.slots.model import Takes, build_mix
from steadygrid.engine.slots.search import CUT_SHORT, FAILED, Priced, first_slots, search_slots
from steadygrid.engine.solving.control import Control

Income = Callable[[str | None], Fraction]
"""What an instance is worth; of several messages, by name: together 1."""
Pricing = Callable[[Mapping[str, Fraction], Mapping[int, Fraction], Income], Sequence[Plan]]
"""Gives allocations that cost less than they are worth at prices of processors (by id) and of arcs
(by index)."""


@dataclass(frozen=True)
class InSlots:
    """Plans that have slots, where these are needed.

    Attributes
    ----------
    plans
        Those that run: their rates are above 0.
    slots
        Per time unit. None where the shared reconstruction needs none.
    notes
        Where the rates may be, or are, less than what the program promised: why.
    """

    plans: Sequence[Plan]
    slots: Sequence[UnitSlot] | None
    notes: tuple[str, ...] = ()

    @property
    def throughput(self) -> Fraction:
        """Sum of the rates; of several messages, that of each."""
        messages = {plan.message for plan in self.plans}
        return sum((plan.rate for plan in self.plans), Fraction(0)) / max(len(messages), 1)


def in_best_slots(
    workload: Workload,
    plans: Sequence[Plan],
    bound: Fraction,
    control: Control,
    price: Pricing | None = None,
    *,
    others: Iterable[Plan] = (),
    together: bool = False,
) -> InSlots:
    """Find the best rates of allocations, and slots that carry them.

    Parameters
    ----------
    plans
        Their rates respect every resource.
    bound
        No throughput is larger: where it is reached, the search ends.
    price
        Asked for more allocations at the prices of each round.
    others
        Allocations that may run as well, at any rates.
    together
        Whether the rates keep their ratios: then the best ones are the given ones times the largest
        factor, and `others` and `price` have no say.

    Returns
    -------
    InSlots
        The plans as they are, where no slots are needed. Else the throughput is the best of any
        rates of these allocations, and of those that `price` knows, under the one-port model. That
        holds if the notes do not say that the search was cut short or had failed. Never less than
        that of `with_slots`.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    scaled, slots = with_slots(workload, plans)
    if slots is None:
        return InSlots(plans, None)
    found = InSlots(scaled, slots)
    if found.throughput < bound:
        try:
            mixes = [_together(plans)] if together else [_alone(plan) for plan in (*plans, *others)]
            asked = None if together else price
            found = _Search(workload, mixes, slots, control, asked).run(bound)
        except OutOfTime:
            found = InSlots(scaled, slots, (CUT_SHORT,))
        except (SolverError, CertificationError):
            found = InSlots(scaled, slots, (FAILED,))
    return _readable(found)


def _readable(found: InSlots) -> InSlots:
    """Round rates down that no client could read."""
    if not too_long([found.throughput, *(plan.rate for plan in found.plans)]):
        return found
    plans = alike(p._replace(rate=rounded_down(p.rate, ROUNDED_BITS)) for p in found.plans)
    return InSlots(plans, found.slots, (*found.notes, ROUNDED))


_Mix = Sequence[tuple[Fraction, Plan]]
"""Allocations of which one instance is a mix: parts that sum to 1."""


def _alone(plan: Plan) -> _Mix:
    return [(Fraction(1), plan)]


def _together(plans: Iterable[Plan]) -> _Mix:
    running = [plan for plan in plans if plan.rate]
    total = sum((plan.rate for plan in running), Fraction(0))
    return [(plan.rate / total, plan) for plan in running]


class _Search:
    """The allocations and slots that the program has."""

    def __init__(
        self,
        workload: Workload,
        mixes: Iterable[_Mix],
        slots: Sequence[UnitSlot],
        control: Control,
        price: Pricing | None,
    ) -> None:
        self._workload = workload
        self._platform = workload.platform
        self._control = control
        self._price = price
        self._mixes: list[_Mix] = []
        self._takes: list[Takes] = []
        self._slots: list[SlotArcs] = []
        self._add(mixes)
        used = {arc for takes in self._takes for arc in takes.sending}
        arcs = [self._platform.arcs[index] for index in sorted(used)]
        self._offer(_arcs_of(self._platform, slot) for slot in slots)
        self._offer(first_slots(self._platform, (), arcs))

    def run(self, bound: Fraction) -> InSlots:
        """Search until nothing pays, the bound is reached, or the time is over."""
        found = search_slots(
            self._platform, self._slots, self._solve, bound, self._control, self._add_priced_plans
        )
        plans = alike(
            plan._replace(rate=rate * part)
            for k, rate in sorted(found.rates.items())
            for part, plan in self._mixes[k]
        )
        slots = [unit_slot(self._platform, arcs, time) for arcs, time in found.slots]
        return InSlots(plans, slots, () if found.note is None else (found.note,))

    def _solve(self, slots: Sequence[SlotArcs]) -> Priced[Mapping[int, Fraction]]:
        model = build_mix(self._takes, slots)
        solved = solve_certified(model, self._control)
        if solved.objective is None:
            raise AssertionError(f"the mix is feasible and bounded, yet {solved.status}")
        rates = solved.values_of(model.rate)
        self._computing = solved.prices_of(model.compute)
        self._income = solved.prices_of(model.each)
        return Priced.from_model(model, solved, solved.objective, rates)

    def _add_priced_plans(self, priced: Priced[Mapping[int, Fraction]]) -> bool:
        if self._price is None:
            return False
        plans = self._price(self._computing, priced.worth, self._worth_of)
        self._add(map(_alone, plans))
        return bool(plans)

    def _worth_of(self, message: str | None) -> Fraction:
        if len({takes.stream for takes in self._takes}) == 1:
            return Fraction(1)
        return self._income.get(message, Fraction(0))

    def _add(self, mixes: Iterable[_Mix]) -> None:
        """Add allocations, and each of their transfers alone as a slot."""
        for mix in mixes:
            takes = _takes_of(self._workload, mix)
            self._mixes.append(mix)
            self._takes.append(takes)
            self._offer(frozenset((index,)) for index in sorted(takes.sending))

    def _offer(self, slots: Iterable[SlotArcs]) -> None:
        known = set(self._slots)
        self._slots += [slot for slot in dict.fromkeys(slots) if slot not in known]


def alike(plans: Iterable[Plan]) -> list[Plan]:
    """Give every message as many instances as the one that has the least; leave out what stands still."""
    given = list(plans)
    total: Amounts[str | None] = Amounts()
    for plan in given:
        total[plan.message] += plan.rate
    least = min(total.values(), default=Fraction(0))
    kept = []
    for plan in given:
        less = min(plan.rate, total[plan.message] - least)
        total[plan.message] -= less
        kept.append(plan._replace(rate=plan.rate - less))
    return [plan for plan in kept if plan.rate]


def _takes_of(workload: Workload, mix: _Mix) -> Takes:
    computing: Amounts[str] = Amounts()
    for part, plan in mix:
        for _, processor, time in workload.times_of(plan):
            if time:
                computing[processor] += part * time
    sending: Amounts[int] = Amounts()
    for hop in operations(workload, [plan for _, plan in mix]):
        sending[hop.arc.index] += mix[hop.plan][0] * hop.time
    return Takes(computing, sending, mix[0][1].message)


def _arcs_of(platform: Platform, slot: UnitSlot) -> SlotArcs:
    index, arcs = platform.index_by_id, platform.arc_by_ends
    return frozenset(arcs[index[one], index[other]].index for one, other in slot.arcs)
