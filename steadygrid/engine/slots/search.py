"""The search for slots that pay: a linear program over slots, and what its prices ask for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.platform import Arc, Platform, receiving_port, sending_port
from steadygrid.engine.exact.certified import CertifiedSolution
from steadygrid.engine.slots.heaviest import SlotArcs, heaviest_slot
from steadygrid.engine.slots.model import build_pricing
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import solve_mixed_integer

T = TypeVar("T")

NO_SLOT_PAYS = (
    "half-duplex links are used in both directions off a tree: the bound does not see what slots"
    " they need, and the search over slots has ended"
)
CUT_SHORT = (
    "half-duplex links are used in both directions off a tree: the time limit cut short the"
    " search for better slots"
)
FAILED = (
    "half-duplex links are used in both directions off a tree: the solver failed in the search for"
    " better slots, which ends here"
)


@dataclass(frozen=True)
class Priced(Generic[T]):
    """The exact optimum of a program over some slots, and its prices.

    Attributes
    ----------
    value
        Of the optimum.
    rates
        What the kind reads of it.
    durations
        Share of time by position of the slot, zeros left out.
    worth
        Price of (3) of `model` by arc, zeros left out.
    threshold
        Price of (4): slots that are worth more pay.
    """

    value: Fraction
    rates: T
    durations: Mapping[int, Fraction]
    worth: Mapping[int, Fraction]
    threshold: Fraction

    @classmethod
    def from_model(
        cls, model: Any, solved: CertifiedSolution, value: Fraction, rates: T
    ) -> "Priced[T]":
        """Read the components of `add_slots`.

        Parameters
        ----------
        model
            The program, with the components of `add_slots`.
        solved
            Its exact optimum and prices.
        value
            Of the optimum.
        rates
            What the kind reads of it.
        """
        return cls(
            value,
            rates,
            solved.values_of(model.slot_time),
            solved.prices_of(model.carried),
            solved.prices_of(model.whole_time).get(None, Fraction(0)),
        )


@dataclass(frozen=True)
class Found(Generic[T]):
    """The best rates of a search, with slots that carry them.

    Attributes
    ----------
    slots
        Arcs, with their share of time; together at most 1.
    note
        How the search ended. None where the bound was reached.
    """

    rates: T
    slots: Sequence[tuple[SlotArcs, Fraction]]
    note: str | None


def search_slots(
    platform: Platform,
    slots: list[SlotArcs],
    solve: Callable[[Sequence[SlotArcs]], Priced[T]],
    bound: Fraction,
    control: Control,
    more: Callable[[Priced[T]], bool] = lambda _: False,
) -> Found[T]:
    """Add slots to a program until none pays, its bound is reached, or the time is over.

    Parameters
    ----------
    slots
        To begin with; others are appended.
    solve
        Finds the optimum over some slots, exactly. A larger value is a better one.
    bound
        No value is larger.
    more
        Adds all else that pays at prices at which no slot does, and says whether anything did.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or out of time before the first slots were solved for.
    SolverError, CertificationError
        If the solver fails on the first slots. A later failure ends the search only.
    """
    best: Found[T] | None = None
    iterations = 0
    while True:
        iterations += 1
        try:
            priced = solve(slots)
            used = [(slots[k], time) for k, time in sorted(priced.durations.items())]
            best = Found(priced.rates, used, None)
            control.progress(iterations=iterations, value=priced.value, bound=bound)
            if priced.value >= bound:
                return best
            slot = best_slot(platform, priced.worth, control)
            worth = sum((priced.worth[a] for a in slot), Fraction(0))
            if slot not in slots and worth > priced.threshold:
                slots.append(slot)
            elif not more(priced):
                return Found(best.rates, best.slots, NO_SLOT_PAYS)
        except OutOfTime:
            if best is None:
                raise
            return Found(best.rates, best.slots, CUT_SHORT)
        except (SolverError, CertificationError):
            if best is None:
                raise
            return Found(best.rates, best.slots, FAILED)


def best_slot(platform: Platform, worth: Mapping[int, Fraction], control: Control) -> SlotArcs:
    """Find the set of transfers that may run side by side and is worth most.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    worth
        By arc, the price of its time.
    control
        Deadline and cancellation.
    """
    if not worth:
        return frozenset()
    if (slot := heaviest_slot(platform, worth, control)) is not None:
        return slot
    model = build_pricing(platform, worth)
    chosen = solve_mixed_integer(model, control).values_of(model.chosen)
    return frozenset(index for index, value in chosen.items() if round(value))


def first_slots(platform: Platform, crossed: Iterable[int], used: Sequence[Arc]) -> list[SlotArcs]:
    """Give every transfer alone, and a greedy slot around each one that is used.

    Parameters
    ----------
    crossed
        Arcs that some transfer may use, by index.
    used
        Those that suggest the slots.
    """
    singles = [frozenset((index,)) for index in crossed]
    greedy: list[SlotArcs] = []
    for start in range(len(used)):
        chosen: list[Arc] = []
        for arc in (*used[start:], *used[:start]):
            if all(compatible(platform, arc, other) for other in chosen):
                chosen.append(arc)
        greedy.append(frozenset(arc.index for arc in chosen))
    return list(dict.fromkeys((*singles, *greedy)))


def compatible(platform: Platform, first: Arc, second: Arc) -> bool:
    """Whether two transfers may run side by side.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    first, second
        Arcs of the platform.
    """
    ports = (sending_port, receiving_port)
    return first.half != second.index and not any(
        port(platform, first) == port(platform, second) is not None for port in ports
    )
